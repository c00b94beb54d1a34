import { CHECK_NAMES, type CheckName } from './checks/check-name';
import { formatWait, type Language } from './explain';
import type { FindingText, FindingTexts } from './finding-words/finding-text';
import { LIST_WORDS } from './finding-words/list-words';
import { OTHER_TEXTS } from './finding-words/other-texts';
import { STREAM_TEXTS } from './finding-words/stream-texts';
import { WAIT_TEXTS } from './finding-words/wait-texts';
import { WRITE_TEXTS } from './finding-words/write-texts';
import type { Finding } from './operation';

/** A finding in plain words: what happened and why it matters, then what to do now. */

export interface FindingExplanation {
  what: string;
  now: string;
}

const TEXTS: Readonly<Record<CheckName, FindingTexts>> = {
  ...WRITE_TEXTS,
  ...WAIT_TEXTS,
  ...OTHER_TEXTS,
  ...STREAM_TEXTS,
};

type Evidence = Finding['evidence'];

function wordAt(evidence: Evidence, name: string): string {
  const value = evidence[name];
  return typeof value === 'string' ? value : '';
}

function duplicateVariant(evidence: Evidence): string {
  const level = wordAt(evidence, 'level');
  if ('firstOperationId' in evidence) return `${level}_across`;
  const seen = typeof evidence.entities === 'number' ? evidence.entities : 0;
  return level === 'confirmed' && seen < 2 ? 'confirmed_by_person' : level;
}

/** Which of a check's texts speaks of this finding. */
function variantOf(check: CheckName, { evidence, severity }: Pick<Finding, 'evidence' | 'severity'>): string {
  const when = (name: string, word: string): string => (evidence[name] === true ? word : '');
  switch (check) {
    case 'duplicate_suspected':
      return duplicateVariant(evidence);
    case 'key_reused':
      if ('firstOperationId' in evidence) return 'across';
      return when('byPlatform', 'by_platform') || when('unproven', 'unproven');
    case 'never_retry_retried':
      return severity === 'info' ? 'advice' : '';
    case 'over_limit':
      return when('differsByReading', 'by_reading');
    case 'throttle_in_backoff_loop':
      return when('tooSoon', 'too_soon') || 'repeated';
    case 'excess_wait':
      return typeof evidence.hint === 'string' ? 'hint' : '';
    case 'delay_uncapped':
      return when('declared', 'declared');
    case 'retry_after_abort':
      return when('afterUserAbort', 'user') || 'old_signal';
    case 'overlapping_attempts':
      return when('hedge', 'hedge');
    case 'pause_broken_by_others':
      return when('unaware', 'unaware');
    case 'synchronised_retries':
      return when('raWave', 'ra_wave');
    default:
      return wordAt(evidence, 'grade') || wordAt(evidence, 'kind') || wordAt(evidence, 'stage');
  }
}

/** All texts of a check, for tests and for lists of what can be said. */
export function findingTextsOf(check: CheckName): FindingTexts {
  return TEXTS[check];
}

function isCheckName(check: string): check is CheckName {
  return (CHECK_NAMES as readonly string[]).includes(check);
}

function textOf(finding: Finding): FindingText | null {
  const { check } = finding;
  if (!isCheckName(check)) return null;
  const texts = TEXTS[check];
  return texts[variantOf(check, finding)] ?? texts[''] ?? Object.values(texts)[0] ?? null;
}

/** At most two decimals, with the language's own comma. */
function formatNumber(value: number, lang: Language): string {
  const text = String(Math.round(value * 100) / 100);
  return lang === 'ru' ? text.replace('.', ',') : text;
}

function formatValue(name: string, value: unknown, lang: Language): string {
  if (typeof value === 'number' && Number.isFinite(value)) {
    if (!name.endsWith('Ms')) return formatNumber(value, lang);
    return value < 0 ? `−${formatWait(-value, lang)}` : formatWait(value, lang);
  }
  if (typeof value === 'string' && value !== '') return value;
  if (!Array.isArray(value) || value.length === 0) return '—';
  const items: unknown[] = value;
  return items.map((item) => listWord(name, item, lang)).join(', ');
}

function listWord(name: string, item: unknown, lang: Language): string {
  if (typeof item === 'string') return LIST_WORDS[item]?.[lang] ?? item;
  return formatValue(name, item, lang);
}

function fillIn(template: string, { attempt, evidence }: Finding, lang: Language): string {
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = name === 'attempt' ? (evidence.attempt ?? attempt) : evidence[name];
    return formatValue(name, value, lang);
  });
}

/** @returns null for a check of an edition this program doesn't know */
export function explainFinding(finding: Finding, lang: Language): FindingExplanation | null {
  const text = textOf(finding);
  if (text === null) return null;
  return { what: fillIn(text.what[lang], finding, lang), now: fillIn(text.now[lang], finding, lang) };
}
