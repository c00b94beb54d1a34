import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** OWASP's scrypt row with the largest N: about 128 MiB and 0.4 s a hash. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const KEY_BYTES = 64;
const SALT_BYTES = 16;
const MEMORY_BYTES_MAX = 256 * 1024 * 1024;
/** Hashes at once, so that a storm of sign-ins can't take the machine's memory. */
const PARALLEL_MAX = 2;

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

let running = 0;
const waiting: (() => void)[] = [];

async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= PARALLEL_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The turn is handed over, so that nobody slips in between.
    if (next) next();
    else running -= 1;
  }
}

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  return takeTurn(
    () =>
      new Promise((resolve, reject) => {
        const text = password.normalize('NFKC');
        scrypt(text, salt, KEY_BYTES, { ...cost, maxmem: MEMORY_BYTES_MAX }, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
}

/** @returns `scrypt$N$r$p$salt$key`, base64url, so that the cost can grow later without breaking old hashes. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** False for a wrong password and for a hash it cannot read. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [name, n, r, p, saltText, keyText] = hash.split('$');
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const key = Buffer.from(keyText ?? '', 'base64url');
  const known = name === 'scrypt' && cost.N <= COST.N && cost.r === COST.r && cost.p === COST.p;
  if (!known || !saltText || key.length !== KEY_BYTES) return false;
  return timingSafeEqual(await derive(password, Buffer.from(saltText, 'base64url'), cost), key);
}
