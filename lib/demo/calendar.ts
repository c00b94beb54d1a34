export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** How long the incident lasts. */
export const INCIDENT_MS = 48 * MINUTE_MS;

/** Share of the peak, by hour of the UTC day: most customers work in Europe. */
const HOURLY_SHARE = [
  0.1, 0.08, 0.07, 0.08, 0.12, 0.22, 0.42, 0.68, 0.9, 1, 0.98, 0.9, 0.86, 0.94, 0.96, 0.84, 0.66, 0.5, 0.42, 0.36, 0.3,
  0.24, 0.18, 0.13,
];
const WEEKEND_SHARE = 0.35;

/** Traffic at an instant as a share of the busiest hour: day and night, working days and weekends. */
export function shareOfPeak(at: number): number {
  const date = new Date(at);
  const hour = date.getUTCHours();
  const part = date.getUTCMinutes() / 60;
  const now = HOURLY_SHARE[hour] ?? 0;
  const next = HOURLY_SHARE[(hour + 1) % 24] ?? 0;
  const weekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return (now + (next - now) * part) * (weekend ? WEEKEND_SHARE : 1);
}

/** Hours of the day in which a busy platform fails. */
const INCIDENT_HOUR = 9;

/**
 * When the incident of a week begins. It recurs every seven days from one that lies 8 to 20 hours before the anchor,
 * as close to the morning's peak as that allows.
 * @param anchor epoch ms that stays the same for one demo project (when it was made)
 * @param at any time; the incident of the seven days around it is meant
 */
export function incidentStart(anchor: number, at: number): number {
  const hour = Math.floor(anchor / HOUR_MS);
  let best = hour - 8;
  for (let back = 8; back <= 20; back += 1) {
    const distance = Math.abs(((hour - back) % 24) - INCIDENT_HOUR);
    if (distance < Math.abs((best % 24) - INCIDENT_HOUR)) best = hour - back;
  }
  const first = best * HOUR_MS + 17 * MINUTE_MS;
  return first + Math.round((at - first) / WEEK_MS) * WEEK_MS;
}

/** How bad the platform is at an instant: 0 on calm days, up to 1 in the middle of the incident. */
export function incidentStrength(anchor: number, at: number): number {
  const since = at - incidentStart(anchor, at);
  if (since < 0 || since >= INCIDENT_MS) return 0;
  const share = since / INCIDENT_MS;
  return share < 0.15 ? share / 0.15 : share > 0.7 ? (1 - share) / 0.3 : 1;
}
