import type { IncomingMessage, ServerResponse } from 'node:http';
import { fromNode, sendToNode } from '@/lib/http/node-adapter';
import { fromWeb, toWeb } from '@/lib/http/web-adapter';
import { handleIngest, isIngestPath } from './handle';
import type { IngestDeps } from './request-context';

/** Takes a request of ingestion's own paths; false leaves it to the caller untouched. */
export type IngestListener = (message: IncomingMessage, response: ServerResponse) => boolean;

export function createIngestListener(deps: IngestDeps): IngestListener {
  return (message, response) => {
    const path = (message.url ?? '/').split('?', 1)[0] ?? '/';
    if (!isIngestPath(path)) return false;
    const request = fromNode(message);
    void handleIngest(request, deps).then((answer) => sendToNode(answer, message, response, request.requestId));
    return true;
  };
}

/** The same handlers for a web-standard `Request`. */
export function createIngestFetch(deps: IngestDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    const plain = fromWeb(request);
    return toWeb(await handleIngest(plain, deps), plain.requestId);
  };
}
