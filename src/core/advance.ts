// Executes commands, in pieces where they are large. A command goes on later if its order is in the
// middle of a match, or if an earlier one of its account or of its instrument goes on.
import type { BatchEntry, CancelOrder, Command, OrderBatch, PlaceOrder } from './command.ts';
import { closeDaysOf } from './earn/settings.ts';
import { CloseReason, TimeInForce } from './fix.ts';
import { NONE } from './matching/order-store.ts';
import {
  type CustomerWrite,
  earlierOutcome,
  firstOutcome,
  isCustomerWrite,
  rememberOutcome,
} from './once.ts';
import { accepted, type EntryOutcome, IN_PROGRESS, type Outcome, rejectedAs } from './outcome.ts';
import type { PendingCommand } from './pending.ts';
import type { State } from './state.ts';
import { cancelOrder, findOwn } from './trading/cancel.ts';
import { isPricedByBook } from './trading/checks.ts';
import { closePair } from './trading/close-order.ts';
import { endMatch, resumeMatch } from './trading/enter.ts';
import { expireOrders, hasExpiredOrders } from './trading/expire.ts';
import { placeOrder } from './trading/place-order.ts';
import { UNIT, unitsOf } from './work.ts';

const MAX_BATCH_ENTRIES = 50;

/** Executes a command of one piece, or an entry of a batch with its account. */
type Execute = (state: State, command: Command) => Outcome;

/** Executes a command that may go on later; then the outcome is IN_PROGRESS. */
export function start(state: State, command: Command, execute: Execute): Outcome {
  if (mustWait(state, command)) return postpone(state, command);
  const write = writeOf(command);
  const known = write !== null && mayBeKnown(state, write) ? knownOutcome(state, write) : null;
  if (known !== null) return known;
  if (command.type === 'orderBatch') return startBatch(state, command, execute);
  if (!mayBegin(state, command)) return postpone(state, command);
  state.suspendedOrderId = 0;
  const outcome = execute(state, command);
  if (placesOrder(command) && state.suspendedOrderId !== 0) {
    return keepMatching(state, command, outcome);
  }
  return remembered(state, write, outcome);
}

/**
 * Executes a plain order or a cancel that nothing holds up; null: it is none. `start` would do the
 * same: its further looks, its depth of calls and the table of handlers cost the core a tenth.
 */
export function startSimple(state: State, command: Command): Outcome | null {
  if (command.type === 'placeOrder') {
    if (command.extras !== null || state.work.left <= 0 || !isFree(state, command)) return null;
    if (state.instruments[command.securityId]?.expiries.size !== 0) return null;
    const outcome = placeOrder(state, command);
    return state.suspendedOrderId === 0 ? outcome : keepMatching(state, command, outcome);
  }
  if (command.type !== 'cancelOrder' || !isFree(state, command)) return null;
  return cancelOrder(state, command);
}

/** True if a write has no Idempotency-Key, its account is not frozen, and no command goes on. */
function isFree(state: State, { uid, idempotency }: PlaceOrder | CancelOrder): boolean {
  if (idempotency !== null || state.users[uid]?.suspended === true) return false;
  if (state.matching.length > 0 || !state.pending.isEmpty) return false;
  state.suspendedOrderId = 0;
  return true;
}

function startBatch(state: State, command: OrderBatch, execute: Execute): Outcome {
  const pending = newPending(state, command);
  if (!advance(state, pending, execute)) return keep(state, pending);
  return remembered(state, command, outcomeOf(state, pending));
}

const postpone = (state: State, command: Command): Outcome =>
  keep(state, newPending(state, command));

/** Keeps a command whose order is in the middle of its match. */
function keepMatching(state: State, command: Command, outcome: Outcome): Outcome {
  const matchingOrderId = state.suspendedOrderId;
  return keep(state, { ...newPending(state, command), outcomes: [outcome], matchingOrderId });
}

const writeOf = (command: Command): CustomerWrite | null =>
  isCustomerWrite(command) ? command : null;

/** False for nearly all writes, which then cost no further look. */
const mayBeKnown = ({ users }: State, { type, uid, idempotency }: CustomerWrite): boolean =>
  idempotency !== null || users[uid]?.suspended === true || type === 'orderBatch';

/** The outcome of a command that is not executed: a repeated one, or one of a frozen account. */
function knownOutcome(state: State, command: CustomerWrite): Outcome | null {
  const earlier = command.idempotency === null ? null : earlierOutcome(state, command);
  if (earlier !== null) return earlier;
  if (state.users[command.uid]?.suspended === true) return rejectedAs('userSuspended');
  if (command.type !== 'orderBatch') return null;
  const { length } = command.entries;
  return length >= 1 && length <= MAX_BATCH_ENTRIES ? null : rejectedAs('invalidTerms', 'orders');
}

function remembered(state: State, write: CustomerWrite | null, outcome: Outcome): Outcome {
  if (write !== null && write.idempotency !== null) rememberOutcome(state, write, outcome);
  return outcome;
}

/** Keeps a write for the outcome of its first copy, which is in progress. */
export const waitForFirst = (state: State, command: CustomerWrite): Outcome =>
  keep(state, { ...newPending(state, command), isRepeat: true });

function keep(state: State, pending: PendingCommand): Outcome {
  pending.work = state.work.done;
  state.pending.add(pending);
  return IN_PROGRESS;
}

const newPending = (state: State, command: Command): PendingCommand => ({
  seq: state.seq,
  command,
  securityIds: securityIdsOf(state, command),
  isRepeat: false,
  outcomes: [],
  matchingOrderId: 0,
  work: 0,
});

/** True if an earlier command of the same account or instrument is pending. */
export const mustWait = (state: State, command: Command): boolean =>
  !(state.pending.isEmpty && state.matching.length === 0) && isBehind(state, command);

function isBehind(state: State, command: Command): boolean {
  const { pending } = state;
  // Members of an enterprise must not change while one of their orders matches.
  if (command.type === 'assignEnterprise') return true;
  if ('uid' in command && pending.usesAccount(command.uid)) return true;
  const securityIds = securityIdsOf(state, command);
  return isInMatching(state, securityIds) || securityIds.some((id) => pending.usesInstrument(id));
}

/** The instruments that a command uses; none for one that cancels in every instrument. */
function securityIdsOf(state: State, command: Command): readonly number[] {
  if (command.type !== 'orderBatch') {
    const id = securityIdOf(state, 'uid' in command ? command.uid : 0, command);
    return id === 0 ? NO_INSTRUMENT : [id];
  }
  const { uid, entries } = command;
  const ids: number[] = [];
  for (const entry of entries) {
    const id = securityIdOf(state, uid, entry);
    if (id !== 0 && !ids.includes(id)) ids.push(id);
  }
  return ids;
}

const NO_INSTRUMENT: readonly number[] = [];

/** 0: none. */
function securityIdOf(state: State, uid: number, command: Command | BatchEntry): number {
  if (command.type === 'cancelOrder') {
    const slot = findOwn(state, uid, command);
    return typeof slot === 'number' ? state.orders.securityId(slot) : 0;
  }
  return 'securityId' in command ? command.securityId : 0;
}

/** True if a command can be executed now. */
function isReady(state: State, command: Command): boolean {
  if (state.matching.length > 0 && isInMatching(state, securityIdsOf(state, command))) return false;
  return mayBegin(state, command);
}

/** True if the work that comes before a command is done, as far as it goes in this record. */
function mayBegin(state: State, command: Command): boolean {
  if (placesOrder(command)) return mayPlace(state, command);
  if (command.type === 'setAutoRenew') return closeDaysOf(state, command);
  return maySweep(state, command);
}

/** A mass cancel looks at all orders of an account: it waits while the work is done. */
const maySweep = ({ work }: State, { type }: Command): boolean =>
  work.left > 0 || (type !== 'massCancel' && type !== 'cancelOrders');

/**
 * True if expired orders are out of the book of an order that no match holds up. Large checks wait
 * while the work of this record is done.
 */
function mayPlace(state: State, command: Placing): boolean {
  const instrument = state.instruments[command.securityId];
  if (instrument !== undefined && hasExpiredOrders(state, instrument)) {
    expireOrders(state, instrument);
    if (hasExpiredOrders(state, instrument)) return false;
  }
  return state.work.left > 0 || !looksDeep(command);
}

const isInMatching = ({ matching }: State, securityIds: readonly number[]): boolean =>
  matching.some(({ securityId }) => securityIds.includes(securityId));

type Placing = Extract<Command, { type: 'placeOrder' | 'placeOco' | 'amendOrder' }>;

const placesOrder = (command: Command): command is Placing =>
  command.type === 'placeOrder' || command.type === 'amendOrder' || command.type === 'placeOco';

/** True if the check of an order looks at many levels: what it would cost, or whether it fills. */
function looksDeep(command: Placing): boolean {
  if (command.type !== 'placeOrder') return false;
  if (command.extras?.timeInForce === TimeInForce.fillOrKill) return true;
  return isPricedByBook(command);
}

/** Executes the entries of a command as far as possible. True: the command is done. */
function advance(state: State, pending: PendingCommand, execute: Execute): boolean {
  const { command, outcomes } = pending;
  const count = command.type === 'orderBatch' ? command.entries.length : 1;
  while (outcomes.length < count) {
    const at = outcomes.length;
    const one = command.type === 'orderBatch' ? commandOf(command, command.entries[at]) : command;
    if ((at > 0 && state.work.left <= 0) || !isReady(state, one)) return false;
    state.suspendedOrderId = 0;
    outcomes.push(execute(state, one));
    pending.matchingOrderId = state.suspendedOrderId;
    if (pending.matchingOrderId !== 0) return false;
  }
  return true;
}

/** An entry of a batch as a command of the batch's account. */
const commandOf = ({ uid }: OrderBatch, entry: BatchEntry): Command =>
  ({ ...entry, uid, signature: null, idempotency: null }) as Command;

function outcomeOf(state: State, { command, outcomes }: PendingCommand): Outcome {
  if (command.type !== 'orderBatch') return outcomes[0];
  const { next, instruments } = state;
  return accepted({
    outcomes: outcomes as EntryOutcome[],
    nextOrderId: next.orderId,
    nextSecurityId: instruments.length,
  });
}

/** Continues matches and pending commands in turn, as far as the work of this command goes. */
export function advancePending(state: State, execute: Execute): void {
  let isMoving = true;
  while (isMoving && state.work.left > 0) {
    isMoving = resumeMatches(state);
    isMoving = proceedInOrder(state, execute) || isMoving;
  }
}

/** Gives each match a turn. False: there is none. */
function resumeMatches(state: State): boolean {
  const { matching, orders, pending, work } = state;
  const instruments = [...matching];
  for (const instrument of instruments) {
    if (work.left <= 0) break;
    const orderId = orders.orderId(instrument.matching!.slot);
    const owner = pending.all.find(({ matchingOrderId }) => matchingOrderId === orderId);
    state.onPart?.(owner?.seq ?? -orderId);
    turn(state, owner, () => resumeMatch(state, instrument));
  }
  return instruments.length > 0;
}

/**
 * Gives each pending command a turn that is behind none of its account or instruments. If one is
 * done with little work, those behind it follow in the same pass: thousands may wait for a match.
 * True: something has changed.
 */
function proceedInOrder(state: State, execute: Execute): boolean {
  const { pending, work, completed } = state;
  const busy = new Busy();
  let isMoving = false;
  for (const one of [...pending.all]) {
    if (work.left <= 0) break;
    const [worked, done] = [one.work, completed.length];
    if (!busy.isAhead(one)) {
      state.onPart?.(one.seq);
      turn(state, one, () => {
        isMoving = proceed(state, one, execute) || isMoving;
      });
    }
    if (completed.length === done || one.work - worked >= UNIT) busy.add(one);
  }
  return isMoving;
}

/**
 * Ends a part of runTimers (State.onPart), whose command was set aside: cancels what is left of its
 * order, and rejects the entries that were not executed.
 */
export function abandon(state: State, part: number): void {
  const pending = state.pending.all.find(({ seq }) => seq === part);
  abandonOrder(state, pending === undefined ? -part : pending.matchingOrderId);
  if (pending === undefined) return;
  const { command, outcomes, work } = pending;
  state.pending.remove(pending);
  const count = command.type === 'orderBatch' ? command.entries.length : 1;
  while (outcomes.length < count) outcomes.push(rejectedAs('instrumentClosed'));
  const outcome = remembered(state, writeOf(command), outcomeOf(state, pending));
  state.completed.push({ seq: part, outcome, work: unitsOf(work) });
}

/** Cancels an order that matches or waits, and forgets its exits that are due. */
function abandonOrder(state: State, orderId: number): void {
  const { orders, matching, instruments, due } = state;
  const slot = orderId > 0 ? orders.find(orderId) : NONE;
  const instrument = matching.find((one) => one.matching!.slot === slot);
  if (instrument !== undefined) endMatch(state, instrument, CloseReason.operator);
  else if (slot !== NONE) {
    closePair(state, instruments[orders.securityId(slot)]!, slot, CloseReason.operator);
  } else due.removeBracketOf(orderId);
}

/** Lets a command do the work of one turn. */
function turn({ work }: State, pending: PendingCommand | undefined, task: () => void): void {
  const before = work.done;
  work.turn(task);
  if (pending !== undefined) pending.work += work.done - before;
}

/** The accounts and instruments of the commands before a pending one that go on. */
class Busy {
  readonly #accounts = new Set<number>();
  readonly #instruments = new Set<number>();

  isAhead({ command, securityIds }: PendingCommand): boolean {
    if (command.type === 'assignEnterprise')
      return this.#accounts.size + this.#instruments.size > 0;
    return (
      ('uid' in command && this.#accounts.has(command.uid)) ||
      securityIds.some((id) => this.#instruments.has(id))
    );
  }

  add({ command, securityIds }: PendingCommand): void {
    if ('uid' in command && command.uid !== 0) this.#accounts.add(command.uid);
    for (const id of securityIds) this.#instruments.add(id);
  }
}

/** Executes more of a pending command. True: it has changed something. */
function proceed(state: State, pending: PendingCommand, execute: Execute): boolean {
  const { command, outcomes } = pending;
  if (isInMatch(state, pending)) return false;
  const before = outcomes.length;
  const worked = pending.work - state.work.done;
  const known = before === 0 ? outcomeOnTurn(state, pending) : null;
  const isDone = known !== null || advance(state, pending, execute);
  if (before === 0 && outcomes.length > 0) state.pending.begin(pending);
  if (!isDone) return outcomes.length > before;
  const outcome = known ?? remembered(state, writeOf(command), outcomeOf(state, pending));
  state.pending.remove(pending);
  state.completed.push({ seq: pending.seq, outcome, work: unitsOf(worked + state.work.done) });
  return true;
}

function outcomeOnTurn(state: State, { command, isRepeat }: PendingCommand): Outcome | null {
  const write = writeOf(command);
  if (write === null) return null;
  return isRepeat ? firstOutcome(state, write) : knownOutcome(state, write);
}

/** True if the order of its last entry is in the middle of a match. */
function isInMatch({ orders, matching }: State, { matchingOrderId }: PendingCommand): boolean {
  if (matchingOrderId === 0) return false;
  return matching.some((one) => orders.orderId(one.matching!.slot) === matchingOrderId);
}
