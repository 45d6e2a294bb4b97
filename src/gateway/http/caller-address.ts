// The address of a request: the peer of its connection, or the entry of X-Forwarded-For by trusted
// proxies. Limits and allow-lists use it. The operator area checks every hop, since any of them may
// have admitted a stranger.
import { canonicalAddress, forwardedAddress, type IpRanges } from '../../identity/ip.ts';
import type { RequestHeaders } from './request-headers.ts';

const FORWARDED_FOR = 'x-forwarded-for';
/** Each of these headers shows a proxy that this file does not read. */
const OTHER_SIGNS_OF_A_PROXY = ['forwarded', 'x-real-ip', 'x-forwarded-host', 'via'];

/** The peer as an address; '' where the connection is gone. */
export const peerAddress = (peer: string | undefined): string =>
  peer === undefined ? '' : (canonicalAddress(peer) ?? peer);

/**
 * The rightmost hop that is no trusted proxy: everything to the left of it may be invented. For an
 * entry that is no address, the proxy that sent it.
 */
export function callerAddress(peer: string, headers: RequestHeaders, trusted: IpRanges): string {
  if (trusted.isEmpty || !trusted.contains(peer)) return peer;
  let caller = peer;
  for (const hop of hopsOf(headers).reverse()) {
    if (hop === null) break;
    caller = hop;
    if (!trusted.contains(hop)) break;
  }
  return caller;
}

/**
 * True if the caller and every hop are inside `networks`; a trusted proxy may be anywhere. A
 * private address alone proves nothing: behind an unnamed balancer, all strangers have its address.
 */
export function comesFromInside(
  peer: string,
  headers: RequestHeaders,
  trusted: IpRanges,
  networks: IpRanges,
): boolean {
  if (!networks.contains(callerAddress(peer, headers, trusted))) return false;
  if (!headers.has(FORWARDED_FOR)) {
    return !OTHER_SIGNS_OF_A_PROXY.some((name) => headers.has(name));
  }
  if (!trusted.contains(peer)) return false;
  return hopsOf(headers).every(
    (hop) => hop !== null && (networks.contains(hop) || trusted.contains(hop)),
  );
}

/** Each hop in the order of the header; null for an entry that is no address. */
function hopsOf(headers: RequestHeaders): (string | null)[] {
  const text = headers.get(FORWARDED_FOR);
  return text === null ? [] : text.split(',').map(forwardedAddress);
}
