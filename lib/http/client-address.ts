import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Carries the client's address from the front to the dashboard's process; from outside it is dropped. */
export const CLIENT_ADDRESS_HEADER = 'x-readback-client-address';

/** Proxies whose word about the client is believed. */
export interface TrustedProxies {
  trusts: (address: string) => boolean;
}

/** Who really sent a request, and how it was addressed, as far as that can be known. */
export interface ClientView {
  address: string;
  protocol: 'http' | 'https';
  /** Value of the Host header, or what a trusted proxy says it was. */
  host: string;
}

/**
 * Reads `TRUSTED_PROXIES`: addresses and CIDR blocks, comma separated.
 * @returns the rules, or the first entry that is neither
 */
export function parseTrustedProxies(text: string): TrustedProxies | { wrong: string } {
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (!entry) continue;
    const [address = '', prefixText, ...rest] = entry.split('/');
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    const prefix = prefixText === undefined ? longest : Number(prefixText);
    // `10.0.0.0/` must not become /0, which would trust everybody.
    const fits = (prefixText === undefined || /^\d{1,3}$/.test(prefixText)) && prefix <= longest;
    if (family === 0 || !fits || rest.length > 0) return { wrong: entry };
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return { trusts: (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6') };
}

/**
 * Walks `X-Forwarded-For` from the right for as long as the speaker is trusted. Without a trusted peer the
 * header is what anybody may write, and isn't looked at.
 */
export function viewClient(request: IncomingMessage, proxies: TrustedProxies): ClientView {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  const direct: ClientView = { address: peer, protocol: 'http', host: request.headers.host ?? '' };
  if (!proxies.trusts(peer)) return direct;
  let address = peer;
  for (const hop of listed(request.headers, 'x-forwarded-for').reverse()) {
    const next = plainAddress(hop);
    if (isIP(next) === 0) break;
    address = next;
    if (!proxies.trusts(next)) break;
  }
  const protocol = listed(request.headers, 'x-forwarded-proto').at(-1) === 'https' ? 'https' : 'http';
  return { address, protocol, host: listed(request.headers, 'x-forwarded-host').at(-1) ?? direct.host };
}

function listed(headers: IncomingHttpHeaders, name: string): string[] {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(',') : (value ?? '');
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Without brackets, port, zone and the IPv4-in-IPv6 prefix. */
function plainAddress(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
