// Network addresses of callers: allow-lists of API keys (addresses and CIDR ranges) and the key that a
// rate limit counts an address under. Parsing and matching are those of node:net.
import { BlockList, isIP, isIPv6 } from 'node:net';

/** More entries than anybody lists by hand; bounds the check of a request. */
export const MAX_ALLOW_LIST = 64;

/** Addresses from which a key may be used. */
export interface AllowList {
  /** Whether `address`, as the socket gives it, is on the list. What is not an address is not. */
  allows(address: string): boolean;
}

/**
 * Builds an allow-list of entries such as `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. Bits beyond the prefix
 * are ignored. Returns the first entry that is not valid instead when there is one.
 */
export function parseAllowList(
  entries: readonly string[],
):
  | { readonly ok: true; readonly list: AllowList }
  | { readonly ok: false; readonly entry: string } {
  const ranges = new BlockList();
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range === null) return { ok: false, entry };
    ranges.addSubnet(range.address, range.prefix, range.family);
  }
  return { ok: true, list: { allows: (address) => contains(ranges, address) } };
}

/** Whether `entry` is an address or a CIDR range. */
export function isAllowListEntry(entry: string): boolean {
  return parseRange(entry) !== null;
}

/**
 * The key under which a rate limit counts an address: the address itself for IPv4 (also when written as
 * ::ffff:a.b.c.d), the /64 network for IPv6, since a single customer has all of it.
 */
export function rateKeyOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const groups = expand(address);
  return embeddedIPv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

interface Range {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

function parseRange(entry: string): Range | null {
  const slash = entry.indexOf('/');
  const address = slash < 0 ? entry : entry.slice(0, slash);
  const version = isIP(address);
  // A zone (fe80::1%eth0) means something on one machine only.
  if (version === 0 || address.includes('%')) return null;
  const bits = version === 4 ? 32 : 128;
  const suffix = slash < 0 ? String(bits) : entry.slice(slash + 1);
  if (!PREFIX.test(suffix)) return null;
  const prefix = Number(suffix);
  if (prefix > bits) return null;
  if (version === 4) return { address, prefix, family: 'ipv4' };
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8, and the socket may show either form.
  const embedded = prefix >= 96 ? embeddedIPv4(expand(address)) : null;
  if (embedded !== null) return { address: embedded, prefix: prefix - 96, family: 'ipv4' };
  return { address, prefix, family: 'ipv6' };
}

function contains(ranges: BlockList, address: string): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  if (version === 4) return ranges.check(address, 'ipv4');
  const embedded = embeddedIPv4(expand(address));
  return embedded === null ? ranges.check(address, 'ipv6') : ranges.check(embedded, 'ipv4');
}

/** The eight groups of a valid IPv6 address, in lowercase hex without leading zeros. */
function expand(address: string): string[] {
  const zone = address.indexOf('%');
  let plain = zone < 0 ? address : address.slice(0, zone);
  const dotted = plain.lastIndexOf(':') + 1;
  if (plain.includes('.')) {
    const [a, b, c, d] = plain.slice(dotted).split('.').map(Number) as [
      number,
      number,
      number,
      number,
    ];
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
