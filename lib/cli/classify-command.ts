import { randomBytes } from 'node:crypto';
import type { Profile } from '@/lib/core/attempt';
import { DEFAULT_SETTINGS } from '@/lib/core/operation';
import { findRuleSet } from '@/lib/core/rules/index';
import { decodeNdjson } from '@/lib/ingest/decode-ndjson';
import { classifyEvents, type ClassifyOptions, type ClassifyResult } from '@/lib/ingest/handle-classify';
import { CommandFailure } from './command-failure';
import { batchEventLines } from './event-lines';
import type { Terminal } from './terminal';

export interface ClassifyCommandOptions {
  profile: Profile;
  ruleSet?: string;
  explain?: 'en' | 'ru';
}

/** Verdicts for the events of a file: the very code that the server runs, without one. */
export async function classifyCommand(
  terminal: Terminal,
  path: string,
  { profile, ruleSet: name, explain }: ClassifyCommandOptions,
): Promise<void> {
  const ruleSet = name === undefined ? null : findRuleSet(name);
  if (name !== undefined && !ruleSet) throw new CommandFailure('unknown_rule_set', `There is no rule set ${name}.`);
  const project = { profiles: { defaultProfile: profile, targets: [] }, settings: DEFAULT_SETTINGS, ruleSets: {} };
  const options: ClassifyOptions = { ruleSet, explain: explain ?? null };
  const results: ClassifyResult[] = [];
  for await (const { first, lines } of batchEventLines(path)) {
    const body = decodeNdjson(lines.join('\n'));
    if (!body.ok) throw new CommandFailure(body.refusal, `${path} can't be read as events (${body.refusal}).`);
    const judged = classifyEvents(body.value.events, project, randomBytes(32), options);
    results.push(...judged.map((result) => ({ ...result, index: result.index + first })));
  }
  terminal.result({ results }, results.map(describe).join('\n'));
  const wrong = results.filter((result) => 'error' in result).length;
  if (wrong > 0) throw new CommandFailure('validation_failed', `${wrong} of ${results.length} events are not valid.`);
}

/** One line an event: place, code, action, gates, wait, and the mark of a write nobody can vouch for. */
function describe(result: ClassifyResult): string {
  if ('error' in result) return `${result.index}\terror\t${result.error.pointer || '/'}: ${result.error.detail}`;
  const place = result.item === undefined ? String(result.index) : `${result.index}/${result.item}`;
  const { verdict, explanation } = result;
  if (!verdict) return `${place}\t-`;
  const gates = verdict.gates.join('+') || '-';
  const wait = verdict.wait.delayMs === null ? '-' : `${verdict.wait.delayMs} ms`;
  const cells = [place, verdict.code, verdict.action, gates, wait, verdict.unknownOutcome ? 'unknown outcome' : ''];
  const why = explanation ? `\n\t${explanation.what}\n\t${explanation.now}` : '';
  return cells.join('\t').trimEnd() + why;
}
