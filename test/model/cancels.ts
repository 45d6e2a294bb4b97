// The model's cancels: one order, all orders, the operator's, and the dead man's switch; large ones
// in slices.
import type {
  CancelAllAfter,
  CancelOrder,
  CancelOrders,
  MassCancel,
} from '../../src/core/command.ts';
import { CloseReason } from '../../src/core/fix.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import { takeOut } from './matching.ts';
import { isExpired, type ModelOrder, type ModelSweep, type VenueState } from './state.ts';

type OrderName = Pick<CancelOrder, 'uid' | 'orderId' | 'origClOrdId'>;

export function cancelOrder(
  venue: VenueState,
  command: Omit<CancelOrder, 'type' | 'signature' | 'idempotency'>,
): ExpectedOutcome {
  const order = findOwn(venue, command);
  if (typeof order === 'string') return no(order);
  venue.meet('cancel by clOrdId', command.orderId === 0);
  const { clOrdId } = command;
  const requestId = requestIdOf(venue, clOrdId);
  takeOut(venue, order, CloseReason.requested);
  return yes({ orderId: order.orderId, clOrdId, requestId, origClOrdId: order.givenClOrdId });
}

/** The open order that a request names, or why there is none. */
export function findOwn(venue: VenueState, { uid, orderId, origClOrdId }: OrderName) {
  const open = venue.users.get(uid)?.open ?? [];
  const isNamed = (order: ModelOrder): boolean => order.clOrdId === origClOrdId;
  const order =
    orderId === 0 ? open.findLast(isNamed) : open.find((order) => order.orderId === orderId);
  if (order === undefined) return 'orderUnknown';
  return orderId !== 0 && origClOrdId !== '' && !isNamed(order) ? 'orderMismatch' : order;
}

/** At most this many orders are canceled by one command; the rest follows with the next timers. */
const SLICE = 2_000;
/** The same for a mass cancel of their owner. */
const OWN_SLICE = 10_000;

export function massCancel(venue: VenueState, command: MassCancel): ExpectedOutcome {
  const { uid, securityId } = command;
  const only = venue.markets.get(securityId);
  if (securityId !== 0 && only === undefined) return no('instrumentUnknown');
  const { clOrdId } = command;
  const requestId = requestIdOf(venue, clOrdId);
  const task = { uid, securityId, below: venue.nextOrderId, reason: CloseReason.massCancel };
  return yes({ clOrdId, requestId, canceled: sweep(venue, task, OWN_SLICE) });
}

/** Cancels the orders of a user, of an instrument, or of a user in an instrument. */
export function cancelOrders(venue: VenueState, command: CancelOrders): ExpectedOutcome {
  const { uid, securityId } = command;
  if (uid === 0 && securityId === 0) return no('invalidTerms');
  if (uid !== 0 && !venue.users.has(uid)) return no('userUnknown');
  if (securityId !== 0 && !venue.markets.has(securityId)) return no('instrumentUnknown');
  const task = { uid, securityId, below: venue.nextOrderId, reason: CloseReason.operator };
  const canceled = sweep(venue, task, SLICE);
  venue.meet('operator: orders of a user canceled', uid !== 0 && canceled > 0);
  venue.meet('operator: orders of an instrument canceled', uid === 0 && canceled > 0);
  return yes({ canceled, remaining: meantBy(venue, task).length });
}

/** The account is frozen: nothing of it rests, and no switch waits. */
export function suspend(venue: VenueState, uid: number): void {
  venue.switches.delete(uid);
  const reason = CloseReason.suspension;
  sweep(venue, { uid, securityId: 0, below: venue.nextOrderId, reason }, SLICE);
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

/** Fires due switches in order of deadline, then uid, behind unfinished mass cancels. */
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
  for (const securityId of venue.markets.keys()) {
    canceled += expireIn(venue, securityId, SLICE - canceled);
  }
  return yes({ canceled });
}

/** Cancels the orders of an instrument whose time has come, the earliest first. */
export function expireIn(
  venue: VenueState,
  securityId: number,
  most = Number.POSITIVE_INFINITY,
): number {
  const expired: ModelOrder[] = [];
  for (const { open } of venue.users.values()) {
    for (const order of open) {
      if (isExpired(venue, order) && order.market.securityId === securityId) expired.push(order);
    }
  }
  expired.sort((a, b) => a.expireTime - b.expireTime || a.orderId - b.orderId);
  return takeAll(venue, expired, CloseReason.expired, most);
}

/** Cancels at most `most` orders, and the others of their pairs. Returns how many they were. */
function takeAll(
  venue: VenueState,
  orders: readonly ModelOrder[],
  reason: CloseReason,
  most: number,
): number {
  let canceled = 0;
  for (const order of orders) {
    if (canceled >= most) break;
    // It may be gone with the other order of its pair.
    if (order.place !== 'gone') canceled += takeOut(venue, order, reason);
  }
  venue.meet('several orders canceled together', canceled > 1);
  return canceled;
}

/** Cancels at most `most` orders of the task, and queues it again if more are left. */
function sweep(venue: VenueState, task: ModelSweep, most: number): number {
  const canceled = takeAll(venue, meantBy(venue, task), task.reason, most);
  const isLeft = meantBy(venue, task).length > 0;
  venue.meet('large cancel left for later', isLeft);
  if (isLeft) venue.sweeps.push(task);
  return canceled;
}

/** A user's orders by age; those of a whole instrument user by user. */
function meantBy(venue: VenueState, { uid, securityId, below }: ModelSweep): ModelOrder[] {
  const all = [...venue.users].flatMap(([owner, { open }]) =>
    uid === 0 || owner === uid ? open : [],
  );
  const isMeant = (order: ModelOrder): boolean =>
    order.orderId < below && (securityId === 0 || order.market.securityId === securityId);
  return all.filter(isMeant);
}

export const requestIdOf = (venue: VenueState, given: string): number =>
  given === '' ? venue.nextOrderId++ : 0;
