import { describe, expect, it } from 'vitest';
import { normaliseNetworkError as normalise } from '@/lib/core/network-error';

/**
 * Words and what they prove, from Node's `errors` and `tls` pages, undici's error classes, urllib3, requests, httpx
 * and the JDK: a wrong one lets a write be sent twice. What is pre-flight may be sent again; what is not is in doubt.
 */

const words = (text: string) => text.trim().split(/\s+/);

const CERTIFICATES = words(`
  UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY
  CERT_SIGNATURE_FAILURE CERT_NOT_YET_VALID CERT_HAS_EXPIRED CRL_NOT_YET_VALID CRL_HAS_EXPIRED
  DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY
  UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG CERT_REVOKED INVALID_CA PATH_LENGTH_EXCEEDED INVALID_PURPOSE
  CERT_UNTRUSTED CERT_REJECTED HOSTNAME_MISMATCH ERR_TLS_CERT_ALTNAME_INVALID ERR_TLS_CERT_ALTNAME_FORMAT`);

const HANDSHAKES = words(`
  ERR_TLS_HANDSHAKE_TIMEOUT ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_UNKNOWN_PROTOCOL ERR_SSL_UNSUPPORTED_PROTOCOL
  ERR_SSL_VERSION_TOO_LOW ERR_SSL_NO_PROTOCOLS_AVAILABLE ERR_SSL_NO_SHARED_CIPHER ERR_SSL_NO_CIPHERS_AVAILABLE
  ERR_SSL_PACKET_LENGTH_TOO_LONG ERR_SSL_HTTP_REQUEST ERR_SSL_DH_KEY_TOO_SMALL
  ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE
  ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION
  ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY ERR_SSL_TLSV1_UNRECOGNIZED_NAME`);

describe('codes of failed handshakes', () => {
  it.each(CERTIFICATES)('%s: the certificate was refused before any byte of the request (H4)', (code) => {
    expect(normalise({ code })).toMatchObject({ phase: 'tls', preflight: true, certificate: true });
  });

  it.each(HANDSHAKES)('%s: no handshake, no request; nothing is said of a certificate (H4)', (code) => {
    expect(normalise({ code })).toMatchObject({ phase: 'tls', preflight: true, certificate: false });
  });
});

describe('codes that name their phase', () => {
  it.each([
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ETIMEOUT', 'dns'],
    ['ECONNREFUSED', 'connect'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect'],
  ] as const)('%s is pre-flight, phase %s', (code, phase) => {
    expect(normalise({ code })).toMatchObject({ code, phase, preflight: true, notFound: code === 'ENOTFOUND' });
  });

  it.each([
    ['EPIPE', 'sending'],
    ['ECONNRESET', 'awaiting_response'],
    ['UND_ERR_SOCKET', 'awaiting_response'],
    ['UND_ERR_HEADERS_TIMEOUT', 'awaiting_response'],
    ['UND_ERR_HEADERS_OVERFLOW', 'awaiting_response'],
    ['UND_ERR_BODY_TIMEOUT', 'reading_body'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'reading_body'],
    ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'reading_body'],
    ['ERR_STREAM_PREMATURE_CLOSE', 'reading_body'],
    ['ESOCKETTIMEDOUT', null],
    ['ECONNABORTED', null],
    ['ETIMEDOUT', null],
    ['EHOSTUNREACH', null],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', null],
  ] as const)('%s may have been acted on, phase %s', (code, phase) => {
    expect(normalise({ code })).toMatchObject({ code, phase, preflight: false, notProcessed: false });
  });
});

describe('class names of clients without codes', () => {
  it.each([
    ['ConnectTimeoutError', 'connect'],
    ['ConnectTimeout', 'connect'],
    ['ConnectError', 'connect'],
    ['java.net.ConnectException', 'connect'],
    ['HttpConnectTimeoutException', 'connect'],
    ['ConnectionRefusedError', 'connect'],
    ['urllib3.exceptions.NewConnectionError', 'connect'],
    ['PoolTimeout', 'connect'],
    ['NameResolutionError', 'dns'],
    ['UnknownHostException', 'dns'],
    ['SSLHandshakeException', 'tls'],
  ] as const)('%s never got past %s', (name, phase) => {
    expect(normalise({ name })).toMatchObject({ phase, preflight: true, timeout: false });
  });

  it.each([
    ['HeadersTimeoutError', 'awaiting_response'],
    ['ReadTimeoutError', 'awaiting_response'],
    ['httpx.ReadTimeout', 'awaiting_response'],
    ['BodyTimeoutError', 'reading_body'],
    ['WriteTimeout', 'sending'],
    ['TimeoutError', null],
    ['APIConnectionTimeoutError', null],
  ] as const)('%s is a time-out of something sent, phase %s', (name, phase) => {
    expect(normalise({ name })).toMatchObject({ phase, preflight: false, timeout: true });
  });
});

describe('who gave up', () => {
  it.each(['ESOCKETTIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])('%s: a timer', (code) => {
    expect(normalise({ code })).toMatchObject({ timeout: true, aborted: false });
  });

  it.each(['ABORT_ERR', 'ERR_CANCELED', 'UND_ERR_ABORTED'])('%s: the caller (H7)', (code) => {
    expect(normalise({ code })).toMatchObject({ timeout: false, aborted: true });
  });

  it.each(['AbortError', 'CanceledError', 'APIUserAbortError'])('%s: the caller (H7)', (name) => {
    expect(normalise({ name })).toMatchObject({ timeout: false, aborted: true });
  });

  it('ECONNRESET: neither', () => {
    expect(normalise({ name: 'Error', code: 'ECONNRESET' })).toMatchObject({ timeout: false, aborted: false });
  });
});
