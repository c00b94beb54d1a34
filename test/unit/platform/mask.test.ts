import { describe, expect, it } from 'vitest';
import { makeKeyText } from '@/lib/platform/key-text';
import { createMasker, type Masker } from '@/lib/platform/mask';

const make = (): Masker => createMasker({ hash: (value) => `h${value.length}xxxxxxx` });

const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'c2lnbmF0dXJl'].join('.');

const OWN = makeKeyText('ingest').text;

const MASKED: [string, string, string][] = [
  ['own key', `key ${OWN} here`, 'key [redacted-key] here'],
  ['bearer', 'sent Authorization: Bearer abc.def-123', 'sent Authorization: Bearer [redacted-bearer]'],
  ['basic', 'Basic dXNlcjpwYXNz', 'Basic [redacted-bearer]'],
  ['jwt', `got ${JWT}!`, 'got [redacted-jwt]!'],
  ['pem', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- x', '[redacted-pem] x'],
  ['pem cut', 'a -----BEGIN PRIVATE KEY-----\nabc', 'a [redacted-pem]'],
  ['aws', `id ${'AKIA'}IOSFODNN7EXAMPLE`, 'id [redacted-aws]'],
  ['github', `ghp_${'a1B2'.repeat(9)}`, '[redacted-github]'],
  ['slack', 'xoxb-123456789012-abcdef', '[redacted-slack]'],
  ['stripe', `sk_live_${'4eC39HqLyjWD'}`, '[redacted-stripe]'],
  ['card', 'paid with 4111 1111 1111 1111.', 'paid with [redacted-card].'],
  ['card plain', '5555555555554444', '[redacted-card]'],
  ['userinfo', 'GET https://joe:pw@example.org/x', 'GET https://[redacted-url]@example.org/x'],
  ['query', 'GET /x?page=2&access_token=abc&b=1', 'GET /x?page=2&access_token=[redacted-name]&b=1'],
  [
    'bitrix webhook',
    'https://a.bitrix24.com/rest/1/abcdef1234/crm.deal.add',
    'https://a.bitrix24.com/rest/1/[redacted-webhook]/crm.deal.add',
  ],
  ['name=value', 'login password=hunter2 failed', 'login password=[redacted-name] failed'],
  ['nested in a value', 'msg=token=abc', 'msg=token=[redacted-name]'],
  ['JSON in text', '{"user":"x","password":"hunter 2"}', '{"user":"x","password":[redacted-name]}'],
  ['escaped JSON', '{\\"apiKey\\":\\"hunter2\\"}', '{\\"apiKey\\":[redacted-name]\\"}'],
  ['cookie', 'Cookie: a=b; c=d', 'Cookie: [redacted-cookie]'],
];

const KEPT = [
  `key ${OWN.slice(0, -1)}${OWN.endsWith('a') ? 'b' : 'a'} here`,
  'Basic authentication is required',
  'order 1764504000123 at 2026-11-30T12:00:00.123Z',
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  '4111111111111112',
  'Unexpected end of input',
  'POST https://example.org/v1/orders?page=2',
  '',
];

describe('masking text', () => {
  it.each(MASKED)('%s', (_name, text, masked) => {
    const masker = make();
    expect(masker.text(text)).toBe(masked);
    expect(masker.count()).toBe(1);
  });

  it.each(KEPT)('keeps %j', (text) => {
    const masker = make();
    expect(masker.text(text)).toBe(text);
    expect(masker.count()).toBe(0);
  });

  it('masks a value by the name it stands under, however the name is written', () => {
    for (const name of ['password', 'API-Key', 'client_secret', 'x-api-key', 'refreshToken', 'Set-Cookie'])
      expect(make().named(name, 'plain')).toBe('[redacted-name]');
    expect(make().named('region', 'eu')).toBe('eu');
  });

  it('keeps masked identifiers apart', () => {
    const masker = make();
    expect(masker.identifier('order-4111 1111 1111 1111')).not.toContain('1111');
    expect(masker.identifier('GET /x?token=abcdef')).toMatch(/^GET \/x\?token=\[redacted-name:h6xxxxxx\]$/);
    expect(masker.identifier('token:17')).toBe('token:17');
  });

  it('takes linear time on hostile text of 64 KiB', () => {
    const seeds = [
      'eyJ',
      'eyJa.',
      '-----BEGIN PRIVATE KEY-----',
      '4 ',
      '4-',
      'a=',
      'token=',
      '://',
      '://a@',
      'bearer ',
      'rb_ingest_',
      'xoxb-',
      '"',
      '/rest/1/',
      '?a=',
      'cookie:',
      'password"',
      ' ',
      'a',
    ];
    for (const seed of seeds) {
      const text = seed.repeat(Math.ceil(65_536 / seed.length));
      const started = performance.now();
      make().text(text);
      expect(performance.now() - started, seed).toBeLessThan(200);
    }
  });
});
