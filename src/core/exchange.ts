// The exchange: apply(command) is the only way in. It is deterministic, does no I/O, reads no clock
// and never waits: the same commands give the same outcomes, events and state hash on any machine.

import { amendAsset, createAsset, removeAsset } from './admin/assets.ts';
import { setFeeTiers } from './admin/fee-tiers.ts';
import { withdrawIncome } from './admin/income.ts';
import { amendInstrument, createInstrument } from './admin/listing.ts';
import { amendUser, createUser, transferFunds } from './admin/people.ts';
import { abandon, advancePending, mustWait, start, startSimple, waitForFirst } from './advance.ts';
import { assert } from './assert.ts';
import type { Command, CommandType, PlaceOrder } from './command.ts';
import {
  amendEnterprise,
  amendPlan,
  assignEnterprise,
  createEnterprise,
  createPlan,
  fundReserve,
} from './earn/offer.ts';
import { redeemPlan } from './earn/redeem.ts';
import { setAutoRenew, setMargin } from './earn/settings.ts';
import { subscribePlan } from './earn/subscribe.ts';
import { runEarnTimers } from './earn/timers.ts';
import type { CoreEvent } from './event.ts';
import { EventFilter } from './event-filter.ts';
import {
  type CustomerWrite,
  isCustomerWrite,
  outcomeOfUsed,
  releaseExpired,
  type WriteIdentity,
} from './once.ts';
import { accepted, type Outcome, type OutcomeOf } from './outcome.ts';
import type { CompletedCommand } from './pending.ts';
import type { Reject } from './reject.ts';
import { State } from './state.ts';
import { amendOrder } from './trading/amend.ts';
import { cancelAllAfter, cancelOrder, cancelOrders, massCancel } from './trading/cancel.ts';
import { checkOrder } from './trading/checks.ts';
import { placeOco } from './trading/place-oco.ts';
import { placeOrder } from './trading/place-order.ts';
import { runDue } from './trading/run-due.ts';
import { runSweeps } from './trading/run-sweeps.ts';
import { unitsOf, Work } from './work.ts';

/** The facts that all commands of a record share. */
export interface RecordHeader {
  readonly firstSeq: number;
  /** The version of the rules. */
  readonly rules: number;
  /** Business time, ms. */
  readonly time: number;
}

export class Exchange {
  readonly state: State;
  /** Parts of work that the last applied command has done. */
  #done = 0;

  /** `eventFilter` selects the emitted events. */
  constructor(state = new State(), eventFilter = EventFilter.all()) {
    this.state = state;
    state.eventFilter = eventFilter;
  }

  /** The events of the last applied command, in order. Valid until the next apply. */
  get events(): readonly CoreEvent[] {
    return this.state.events;
  }

  /** Commands that an earlier apply left in progress, and the last one completed. As `events`. */
  get completed(): readonly CompletedCommand[] {
    return this.state.completed;
  }

  /** Units of work that the last applied command has done; its account is charged for them. */
  get work(): number {
    return unitsOf(this.#done);
  }

  /** True while a command is in progress. */
  get isBusy(): boolean {
    return !this.state.pending.isEmpty || this.state.matching.length > 0;
  }

  /** Writes that wait as a part of the state, behind a command in progress. */
  get pendingWrites(): number {
    return this.state.pending.writes;
  }

  /** True if a command would not be executed by its own apply, since an earlier one goes on. */
  mustWait(command: Command): boolean {
    return mustWait(this.state, command);
  }

  /** Applies the commands of a record; `each` follows each. */
  applyRecord(
    { firstSeq, rules, time }: RecordHeader,
    commands: Iterable<Command>,
    each: (seq: number, command: Command, outcome: Outcome) => void,
  ): void {
    this.beginRecord(rules);
    let seq = firstSeq;
    for (const command of commands) {
      each(seq, command, this.applyNext(seq, time, command));
      seq++;
    }
  }

  /** Begins a record, whose commands share the work of one record. */
  beginRecord(rules: number): void {
    this.state.rules = rules;
    this.state.work.beginRecord();
  }

  /** Applies a command as the only one of its record. */
  apply(seq: number, time: number, command: Command): Outcome {
    this.state.work.beginRecord();
    return this.applyNext(seq, time, command);
  }

  /**
   * Applies the next command of a record, `seq`, at business time `time` (ms), then the first slice
   * of what it made due. A rejection is an outcome and changes only seq, time and the memory of
   * signatures and Idempotency-Keys. The outcome is IN_PROGRESS where later commands continue it:
   * see `completed`. After an InvariantError the state is unusable.
   */
  applyNext(seq: number, time: number, command: Command): Outcome {
    const state = this.state;
    assert(seq === state.seq + 1, 'the sequence has no gap');
    assert(time >= state.time, 'business time never goes back');
    state.seq = seq;
    state.time = time;
    if (state.events.length > 0) state.events = [];
    if (state.completed.length > 0) state.completed = [];
    state.work.beginCommand();
    releaseExpired(state);
    const isBehind = !state.due.isEmpty && state.due.isRunnable(state.pending);
    const outcome = isCustomerWrite(command)
      ? startOnce(state, command)
      : start(state, command, execute);
    this.#done = state.work.done;
    // Further slices come with the timers: a queue of commands does not wait for one after each.
    if (!state.due.isEmpty && (!isBehind || command.type === 'runTimers')) runDue(state);
    return outcome;
  }

  /**
   * Gives a command that was set aside its place, without any effect. `part` of a runTimers, which
   * the next one would repeat, ends here: see State.onPart.
   */
  skip(seq: number, time: number, part: number): void {
    Object.assign(this.state, { seq, time, events: [], completed: [] });
    if (part !== 0) abandon(this.state, part);
  }

  /** The outcome of a write whose signature was used, without a command; null for a new one. */
  outcomeOfUsed(write: WriteIdentity): Outcome | null {
    return outcomeOfUsed(this.state, write);
  }

  /** Every check of a real order, changing nothing but the work that it counts. */
  checkOrder(command: PlaceOrder, work = new Work()): Reject | null {
    return checkOrder(this.state, command, work);
  }

  /** No runTimers before this business time has anything to do: 0 for now, Infinity for never. */
  get nextTimer(): number {
    const { sweeps, switches, earn, due, pending, matching, instruments } = this.state;
    if (sweeps.size > 0 || due.isRunnable(pending) || !pending.isEmpty) return 0;
    if (matching.length > 0) return 0;
    let next = Math.min(switches.earliest, earn.nextDue);
    for (const instrument of instruments) {
      if (instrument !== undefined) next = Math.min(next, instrument.expiries.firstKey);
    }
    return next;
  }
}

/** The shares of a runTimers that leave work for its next task; what is due comes last. */
const SWEEP_SHARE = 0.3;
const PENDING_SHARE = 0.7;

/** Signatures that one command forgets of a revoked key, so that no order waits. */
const FORGET_SLICE = 1_000;

/** A signature works once; the same request may repeat under its Idempotency-Key. */
function startOnce(state: State, command: CustomerWrite): Outcome {
  const { uid, signature } = command;
  if (signature !== null) {
    if (state.guard.check(signature) !== null) {
      return outcomeOfUsed(state, command) ?? waitForFirst(state, command);
    }
    state.guard.remember(uid, signature, state.wallTime);
  }
  // It neither waits for matching orders nor needs an active account: suspended accounts may read.
  if (command.type === 'spendSignature') return accepted({ uid });
  return startSimple(state, command) ?? start(state, command, execute);
}

/** Batches are executed entry by entry (advance.ts), and a used signature by startOnce. */
type DirectType = Exclude<CommandType, 'orderBatch' | 'spendSignature'>;

type Handlers = {
  readonly [T in DirectType]: (
    state: State,
    command: Extract<Command, { type: T }>,
  ) => OutcomeOf<T>;
};

const HANDLERS: Handlers = {
  placeOrder,
  amendOrder,
  placeOco,
  cancelOrder,
  massCancel,
  cancelAllAfter,
  cancelOrders,
  createUser,
  amendUser,
  createAsset,
  amendAsset,
  removeAsset,
  createInstrument,
  amendInstrument,
  setFeeTiers,
  transferFunds,
  withdrawIncome,
  createPlan,
  amendPlan,
  fundReserve,
  createEnterprise,
  amendEnterprise,
  assignEnterprise,
  subscribePlan,
  redeemPlan,
  setAutoRenew,
  setMargin,
  advanceClock(state, { milliseconds }) {
    state.clockOffset += milliseconds;
    return accepted({ now: state.time + milliseconds });
  },
  forgetKey: ({ guard }, { keyId }) => accepted({ keyId, left: guard.forget(keyId, FORGET_SLICE) }),
  runTimers(state) {
    const { work, pending, matching, due } = state;
    work.beginTimers();
    let canceled = 0;
    const isAlone = pending.isEmpty && matching.length === 0 && !due.isRunnable(pending);
    work.share(isAlone ? 1 : SWEEP_SHARE, () => {
      canceled = runSweeps(state);
    });
    work.share(due.isRunnable(pending) ? PENDING_SHARE : 1, () => advancePending(state, execute));
    runEarnTimers(state);
    return accepted({ canceled });
  },
};

function execute(state: State, command: Command): Outcome {
  const handle = HANDLERS[command.type as DirectType] as (
    state: State,
    command: Command,
  ) => Outcome;
  return handle(state, command);
}
