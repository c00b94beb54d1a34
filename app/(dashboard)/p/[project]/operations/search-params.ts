import { OPERATION_STATES, type OperationState } from '@/lib/core/operation';
import { CALL_PARTS, type CallPartId } from '@/lib/present/calls';
import { firstParam, listParam, type RawParams } from '@/lib/present/scope';

/** What the Operations list reads from its URL besides range, zone, filters and page. */
export interface OperationListParams {
  q: string;
  states: OperationState[];
  /** One part of the overview's sum of calls: its number and this list are one and the same. */
  ended?: CallPartId;
  /** A code filter speaks of the last verdict only, as the overview's sum of calls does. */
  codeOf?: 'last';
}

const SEARCH_CHARS_MAX = 200;

export function readOperationListParams(raw: RawParams): OperationListParams {
  const wanted = new Set(listParam(raw, 'state'));
  const part = firstParam(raw, 'ended');
  const ended = CALL_PARTS.find((id) => id === part);
  return {
    ...(ended ? { ended } : {}),
    ...(firstParam(raw, 'codeOf') === 'last' ? { codeOf: 'last' } : {}),
    q: (firstParam(raw, 'q') ?? '').trim().slice(0, SEARCH_CHARS_MAX),
    states: OPERATION_STATES.filter((state) => wanted.has(state)),
  };
}

/** The same, for links. */
export function writeOperationListParams(params: OperationListParams): Record<string, string | string[] | null> {
  return {
    q: params.q === '' ? null : params.q,
    state: params.states,
    ended: params.ended ?? null,
    codeOf: params.codeOf ?? null,
  };
}
