import { parseTrustedProxies, type TrustedProxies } from '@/lib/http/client-address';
import type { Env } from '@/lib/platform/env';
import { PlainError } from '@/lib/platform/plain-error';

/** Which parts run in or under this process. */
export interface Parts {
  ingest: boolean;
  web: boolean;
  worker: boolean;
}

export function partsOf(role: Env['READBACK_ROLE']): Parts {
  const all = role === 'all';
  return { ingest: all || role === 'ingest', web: all || role === 'web', worker: all || role === 'worker' };
}

/** @throws PlainError naming the entry that is no address */
export function readProxies(env: Pick<Env, 'TRUSTED_PROXIES'>): TrustedProxies {
  const proxies = parseTrustedProxies(env.TRUSTED_PROXIES);
  if ('wrong' in proxies) {
    throw new PlainError(
      `Wrong environment: TRUSTED_PROXIES (${proxies.wrong} is neither an address nor a CIDR block).`,
    );
  }
  return proxies;
}

/** Node 20 gets no more security fixes since April 2026; it still works. */
export function isPastEndOfLife(version: string): boolean {
  return Number(version.replace(/^v/, '').split('.')[0]) <= 20;
}

/** Where this machine itself reaches a listener. */
export function localAddress(host: string, port: number): string {
  const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const reachable = anywhere[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
