// The exchange: apply(command) is the only way in. It is deterministic: the same commands with the
// same times give the same outcomes, events and state hash on any machine. It does no I/O, reads no
// clock and never waits.
import { withdrawIncome } from './admin/income.ts';
import { amendInstrument, createAsset, createInstrument } from './admin/listing.ts';
import { amendUser, createUser, transferFunds } from './admin/people.ts';
import { assert } from './assert.ts';
import type { Command, PlaceOrder } from './command.ts';
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
import { accepted, type Outcome, rejected } from './outcome.ts';
import { type Reject, rejectPlain } from './reject.ts';
import { SINCE } from './rules.ts';
import { State } from './state.ts';
import { cancelAllAfter, cancelOrder, cancelOrders, massCancel } from './trading/cancel.ts';
import { checkOrder } from './trading/checks.ts';
import { placeOrder } from './trading/place-order.ts';
import { runSweeps } from './trading/run-sweeps.ts';

export class Exchange {
  readonly state: State;

  /** `eventFilter` selects the events that are made: all by default. */
  constructor(state = new State(), eventFilter = EventFilter.all()) {
    this.state = state;
    state.eventFilter = eventFilter;
  }

  /** The events of the last applied command, in order. Valid until the next apply. */
  get events(): readonly CoreEvent[] {
    return this.state.events;
  }

  /**
   * Applies the command that was sequenced as `seq` at business time `time` (ms, never going back).
   * A refusal is an outcome and changes nothing but seq, time and, for a write that was signed, the
   * memory of its signature and Idempotency-Key. A broken invariant throws InvariantError; the
   * state is then not to be used.
   */
  apply(seq: number, time: number, command: Command): Outcome {
    const state = this.state;
    assert(seq === state.seq + 1, 'the sequence has no gap');
    assert(time >= state.time, 'business time never goes back');
    state.seq = seq;
    state.time = time;
    if (state.events.length > 0) state.events = [];
    releaseExpired(state);
    return 'signature' in command ? applyOnce(state, command, executeFor) : execute(state, command);
  }

  /**
   * The answer to a write whose signature was used: its first answer or a refusal; null when the
   * signature is new. The edge sends it without a journaled command.
   */
  answerOfUsed(write: Pick<CustomerWrite, 'uid' | 'signature' | 'idempotency'>): Outcome | null {
    return answerOfUsed(this.state, write);
  }

  /** Every check of a real order, changing nothing. */
  checkOrder(command: PlaceOrder): Reject | null {
    return checkOrder(this.state, command);
  }

  /** No runTimers before this business time has anything to do: 0 for now, Infinity for never. */
  get nextTimer(): number {
    const { sweeps, switches, earn } = this.state;
    return sweeps.pending.length > 0 ? 0 : Math.min(switches.earliest, earn.nextDue);
  }
}

/** Signatures that one command forgets of a revoked key, so that no order waits. */
const FORGET_SLICE = 1_000;

/** Carries out a customer's write unless the account is suspended. */
function executeFor(state: State, command: CustomerWrite): Outcome {
  const isFrozen = state.users[command.uid]?.suspended === true;
  if (isFrozen && state.rules >= SINCE.suspensionFreezes) {
    return rejected(rejectPlain('userSuspended'));
  }
  return execute(state, command);
}

function execute(state: State, command: Command): Outcome {
  switch (command.type) {
    case 'placeOrder':
      return placeOrder(state, command);
    case 'cancelOrder':
      return cancelOrder(state, command);
    case 'massCancel':
      return massCancel(state, command);
    case 'cancelAllAfter':
      return cancelAllAfter(state, command);
    case 'cancelOrders':
      return cancelOrders(state, command);
    case 'createUser':
      return createUser(state, command);
    case 'amendUser':
      return amendUser(state, command);
    case 'createAsset':
      return createAsset(state, command);
    case 'createInstrument':
      return createInstrument(state, command);
    case 'amendInstrument':
      return amendInstrument(state, command);
    case 'transferFunds':
      return transferFunds(state, command);
    case 'withdrawIncome':
      return withdrawIncome(state, command);
    case 'createPlan':
      return createPlan(state, command);
    case 'amendPlan':
      return amendPlan(state, command);
    case 'fundReserve':
      return fundReserve(state, command);
    case 'createEnterprise':
      return createEnterprise(state, command);
    case 'amendEnterprise':
      return amendEnterprise(state, command);
    case 'assignEnterprise':
      return assignEnterprise(state, command);
    case 'subscribePlan':
      return subscribePlan(state, command);
    case 'redeemPlan':
      return redeemPlan(state, command);
    case 'setAutoRenew':
      return setAutoRenew(state, command);
    case 'setMargin':
      return setMargin(state, command);
    case 'advanceClock':
      state.clockOffset += command.milliseconds;
      return accepted({ now: state.time + command.milliseconds });
    case 'forgetKey': {
      const { keyId } = command;
      return accepted({ keyId, left: state.guard.forget(keyId, FORGET_SLICE) });
    }
    case 'runTimers': {
      const canceled = runSweeps(state);
      runEarnTimers(state);
      return accepted({ canceled });
    }
  }
}
