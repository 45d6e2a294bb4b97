// IP addresses in every spelling, and the networks under which callers are counted. A customer of a provider commonly has
// a whole /56 of IPv6, so nothing is counted by a smaller network of it.
import { isIP } from 'node:net';

/** Groups of an IPv6 address that are within the first 48 bits. */
const WHOLE_GROUPS = 3;

/** The address, an IPv4 address that is mapped into IPv6 as IPv4; null for anything else. */
export function canonicalAddress(text: string): string | null {
  const kind = isIP(text);
  if (kind === 4) return text;
  if (kind === 0 || text.includes('%')) return null;
  const bytes = mappedIPv4(groupsOf(text));
  return bytes === null ? text.toLowerCase() : bytes.join('.');
}

/**
 * The address in one entry of `X-Forwarded-For`, as the proxies in use write it: plain, with a port, IPv6 in brackets,
 * all of it in quotes or not. null for `unknown`, obfuscated names and whatever else is no address.
 */
export function forwardedAddress(entry: string): string | null {
  const [, ipv4, bracketed, plain] = FORWARDED.exec(entry.trim().replace(QUOTED, '$1')) ?? [];
  return canonicalAddress(bracketed ?? ipv4 ?? plain ?? '');
}

const QUOTED = /^"(.*)"$/;
/** IPv4 with a port, `[IPv6]` with or without one, or an address alone. */
const FORWARDED = /^(?:([\d.]+):\d{1,5}|\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9A-Fa-f.:]+))$/;

/**
 * The key under which rate limits count an address: IPv4 by the address, IPv6 by its /56. Text that is no address stands
 * for itself.
 */
export function rateKeyOf(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  return mappedIPv4(groups)?.join('.') ?? range6(groups);
}

/**
 * The network under which failed logins and mailed codes are counted: `203.0.113.7` → `203.0.113.0/24`,
 * `2001:db8:0:1ff::1` → `2001:db8:0:100::/56`. Everything that is no address is `unknown`.
 */
export function addressRange(ip: string | null): string {
  const kind = ip === null ? 0 : isIP(ip);
  if (ip === null || kind === 0) return 'unknown';
  if (kind === 4) return range4(ip.split('.'));
  const groups = groupsOf(ip);
  const mapped = mappedIPv4(groups);
  return mapped === null ? range6(groups) : range4(mapped);
}

const range4 = (bytes: readonly (string | number)[]): string =>
  `${bytes.slice(0, 3).join('.')}.0/24`;

function range6(groups: readonly number[]): string {
  const network = groups.slice(0, WHOLE_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}:${((groups[WHOLE_GROUPS] ?? 0) & 0xff00).toString(16)}::/56`;
}

/** The bytes of the IPv4 address in `::ffff:a.b.c.d`; null for every other address. */
function mappedIPv4(groups: readonly number[]): number[] | null {
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!mapped) return null;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255];
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(ip: string): number[] {
  const plain = (ip.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail = ''] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}
