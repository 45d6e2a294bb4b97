// Entering an order: check, accept, match, and let what is left rest or lapse.
import type { PlaceOrder } from '../command.ts';
import { CloseReason, ExecType, OrdType, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { ANY_PRICE, type Incoming, match } from '../matching/match.ts';
import { crosses } from '../matching/order-book.ts';
import { NONE } from '../matching/order-store.ts';
import { accepted, type OutcomeOf, rejected } from '../outcome.ts';
import type { State } from '../state.ts';
import { type Lots, lots, MAX_INTEGER, type Ticks, ZERO } from '../units.ts';
import { checkOrder, priceBand } from './checks.ts';
import { costOf, hold, paidAsset, release } from './holds.ts';
import { type EnteringOrder, reportEntering } from './report.ts';
import { TradeSettlement } from './settlement.ts';

/** An accepted order may still be rejected or canceled: an execution report says so. */
export function placeOrder(state: State, command: PlaceOrder): OutcomeOf<'placeOrder'> {
  const reject = checkOrder(state, command);
  if (reject !== null) return rejected(reject);

  // Cannot be refused beyond this point.
  const instrument = state.instruments[command.securityId]!;
  const orderId = state.next.orderId++;
  const order: EnteringOrder = {
    terms: command,
    orderId,
    cumQty: lots(0),
    cumQuote: ZERO,
    createTime: state.time,
  };
  if (command.ordType === OrdType.market) enterMarket(state, instrument, order);
  else enterLimit(state, instrument, order);
  return accepted({ orderId, clOrdId: command.clOrdId, transactTime: state.time });
}

function enterLimit(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { book } = instrument;
  const { uid, side, price, orderQty, postOnly } = order.terms;
  const best = book.bestAgainst(side);
  const marketable = best !== NONE && crosses(side, price, book.levelPrice(best));
  if (marketable && postOnly) {
    const reason = CloseReason.postOnlyWouldMatch;
    reportEntering(state, order, ExecType.rejected, lots(0), ...noFill, reason);
    return;
  }
  const asset = paidAsset(instrument, side);
  hold(state, uid, asset, costOf(instrument, side, price, orderQty));
  reportEntering(state, order, ExecType.new, orderQty);
  if (marketable) {
    const incoming = incomingOf(state, order, price, orderQty);
    const reason = matchOrder(state, instrument, order, incoming);
    if (reason === CloseReason.selfTrade) {
      release(state, uid, asset, costOf(instrument, side, price, incoming.leaves));
      reportEntering(state, order, ExecType.canceled, lots(0), ...noFill, reason);
      return;
    }
    if (incoming.leaves === 0) return;
  }
  book.add(state.orders.add(order));
}

function enterMarket(state: State, instrument: Instrument, order: EnteringOrder): void {
  const { side, orderQty } = order.terms;
  const byQuote = orderQty === 0;
  reportEntering(state, order, ExecType.new, orderQty);
  const band = priceBand(instrument);
  const limit = band === null ? ANY_PRICE : side === Side.buy ? band.high : band.low;
  const wanted = byQuote ? lots(MAX_INTEGER) : orderQty;
  const incoming = incomingOf(state, order, limit, wanted);
  const stopped = matchOrder(state, instrument, order, incoming);
  if (byQuote && isSpent(order, incoming.leaves, stopped)) {
    reportEntering(state, order, ExecType.fill, lots(0));
    return;
  }
  if (incoming.leaves === 0) return;
  const reason = stopped !== CloseReason.none ? stopped : whyNoMore(instrument, side);
  reportEntering(state, order, ExecType.canceled, lots(0), ...noFill, reason);
}

/**
 * An order by quote is filled when its budget is used up or buys no further lot at the next price.
 * It is also filled at the largest quantity that an order can have.
 */
function isSpent(order: EnteringOrder, leaves: Lots, stopped: CloseReason): boolean {
  if (order.cumQty === 0) return false;
  const usedUp = order.cumQuote === order.terms.quoteOrderQty;
  return usedUp || leaves === 0 || stopped === CloseReason.insufficientBalance;
}

/** No acceptable price is left: because of the band if the other side has orders. */
function whyNoMore(instrument: Instrument, side: Side): CloseReason {
  const empty = instrument.book.bestAgainst(side) === NONE;
  return empty ? CloseReason.noLiquidity : CloseReason.priceBand;
}

const incomingOf = (state: State, order: EnteringOrder, limit: Ticks, leaves: Lots): Incoming => ({
  uid: order.terms.uid,
  enterpriseId: preventingEnterprise(state, order.terms.uid),
  side: order.terms.side,
  limit,
  leaves,
});

function matchOrder(
  state: State,
  instrument: Instrument,
  order: EnteringOrder,
  incoming: Incoming,
): CloseReason {
  const settlement = new TradeSettlement(state, instrument, order);
  const { book, selfTradePrevention, perTickLot } = instrument;
  return match(book, state.orders, incoming, selfTradePrevention, perTickLot, settlement);
}

/** lastPx and lastQty of a report that is not a fill. */
const noFill = [0 as Ticks, 0 as Lots] as const;

/** The user's enterprise if its members are not to trade with each other; else 0. */
function preventingEnterprise({ users, earn }: State, uid: number): number {
  const { enterpriseId } = users[uid]!;
  if (enterpriseId === 0) return 0;
  return earn.enterprises[enterpriseId]!.selfTradePrevention ? enterpriseId : 0;
}
