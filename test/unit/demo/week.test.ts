import { describe, expect, it } from 'vitest';
import { HOUR_MS, INCIDENT_MS, incidentStart, incidentStrength, WEEK_MS } from '@/lib/demo/calendar';
import { STORY_TAIL_MS, tellHour, tellWeek, weekStart } from '@/lib/demo/week';

const ANCHOR = Date.UTC(2026, 9, 29, 15, 40);
const SETTING = { anchor: ANCHOR, scale: 0.2 };

function eventTime(event: { startedAt?: number; minute?: number }): number {
  return event.startedAt ?? event.minute ?? 0;
}

describe('tellHour', () => {
  it('tells the same hour twice in the same words, ids included', () => {
    const hour = Math.floor(ANCHOR / HOUR_MS) * HOUR_MS;
    expect(tellHour(hour, SETTING)).toEqual(tellHour(hour, SETTING));
  });

  it('gives every event an id of its own, begins in its hour and ends within the tail', () => {
    const ids = new Set<string>();
    for (let hour = weekStart(ANCHOR); hour < ANCHOR; hour += HOUR_MS) {
      for (const { at, event } of tellHour(hour, SETTING)) {
        expect(ids.has(event.id)).toBe(false);
        ids.add(event.id);
        expect(at).toBeGreaterThanOrEqual(hour);
        expect(at - hour).toBeLessThan(HOUR_MS + STORY_TAIL_MS);
        expect(eventTime(event)).toBeLessThanOrEqual(at);
      }
    }
    expect(ids.size).toBeGreaterThan(5_000);
  });
});

describe('tellWeek', () => {
  it('says nothing that is not known yet', () => {
    const from = weekStart(ANCHOR);
    for (const events of tellWeek(from, ANCHOR, SETTING)) {
      for (const { at } of events) expect(at).toBeLessThanOrEqual(ANCHOR);
    }
  });
});

describe('incidentStart', () => {
  it('lies 8 to 20 hours before the anchor, once in any seven days', () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const anchor = Date.UTC(2026, 9, 29, hour, 59);
      const start = incidentStart(anchor, anchor);
      const back = anchor - start;
      expect(back).toBeGreaterThan(7 * HOUR_MS);
      expect(back).toBeLessThan(21 * HOUR_MS);
      expect(incidentStart(anchor, anchor - 4.5 * 24 * HOUR_MS)).toBe(start - WEEK_MS);
      expect(incidentStrength(anchor, start + INCIDENT_MS / 2)).toBe(1);
      expect(incidentStrength(anchor, start - 1)).toBe(0);
      expect(incidentStrength(anchor, start + INCIDENT_MS)).toBe(0);
    }
  });
});
