// IP addresses: every spelling of one, sets of ranges (CIDR), and the networks that count as one
// caller. An IPv4 address mapped into IPv6, as on a dual-stack socket, is the same address.
// A provider commonly gives a customer a whole /56 of IPv6, so nothing counts a smaller network.
import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';

const FAMILY: Record<number, { readonly family: Family; readonly bits: number }> = {
  4: { family: 'ipv4', bits: 32 },
  6: { family: 'ipv6', bits: 128 },
};

/** Groups of an IPv6 address that are within the first 48 bits. */
const WHOLE_GROUPS = 3;

/** The address, with mapped IPv4 as IPv4; null for text that is not an address. */
export function canonicalAddress(text: string): string | null {
  const kind = isIP(text);
  if (kind === 4) return text;
  if (kind === 0 || text.includes('%')) return null;
  const bytes = mappedIPv4(groupsOf(text));
  return bytes === null ? text.toLowerCase() : bytes.join('.');
}

const QUOTED = /^"(.*)"$/;
/** IPv4 with a port, `[IPv6]` with or without one, or an address alone. */
const FORWARDED = /^(?:([\d.]+):\d{1,5}|\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|([0-9A-Fa-f.:]+))$/;

/**
 * The address in one entry of `X-Forwarded-For`, in the forms that proxies write: plain, with a
 * port, IPv6 in brackets, quoted. null for `unknown`, obfuscated names and other text.
 */
export function forwardedAddress(entry: string): string | null {
  const [, ipv4, bracketed, plain] = FORWARDED.exec(entry.trim().replace(QUOTED, '$1')) ?? [];
  return canonicalAddress(bracketed ?? ipv4 ?? plain ?? '');
}

/**
 * The key that rate limits count by: IPv4 by address, IPv6 by its /56; other text is its own key.
 */
export function rateKeyOf(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  return mappedIPv4(groups)?.join('.') ?? range6(groups);
}

/**
 * The network that counts failed logins and emailed codes: `203.0.113.7` → `203.0.113.0/24`,
 * `2001:db8:0:1ff::1` → `2001:db8:0:100::/56`. Text that is not an address is `unknown`.
 */
export function addressRange(ip: string | null): string {
  const kind = ip === null ? 0 : isIP(ip);
  if (ip === null || kind === 0) return 'unknown';
  if (kind === 4) return range4(ip.split('.'));
  const groups = groupsOf(ip);
  const mapped = mappedIPv4(groups);
  return mapped === null ? range6(groups) : range4(mapped);
}

/** The accepted texts of parseIpRanges, for messages. */
export const IP_RANGE_FORM =
  'an IP address or a CIDR range (203.0.113.7, 10.0.0.0/8, 2001:db8::/32)';

/** A set of ranges: the allow list of an API key, trusted proxies, the networks of operators. */
export class IpRanges {
  readonly texts: readonly string[];
  readonly #list: BlockList;

  constructor(texts: readonly string[], list: BlockList) {
    this.texts = texts;
    this.#list = list;
  }

  get isEmpty(): boolean {
    return this.texts.length === 0;
  }

  /** True if the address is in one of the ranges; other text is in none. */
  contains(ip: string): boolean {
    const kind = FAMILY[isIP(ip)];
    return kind !== undefined && !this.isEmpty && this.#list.check(ip, kind.family);
  }
}

class AnyAddress extends IpRanges {
  constructor() {
    super(['any'], new BlockList());
  }

  override contains(): boolean {
    return true;
  }
}

/** Contains every caller, also one whose address is unknown. */
export const ANY_ADDRESS: IpRanges = new AnyAddress();

/** The ranges, or the first text that is not one. */
export function parseIpRanges(texts: readonly string[]): IpRanges | { readonly bad: string } {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix, ...rest] = text.split('/');
    const kind = FAMILY[isIP(address)];
    // A zone (fe80::1%eth0) names an interface of this machine, not of the peer.
    if (kind === undefined || address.includes('%') || rest.length > 0) return { bad: text };
    if (prefix === undefined) {
      list.addAddress(address, kind.family);
      continue;
    }
    if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > kind.bits) return { bad: text };
    list.addSubnet(address, Number(prefix), kind.family);
  }
  return new IpRanges([...texts], list);
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
