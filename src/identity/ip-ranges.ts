// A set of IP address ranges (CIDR), IPv4 and IPv6: the allow list of an API key, the proxies whose
// X-Forwarded-For is believed, the networks of operators. An IPv4 address that arrives mapped into IPv6, as it does on a
// dual-stack socket, is the same address.
import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';

const FAMILY: Record<number, { readonly family: Family; readonly bits: number }> = {
  4: { family: 'ipv4', bits: 32 },
  6: { family: 'ipv6', bits: 128 },
};

/** What parseIpRanges accepts, for messages. */
export const IP_RANGE_FORM =
  'an IP address or a CIDR range (203.0.113.7, 10.0.0.0/8, 2001:db8::/32)';

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

  /** Whether the address lies in one of the ranges; what is not an address lies in none. */
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

/** Holds every caller, also one whose address nobody knows. */
export const ANY_ADDRESS: IpRanges = new AnyAddress();

/** The ranges, or the first text that is not one. */
export function parseIpRanges(texts: readonly string[]): IpRanges | { readonly bad: string } {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', prefix, ...rest] = text.split('/');
    const kind = FAMILY[isIP(address)];
    // A zone (fe80::1%eth0) names an interface of this machine, which is no property of a peer.
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
