import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOwnKey, KEY_SCOPES, makeKeyText, maskOwnKeys, parseKeyText } from '@/lib/platform/key-text';

describe('the text of a key', () => {
  test.each(KEY_SCOPES)('a %s key starts with its scope and reads back', (scope) => {
    const key = makeKeyText(scope);
    expect(key.text).toMatch(new RegExp(`^rb_${scope}_[0-9A-Za-z]{10}_[0-9A-Za-z]{38}$`));
    expect(parseKeyText(key.text)).toEqual(key);
  });

  test('any one changed character is noticed without a look-up', () => {
    const { text } = makeKeyText('ingest');
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'aZ0_ -'), (at, letter) => {
        fc.pre(text[at] !== letter);
        return !isOwnKey(text.slice(0, at) + letter + text.slice(at + 1));
      }),
    );
  });

  test('a scope swapped into another is noticed', () => {
    const { text } = makeKeyText('read');
    expect(isOwnKey(text.replace('rb_read_', 'rb_operate_'))).toBe(false);
  });

  test('parsing never throws and takes nothing but keys', () => {
    fc.assert(fc.property(fc.string(), (text) => parseKeyText(text) === null));
  });

  test('keys inside a longer text are masked, what only looks like one stays', () => {
    const [first, second] = [makeKeyText('ingest').text, makeKeyText('operate').text];
    const typo = `${first.slice(0, -1)}${first.endsWith('0') ? '1' : '0'}`;
    const masked = maskOwnKeys(`a=${first}&b=x${second}y ${typo}`, '[redacted]');
    expect(masked).toEqual({ text: `a=[redacted]&b=x[redacted]y ${typo}`, count: 2 });
  });

  test('64 KiB of near misses take no time', () => {
    const text = 'rb_ingest_0123456789_'.repeat(3_200);
    const startedAt = performance.now();
    expect(maskOwnKeys(text, '').count).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(100);
  });
});
