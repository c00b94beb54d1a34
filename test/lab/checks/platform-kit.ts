import type { Step } from '../lab-server';
import { envelope, type Ask } from './clients';
import type { Kit } from './kit';

/** Vibecode's answers, and calls that meet them. */

export type Answer = Extract<Step, { do: 'answer' }>;

export const OK: Step = { do: 'answer', status: 200, work: false };

export function refused(code: string, status: number, seconds?: number): Answer {
  return {
    do: 'answer',
    status,
    work: false,
    body: envelope(code),
    ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
  };
}

export function vibecodeRead(kit: Kit, part: string, steps: Step[], more: Partial<Ask> = {}): Ask {
  return { operationId: kit.operation(part, steps), kind: 'read', profile: 'vibecode', ...more };
}

export const once = { sendsMax: 1, waitMs: () => null };
