/** Addresses of a project's pages, made in one place. */

export const SECTIONS = [
  'overview',
  'codes',
  'review',
  'operations',
  'compliance',
  'findings',
  'rules',
  'settings',
] as const;
export type Section = (typeof SECTIONS)[number];

const LANDING: Readonly<Record<Section, string>> = {
  overview: 'overview',
  codes: 'codes',
  review: 'review',
  operations: 'operations',
  compliance: 'compliance',
  findings: 'findings',
  rules: 'rules',
  settings: 'settings/judging',
};

export function sectionPath(slug: string, section: Section): string {
  return `/p/${encodeURIComponent(slug)}/${LANDING[section]}`;
}

export function codePath(slug: string, code: string): string {
  return `/p/${encodeURIComponent(slug)}/codes/${encodeURIComponent(code)}`;
}

/** Findings of one check. */
export function findingPath(slug: string, check: string): string {
  return `/p/${encodeURIComponent(slug)}/findings/${encodeURIComponent(check)}`;
}

/** `.` and `..` would be taken for steps of the path, so they and ids with the mark itself get a mark in front. */
export function operationPath(slug: string, operationId: string): string {
  const segment = /^(?:\.{1,2}$|~)/.test(operationId) ? `~${operationId}` : operationId;
  return `/p/${encodeURIComponent(slug)}/operations/${encodeURIComponent(segment)}`;
}

export function reviewItemPath(slug: string, id: string): string {
  return `/p/${encodeURIComponent(slug)}/review/${encodeURIComponent(id)}`;
}

/** Parts of the settings, the one everybody may see first. */
export const SETTINGS_PARTS = ['judging', 'keys'] as const;
export type SettingsPart = (typeof SETTINGS_PARTS)[number];

export function settingsPath(slug: string, part: SettingsPart): string {
  return `/p/${encodeURIComponent(slug)}/settings/${part}`;
}

/** One edition of the rules, or two beside each other. */
export function ruleSetPath(slug: string, ruleSet: string, compare?: string): string {
  const beside = compare === undefined ? '' : `&compare=${encodeURIComponent(compare)}`;
  return `/p/${encodeURIComponent(slug)}/rules?ruleSet=${encodeURIComponent(ruleSet)}${beside}`;
}

/** Place of a rule's row on the Rules page. */
export function ruleAnchor(rule: string): string {
  return `rule-${rule}`;
}

/** Place of the list of checks on the Rules page, and of one check in it. */
export const CHECKS_ANCHOR = 'checks';

export function checkAnchor(check: string): string {
  return `check-${check}`;
}

export function checkPath(slug: string, check: string): string {
  return `/p/${encodeURIComponent(slug)}/rules#${encodeURIComponent(checkAnchor(check))}`;
}

/** The row of a rule set that decided, e.g. `BITRIX_TIMEOUT` of `vibecode@2026-10-22`. */
export function rulePath(slug: string, ruleSet: string, rule: string): string {
  return `${ruleSetPath(slug, ruleSet)}#${encodeURIComponent(ruleAnchor(rule))}`;
}

/**
 * Where to go after signing in: only a path of this site, so that a crafted link can't send people elsewhere.
 * @returns `/projects` for anything else.
 */
export function safeReturnPath(next: string | undefined): string {
  const fallback = '/projects';
  if (!next || !/^\/(?!\/)[\x20-\x5b\x5d-\x7e]*$/.test(next)) return fallback;
  const url = new URL(next, 'http://readback.invalid');
  return url.host === 'readback.invalid' ? `${url.pathname}${url.search}${url.hash}` : fallback;
}
