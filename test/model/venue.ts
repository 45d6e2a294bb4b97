// The naive venue: written from the rules (DESIGN §6) and not from the core, slow and simple on
// purpose. Where it and the core differ, one of them is wrong. This file is the way in: signatures,
// Idempotency-Keys, and which rule is asked.
import type { BatchEntry, Command, CommandType } from '../../src/core/command.ts';
import { amendOrder } from './amend.ts';
import {
  cancelAllAfter,
  cancelOrder,
  cancelOrders,
  expireIn,
  massCancel,
  runTimers,
} from './cancels.ts';
import { isReady, runDue } from './due.ts';
import { redeemPlan, setAutoRenew, setMargin, subscribePlan } from './earn-customers.ts';
import { settleEarn } from './earn-days.ts';
import {
  amendEnterprise,
  amendPlan,
  assignEnterprise,
  createEnterprise,
  createPlan,
  fundReserve,
} from './earn-operator.ts';
import { type ExpectedOutcome, no, type Rejection, yes } from './expectation.ts';
import { setFeeTiers } from './fee-tiers.ts';
import { withdrawIncome } from './income.ts';
import { Memory } from './memory.ts';
import { placeOco } from './oco.ts';
import {
  amendAsset,
  amendInstrument,
  amendUser,
  createAsset,
  createInstrument,
  createUser,
  removeAsset,
  transferFunds,
} from './operator.ts';
import { VenueState } from './state.ts';
import { placeOrder } from './trading.ts';

export class Venue extends VenueState {
  readonly memory = new Memory();
  /** Business time minus wall clock, ms. */
  clockOffset = 0;

  apply(time: number, command: Command): ExpectedOutcome {
    // The rest of earlier commands waits for the timers.
    const isBehind = this.due.some(isReady);
    const outcome = this.#answer(time, command);
    if (!outcome.ok) this.meet(`reject ${outcome.name}`);
    if (!isBehind || command.type === 'runTimers') runDue(this);
    return outcome;
  }

  #answer(time: number, command: Command): ExpectedOutcome {
    this.seq++;
    this.time = time;
    this.events = [];
    this.touched.clear();
    this.memory.begin(time, time - this.clockOffset);
    if (!('signature' in command)) return this.#execute(command);
    const { uid, signature, idempotency: tag } = command;
    const first = tag === null ? undefined : this.memory.answerTo(uid, tag);
    const isRepeated = first !== undefined && first.digest === tag?.digest;
    const rejection = signature === null ? null : this.memory.spend(signature);
    this.meet('answer replayed', isRepeated);
    this.meet('answer replayed to its own signature', isRepeated && isUsed(rejection));
    if (isRepeated) return { ...first.outcome, replayed: true };
    if (rejection !== null) return rejection;
    if (first !== undefined) return no('idempotencyKeyReused');
    if (command.type === 'spendSignature') return yes({ uid });
    const outcome = this.#executeFor(uid, command);
    if (tag !== null && hasEffect(outcome)) this.memory.keep(uid, tag, outcome);
    return outcome;
  }

  /** A customer's command; a suspended account is frozen. */
  #executeFor(uid: number, command: Command): ExpectedOutcome {
    if (this.users.get(uid)?.suspended === true) return no('userSuspended');
    return this.#execute(command);
  }

  #execute(command: Command): ExpectedOutcome {
    const handle = HANDLERS[command.type] as Handler<Command>;
    return handle(this, command);
  }
}

const isUsed = (rejection: Rejection | null): boolean => rejection?.name === 'signatureUsed';

/** A rejection is not kept, nor a batch of rejections. */
function hasEffect(outcome: ExpectedOutcome): boolean {
  if (!outcome.ok) return false;
  const { outcomes } = outcome.result as { outcomes?: readonly ExpectedOutcome[] };
  return outcomes === undefined || outcomes.some(({ ok }) => ok);
}

function outcomeOf(venue: Venue, uid: number, entry: BatchEntry): ExpectedOutcome {
  if (entry.type === 'cancelOrder') return cancelOrder(venue, { ...entry, uid });
  expireIn(venue, entry.securityId);
  switch (entry.type) {
    case 'placeOrder':
      return placeOrder(venue, { ...entry, uid });
    case 'amendOrder':
      return amendOrder(venue, { ...entry, uid });
    case 'placeOco':
      return placeOco(venue, { ...entry, uid });
  }
}

/** Expired orders leave the book before another order may trade. */
const afterExpiry =
  <C extends { readonly securityId: number }>(
    place: (venue: Venue, command: C) => ExpectedOutcome,
  ) =>
  (venue: Venue, command: C): ExpectedOutcome => {
    expireIn(venue, command.securityId);
    return place(venue, command);
  };

type Handler<C extends Command> = (venue: Venue, command: C) => ExpectedOutcome;

const HANDLERS: { readonly [T in CommandType]: Handler<Extract<Command, { type: T }>> } = {
  placeOrder: afterExpiry(placeOrder),
  amendOrder: afterExpiry(amendOrder),
  placeOco: afterExpiry(placeOco),
  orderBatch(venue, { uid, entries }) {
    if (entries.length === 0 || entries.length > 50) return no('invalidTerms');
    const outcomes = entries.map((entry) => outcomeOf(venue, uid, entry));
    const rejected = outcomes.filter(({ ok }) => !ok).length;
    venue.meet('batch: all entries accepted', rejected === 0);
    venue.meet('batch: some entries rejected', rejected > 0 && rejected < entries.length);
    venue.meet('batch: all entries rejected', rejected === entries.length);
    return yes({ outcomes });
  },
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
  spendSignature: (_, { uid }) => yes({ uid }),
  forgetKey(venue, { keyId }) {
    venue.meet('key forgotten');
    return yes(venue.memory.forget(keyId));
  },
  advanceClock(venue, { milliseconds }) {
    venue.clockOffset += milliseconds;
    return yes({ now: venue.time + milliseconds });
  },
  runTimers(venue) {
    settleEarn(venue);
    return runTimers(venue);
  },
};
