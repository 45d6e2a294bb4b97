// The checks of an order, in the order of the reject table. They change nothing, so that a test
// order gets the same verdict.
import type { PlaceOrder } from '../command.ts';
import { InstrumentStatus, OrdType, Side } from '../fix.ts';
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
  RATE_ONE,
  subtract,
  type Ticks,
  ticks,
} from '../units.ts';
import { costOf, paidAsset } from './holds.ts';

export function checkOrder(state: State, order: PlaceOrder): Reject | null {
  const user = state.users[order.uid];
  if (user === undefined) return rejection('userUnknown');
  if (user.suspended) return rejection('userSuspended');
  const instrument = state.instruments[order.securityId];
  if (instrument === undefined) return rejection('instrumentUnknown', 'securityId');
  return (
    checkStatus(instrument, order) ??
    checkMinimum(instrument, order) ??
    checkBand(instrument, order) ??
    checkClOrdId(state, order) ??
    checkOpenOrders(state, user.maxOpenOrders, order) ??
    checkBalance(state, instrument, order)
  );
}

function checkStatus(instrument: Instrument, order: PlaceOrder): Reject | null {
  const { status } = instrument;
  if (status === InstrumentStatus.LIVE) return null;
  if (status === InstrumentStatus.POST_ONLY && order.postOnly) return null;
  // A market order cannot be post-only, so it is another type that would do.
  const kind = order.ordType === OrdType.market ? 'ordType' : 'execInst';
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

function checkMinimum(instrument: Instrument, order: PlaceOrder): Reject | null {
  const { minQuantity, minNotional } = instrument;
  const { orderQty, quoteOrderQty } = order;
  if (orderQty === 0) {
    return quoteOrderQty >= minNotional ? null : budgetTooSmall(instrument, quoteOrderQty);
  }
  if (orderQty < minQuantity) return quantityTooSmall(instrument, order);
  if (order.ordType === OrdType.market) return null;
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

function quantityTooSmall(instrument: Instrument, order: PlaceOrder): Reject {
  const { securityId, minQuantity } = instrument;
  return rejection('belowMinimum', 'orderQty', 'baseAssetMinOrderSize', {
    limit: inLots(securityId, minQuantity),
    value: inLots(securityId, order.orderQty),
    nearest: leastQuantity(instrument, order),
  });
}

function notionalTooSmall(instrument: Instrument, order: PlaceOrder, cost: Amount): Reject {
  const { assetId } = instrument.quote;
  return rejection('belowMinimum', 'orderQty', 'quoteAssetMinOrderSize', {
    limit: inAsset(assetId, instrument.minNotional),
    value: inAsset(assetId, cost),
    nearest: leastQuantity(instrument, order),
  });
}

/** The smallest quantity that an order of this kind and price may have; null when there is none. */
function leastQuantity(instrument: Instrument, order: PlaceOrder): Measure | null {
  const n = leastLots(instrument, order);
  return n <= MAX_INTEGER ? inLots(instrument.securityId, n as number) : null;
}

/** The smallest quantity, in lots, that both minimums admit at the order's price. */
export function leastLots(
  instrument: Pick<Instrument, 'minQuantity' | 'minNotional' | 'perTickLot'>,
  order: Pick<PlaceOrder, 'ordType' | 'price'>,
): Amount {
  const { minQuantity, minNotional, perTickLot } = instrument;
  if (order.ordType === OrdType.market) return amount(minQuantity);
  const needed = divideUp(minNotional, multiply(order.price, perTickLot));
  return needed > minQuantity ? needed : amount(minQuantity);
}

/** The prices that the band allows now, or null without a band or a last price. */
export function priceBand(instrument: Instrument): { low: Ticks; high: Ticks } | null {
  const { priceBand: band, lastPrice } = instrument;
  if (band === 0 || lastPrice === 0) return null;
  const width = divideDown(multiply(lastPrice, band), amount(RATE_ONE));
  const low = subtract(lastPrice as number as Amount, width);
  const high = add(lastPrice as number as Amount, width);
  return {
    // A band is less than the whole price (admin/listing.ts), so that its lower end is a price.
    low: ticks(low as number),
    high: ticks(high <= MAX_INTEGER ? (high as number) : MAX_INTEGER),
  };
}

function checkBand(instrument: Instrument, order: PlaceOrder): Reject | null {
  if (order.ordType === OrdType.market) return null;
  const band = priceBand(instrument);
  if (band === null || (order.price >= band.low && order.price <= band.high)) return null;
  const { securityId } = instrument;
  const inTicks = (n: number): Measure => ({ unit: 'ticks', securityId, n });
  const limit = inTicks(order.price < band.low ? band.low : band.high);
  const measures = { limit, value: inTicks(order.price), nearest: limit };
  return rejection('priceOutsideBand', 'price', 'priceBand', measures);
}

function checkClOrdId(state: State, order: PlaceOrder): Reject | null {
  if (!order.strictClOrdId || order.clOrdId === '') return null;
  const taken = state.orders.findByClOrdId(order.uid, order.clOrdId) !== NONE;
  return taken ? rejection('clOrdIdDuplicate', 'clOrdId') : null;
}

function checkOpenOrders(state: State, most: number, order: PlaceOrder): Reject | null {
  const open = state.orders.countOf(order.uid);
  if (order.ordType === OrdType.market || open < most) return null;
  const measures = { limit: asCount(most), value: asCount(open) };
  return rejection('tooManyOpenOrders', null, 'maxOpenOrders', measures);
}

function checkBalance(state: State, instrument: Instrument, order: PlaceOrder): Reject | null {
  const { side } = order;
  const assetId = paidAsset(instrument, side);
  const available = state.ledger.balanceOf(order.uid, assetId, AccountCode.available);
  const cost = costToEnter(state, instrument, order);
  if (cost <= available) return null;
  const byQuote = order.orderQty === 0;
  return rejection('insufficientBalance', byQuote ? 'quoteOrderQty' : 'orderQty', 'available', {
    limit: inAsset(assetId, available),
    value: inAsset(assetId, cost),
    nearest: nearestAffordable(instrument, order, available),
  });
}

/** The largest cost of the order, as far as it is known on entry, in the asset it pays with. */
function costToEnter({ rules }: State, instrument: Instrument, order: PlaceOrder): Amount {
  if (order.orderQty === 0) return order.quoteOrderQty;
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

/** The largest quantity or budget that the balance covers, if the minimums admit it. */
function nearestAffordable(
  instrument: Instrument,
  order: PlaceOrder,
  available: Amount,
): Measure | null {
  const { securityId, minNotional } = instrument;
  if (order.orderQty === 0) {
    const step = instrument.quoteUnitsPerTick;
    const n = multiply(divideDown(available, step), step);
    return n > 0 && n >= minNotional ? inAsset(instrument.quote.assetId, n) : null;
  }
  if (order.ordType === OrdType.market && order.side === Side.buy) return null;
  const n =
    order.side === Side.buy
      ? affordableLots(available, order.price, instrument.perTickLot, order.orderQty)
      : (divideDown(available, instrument.baseUnitsPerLot) as number);
  return n >= leastLots(instrument, order) ? inLots(securityId, n) : null;
}
