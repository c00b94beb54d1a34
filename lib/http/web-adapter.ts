import { randomUUID } from 'node:crypto';
import type { PlainRequest, PlainResponse } from './request';

async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!stream) return;
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A web-standard request, for places where a custom server can't run. Its peer's address isn't known. */
export function fromWeb(request: Request): PlainRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    header: (name) => request.headers.get(name) ?? undefined,
    headerValues: (name) => {
      const value = request.headers.get(name);
      // Joined by the platform; a key holds no comma, so two of them come apart again.
      return value === null ? [] : value.split(', ');
    },
    body: chunksOf(request.body),
    remoteAddress: '',
    requestId: randomUUID(),
  };
}

export function toWeb(answer: PlainResponse, requestId: string): Response {
  return new Response(answer.body, {
    status: answer.status,
    headers: { ...answer.headers, 'x-request-id': requestId },
  });
}
