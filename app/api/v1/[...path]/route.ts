import { randomUUID } from 'node:crypto';
import { answerProblem } from '@/app/api/_lib/answer';

/** A path that isn't there answers like the others: as problem+json. */
function answer(): Response {
  return answerProblem('not_found', { requestId: randomUUID() });
}

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
