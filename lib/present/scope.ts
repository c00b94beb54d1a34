import { KINDS, PROFILES, type Kind, type Profile } from '../core/attempt';
import { ACTIONS, type Action } from '../core/verdict';
import { chooseRange, type ChosenRange } from './range';
import { isZone } from '../core/zone';

/** Fields every list and number can be narrowed by, in the order they are shown. */
export const FILTER_FIELDS = [
  'service',
  'call',
  'kind',
  'code',
  'action',
  'profile',
  'target',
  'sdk',
  'environment',
] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** AND between fields, OR inside one; an absent field does not filter. */
export interface ScopeFilters {
  service?: string[];
  call?: string[];
  kind?: Kind[];
  code?: string[];
  action?: Action[];
  profile?: Profile[];
  target?: string[];
  sdk?: string[];
  environment?: string[];
}

const CLOSED: Partial<Record<FilterField, readonly string[]>> = { kind: KINDS, action: ACTIONS, profile: PROFILES };

/** Most values of one field a URL may carry, and the longest of one. */
const VALUES_MAX = 50;
const VALUE_CHARS_MAX = 300;

/** What every page shows: one range, one zone, one set of filters. */
export interface Scope {
  range: ChosenRange;
  /** The zone was named in the URL, so links carry it on. */
  tzInUrl: boolean;
  filters: ScopeFilters;
  /** URL parts that could not be used, with their text as given (cut). */
  problems: { name: string; value: string }[];
}

/** Search parameters as Next gives them. */
export type RawParams = Readonly<Record<string, string | string[] | undefined>>;

/** Every value given for a name. */
export function listParam(raw: RawParams, name: string): string[] {
  const value = raw[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** First value given for a name. */
export function firstParam(raw: RawParams, name: string): string | null {
  return listParam(raw, name)[0] ?? null;
}

function isUsable(field: FilterField, value: string): boolean {
  const closed = CLOSED[field];
  if (closed) return closed.includes(value);
  const mayBeEmpty = field === 'target' || field === 'sdk';
  return (mayBeEmpty || value !== '') && value.length <= VALUE_CHARS_MAX && !value.includes('\u0000');
}

/**
 * Reads range, zone and filters from the URL. Total: a value that cannot be used is left out and named in
 * `problems`, so that the page says what it ignored instead of failing or silently showing something else.
 * @param tz the viewer's own zone, used when the URL names none.
 */
export function readScope(raw: RawParams, viewer: { now: number; tz: string }): Scope {
  const problems: Scope['problems'] = [];
  const report = (name: string, value: string): void => {
    problems.push({ name, value: value.slice(0, 80) });
  };
  const zone = firstParam(raw, 'tz');
  const tzInUrl = zone !== null && isZone(zone);
  if (zone !== null && !tzInUrl) report('tz', zone);
  const words = { last: firstParam(raw, 'last'), from: firstParam(raw, 'from'), to: firstParam(raw, 'to') };
  const chosen = chooseRange(words, viewer.now, tzInUrl ? zone : viewer.tz);
  for (const name of chosen.problems) report(name, words[name] ?? '');
  const filters: Partial<Record<FilterField, string[]>> = {};
  for (const field of FILTER_FIELDS) {
    const kept = new Set<string>();
    for (const value of listParam(raw, field)) {
      if (kept.has(value)) continue;
      if (isUsable(field, value) && kept.size < VALUES_MAX) kept.add(value);
      else report(field, value);
    }
    if (kept.size > 0) filters[field] = [...kept];
  }
  // Closed fields hold only their own words here: isUsable let no other through.
  return { range: chosen.range, tzInUrl, filters: filters as ScopeFilters, problems };
}

/** Number of filter values in force. */
export function countFilters(filters: ScopeFilters): number {
  return FILTER_FIELDS.reduce((sum, field) => sum + (filters[field]?.length ?? 0), 0);
}

/** What a link changes: a field set to null is dropped, one not named is kept. */
export type ScopePatch = { [Field in FilterField]?: readonly string[] | null } & {
  /** Replaces the range by an absolute one. */
  range?: { from: number; to: number };
  /** Parameters of the page the link leads to. */
  extra?: Readonly<Record<string, string | readonly string[] | null>>;
};

/** Query text (with its `?`, or '') that carries range, zone and filters on to another page. */
export function writeScope(scope: Pick<Scope, 'range' | 'tzInUrl' | 'filters'>, patch: ScopePatch = {}): string {
  const params = new URLSearchParams();
  if (patch.range) {
    params.set('from', new Date(patch.range.from).toISOString());
    params.set('to', new Date(patch.range.to).toISOString());
  } else if (scope.range.word !== null) {
    params.set('last', scope.range.word);
  } else {
    params.set('from', new Date(scope.range.from).toISOString());
    params.set('to', new Date(scope.range.to).toISOString());
  }
  if (scope.tzInUrl) params.set('tz', scope.range.tz);
  for (const field of FILTER_FIELDS) {
    const values = patch[field] === undefined ? scope.filters[field] : patch[field];
    for (const value of values ?? []) params.append(field, value);
  }
  for (const [name, value] of Object.entries(patch.extra ?? {})) {
    if (value === null) continue;
    for (const one of typeof value === 'string' ? [value] : value) params.append(name, one);
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
