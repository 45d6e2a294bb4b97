// The checks of an order, in the order of the reject table. They change nothing, so that a test
// order gets the same verdict.
import type { PlaceOrder } from '../command.ts';
import { InstrumentStatus, isLimit, isStop, OrdType, Side, TimeInForce } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { ANY_PRICE } from '../matching/match.ts';
import { NONE } from '../matching/order-store.ts';
import { asCount, inAsset, inLots, type Measure, type Reject, rejection } from '../reject.ts';
import { SINCE } from '../rules.ts';
import type { State } from '../state.ts';
import {
  type Amount,
  add,
  affordableLots,
  amount,
  divideDown,
  divideUp,
  type Lots,
  MAX_INTEGER,
  multiply,
  subtract,
  type Ticks,
} from '../units.ts';
import {
  checkBracketBand,
  checkDisplay,
  checkForm,
  checkTimeAndPrevention,
  checkTrigger,
} from './check-extras.ts';
import { costOf, costOfStop, paidAsset, protectionPrice } from './holds.ts';
import { checkPrice, priceBand } from './price-band.ts';

export function checkOrder(state: State, order: PlaceOrder): Reject | null {
  const user = state.users[order.uid];
  if (user === undefined) return rejection('userUnknown');
  if (user.suspended) return rejection('userSuspended');
  const instrument = state.instruments[order.securityId];
  if (instrument === undefined) return rejection('instrumentUnknown', 'securityId');
  return (
    checkTerms(state, instrument, order) ??
    (mayRest(order) ? checkOpenOrders(state, order.uid, 1) : null) ??
    checkBalance(state, instrument, order)
  );
}

/**
 * The checks of one order alone, without those of its owner's balance and number of orders. The
 * last price may have reached the stop of an exit.
 */
export function checkTerms(
  state: State,
  instrument: Instrument,
  order: PlaceOrder,
  isExit = false,
): Reject | null {
  const { extras } = order;
  if (extras === null) {
    return (
      checkStatus(instrument, order) ??
      checkMinimum(instrument, order) ??
      checkBand(instrument, order) ??
      checkClOrdId(state, order)
    );
  }
  return (
    checkForm(order, extras) ??
    checkStatus(instrument, order) ??
    checkTimeAndPrevention(state, instrument, extras) ??
    checkMinimum(instrument, order) ??
    checkDisplay(instrument, order.orderQty, extras.displayQty) ??
    checkBand(instrument, order) ??
    checkBracketBand(instrument, extras) ??
    (isExit ? null : checkTrigger(instrument, extras)) ??
    checkClOrdId(state, order)
  );
}

/** Whether an order can become an open one. */
function mayRest({ ordType, extras }: PlaceOrder): boolean {
  if (isStop(ordType)) return true;
  if (ordType === OrdType.market) return false;
  if (extras === null) return true;
  const { timeInForce } = extras;
  return timeInForce !== TimeInForce.immediateOrCancel && timeInForce !== TimeInForce.fillOrKill;
}

export function checkStatus(
  instrument: Instrument,
  order: Pick<PlaceOrder, 'ordType' | 'postOnly'>,
): Reject | null {
  const { status } = instrument;
  if (status === InstrumentStatus.LIVE) return null;
  if (status === InstrumentStatus.POST_ONLY && order.postOnly) return null;
  // A market order cannot be post-only, so it is another type that would do.
  const kind = isLimit(order.ordType) ? 'execInst' : 'ordType';
  const field = status === InstrumentStatus.POST_ONLY ? kind : 'symbol';
  return closed(status, field);
}

/** Why an instrument of this status does not take what `field` asks for. */
export const closed = (status: InstrumentStatus, field: string): Reject =>
  rejection('instrumentClosed', field, nameOf(status));

const nameOf = (status: InstrumentStatus): string =>
  Object.keys(InstrumentStatus).find(
    (name) => InstrumentStatus[name as keyof typeof InstrumentStatus] === status,
  )!;

type Quantities = Pick<PlaceOrder, 'ordType' | 'price' | 'orderQty' | 'quoteOrderQty'>;

export function checkMinimum(instrument: Instrument, order: Quantities): Reject | null {
  const { minQuantity, minNotional } = instrument;
  const { orderQty, quoteOrderQty } = order;
  if (orderQty === 0) {
    return quoteOrderQty >= minNotional ? null : budgetTooSmall(instrument, quoteOrderQty);
  }
  if (orderQty < minQuantity) return quantityTooSmall(instrument, order);
  if (!isLimit(order.ordType)) return null;
  const cost = costOf(instrument, Side.buy, order.price, orderQty);
  return cost >= minNotional ? null : notionalTooSmall(instrument, order, cost);
}

function budgetTooSmall(
  { quote, quoteUnitsPerTick, minNotional }: Instrument,
  budget: Amount,
): Reject {
  const inQuote = (n: Amount): Measure => inAsset(quote.assetId, n);
  return rejection('belowMinimum', 'quoteOrderQty', 'quoteAssetMinOrderSize', {
    limit: inQuote(minNotional),
    value: inQuote(budget),
    nearest: inQuote(multiply(divideUp(minNotional, quoteUnitsPerTick), quoteUnitsPerTick)),
  });
}

function quantityTooSmall(instrument: Instrument, order: Quantities): Reject {
  const { securityId, minQuantity } = instrument;
  return rejection('belowMinimum', 'orderQty', 'baseAssetMinOrderSize', {
    limit: inLots(securityId, minQuantity),
    value: inLots(securityId, order.orderQty),
    nearest: leastQuantity(instrument, order),
  });
}

function notionalTooSmall(instrument: Instrument, order: Quantities, cost: Amount): Reject {
  const { assetId } = instrument.quote;
  return rejection('belowMinimum', 'orderQty', 'quoteAssetMinOrderSize', {
    limit: inAsset(assetId, instrument.minNotional),
    value: inAsset(assetId, cost),
    nearest: leastQuantity(instrument, order),
  });
}

/** The smallest quantity that an order of this kind and price may have; null when there is none. */
function leastQuantity(instrument: Instrument, order: Quantities): Measure | null {
  const n = leastLots(instrument, order);
  return n <= MAX_INTEGER ? inLots(instrument.securityId, n as number) : null;
}

/** The smallest quantity, in lots, that both minimums admit at the order's price. */
export function leastLots(
  instrument: Pick<Instrument, 'minQuantity' | 'minNotional' | 'perTickLot'>,
  order: Pick<PlaceOrder, 'ordType' | 'price'>,
): Amount {
  const { minQuantity, minNotional, perTickLot } = instrument;
  if (!isLimit(order.ordType)) return amount(minQuantity);
  const needed = divideUp(minNotional, multiply(order.price, perTickLot));
  return needed > minQuantity ? needed : amount(minQuantity);
}

function checkBand(instrument: Instrument, order: PlaceOrder): Reject | null {
  return isLimit(order.ordType) ? checkPrice(instrument, order.price, 'price') : null;
}

function checkClOrdId(state: State, order: PlaceOrder): Reject | null {
  if (!order.strictClOrdId || order.clOrdId === '') return null;
  const taken = state.orders.findByClOrdId(order.uid, order.clOrdId) !== NONE;
  return taken ? rejection('clOrdIdDuplicate', 'clOrdId') : null;
}

/** Whether the account may have `more` further open orders. */
export function checkOpenOrders(state: State, uid: number, more: number): Reject | null {
  const most = state.users[uid]!.maxOpenOrders;
  const open = state.orders.countOf(uid);
  if (open + more <= most) return null;
  const measures = { limit: asCount(most), value: asCount(open) };
  return rejection('tooManyOpenOrders', null, 'maxOpenOrders', measures);
}

function checkBalance(state: State, instrument: Instrument, order: PlaceOrder): Reject | null {
  const { uid, side } = order;
  const available = availableTo(state, instrument, uid, side);
  const cost = costToEnter(state, instrument, order);
  if (cost <= available) return null;
  const nearest = nearestAffordable(instrument, order, available);
  const field = order.orderQty === 0 ? 'quoteOrderQty' : 'orderQty';
  return shortage(instrument, side, field, { available, cost, nearest });
}

/** The available balance that an order of this side pays from. */
export const availableTo = (
  { ledger }: State,
  instrument: Instrument,
  uid: number,
  side: Side,
): Amount => ledger.balanceOf(uid, paidAsset(instrument, side), AccountCode.available);

interface Shortage {
  readonly available: Amount;
  readonly cost: Amount;
  readonly nearest: Measure | null;
}

export function shortage(
  instrument: Instrument,
  side: Side,
  field: string,
  { available, cost, nearest }: Shortage,
): Reject {
  const assetId = paidAsset(instrument, side);
  const measures = { limit: inAsset(assetId, available), value: inAsset(assetId, cost), nearest };
  return rejection('insufficientBalance', field, 'available', measures);
}

/** The largest cost of the order, as far as it is known on entry, in the asset it pays with. */
function costToEnter({ rules }: State, instrument: Instrument, order: PlaceOrder): Amount {
  if (isStop(order.ordType)) return costOfStop(instrument, order, order.extras!.stopPx);
  if (order.orderQty === 0) {
    return order.side === Side.buy ? order.quoteOrderQty : costOfRaising(instrument, order);
  }
  if (order.ordType === OrdType.limit || order.side === Side.sell) {
    return costOf(instrument, order.side, order.price, order.orderQty);
  }
  const band = rules < SINCE.costWithinBand ? null : priceBand(instrument);
  return costOfTaking(instrument, order.orderQty, band?.high ?? ANY_PRICE);
}

/** The cost of buying up to `quantity` from the book as it stands, at no price above `limit`. */
function costOfTaking(instrument: Instrument, quantity: Lots, limit: Ticks): Amount {
  const { book, perTickLot } = instrument;
  let wanted = amount(quantity);
  let cost = amount(0);
  book.ladder(Side.sell).fromBest((level, price) => {
    if (limit !== ANY_PRICE && price > limit) return false;
    const there = book.levelQuantity(level);
    const taken = there < wanted ? there : wanted;
    cost = add(cost, multiply(multiply(price, taken), perTickLot));
    wanted = subtract(wanted, taken);
    return wanted > 0;
  });
  return cost;
}

/** The base that a sell by quote gives to the book as it stands. */
function costOfRaising(instrument: Instrument, { quoteOrderQty }: PlaceOrder): Amount {
  const { book, perTickLot, baseUnitsPerLot } = instrument;
  const low = priceBand(instrument)?.low ?? ANY_PRICE;
  let wanted = quoteOrderQty;
  let sold = amount(0);
  book.ladder(Side.buy).fromBest((level, price) => {
    if (price < low) return false;
    const there = book.levelQuantity(level);
    const most = divideDown(wanted, multiply(price, perTickLot));
    const taken = there < most ? there : most;
    sold = add(sold, taken);
    wanted = subtract(wanted, multiply(multiply(price, taken), perTickLot));
    return taken === there;
  });
  return multiply(sold, baseUnitsPerLot);
}

/** The largest quantity or budget that the balance covers, if the minimums admit it. */
function nearestAffordable(
  instrument: Instrument,
  order: PlaceOrder,
  available: Amount,
): Measure | null {
  const { securityId, minNotional } = instrument;
  if (order.orderQty === 0 && order.side === Side.sell) return null;
  if (order.orderQty === 0) {
    const step = instrument.quoteUnitsPerTick;
    const n = multiply(divideDown(available, step), step);
    return n > 0 && n >= minNotional ? inAsset(instrument.quote.assetId, n) : null;
  }
  if (order.ordType === OrdType.market && order.side === Side.buy) return null;
  const { ordType, extras } = order;
  const price = ordType === OrdType.stop ? protectionPrice(extras!.stopPx) : order.price;
  const n =
    order.side === Side.buy
      ? affordableLots(available, price, instrument.perTickLot, order.orderQty)
      : (divideDown(available, instrument.baseUnitsPerLot) as number);
  return n >= leastLots(instrument, order) ? inLots(securityId, n) : null;
}
