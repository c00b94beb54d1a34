import { randomBytes } from 'node:crypto';
import { RequestError, handle } from '@/app/api/_lib/route';
import { readJson } from '@/app/api/_lib/read-body';
import { findRuleSet } from '@/lib/core/rules/index';
import { preferredLanguage } from '@/lib/http/accept-language';
import { classifyEvents } from '@/lib/ingest/handle-classify';

/** What one try on the Rules screen may hold. */
const EVENTS_MAX = 20;

/**
 * `POST /api/v1/classify` for people: the same reading, rules and texts, by session instead of by key.
 * `?ruleSet=` names the edition, `?lang=` the language of the texts. Nothing is stored.
 */
export function POST(request: Request): Promise<Response> {
  return handle(request, 'read', async ({ project, requestId }) => {
    const query = new URL(request.url).searchParams;
    const name = query.get('ruleSet');
    const ruleSet = name === null ? null : findRuleSet(name);
    if (name !== null && ruleSet === null) throw new RequestError('invalid_request', 'There is no such rule set.');
    const body = await readJson(request);
    const events = Array.isArray(body) ? body : [body];
    if (events.length > EVENTS_MAX) throw new RequestError('batch_too_large', `At most ${EVENTS_MAX} events a try.`);
    const raws = events.map((value: unknown, index) => ({ index, value }));
    // Keys are hashed on the way in as always; a secret of the moment will do, for nothing is kept.
    const explain = preferredLanguage(query.get('lang') ?? request.headers.get('accept-language') ?? undefined);
    const results = classifyEvents(raws, project, randomBytes(32), { ruleSet, explain });
    return Response.json({ results }, { headers: { 'cache-control': 'private, no-store', 'x-request-id': requestId } });
  });
}
