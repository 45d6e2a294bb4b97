// The checks of an order, in the order of the reject table. They change nothing, so that a test
// order gets the same answer.
import type { PlaceOrder } from '../command.ts';
import { InstrumentStatus, isLimit, isStop, OrdType, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import { withPassing } from '../nearest.ts';
import { mayRest } from '../order-rules.ts';
import { asCount, inAsset, inLots, type Measure, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import {
  type Amount,
  divideDown,
  divideUp,
  type Lots,
  lots,
  MAX_INTEGER,
  multiply,
  type Ticks,
  ticks,
} from '../units.ts';
import type { Work } from '../work.ts';
import {
  checkDisplay,
  checkExitPrices,
  checkForm,
  checkTimeAndPrevention,
  checkTrigger,
} from './check-extras.ts';
import { checkExits } from './exits.ts';
import { availableTo, costOf, costOfStop, paidAsset } from './holds.ts';
import { type Uncovered, uncoveredCost } from './market-cost.ts';
import { minLots } from './minimum.ts';
import { checkPrice } from './price-band.ts';
import { checkTrail, firstTrigger } from './trailing.ts';

/** The first rejection of an order, with a nearest value that passes all checks. */
export function checkOrder(state: State, order: PlaceOrder, work = state.work): Reject | null {
  const reject = firstReject(state, order, work);
  if (reject === null) return null;
  return withPassing(reject, order, (other) => firstReject(state, other, work));
}

function firstReject(state: State, order: PlaceOrder, work: Work): Reject | null {
  const user = state.users[order.uid];
  if (user === undefined) return rejection('userUnknown');
  if (user.suspended) return rejection('userSuspended');
  const instrument = state.instruments[order.securityId];
  if (instrument === undefined) return rejection('instrumentUnknown', 'securityId');
  return (
    checkTerms(state, instrument, order, work) ??
    (takesPlace(order) ? checkOpenOrders(state, order.uid, 1) : null) ??
    checkBalance(state, instrument, order, work)
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
  work: Work,
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
    checkExits(state, instrument, { ...order, ...extras }) ??
    checkDisplay(instrument, order.orderQty, extras.displayQty) ??
    (isExit ? null : checkTrail(instrument, extras)) ??
    checkBand(instrument, order) ??
    checkExitPrices(
      state,
      instrument,
      { ...order, extras, trigger: triggerOnEntry(instrument, order) },
      work,
    ) ??
    (isExit ? null : checkTrigger(instrument, extras)) ??
    checkClOrdId(state, order)
  );
}

/** True if an order can become an open one, or its exits. */
function takesPlace({ ordType, extras }: PlaceOrder): boolean {
  if (isStop(ordType) || (extras !== null && extras.bracket !== null)) return true;
  if (ordType === OrdType.market) return false;
  if (extras === null) return true;
  return mayRest(extras.timeInForce);
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
  return rejection('instrumentClosed', field, nameOf(status));
}

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
    nearest: minQuantityOf(instrument, order),
  });
}

function notionalTooSmall(instrument: Instrument, order: Quantities, cost: Amount): Reject {
  const { assetId } = instrument.quote;
  return rejection('belowMinimum', 'orderQty', 'quoteAssetMinOrderSize', {
    limit: inAsset(assetId, instrument.minNotional),
    value: inAsset(assetId, cost),
    nearest: minQuantityOf(instrument, order),
  });
}

/** The smallest quantity that an order of this kind and price may have; null when there is none. */
function minQuantityOf(instrument: Instrument, order: Quantities): Measure | null {
  const n = minLots(instrument, order);
  return n <= MAX_INTEGER ? inLots(instrument.securityId, n as number) : null;
}

function checkBand(instrument: Instrument, order: PlaceOrder): Reject | null {
  const { ordType, price } = order;
  if (!isLimit(ordType)) return null;
  const center = isStop(ordType) ? triggerOnEntry(instrument, order) : undefined;
  return checkPrice(instrument, price, 'price', center);
}

/** 0 for an order that is no stop. */
const triggerOnEntry = (instrument: Instrument, { side, extras }: PlaceOrder): Ticks =>
  extras === null ? ticks(0) : firstTrigger(instrument, side, extras);

function checkClOrdId(state: State, order: PlaceOrder): Reject | null {
  if (!order.strictClOrdId || order.clOrdId === '') return null;
  const taken = state.orders.findByClOrdId(order.uid, order.clOrdId) !== NONE;
  return taken ? rejection('clOrdIdDuplicate', 'clOrdId') : null;
}

/** True if the account may have `more` further open orders. Brackets that are due count as one. */
export function checkOpenOrders(state: State, uid: number, more: number): Reject | null {
  const most = state.users[uid]!.maxOpenOrders;
  const open = state.orders.countOf(uid) + state.due.bracketsOf(uid);
  if (open + more <= most) return null;
  const measures = { limit: asCount(most), value: asCount(open) };
  return rejection('tooManyOpenOrders', null, 'maxOpenOrders', measures);
}

function checkBalance(
  state: State,
  instrument: Instrument,
  order: PlaceOrder,
  work: Work,
): Reject | null {
  const { uid, side } = order;
  const available = availableTo(state, instrument, uid, side);
  const uncovered = isPricedByBook(order)
    ? uncoveredCost(state, instrument, order, available, work)
    : uncoveredPart(order, available, costToEnter(instrument, order));
  if (uncovered === null) return null;
  const { cost } = uncovered;
  const nearest = nearestAffordable(instrument, order, uncovered.affordable);
  const field = order.orderQty === 0 ? 'quoteOrderQty' : 'orderQty';
  return shortage(instrument, side, field, { available, cost, nearest });
}

/** Each part of the order costs the same. */
function uncoveredPart(
  { orderQty, quoteOrderQty }: PlaceOrder,
  available: Amount,
  cost: Amount,
): Uncovered | null {
  if (cost <= available) return null;
  const whole = orderQty > 0 ? orderQty : quoteOrderQty;
  return { cost, affordable: divideDown(multiply(whole, available), cost) };
}

interface Shortage {
  readonly available: Amount;
  /** null: not computed. */
  readonly cost: Amount | null;
  readonly nearest: Measure | null;
}

export function shortage(
  instrument: Instrument,
  side: Side,
  field: string,
  { available, cost, nearest }: Shortage,
): Reject {
  const assetId = paidAsset(instrument, side);
  const measures = {
    limit: inAsset(assetId, available),
    value: cost === null ? null : inAsset(assetId, cost),
    nearest,
  };
  return rejection('insufficientBalance', field, 'available', measures);
}

/** True if the book decides what an order pays with: a buy by quantity, a sell by total. */
export const isPricedByBook = ({ ordType, side, orderQty }: PlaceOrder): boolean =>
  ordType === OrdType.market && (side === Side.buy) === orderQty > 0;

/** The cost of an order on entry, in the asset that it pays with. */
function costToEnter(instrument: Instrument, order: PlaceOrder): Amount {
  const { ordType, side, price, orderQty, quoteOrderQty } = order;
  if (isStop(ordType)) return costOfStop(instrument, order, triggerOnEntry(instrument, order));
  return orderQty === 0 ? quoteOrderQty : costOf(instrument, side, price, orderQty);
}

/** The largest quantity or budget that the balance covers. */
function nearestAffordable(
  { securityId, quote, quoteUnitsPerTick }: Instrument,
  { orderQty }: PlaceOrder,
  affordable: Amount,
): Measure | null {
  if (orderQty > 0) return affordable > 0 ? inLots(securityId, affordable as number) : null;
  const n = multiply(divideDown(affordable, quoteUnitsPerTick), quoteUnitsPerTick);
  return n > 0 ? inAsset(quote.assetId, n) : null;
}

/** The largest quantity that `available` covers, where `quantity` costs `cost`; null for none. */
export function affordableQty(
  securityId: number,
  quantity: Lots,
  available: Amount,
  cost: Amount,
  filled: Lots = lots(0),
): Measure | null {
  const part = divideDown(multiply(quantity, available), cost) as number;
  return part > 0 ? inLots(securityId, filled + part) : null;
}
