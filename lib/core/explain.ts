import type { Attempt } from './attempt';
import {
  ACTION_NAME,
  AGENT_DONE_DIFFERENCE,
  DIFFERENCE,
  NO_GATE,
  NOW_ACTION,
  NOW_GATE,
  STRICTLY,
  WHAT,
  WHY_READ,
  WHY_WRITE,
} from './explain-words';
import { resolveKind } from './kind';
import { findRuleSet } from './rules/index';
import type { LocalText, RuleRow, RuleSet } from './rules/rule';
import type { Gate, Verdict } from './verdict';

/** A verdict in plain words: what happened, why it matters, what to do now. */

export type Language = 'en' | 'ru';

export interface Explanation {
  /** One sentence of fact and what it means for the data. */
  what: string;
  /** One sentence: what to do now. */
  now: string;
  /** The rule's condition, as the Rules screen shows it; null when the edition is not known. */
  rule: string | null;
  /** Where the source's own example classifier says something else, and why; null where it agrees or has none. */
  difference: string | null;
}

function fill(text: LocalText, lang: Language, values: Readonly<Record<string, string>>): string {
  return text[lang].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const UNITS: readonly { ms: number; en: string; ru: string }[] = [
  { ms: 86_400_000, en: 'd', ru: 'д' },
  { ms: 3_600_000, en: 'h', ru: 'ч' },
  { ms: 60_000, en: 'min', ru: 'мин' },
  { ms: 1000, en: 's', ru: 'с' },
];

/** At most two units, rounded up to the smaller one: a wait that is read must never be shorter than asked. */
export function formatWait(ms: number, lang: Language): string {
  const at = UNITS.findIndex((unit) => ms >= unit.ms);
  const unit = UNITS[at];
  if (!unit) return lang === 'en' ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms)} мс`;
  const smaller = UNITS[at + 1];
  if (!smaller) return `${Math.ceil(ms / 10) / 100} ${unit[lang]}`.replace('.', lang === 'ru' ? ',' : '.');
  const parts = Math.ceil(ms / smaller.ms);
  const per = unit.ms / smaller.ms;
  const rest = parts % per;
  const head = `${Math.floor(parts / per)} ${unit[lang]}`;
  return rest === 0 ? head : `${head} ${rest} ${smaller[lang]}`;
}

function gateText(gate: Gate, verdict: Verdict, lang: Language): string {
  const time = formatWait(verdict.wait.delayMs ?? 0, lang);
  const wait = verdict.wait.strict ? fill(STRICTLY, lang, { time }) : time;
  return fill(NOW_GATE[gate], lang, { wait });
}

function nowText(verdict: Verdict, lang: Language): string {
  const gates = verdict.gates.map((gate) => gateText(gate, verdict, lang));
  const said = gates.length === 0 ? NO_GATE[lang] : gates.join(lang === 'en' ? ', then ' : ', затем ');
  return fill(NOW_ACTION[verdict.action], lang, { gates: capital(said) });
}

function whatText(verdict: Verdict, attempt: Attempt, ruleSet: RuleSet | null, lang: Language): string {
  const answered = verdict.phase === 'complete';
  const template = verdict.action === 'none' ? WHAT.success : answered ? WHAT.answered : WHAT.failed;
  const kind = resolveKind(attempt, ruleSet?.profile ?? 'http');
  const why = kind === 'read' ? WHY_READ : WHY_WRITE[verdict.effect];
  return `${fill(template, lang, { code: verdict.code })} ${why[lang]}`;
}

/** The row that gave a verdict, for links to the Rules screen. */
function ruleRowOf(verdict: Pick<Verdict, 'rule' | 'ruleSet' | 'action'>): RuleRow | null {
  const rows = findRuleSet(verdict.ruleSet)?.rows.filter((row) => row.id === verdict.rule) ?? [];
  const gave = rows.find((row) =>
    [row.read, row.write, row.replayable].some((cell) => cell?.action === verdict.action),
  );
  return gave ?? rows[0] ?? null;
}

const CLASSIFIER_ACTIONS: Readonly<Record<string, string>> = { retry: 'retry_with_limit' };

/** Does the example's word lead to another act than the verdict's. `no_retry` only contradicts a retry. */
export function classifierDiffers(verdict: Pick<Verdict, 'classifier' | 'action'>): boolean {
  const { classifier, action } = verdict;
  if (classifier === null) return false;
  if (classifier === 'no_retry') return action === 'retry_with_limit';
  return (CLASSIFIER_ACTIONS[classifier] ?? classifier) !== action;
}

function differenceText(verdict: Verdict, lang: Language): string | null {
  if (!classifierDiffers(verdict) || verdict.classifier === null) return null;
  const text = fill(DIFFERENCE, lang, { word: verdict.classifier, action: ACTION_NAME[verdict.action][lang] });
  const done = verdict.rule === 'AGENT_WRITE_ALREADY_EXECUTED' && verdict.action === 'none';
  return done ? `${text} ${AGENT_DONE_DIFFERENCE[lang]}` : text;
}

export function explainVerdict(verdict: Verdict, attempt: Attempt, lang: Language): Explanation {
  const ruleSet = findRuleSet(verdict.ruleSet);
  return {
    what: whatText(verdict, attempt, ruleSet, lang),
    now: nowText(verdict, lang),
    rule: ruleRowOf(verdict)?.condition[lang] ?? null,
    difference: differenceText(verdict, lang),
  };
}
