// Canceling orders: their owner cancels one or all and arms the dead man's switch; the operator
// cancels by user and by instrument. Large cancels go on in slices (run-sweeps.ts).
import type { CancelAllAfter, CancelOrder, CancelOrders, MassCancel } from '../command.ts';
import { CloseReason } from '../fix.ts';
import { NONE } from '../matching/order-store.ts';
import { accepted, type OutcomeOf, rejected, rejectedAs } from '../outcome.ts';
import { type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { CANCEL } from '../work.ts';
import { closePair } from './close-order.ts';
import { countOf, runSweep, sweepOf } from './run-sweeps.ts';

export function cancelOrder(state: State, command: CancelOrder): OutcomeOf<'cancelOrder'> {
  const slot = findOwn(state, command.uid, command);
  if (typeof slot !== 'number') return rejected(slot);
  const orders = state.orders;
  const instrument = state.instruments[orders.securityId(slot)]!;
  const orderId = orders.orderId(slot);
  const origClOrdId = orders.givenClOrdId(slot);
  const { clOrdId } = command;
  const requestId = requestIdOf(state, clOrdId);
  state.work.left -= CANCEL * closePair(state, instrument, slot, CloseReason.requested);
  return accepted({ orderId, clOrdId, requestId, origClOrdId });
}

type NamedOrder = Pick<CancelOrder, 'orderId' | 'origClOrdId'>;

/** The slot of the caller's order, or why there is none. */
export function findOwn(
  state: State,
  uid: number,
  { orderId, origClOrdId }: NamedOrder,
): number | Reject {
  const orders = state.orders;
  if (orderId === 0) {
    const slot = orders.findByClOrdId(uid, origClOrdId);
    return slot === NONE ? rejection('orderUnknown', 'origClOrdId') : slot;
  }
  const slot = orders.find(orderId);
  if (slot === NONE || orders.uid(slot) !== uid) return rejection('orderUnknown', 'orderId');
  if (origClOrdId !== '' && orders.clOrdId(slot) !== origClOrdId) {
    return rejection('orderMismatch', 'origClOrdId');
  }
  return slot;
}

/** Cancels the oldest orders of the caller now, and the rest in slices (sweeps.ts). */
export function massCancel(state: State, command: MassCancel): OutcomeOf<'massCancel'> {
  const { uid, securityId } = command;
  if (securityId !== 0 && state.instruments[securityId] === undefined) {
    return rejectedAs('instrumentUnknown', 'securityId');
  }
  const { clOrdId } = command;
  const requestId = requestIdOf(state, clOrdId);
  const sweep = sweepOf(state, uid, securityId, CloseReason.massCancel);
  return accepted({ clOrdId, requestId, canceled: runSweep(state, sweep, CANCEL) });
}

/** The operator cancels by user, by instrument, or both, in slices as massCancel. */
export function cancelOrders(state: State, command: CancelOrders): OutcomeOf<'cancelOrders'> {
  const { uid, securityId } = command;
  if (uid === 0 && securityId === 0) return rejectedAs('invalidTerms', 'uid');
  if (uid !== 0 && state.users[uid] === undefined) return rejectedAs('userUnknown', 'uid');
  if (securityId !== 0 && state.instruments[securityId] === undefined) {
    return rejectedAs('instrumentUnknown', 'symbol');
  }
  const sweep = sweepOf(state, uid, securityId, CloseReason.operator);
  const canceled = runSweep(state, sweep);
  const remaining = state.sweeps.isPending(sweep) ? countOf(state, sweep) : 0;
  return accepted({ canceled, remaining });
}

/** Arms, renews or (timeout 0) disarms the account's dead man's switch. */
export function cancelAllAfter(state: State, command: CancelAllAfter): OutcomeOf<'cancelAllAfter'> {
  const { uid, timeout } = command;
  if (timeout === 0) {
    state.switches.disarm(uid);
    return accepted({ triggerTime: null, currentTime: state.time });
  }
  const triggerTime = state.time + timeout;
  state.switches.arm(uid, triggerTime);
  return accepted({ triggerTime, currentTime: state.time });
}

/** The number of a request without a clOrdId, from the order ids, so that it is unique; else 0. */
export const requestIdOf = (state: State, given: string): number =>
  given !== '' ? 0 : state.next.orderId++;
