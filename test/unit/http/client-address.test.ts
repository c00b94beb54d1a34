import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { parseTrustedProxies, viewClient, type TrustedProxies } from '@/lib/http/client-address';

function view(peer: string, headers: Record<string, string>, proxies: string) {
  const rules = parseTrustedProxies(proxies) as TrustedProxies;
  return viewClient(
    { socket: { remoteAddress: peer }, headers: { host: 'h', ...headers } } as unknown as IncomingMessage,
    rules,
  );
}

describe('who sent a request', () => {
  test.each([
    ['no proxy is trusted', '203.0.113.9', '1.1.1.1', '', '203.0.113.9'],
    ['the peer is not the trusted one', '203.0.113.9', '1.1.1.1', '10.0.0.1', '203.0.113.9'],
    ['one trusted proxy', '10.0.0.1', '198.51.100.7', '10.0.0.1', '198.51.100.7'],
    ['what the client itself wrote is not believed', '10.0.0.1', '1.1.1.1, 198.51.100.7', '10.0.0.0/8', '198.51.100.7'],
    ['a chain of trusted proxies', '10.0.0.1', '198.51.100.7, 10.0.0.2', '10.0.0.0/8', '198.51.100.7'],
    ['nonsense in the header', '10.0.0.1', 'unknown', '10.0.0.0/8', '10.0.0.1'],
    ['an IPv4 peer in IPv6 clothes', '::ffff:10.0.0.1', '198.51.100.7', '10.0.0.1', '198.51.100.7'],
    ['IPv6 with brackets and a port', '::1', '[2001:db8::5]:4711', '::1', '2001:db8::5'],
    ['IPv4 with a port', '10.0.0.1', '198.51.100.7:4711', '10.0.0.1', '198.51.100.7'],
  ])('%s', (_name, peer, forwardedFor, proxies, expected) => {
    expect(view(peer, { 'x-forwarded-for': forwardedFor }, proxies).address).toBe(expected);
  });

  test('protocol and host are taken from a trusted proxy only', () => {
    const said = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'readback.example' };
    expect(view('10.0.0.1', said, '10.0.0.1')).toMatchObject({ protocol: 'https', host: 'readback.example' });
    expect(view('10.0.0.2', said, '10.0.0.1')).toMatchObject({ protocol: 'http', host: 'h' });
  });

  test.each(['proxy.local', '10.0.0.0/33', '10.0.0.0/x', '::/129', '1.2.3.4/8/8', '10.0.0.0/'])(
    '%s is no rule',
    (text) => {
      expect(parseTrustedProxies(`10.0.0.1, ${text}`)).toEqual({ wrong: text });
    },
  );
});
