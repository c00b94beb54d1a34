import type { Kind, Profile } from './attempt';

/**
 * Read or write, by meaning. A declared word wins; an unknown word is a write; without one the profile's own
 * method names decide, and in doubt it is a write (contract, `kind`; domain.md §1.2, V14, X6).
 */

const READ_ENDINGS: ReadonlySet<string> = new Set(['get', 'list', 'fields', 'search']);
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const VERBS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What kind is read from. `kind` is unknown on purpose: senders write any word. */
export interface KindSource {
  kind?: unknown;
  call?: string;
  method?: string;
}

/** @returns the verb a route template starts with (`POST /v1/deals`), and what follows it. */
function splitVerb(call: string): { verb: string | null; path: string } {
  const trimmed = call.trim();
  const space = trimmed.indexOf(' ');
  // A lone `get` is a batch action, not a verb.
  const verb = space < 0 ? '' : trimmed.slice(0, space).toUpperCase();
  if (!VERBS.has(verb)) return { verb: null, path: trimmed };
  return { verb, path: trimmed.slice(space + 1).trim() };
}

/** HTTP verb of an attempt: the field, else the one its route template starts with. Upper case, '' when unknown. */
export function methodOf(source: KindSource): string {
  const method = source.method?.trim().toUpperCase();
  return method || (splitVerb(source.call ?? '').verb ?? '');
}

const FORMATS: ReadonlySet<string> = new Set(['json', 'xml']);

/** Last word of a business method or path, in lower case: `crm.deal.list.json` → `list`. */
function ending(path: string): string {
  const bare = path.split('?', 1)[0] ?? '';
  const parts = bare.toLowerCase().split(/[./]/).filter(Boolean);
  const last = parts.pop() ?? '';
  return FORMATS.has(last) ? (parts.pop() ?? '') : last;
}

/** What a call asks for, without its verb, query and format, in lower case: `POST /v1/Deals/?x=1` → `/v1/deals`. */
export function nameOfCall(call: string): string {
  const bare = splitVerb(call).path.split('?', 1)[0] ?? '';
  return bare
    .trim()
    .toLowerCase()
    .replace(/\.(?:json|xml)$/, '')
    .replace(/\/$/, '');
}

/** `/v1/deals/7` is a resource; `/rest/1/crm.deal.add` and `crm.deal.add` name a method. */
function isResource(path: string): boolean {
  const bare = path.split('?', 1)[0] ?? '';
  const slash = bare.lastIndexOf('/');
  return slash >= 0 && !bare.slice(slash).includes('.');
}

/** Entity API (vibecode): GET lists or gets, POST …/search searches, everything else writes. */
function kindOfVibecode(source: KindSource): Kind {
  const { verb: told, path } = splitVerb(source.call ?? '');
  // A versioned path names the entity API, whose verb may come beside it.
  const verb = told ?? (/^\/?v\d{1,3}\//.test(path) ? methodOf(source) || null : null);
  if (verb === null || !isResource(path)) return READ_ENDINGS.has(ending(path)) ? 'read' : 'write';
  if (verb === 'GET' || verb === 'HEAD') return 'read';
  return verb === 'POST' && ending(path) === 'search' ? 'read' : 'write';
}

/** The verb says nothing in classic REST: CRest sends `crm.deal.add` as GET, REST 3.0 sends reads as POST. */
function kindOfBitrix(source: KindSource): Kind {
  return READ_ENDINGS.has(ending(splitVerb(source.call ?? '').path)) ? 'read' : 'write';
}

export function resolveKind(source: KindSource, profile: Profile): Kind {
  if (typeof source.kind === 'string') return source.kind.trim().toLowerCase() === 'read' ? 'read' : 'write';
  if (source.kind !== undefined && source.kind !== null) return 'write';
  switch (profile) {
    case 'vibecode':
      return kindOfVibecode(source);
    case 'bitrix_rest':
      return kindOfBitrix(source);
    case 'http':
    case 'quillhub':
      return SAFE_METHODS.has(methodOf(source)) ? 'read' : 'write';
  }
}
