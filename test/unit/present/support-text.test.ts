import { describe, expect, it } from 'vitest';
import type { Attempt } from '@/lib/core/attempt';
import type { Verdict } from '@/lib/core/verdict';
import { prepareSupportText } from '@/lib/present/support-text';

const START = Date.UTC(2026, 9, 22, 10);
const verdict: Verdict = {
  action: 'state_verification_required',
  classifier: null,
  reached: 'yes',
  effect: 'possible',
  unknownOutcome: true,
  code: 'BITRIX_TIMEOUT',
  gates: ['read_back'],
  wait: { source: 'none', form: null, delayMs: null, strict: false, conformant: true, issues: [], skewMs: null },
  phase: 'complete',
  rule: 'BITRIX_TIMEOUT',
  ruleSet: 'vibecode@2026-10-22',
  flags: [],
};
const attempt: Attempt = {
  type: 'attempt',
  id: 'a',
  operationId: 'op#1',
  attempt: 1,
  startedAt: START,
  endedAt: START + 1_500,
  environment: 'production',
  service: 'orders',
  call: 'crm.deal.add',
  status: 504,
  requestId: 'req_7',
};
const labels = {
  operation: 'Operation',
  service: 'Service',
  call: 'Call',
  target: 'Target',
  state: 'State',
  send: (number: number) => `Send ${number}`,
  status: 'HTTP status',
  requestId: 'Request id',
};

describe('prepareSupportText', () => {
  it('names ids, codes and times in UTC, a line a send', () => {
    const story = {
      operationId: 'op#1',
      service: 'orders',
      call: 'crm.deal.add',
      target: '',
      environment: 'production',
      state: 'Unresolved',
      sends: [
        { attempt, verdict, synthetic: false },
        { attempt: { ...attempt, attempt: 2, endedAt: undefined }, verdict, synthetic: true },
      ],
    };
    expect(prepareSupportText(story, labels).split('\n')).toEqual([
      'Operation: op#1',
      'Service: orders (production)',
      'Call: crm.deal.add',
      'State: Unresolved',
      'Send 1 · 2026-10-22T10:00:00.000Z – 2026-10-22T10:00:01.500Z · BITRIX_TIMEOUT · HTTP status 504 · Request id req_7',
      'Send 2 · 2026-10-22T10:00:00.000Z – ? · BITRIX_TIMEOUT · HTTP status 504 · Request id req_7',
    ]);
  });
});
