// Taking orders out of the book: by their owner one by one or all at once, and by the dead man's switch.
import type { CancelAllAfter, CancelOrder, MassCancel } from '../command.ts';
import { CloseReason, ExecType, InstrumentStatus } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { NONE } from '../matching/order-store.ts';
import {
  accepted,
  type CancelAccepted,
  type CancelAllAfterSet,
  type MassCancelAccepted,
  type Outcome,
  rejected,
} from '../outcome.ts';
import { type Reject, rejectPlain } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, add, lots, ticks, ZERO } from '../units.ts';
import { closed } from './checks.ts';
import { costOf, paidAsset, release } from './holds.ts';
import { reportResting } from './report.ts';
import { SWEEP_SLICE, type Sweep } from './sweeps.ts';

/** Cancels one order of the caller. Rejects: orderUnknown, orderMismatch, instrumentClosed. */
export function cancelOrder(state: State, command: CancelOrder): Outcome<CancelAccepted> {
  const slot = findOwn(state, command);
  if (typeof slot !== 'number') return rejected(slot);
  const orders = state.orders;
  const instrument = state.instruments[orders.securityId(slot)]!;
  if (instrument.status === InstrumentStatus.HALTED) {
    return rejected(closed(instrument.status, command.orderId === 0 ? 'origClOrdId' : 'orderId'));
  }
  const orderId = orders.orderId(slot);
  const origClOrdId = orders.givenClOrdId(slot);
  const { clOrdId } = command;
  const requestId = requestIdOf(state, clOrdId);
  instrument.book.remove(slot);
  releaseOrder(state, instrument, slot, CloseReason.requested);
  return accepted({ orderId, clOrdId, requestId, origClOrdId });
}

/** The slot of the order that the command names, or why it names none. */
function findOwn(state: State, command: CancelOrder): number | Reject {
  const { uid, orderId, origClOrdId } = command;
  const orders = state.orders;
  if (orderId === 0) {
    const slot = orders.findByClOrdId(uid, origClOrdId);
    return slot === NONE ? rejectPlain('orderUnknown', 'origClOrdId') : slot;
  }
  const slot = orders.find(orderId);
  if (slot === NONE || orders.uid(slot) !== uid) return rejectPlain('orderUnknown', 'orderId');
  if (origClOrdId !== '' && orders.clOrdId(slot) !== origClOrdId) {
    return rejectPlain('orderMismatch', 'origClOrdId');
  }
  return slot;
}

/**
 * Cancels all orders of the caller in one instrument, or in all that are not halted: the oldest 10,000 at once, what is left
 * in slices right after (sweeps.ts). Rejects: instrumentUnknown, instrumentClosed.
 */
export function massCancel(state: State, command: MassCancel): Outcome<MassCancelAccepted> {
  const { uid, securityId } = command;
  if (securityId !== 0) {
    const instrument = state.instruments[securityId];
    if (instrument === undefined) return rejected(rejectPlain('instrumentUnknown', 'securityId'));
    if (instrument.status === InstrumentStatus.HALTED) {
      return rejected(closed(instrument.status, 'symbol'));
    }
  }
  const { clOrdId } = command;
  const requestId = requestIdOf(state, clOrdId);
  const sweep = sweepOf(state, uid, securityId, CloseReason.massCancel);
  return accepted({ clOrdId, requestId, canceled: runSweep(state, sweep, SWEEP_SLICE) });
}

/** Arms, renews or (timeout 0) disarms the account's dead man's switch. */
export function cancelAllAfter(state: State, command: CancelAllAfter): Outcome<CancelAllAfterSet> {
  const { uid, timeout } = command;
  if (timeout === 0) {
    state.switches.disarm(uid);
    return accepted({ triggerTime: null, currentTime: state.time });
  }
  const triggerTime = state.time + timeout;
  state.switches.arm(uid, triggerTime);
  return accepted({ triggerTime, currentTime: state.time });
}

/** Fires the dead man's switches that are due, and carries on with what larger cancels have left. Returns how many it canceled. */
export function runSweeps(state: State): number {
  for (const uid of state.switches.takeDue(state.time)) {
    state.sweeps.add(sweepOf(state, uid, 0, CloseReason.cancelAllAfter));
  }
  let budget = SWEEP_SLICE;
  for (let rounds = state.sweeps.pending.length; rounds > 0 && budget > 0; rounds--) {
    budget -= runSweep(state, state.sweeps.take()!, budget);
  }
  return SWEEP_SLICE - budget;
}

/** Everything of the user that rests now. */
const sweepOf = (state: State, uid: number, securityId: number, reason: CloseReason): Sweep => ({
  uid,
  securityId,
  upToOrderId: state.next.orderId - 1,
  reason,
});

/**
 * Whether a sweep takes orders of this instrument. One that names it was accepted when it was open, and is finished although
 * it may have been halted since; a switch acts in halted ones too, since nobody is there to ask.
 */
function covers(sweep: Sweep, instrument: Instrument): boolean {
  if (sweep.reason === CloseReason.cancelAllAfter) return true;
  if (sweep.securityId !== 0) return sweep.securityId === instrument.securityId;
  return instrument.status !== InstrumentStatus.HALTED;
}

/** Cancels the sweep's oldest orders, at most `budget`, keeps the rest for later, and returns how many it canceled. */
function runSweep(state: State, sweep: Sweep, budget: number): number {
  const { orders } = state;
  const covered = state.instruments.map((instrument) =>
    instrument !== undefined && covers(sweep, instrument) ? instrument : undefined,
  );
  // What is given back is summed up per asset: thousands of orders are two transfers.
  const released = new Map<number, Amount>();
  let canceled = 0;
  let slot = orders.firstOf(sweep.uid);
  while (slot !== NONE && orders.orderId(slot) <= sweep.upToOrderId) {
    const newer = orders.newerOf(slot);
    const instrument = covered[orders.securityId(slot)];
    if (instrument !== undefined) {
      if (canceled === budget) {
        state.sweeps.add(sweep);
        break;
      }
      const asset = paidAsset(instrument, orders.side(slot));
      released.set(asset, add(released.get(asset) ?? ZERO, heldBy(state, instrument, slot)));
      instrument.book.remove(slot);
      dropOrder(state, slot, sweep.reason);
      canceled++;
    }
    slot = newer;
  }
  for (const [asset, money] of released) release(state, sweep.uid, asset, money);
  return canceled;
}

/** Gives back what an order holds that is already out of the book, and reports it canceled. */
export function releaseOrder(
  state: State,
  instrument: Instrument,
  slot: number,
  reason: CloseReason,
): void {
  const asset = paidAsset(instrument, state.orders.side(slot));
  release(state, state.orders.uid(slot), asset, heldBy(state, instrument, slot));
  dropOrder(state, slot, reason);
}

function heldBy(state: State, instrument: Instrument, slot: number): Amount {
  const { orders } = state;
  return costOf(instrument, orders.side(slot), orders.price(slot), orders.leavesQty(slot));
}

function dropOrder(state: State, slot: number, reason: CloseReason): void {
  reportResting(state, slot, ExecType.canceled, ticks(0), lots(0), reason);
  state.orders.remove(slot);
}

/** The number of a request whose caller named none, from the order ids, so that its name is unique; else 0. */
const requestIdOf = (state: State, given: string): number =>
  given !== '' ? 0 : state.next.orderId++;
