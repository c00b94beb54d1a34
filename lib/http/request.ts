/** A request and an answer without a transport: `node:http` and web `Request` both map to it. */

export interface PlainRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  /** Value of the header, values of a repeated one joined by `, `. Names in lower case. */
  header: (name: string) => string | undefined;
  /** Every value as it was sent, repeated headers apart where the transport still knows them. */
  headerValues: (name: string) => string[];
  body: AsyncIterable<Uint8Array>;
  /** Address of the socket's peer; '' when unknown. */
  remoteAddress: string;
  requestId: string;
}

export interface PlainResponse {
  status: number;
  headers: Record<string, string>;
  /** null: no body. */
  body: string | null;
}

export function jsonResponse(status: number, value: unknown, headers: Record<string, string> = {}): PlainResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  };
}
