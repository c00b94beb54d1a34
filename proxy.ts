import { NextResponse, type NextRequest } from 'next/server';

/** Sixteen random bytes, base64, new for every page. */
function createNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}

/** Mantine renders inline style attributes; style elements need the nonce, scripts too. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Gives every page its content policy. Decides nothing about access: that is in the pages and route handlers.
 * A policy or nonce that the request brought along is overwritten.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = createNonce();
  const policy = pagePolicy(nonce);
  const headers = new Headers(request.headers);
  headers.delete('content-security-policy-report-only');
  headers.set('content-security-policy', policy);
  headers.set('x-nonce', nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('cache-control', 'private, no-store');
  return response;
}

/** Pages only. Next buffers, and cuts at 10 MB, the body of whatever the matcher covers: the API stays outside. */
export const config = {
  matcher: ['/((?!api/|v1/|metrics$|healthz$|readyz$|_next/static/|_next/image|favicon.ico$).*)'],
};
