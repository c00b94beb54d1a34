import type { Phase } from './verdict';

/**
 * What each structured error word proves. Sources: Node's errors and TLS documentation, undici's error classes,
 * domain.md §5 (H4, H5, H7), standards.md §3.3. A word that is not here is ambiguous; so is none, which may be asked for.
 */

/** X.509 verification failures: the handshake ended before any request byte (H4). */
export const CERTIFICATE_CODES: ReadonlySet<string | null> = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'CERT_SIGNATURE_FAILURE',
  'CERT_NOT_YET_VALID',
  'CERT_HAS_EXPIRED',
  'CERT_CHAIN_TOO_LONG',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'CRL_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
]);

/** TLS negotiation that never finished. Alerts that can come in mid-stream are not here: they stay ambiguous. */
export const HANDSHAKE_CODES: ReadonlySet<string | null> = new Set([
  'ERR_TLS_HANDSHAKE_TIMEOUT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_UNKNOWN_PROTOCOL',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_VERSION_TOO_LOW',
  'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
  'ERR_SSL_NO_SHARED_CIPHER',
  'ERR_SSL_NO_CIPHERS_AVAILABLE',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_DH_KEY_TOO_SMALL',
  'ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY',
  'ERR_SSL_TLSV1_UNRECOGNIZED_NAME',
]);

/** RFC 9113 §8.7: known not processed. A refused stream is told apart by Node's fixed message. */
export const NOT_PROCESSED_CODES: ReadonlySet<string | null> = new Set(['ERR_HTTP2_GOAWAY_SESSION']);

/** Where a code itself names the phase, with or without a syscall. */
export const CODE_PHASES: ReadonlyMap<string | null, Phase> = new Map<string | null, Phase>([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['ETIMEOUT', 'dns'],
  ['ECONNREFUSED', 'connect'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
  ['EPIPE', 'sending'],
  ['ECONNRESET', 'awaiting_response'],
  ['UND_ERR_SOCKET', 'awaiting_response'],
  ['UND_ERR_HEADERS_TIMEOUT', 'awaiting_response'],
  ['UND_ERR_HEADERS_OVERFLOW', 'awaiting_response'],
  ['UND_ERR_BODY_TIMEOUT', 'reading_body'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'reading_body'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'reading_body'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'reading_body'],
]);

/** Class names of clients that report no code: a connect timeout and a read timeout differ only by name. */
export const NAME_PHASES: ReadonlyMap<string | null, Phase> = new Map<string | null, Phase>([
  ['ConnectTimeoutError', 'connect'],
  ['ConnectTimeout', 'connect'],
  ['ConnectError', 'connect'],
  ['ConnectException', 'connect'],
  ['HttpConnectTimeoutException', 'connect'],
  ['ConnectionRefusedError', 'connect'],
  ['NewConnectionError', 'connect'],
  ['PoolTimeout', 'connect'],
  ['NameResolutionError', 'dns'],
  ['UnknownHostException', 'dns'],
  ['SSLHandshakeException', 'tls'],
  ['HeadersTimeoutError', 'awaiting_response'],
  ['BodyTimeoutError', 'reading_body'],
  ['ReadTimeoutError', 'awaiting_response'],
  ['ReadTimeout', 'awaiting_response'],
  ['WriteTimeout', 'sending'],
]);

export const TIMEOUT_NAMES: ReadonlySet<string | null> = new Set([
  'TimeoutError',
  'APIConnectionTimeoutError',
  'ReadTimeoutError',
  'ReadTimeout',
  'WriteTimeout',
  'HeadersTimeoutError',
  'BodyTimeoutError',
]);
export const TIMEOUT_CODES: ReadonlySet<string | null> = new Set([
  'ESOCKETTIMEDOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** H7: ERR_CANCELED and CanceledError are AbortError. */
export const ABORT_NAMES: ReadonlySet<string | null> = new Set(['AbortError', 'CanceledError', 'APIUserAbortError']);
export const ABORT_CODES: ReadonlySet<string | null> = new Set(['ABORT_ERR', 'ERR_CANCELED', 'UND_ERR_ABORTED']);

/** An answer that came whole and was no JSON: JavaScript, Python, Jackson, Gson, .NET. */
export const UNREADABLE_NAMES: ReadonlySet<string | null> = new Set([
  'SyntaxError',
  'JSONDecodeError',
  'JsonParseException',
  'JsonSyntaxException',
  'JsonReaderException',
]);
