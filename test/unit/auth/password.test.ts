import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '@/lib/auth/password';

describe('passwords', () => {
  test('the right one fits its hash, another does not, and two hashes of one differ', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(first).toMatch(/^scrypt\$131072\$8\$1\$/);
    expect(first).not.toBe(second);
    expect(await verifyPassword(first, 'correct horse')).toBe(true);
    expect(await verifyPassword(first, 'correct horse ')).toBe(false);
  });

  test('one spelling of a letter fits the other', async () => {
    const hash = await hashPassword('caf\u00e9 in the morning');
    expect(await verifyPassword(hash, 'cafe\u0301 in the morning')).toBe(true);
  });

  test.each(['', 'x', 'scrypt$1$1$1$$', 'scrypt$131072$8$1$c2FsdA$short', 'scrypt$999999999$8$1$c2FsdA$AAAA'])(
    'a hash that cannot be read fits nothing: %s',
    async (hash) => {
      expect(await verifyPassword(hash, 'anything')).toBe(false);
    },
  );
});
