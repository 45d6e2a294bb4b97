// The exchange: apply(command) is the only way in. It is deterministic, does no I/O, reads no clock
// and never waits: the same commands give the same outcomes, events and state hash on any machine.
import { setFeeTiers } from './admin/fee-tiers.ts';
import { withdrawIncome } from './admin/income.ts';
import { amendInstrument, createAsset, createInstrument } from './admin/listing.ts';
import { amendUser, createUser, transferFunds } from './admin/people.ts';
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
import { answerOfUsed, applyOnce, type CustomerWrite, releaseExpired } from './once.ts';
import { accepted, type Outcome, type OutcomeOf, refused } from './outcome.ts';
import type { Reject } from './reject.ts';
import { SINCE } from './rules.ts';
import { State } from './state.ts';
import { amendOrder } from './trading/amend.ts';
import { orderBatch } from './trading/batch.ts';
import { cancelAllAfter, cancelOrder, cancelOrders, massCancel } from './trading/cancel.ts';
import { carryOutDue } from './trading/carry-out-due.ts';
import { checkOrder } from './trading/checks.ts';
import { placeOco } from './trading/place-oco.ts';
import { placeOrder } from './trading/place-order.ts';
import { runSweeps } from './trading/run-sweeps.ts';

export class Exchange {
  readonly state: State;

  /** `eventFilter` selects the emitted events. */
  constructor(state = new State(), eventFilter = EventFilter.all()) {
    this.state = state;
    state.eventFilter = eventFilter;
  }

  /** The events of the last applied command, in order. Valid until the next apply. */
  get events(): readonly CoreEvent[] {
    return this.state.events;
  }

  /**
   * Applies the command `seq` at business time `time` (ms), then the first slice of what it made
   * due. A refusal is an outcome and changes only seq, time and the memory of signatures and
   * Idempotency-Keys. After an InvariantError the state is unusable.
   */
  apply(seq: number, time: number, command: Command): Outcome {
    const state = this.state;
    assert(seq === state.seq + 1, 'the sequence has no gap');
    assert(time >= state.time, 'business time never goes back');
    state.seq = seq;
    state.time = time;
    if (state.events.length > 0) state.events = [];
    releaseExpired(state);
    const isBehind = !state.due.isEmpty && state.due.isRunnable;
    const outcome =
      'signature' in command ? applyOnce(state, command, executeFor) : execute(state, command);
    // Further slices come with the timers: a queue of commands does not wait for one after each.
    if (!state.due.isEmpty && (!isBehind || command.type === 'runTimers')) carryOutDue(state);
    return outcome;
  }

  /** The answer to a write whose signature was used, sent without a command; null for a new one. */
  answerOfUsed(write: Pick<CustomerWrite, 'uid' | 'signature' | 'idempotency'>): Outcome | null {
    return answerOfUsed(this.state, write);
  }

  /** Every check of a real order, changing nothing. */
  checkOrder(command: PlaceOrder): Reject | null {
    return checkOrder(this.state, command);
  }

  /** No runTimers before this business time has anything to do: 0 for now, Infinity for never. */
  get nextTimer(): number {
    const { sweeps, switches, earn, due, expiries } = this.state;
    if (sweeps.pending.length > 0 || due.isRunnable) return 0;
    return Math.min(switches.earliest, earn.nextDue, expiries.earliest);
  }
}

/** Signatures that one command forgets of a revoked key, so that no order waits. */
const FORGET_SLICE = 1_000;

function executeFor(state: State, command: CustomerWrite): Outcome {
  const isFrozen = state.users[command.uid]?.suspended === true;
  if (isFrozen && state.rules >= SINCE.suspensionFreezes) return refused('userSuspended');
  return execute(state, command);
}

type Handlers = {
  readonly [T in CommandType]: (
    state: State,
    command: Extract<Command, { type: T }>,
  ) => OutcomeOf<T>;
};

const HANDLERS: Handlers = {
  placeOrder,
  amendOrder,
  placeOco,
  orderBatch,
  cancelOrder,
  massCancel,
  cancelAllAfter,
  cancelOrders,
  createUser,
  amendUser,
  createAsset,
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
    const canceled = runSweeps(state);
    runEarnTimers(state);
    return accepted({ canceled });
  },
};

function execute(state: State, command: Command): Outcome {
  const handle = HANDLERS[command.type] as (state: State, command: Command) => Outcome;
  return handle(state, command);
}
