// The naive venue: written from the rules (DESIGN §6) and not from the core, slow and simple on
// purpose. Where it and the core differ, one of them is wrong. This file is the way in: signatures,
// Idempotency-Keys, and which rule is asked.
import type { Command, CreateUser } from '../../src/core/command.ts';
import { cancelAllAfter, cancelOrder, cancelOrders, massCancel, runTimers } from './cancels.ts';
import type { EarnCommand, TradingCommand } from './commands.ts';
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
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import { withdrawIncome } from './income.ts';
import { Memory } from './memory.ts';
import {
  amendInstrument,
  amendUser,
  createAsset,
  createInstrument,
  transferFunds,
} from './operator.ts';
import { VenueState } from './state.ts';
import { placeOrder } from './trading.ts';

export class Venue extends VenueState {
  readonly memory = new Memory();
  /** Business time minus wall clock, ms. */
  #clockOffset = 0;

  apply(time: number, command: Command): ExpectedOutcome {
    this.seq++;
    this.time = time;
    this.events = [];
    this.touched.clear();
    this.memory.begin(time, time - this.#clockOffset);
    if (!('signature' in command)) return this.#carryOut(command);
    const { uid, signature, idempotency: tag } = command;
    const first = tag === null ? undefined : this.memory.answerTo(uid, tag);
    const isRepeated = first !== undefined && first.digest === tag?.digest;
    const refusal = signature === null ? null : this.memory.spend(signature);
    if (isRepeated) return { ...first.outcome, replayed: true };
    if (refusal !== null) return refusal;
    if (first !== undefined) return no('idempotencyKeyReused');
    const outcome = this.#carryOutFor(uid, command);
    if (tag !== null && outcome.ok) this.memory.keep(uid, tag, outcome);
    return outcome;
  }

  /** A customer's command; a suspended account is frozen. */
  #carryOutFor(uid: number, command: Command): ExpectedOutcome {
    if (this.users.get(uid)?.suspended === true) return no('userSuspended');
    return this.#carryOut(command);
  }

  #carryOut(command: Command): ExpectedOutcome {
    switch (command.type) {
      case 'placeOrder':
        return placeOrder(this, command);
      case 'cancelOrder':
        return cancelOrder(this, command);
      case 'massCancel':
        return massCancel(this, command);
      case 'cancelAllAfter':
        return cancelAllAfter(this, command);
      case 'cancelOrders':
        return cancelOrders(this, command);
      case 'createUser':
        return this.#createUser(command);
      case 'amendUser':
        return amendUser(this, command);
      case 'createAsset':
        return createAsset(this, command);
      case 'createInstrument':
        return createInstrument(this, command);
      case 'amendInstrument':
        return amendInstrument(this, command);
      case 'transferFunds':
        return transferFunds(this, command);
      case 'withdrawIncome':
        return withdrawIncome(this, command);
      case 'createEnterprise':
        return createEnterprise(this, command);
      case 'amendEnterprise':
        return amendEnterprise(this, command);
      case 'assignEnterprise':
        return assignEnterprise(this, command);
      case 'forgetKey':
        return yes(this.memory.forget(command.keyId));
      case 'advanceClock':
        this.#clockOffset += command.milliseconds;
        return yes({ now: this.time + command.milliseconds });
      case 'runTimers':
        settleEarn(this);
        return runTimers(this);
      default:
        return this.#carryOutEarn(command);
    }
  }
  #carryOutEarn(command: Exclude<EarnCommand, TradingCommand>): ExpectedOutcome {
    switch (command.type) {
      case 'createPlan':
        return createPlan(this, command);
      case 'amendPlan':
        return amendPlan(this, command);
      case 'fundReserve':
        return fundReserve(this, command);
      case 'subscribePlan':
        return subscribePlan(this, command);
      case 'redeemPlan':
        return redeemPlan(this, command);
      case 'setAutoRenew':
        return setAutoRenew(this, command);
      case 'setMargin':
        return setMargin(this, command);
    }
  }

  #createUser({ kyc }: CreateUser): ExpectedOutcome {
    const uid = this.users.size + 1;
    const fees = { makerFee: null, takerFee: null };
    const alone = { enterpriseId: 0, enterpriseAdmin: false };
    const standing = { kyc, suspended: false, maxOpenOrders: 10_000 };
    this.users.set(uid, { ...standing, ...alone, ...fees, open: [] });
    return yes({ uid });
  }
}
