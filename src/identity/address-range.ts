// The network that an address belongs to, as the key under which failed logins and sent codes are
// counted. Wider than one address, because who has one often has its neighbours as well: /24 of
// IPv4, /56 of IPv6, which is what one customer of a provider is commonly given.
import { isIP } from 'node:net';

/** Groups of an IPv6 address that are within the first 48 bits. */
const WHOLE_GROUPS = 3;

/**
 * `203.0.113.7` → `203.0.113.0/24`, `2001:db8:0:1ff::1` → `2001:db8:0:100::/56`; an IPv4 address
 * mapped into IPv6 is that IPv4 address. What is no address is `unknown`: all of that is counted as one.
 */
export function addressRange(ip: string | null): string {
  const kind = ip === null ? 0 : isIP(ip);
  if (ip === null || kind === 0) return 'unknown';
  if (kind === 4) return range4(ip.split('.').map(Number));
  const groups = groupsOf(ip);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return range4([high >> 8, high & 255, low >> 8, low & 255]);
  }
  const network = groups.slice(0, WHOLE_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}:${((groups[WHOLE_GROUPS] ?? 0) & 0xff00).toString(16)}::/56`;
}

const range4 = (bytes: readonly number[]): string => `${bytes.slice(0, 3).join('.')}.0/24`;

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
