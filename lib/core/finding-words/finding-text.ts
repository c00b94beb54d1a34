import type { CheckName } from '../checks/check-name';
import type { LocalText } from '../rules/rule';

/**
 * Sentences of `explainFinding`: what happened and why it matters, then what to do now. `{…}` are filled in from the
 * evidence: names ending in `Ms` as durations, the rest as they are. Both languages stand side by side.
 */
export interface FindingText {
  what: LocalText;
  now: LocalText;
}

/** By the word that tells the variants of a check apart; `''` where it has none. */
export type FindingTexts = Readonly<Record<string, FindingText>>;

export type TextsOf<Names extends CheckName> = Readonly<Record<Names, FindingTexts>>;

export function text(what: [en: string, ru: string], now: [en: string, ru: string]): FindingText {
  return { what: { en: what[0], ru: what[1] }, now: { en: now[0], ru: now[1] } };
}
