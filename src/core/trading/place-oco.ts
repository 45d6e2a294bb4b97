// OCO pairs: a limit order and a stop of one quantity. They hold their money once: the stop holds
// only what it needs beyond the limit order. Exits may be one of the two alone.
import type { PlaceOco, PlaceOrder } from '../command.ts';
import { ExecType, OrdType, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import { withPassing } from '../nearest.ts';
import { hasStop, NO_EXTRAS } from '../order-extras.ts';
import { areApart, mayRest } from '../order-rules.ts';
import { accepted, type OutcomeOf, rejected } from '../outcome.ts';
import { type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, subtract, ZERO } from '../units.ts';
import { checkForm, checkRests, isReached } from './check-extras.ts';
import { affordableQty, checkOpenOrders, checkTerms, shortage } from './checks.ts';
import { addExpiry, enterStop, workLimit } from './enter.ts';
import type { EnteringOrder } from './entering-order.ts';
import { availableTo, costOf, costOfStop, hold, paidAsset } from './holds.ts';
import { enteringOrder } from './place-order.ts';
import { reachOwnStop } from './reached.ts';
import { reportEntering } from './report.ts';
import { storedOrder } from './stored-order.ts';
import { directionOf, firstTrigger } from './trailing.ts';

/** Exits without a limit order have no price; without a stop, neither stopPx nor trail. */
export type OcoTerms = Omit<PlaceOco, 'type' | 'signature' | 'idempotency'>;

const hasLimit = ({ price }: OcoTerms): boolean => price !== 0;

/** A client's pair has both. */
interface OcoPair {
  readonly limit: EnteringOrder | null;
  readonly stop: EnteringOrder | null;
}

export function placeOco(state: State, command: PlaceOco): OutcomeOf<'placeOco'> {
  const reject = checkPair(state, command);
  if (reject !== null) return rejected(reject);

  // Cannot be rejected beyond this point.
  const instrument = state.instruments[command.securityId]!;
  const pair = newPair(state, instrument, command, 0);
  enterPair(state, instrument, pair);
  const { clOrdId, stopClOrdId } = command;
  const ids = { orderId: pair.limit!.orderId, stopOrderId: pair.stop!.orderId };
  return accepted({ ...ids, clOrdId, stopClOrdId, transactTime: state.time });
}

/** The first rejection of a pair, with a nearest value that passes all checks. */
export function checkPair(state: State, command: PlaceOco): Reject | null {
  const reject = firstReject(state, command);
  if (reject === null) return null;
  return withPassing(reject, command, (other) => firstReject(state, other));
}

function firstReject(state: State, command: PlaceOco): Reject | null {
  const user = state.users[command.uid];
  if (user === undefined) return rejection('userUnknown');
  const instrument = state.instruments[command.securityId];
  if (instrument === undefined) return rejection('instrumentUnknown', 'securityId');
  const fault = checkPairForm(command);
  if (fault !== null) return fault;
  if (command.clOrdId !== '' && command.strictClOrdId && command.clOrdId === command.stopClOrdId) {
    return rejection('clOrdIdDuplicate', 'stopClOrdId');
  }
  return checkOco(state, instrument, command);
}

/** The edge has rejected these pairs, with better words. */
function checkPairForm(command: PlaceOco): Reject | null {
  const { side, price, stopPx, trail } = command;
  const begins = trail !== 0 && stopPx === 0;
  if (!begins && !areApart(price, stopPx, side === Side.sell)) {
    return rejection('invalidTerms', 'stopPx');
  }
  if (!mayRest(command.timeInForce)) return rejection('invalidTerms', 'timeInForce');
  const [limit, stop] = [limitOf(command), stopOf(command)];
  return checkForm(limit, limit.extras!) ?? checkForm(stop, stop.extras!);
}

/**
 * The checks of both orders, for the first rejection in the order of the limit order's checks. The
 * market may have reached the target of exits, which then trade.
 */
export function checkOco(
  state: State,
  instrument: Instrument,
  terms: OcoTerms,
  isExit = false,
): Reject | null {
  const { uid, side } = terms;
  const check = (order: PlaceOrder): Reject | null =>
    checkTerms(state, instrument, order, state.work, isExit);
  return (
    (hasLimit(terms) ? renamed(check(limitOf(terms)), LIMIT_FIELDS) : null) ??
    (hasStop(terms) ? renamed(check(stopOf(terms)), STOP_FIELDS) : null) ??
    (isExit ? null : checkRests(instrument, side, terms.price)) ??
    checkOpenOrders(state, uid, hasLimit(terms) && hasStop(terms) ? 2 : 1) ??
    checkMoney(instrument, terms, availableTo(state, instrument, uid, side))
  );
}

type FieldNames = Readonly<Record<string, string>>;

/** A pair cannot be post-only, so only another instrument would do. */
const LIMIT_FIELDS: FieldNames = { execInst: 'symbol' };
const STOP_FIELDS: FieldNames = { price: 'stopLimitPx', clOrdId: 'stopClOrdId' };

/** A rejection of one order of a pair, with the field by its name in the call of a pair. */
function renamed(reject: Reject | null, names: FieldNames): Reject | null {
  if (reject === null || reject.field === null) return reject;
  return { ...reject, field: names[reject.field] ?? reject.field };
}

function checkMoney(instrument: Instrument, terms: OcoTerms, available: Amount): Reject | null {
  const { limitCost, stopCost } = costsOf(instrument, terms);
  const cost = limitCost > stopCost ? limitCost : stopCost;
  if (cost <= available) return null;
  const { side, securityId, orderQty } = terms;
  const nearest = affordableQty(securityId, orderQty, available, cost);
  return shortage(instrument, side, 'orderQty', { available, cost, nearest });
}

function costsOf(
  instrument: Instrument,
  terms: OcoTerms,
): Record<'limitCost' | 'stopCost', Amount> {
  const { side, price, orderQty } = terms;
  const limitCost = hasLimit(terms) ? costOf(instrument, side, price, orderQty) : ZERO;
  if (!hasStop(terms)) return { limitCost, stopCost: ZERO };
  const trigger = firstTrigger(instrument, side, terms);
  return { limitCost, stopCost: costOfStop(instrument, stopOf(terms), trigger) };
}

function limitOf(terms: OcoTerms): PlaceOrder {
  const { timeInForce, expireTime, selfTradePrevention } = terms;
  return {
    ...terms,
    type: 'placeOrder',
    signature: null,
    idempotency: null,
    ordType: OrdType.limit,
    quoteOrderQty: ZERO,
    postOnly: false,
    extras: { ...NO_EXTRAS, timeInForce, expireTime, selfTradePrevention },
  };
}

function stopOf(terms: OcoTerms): PlaceOrder {
  const { stopPx, stopLimitPx, stopClOrdId, side, trail } = terms;
  const limit = limitOf(terms);
  return {
    ...limit,
    ordType: stopLimitPx === 0 ? OrdType.stop : OrdType.stopLimit,
    price: stopLimitPx,
    clOrdId: stopClOrdId,
    extras: { ...limit.extras!, stopPx, triggerPriceDirection: directionOf(side), trail },
  };
}

/** The orders with their ids, the limit order's first. */
export function newPair(
  state: State,
  instrument: Instrument,
  terms: OcoTerms,
  parentOrderId: number,
): OcoPair {
  const orderId = hasLimit(terms) ? state.next.orderId++ : 0;
  const stopOrderId = hasStop(terms) ? state.next.orderId++ : 0;
  const { limitCost, stopCost } = costsOf(instrument, terms);
  const limit = { parentOrderId, ocoOrderId: stopOrderId };
  const held = stopCost > limitCost ? subtract(stopCost, limitCost) : ZERO;
  const stop = { parentOrderId, ocoOrderId: orderId, held };
  return {
    limit: orderId === 0 ? null : enteringOrder(instrument, limitOf(terms), orderId, limit),
    stop: stopOrderId === 0 ? null : enteringOrder(instrument, stopOf(terms), stopOrderId, stop),
  };
}

/** Both are open before the limit order trades, so that its first fill finds the stop. */
export function enterPair(state: State, instrument: Instrument, { limit, stop }: OcoPair): void {
  const slot = limit === null ? NONE : openLimit(state, instrument, limit);
  if (stop !== null) {
    enterStop(state, instrument, stop);
    if (isReached(instrument, stop.details!.extras)) reachOwnStop(state, instrument);
  }
  if (slot !== NONE) workLimit(state, instrument, storedOrder(state, slot), true);
}

function openLimit(state: State, instrument: Instrument, limit: EnteringOrder): number {
  const { uid, side, price, orderQty } = limit.terms;
  hold(state, uid, paidAsset(instrument, side), costOf(instrument, side, price, orderQty));
  reportEntering(state, limit, ExecType.new, orderQty);
  const slot = state.orders.add(limit, state.time);
  addExpiry(instrument, limit);
  return slot;
}
