import { sendHttp, type RawAnswer } from './http-send';

export interface IngestClient {
  /** Posts a body (objects as JSON) and returns the answer. */
  post: (body: unknown, headers?: Record<string, string>, path?: string) => Promise<RawAnswer>;
}

export function createIngestClient(port: number, key: string): IngestClient {
  return {
    post: (body, headers = {}, path = '/api/v1/events') =>
      sendHttp({
        port,
        path,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
        body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
  };
}
