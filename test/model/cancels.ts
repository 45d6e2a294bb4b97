// The model's cancels: one order, all orders, and the dead man's switch; large ones in slices.
import type { CancelAllAfter, CancelOrder, MassCancel } from '../../src/core/command.ts';
import { CloseReason, InstrumentStatus } from '../../src/core/fix.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import type { ModelMarket, ModelOrder, ModelSweep, VenueState } from './state.ts';
import { takeOut } from './trading.ts';

export function cancelOrder(venue: VenueState, command: CancelOrder): ExpectedOutcome {
  const { uid, orderId, origClOrdId } = command;
  const open = venue.users.get(uid)?.open ?? [];
  const named = (order: ModelOrder): boolean => order.clOrdId === origClOrdId;
  const order =
    orderId === 0 ? open.findLast(named) : open.find((order) => order.orderId === orderId);
  if (order === undefined) return no('orderUnknown');
  if (orderId !== 0 && origClOrdId !== '' && !named(order)) return no('orderMismatch');
  if (order.market.status === InstrumentStatus.HALTED) return no('instrumentClosed');
  const { clOrdId } = command;
  const requestId = requestIdOf(venue, clOrdId);
  takeOut(venue, order, CloseReason.requested);
  return yes({ orderId: order.orderId, clOrdId, requestId, origClOrdId: order.givenClOrdId });
}

/** At most this many orders are canceled by one command; the rest follows with the next timers. */
const SLICE = 10_000;

export function massCancel(venue: VenueState, command: MassCancel): ExpectedOutcome {
  const { uid, securityId } = command;
  const only = venue.markets.get(securityId);
  if (securityId !== 0 && only === undefined) return no('instrumentUnknown');
  if (only?.status === InstrumentStatus.HALTED) return no('instrumentClosed');
  const { clOrdId } = command;
  const requestId = requestIdOf(venue, clOrdId);
  const task = { uid, securityId, below: venue.nextOrderId, reason: CloseReason.massCancel };
  return yes({ clOrdId, requestId, canceled: sweep(venue, task, SLICE) });
}

export function cancelAllAfter(
  venue: VenueState,
  { uid, timeout }: CancelAllAfter,
): ExpectedOutcome {
  if (timeout === 0) {
    venue.switches.delete(uid);
    return yes({ triggerTime: null, currentTime: venue.time });
  }
  venue.switches.set(uid, venue.time + timeout);
  return yes({ triggerTime: venue.time + timeout, currentTime: venue.time });
}

/**
 * Fires what is due in order of deadline, then uid, behind the mass cancels that are not finished.
 */
export function runTimers(venue: VenueState): ExpectedOutcome {
  const due = [...venue.switches].filter(([, deadline]) => deadline <= venue.time);
  due.sort(([uidA, a], [uidB, b]) => a - b || uidA - uidB);
  for (const [uid] of due) {
    venue.switches.delete(uid);
    const reason = CloseReason.cancelAllAfter;
    venue.sweeps.push({ uid, securityId: 0, below: venue.nextOrderId, reason });
  }
  let canceled = 0;
  for (let rounds = venue.sweeps.length; rounds > 0 && canceled < SLICE; rounds--) {
    canceled += sweep(venue, venue.sweeps.shift()!, SLICE - canceled);
  }
  return yes({ canceled });
}

/**
 * Cancels the oldest orders that are meant, at most `most`; goes to the end of the line if more are
 * left.
 */
function sweep(venue: VenueState, task: ModelSweep, most: number): number {
  const open = venue.users.get(task.uid)?.open ?? [];
  const meant = open.filter((order) => order.orderId < task.below && isMeant(task, order.market));
  const now = meant.slice(0, most);
  for (const order of now) takeOut(venue, order, task.reason);
  if (meant.length > now.length) venue.sweeps.push(task);
  return now.length;
}

/** A switch acts in halted instruments too. */
function isMeant({ reason, securityId }: ModelSweep, market: ModelMarket): boolean {
  if (reason === CloseReason.cancelAllAfter) return true;
  if (market.status === InstrumentStatus.HALTED) return false;
  return securityId === 0 || securityId === market.securityId;
}

const requestIdOf = (venue: VenueState, given: string): number =>
  given === '' ? venue.nextOrderId++ : 0;
