import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { problemKind, type ProblemCode } from '../platform/problem';
import { problemResponse } from './problem-response';

export type FrontCode = Extract<
  ProblemCode,
  | 'not_ready'
  | 'shutting_down'
  | 'payload_too_large'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_request'
  | 'internal_error'
>;

/**
 * Answers of the front itself, for when nobody behind it can answer: problem+json for programs,
 * a page without any script for people, in both languages because no session can be read here.
 */
export function answerWaiting(
  request: IncomingMessage,
  response: ServerResponse,
  code: FrontCode,
  options: { retryAfterSeconds?: number; detail: string; extra?: Record<string, unknown> },
): void {
  const kind = problemKind(code);
  const wantsPage = (request.headers.accept ?? '').includes('text/html') && !request.url?.startsWith('/api/');
  if (options.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(options.retryAfterSeconds));
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (kind.status === 413) response.setHeader('Connection', 'close');
  if (wantsPage && options.retryAfterSeconds !== undefined) {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    );
    // The page reloads itself by header, so that it needs no script.
    response.setHeader('Refresh', String(options.retryAfterSeconds));
    response.statusCode = kind.status;
    response.end(request.method === 'HEAD' ? undefined : WAITING_PAGE);
    return;
  }
  const problem = problemResponse(code, {
    requestId: randomUUID(),
    detail: options.detail,
    retryAfterSeconds: options.retryAfterSeconds,
    extra: options.extra,
  });
  response.writeHead(problem.status, problem.headers);
  response.end(request.method === 'HEAD' ? undefined : problem.body);
}

const WAITING_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Readback</title>
<style>
:root{color-scheme:light dark;font-family:system-ui,sans-serif}
body{min-height:100vh;margin:0;display:grid;place-items:center}
main{max-width:34rem;padding:1.5rem;line-height:1.5}
</style>
</head>
<body>
<main>
<h1>Readback</h1>
<p>The dashboard is starting. Events are taken meanwhile. This page looks again by itself.</p>
<p lang="ru">Панель запускается. События уже принимаются. Страница проверит сама.</p>
</main>
</body>
</html>
`;
