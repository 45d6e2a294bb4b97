// The key under which a rate limit counts a caller's address. Allow-lists of API keys are not here
// but in identity/ip-ranges.ts.
import { isIPv6 } from 'node:net';

/**
 * The key under which a rate limit counts an address: the address itself for IPv4 (also when
 * written as ::ffff:a.b.c.d), the /64 network for IPv6, since a single customer has all of it.
 */
export function rateKeyOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const groups = expand(address);
  return embeddedIPv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address, in lowercase hex without leading zeros. */
function expand(address: string): string[] {
  const zone = address.indexOf('%');
  let plain = zone < 0 ? address : address.slice(0, zone);
  const dotted = plain.lastIndexOf(':') + 1;
  if (plain.includes('.')) {
    const [a = 0, b = 0, c = 0, d = 0] = plain.slice(dotted).split('.').map(Number);
    plain = `${plain.slice(0, dotted)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  }
  const [head, tail] = plain.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}

/** The IPv4 address in ::ffff:a.b.c.d; null for every other address. */
function embeddedIPv4(groups: readonly string[]): string | null {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return null;
  const high = Number.parseInt(groups[6]!, 16);
  const low = Number.parseInt(groups[7]!, 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
