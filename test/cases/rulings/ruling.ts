import type { Judge, Wire } from '../judge';

/** One ruling of the domain on a contradiction of the sources: what must hold, put to the product. */
export interface Ruling {
  /** As in cases/matrix.json: V1–V24, Q1–Q19, A1–A13, X1–X17, M1–M23. */
  id: string;
  says: string;
  holds: (judge: Judge) => Promise<void>;
}

export const WRITE: Wire = { kind: 'write' };
export const READ: Wire = { kind: 'read', method: 'GET' };
export const OK: Wire = { status: 200 };
export const TIMEOUT: Wire = { error: { name: 'TimeoutError', code: 23 } };
export const REFUSED: Wire = { error: { name: 'Error', code: 'ECONNREFUSED', syscall: 'connect' } };
export const NO_NAME: Wire = { error: { name: 'Error', code: 'ENOTFOUND', syscall: 'getaddrinfo' } };

export const vibe = (fields: Wire = {}): Wire => ({ profile: 'vibecode', ...fields });
export const quill = (fields: Wire = {}): Wire => ({ profile: 'quillhub', ...fields });
export const http = (fields: Wire = {}): Wire => ({ profile: 'http', ...fields });
export const bitrix = (fields: Wire = {}): Wire => ({ profile: 'bitrix_rest', ...fields });
