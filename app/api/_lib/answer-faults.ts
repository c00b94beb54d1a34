import type { InputFault } from '@/lib/services/parse-input';
import { answerProblem } from './answer';

/** 400 with every fault of the body and what is allowed in its place. */
export function answerFaults(requestId: string, faults: readonly InputFault[]): Response {
  const errors = faults.map((fault) => ({ ...fault, code: 'invalid_request' as const }));
  const [first] = faults;
  const detail = first ? `${first.pointer || 'The body'}: ${first.detail}` : undefined;
  return answerProblem('invalid_request', { requestId, errors, ...(detail === undefined ? {} : { detail }) });
}
