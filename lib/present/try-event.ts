import type { Kind, KeyMode, Outcome, Profile } from '../core/attempt';

/** What a person fills in to try a rule; texts as typed. */
export interface TryFields {
  kind: Kind;
  method: string;
  call: string;
  status: string;
  code: string;
  error: string;
  retryAfter: string;
  outcome: Outcome | '';
  keyMode: KeyMode | '';
}

export const EMPTY_TRY: TryFields = {
  kind: 'write',
  method: 'POST',
  call: 'POST /orders',
  status: '',
  code: '',
  error: '',
  retryAfter: '',
  outcome: '',
  keyMode: '',
};

/** The example that a family's page opens with: a write nobody can vouch for. */
export function firstTry(profile: Profile): TryFields {
  switch (profile) {
    case 'vibecode':
      return { ...EMPTY_TRY, call: 'crm.deal.add', status: '504', code: 'BITRIX_TIMEOUT', retryAfter: '30' };
    case 'bitrix_rest':
      return { ...EMPTY_TRY, call: 'crm.deal.add', status: '503', code: 'QUERY_LIMIT_EXCEEDED' };
    case 'quillhub':
      return { ...EMPTY_TRY, call: 'POST /v1/transcriptions', status: '503' };
    case 'http':
      return { ...EMPTY_TRY, status: '504', retryAfter: '120' };
  }
}

/**
 * The event that these fields describe, as a client would send it; empty fields are left out.
 * @param startedAt epoch ms
 */
export function writeTryEvent(fields: TryFields, profile: Profile, startedAt: number): Record<string, unknown> {
  const status = Number(fields.status);
  return {
    operationId: 'try',
    attempt: 1,
    startedAt,
    service: 'try',
    profile,
    kind: fields.kind,
    call: fields.call.trim() || 'try',
    ...(fields.method ? { method: fields.method } : {}),
    ...(fields.status.trim() !== '' ? { status: Number.isFinite(status) ? status : fields.status } : {}),
    ...(fields.code.trim() ? { code: fields.code.trim() } : {}),
    ...(fields.error.trim() ? { outcome: 'network_error', error: { code: fields.error.trim() } } : {}),
    ...(fields.retryAfter.trim() ? { retryAfter: fields.retryAfter } : {}),
    ...(fields.outcome ? { outcome: fields.outcome } : {}),
    ...(fields.keyMode ? { idempotency: { key: 'try', mode: fields.keyMode } } : {}),
  };
}
