// The model's self-trade prevention: the rule between two orders.
import { SelfTradePrevention } from '../../src/core/fix.ts';
import type { ModelOrder, VenueState } from './state.ts';

/**
 * The rule for these two orders; none: they may trade. The taker's own rule comes first among the
 * orders of its account; a colleague has the protection of the pair's rule, too.
 */
export function preventionFor(
  venue: VenueState,
  taker: Pick<ModelOrder, 'uid' | 'market' | 'prevention'>,
  maker: ModelOrder,
): SelfTradePrevention {
  const { none } = SelfTradePrevention;
  if (!areOne(venue, maker.uid, taker.uid)) return none;
  const own = taker.prevention ?? none;
  const pairs = taker.market.prevention;
  if (own === none) return pairs;
  if (maker.uid === taker.uid) return own;
  const stricter = STRICTEST.find((rule) => rule === own || rule === pairs)!;
  venue.meet('self-trade: the rule of the pair protects a colleague', stricter !== own);
  return stricter;
}

/** The more an order of a colleague is spared, and the less the one that meets it. */
const STRICTEST = [
  SelfTradePrevention.cancelNewest,
  SelfTradePrevention.cancelBoth,
  SelfTradePrevention.cancelOldest,
] as const;

/** The same account, or two of an enterprise that does not trade with itself. */
function areOne(venue: VenueState, maker: number, taker: number): boolean {
  const { enterpriseId } = venue.users.get(taker)!;
  const prevents = venue.earn.enterprises[enterpriseId - 1]?.selfTradePrevention === true;
  return maker === taker || (prevents && venue.users.get(maker)!.enterpriseId === enterpriseId);
}

export function meetPrevention(
  venue: VenueState,
  order: ModelOrder,
  maker: ModelOrder,
  prevention: SelfTradePrevention,
): void {
  const isOwn = order.prevention !== null && areOne(venue, maker.uid, order.uid);
  venue.meet('self-trade: an order with a rule of its own meets another of its account', isOwn);
  const yields = isOwn && order.prevention !== prevention;
  venue.meet('self-trade: none of an order yields to the rule of the pair', yields);
}
