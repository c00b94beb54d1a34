import type { Attempt, KeyMode, Profile } from './attempt';

/** Which family of rules judges an attempt, and what its idempotency key is worth there. */

interface TargetProfile {
  /** Host or platform name; `*` stands for any run of characters. Letter case is ignored. */
  pattern: string;
  profile: Profile;
}

export interface ProfileContext {
  defaultProfile: Profile;
  /** First match wins. */
  targets: readonly TargetProfile[];
}

/** Greedy wildcard match with one step back: linear for texts of this size, no pattern engine. */
function matchesPattern(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Host of a target that was sent as a URL or as `host:port`; the target itself otherwise. */
export function hostOf(target: string): string {
  const scheme = target.indexOf('://');
  const rest = scheme < 0 ? target : target.slice(scheme + 3);
  const authority = rest.split(/[/?#]/, 1)[0] ?? rest;
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{0,5}$/, '');
}

export function resolveProfile(source: { profile?: Profile; target?: string }, context: ProfileContext): Profile {
  if (source.profile !== undefined) return source.profile;
  const target = context.targets.length === 0 ? '' : source.target?.trim().toLowerCase();
  if (target) {
    const host = hostOf(target);
    const found = context.targets.find(({ pattern }) => {
      const wanted = pattern.trim().toLowerCase();
      return wanted !== '' && (matchesPattern(wanted, target) || matchesPattern(wanted, host));
    });
    if (found) return found.profile;
  }
  return context.defaultProfile;
}

/** REST 3.0 of Bitrix24: by path in call or target, or by its error codes (domain.md §1.2). */
export function isRest3(source: { call: string; target?: string; code?: string }): boolean {
  const marks = [source.call, source.target].some((text) => text?.toLowerCase().includes('/rest/api/'));
  return marks || (source.code?.toUpperCase().startsWith('BITRIX_REST_V3_') ?? false);
}

const KEY_RANK: Readonly<Record<KeyMode, number>> = { none: 0, client_dedupe: 1, server: 2 };

function ownKeyMode(attempt: Pick<Attempt, 'call' | 'target' | 'code'>, profile: Profile): KeyMode {
  switch (profile) {
    case 'http':
      return 'server';
    case 'quillhub':
      return 'client_dedupe';
    case 'vibecode':
      return 'none';
    case 'bitrix_rest':
      return isRest3(attempt) ? 'server' : 'none';
  }
}

/** What the attempt's key is worth: the profile's own promise, which a sender can lower and never raise (X7). */
function keyModeOf(attempt: Attempt, profile: Profile): KeyMode {
  const own = ownKeyMode(attempt, profile);
  const sent = attempt.idempotency?.mode ?? own;
  return (KEY_RANK[sent] ?? 0) < KEY_RANK[own] ? sent : own;
}

/** The key hash of a key that the server enforces; null when there is none to trust. */
export function serverKeyOf(attempt: Attempt, profile: Profile): string | null {
  const hash = attempt.idempotency?.keyHash;
  return hash && keyModeOf(attempt, profile) === 'server' ? hash : null;
}
