// The naive venue: written from the rules (DESIGN §6) and not from the core, slow and simple on
// purpose. Where it and the core differ, one of them is wrong. This file is the way in: signatures,
// Idempotency-Keys, and which rule is asked.
import type {
  Command,
  CreateUser,
  IdempotencyTag,
  WriteSignature,
} from '../../src/core/command.ts';
import { cancelAllAfter, cancelOrder, cancelOrders, massCancel, runTimers } from './cancels.ts';
import type { EarnCommand, TradingCommand } from './commands.ts';
import { applyPlan, redeemPlan, setAutoRenew, setMargin } from './earn-customers.ts';
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
import {
  amendInstrument,
  amendUser,
  createAsset,
  createInstrument,
  transferFunds,
} from './operator.ts';
import { VenueState } from './state.ts';
import { placeOrder } from './trading.ts';

interface ModelKey {
  /** All that were ever accepted, oldest first; so many of them were let go. */
  readonly queue: { readonly digest: string; readonly timestamp: number }[];
  gone: number;
  readonly remembered: Set<string>;
  floor: number;
}

interface ModelAnswer {
  readonly digest: string;
  readonly time: number;
  readonly outcome: ExpectedOutcome;
}

/** As the design says: the last 65,536 write signatures of a key, and answers for 24 hours. */
const REMEMBERED_SIGNATURES = 65_536;
const ANSWER_LIFETIME_MS = 86_400_000;

export class Venue extends VenueState {
  readonly #keys = new Map<number, ModelKey>();
  readonly #answers = new Map<string, ModelAnswer>();

  apply(time: number, command: Command): ExpectedOutcome {
    this.seq++;
    this.time = time;
    this.events = [];
    this.touched.clear();
    if (!('signature' in command)) return this.#carryOut(command);
    const refusal = command.signature === null ? null : this.#spendSignature(command.signature);
    if (refusal !== null) return refusal;
    if (command.idempotency === null) return this.#carryOutFor(command.uid, command);
    return this.#answerOnce(command, command.uid, command.idempotency);
  }

  /** Remembers the signature, or says why it may not be used. */
  #spendSignature({
    keyId,
    timestamp,
    digestHigh,
    digestLow,
  }: WriteSignature): ExpectedOutcome | null {
    const fresh: ModelKey = { queue: [], remembered: new Set(), gone: 0, floor: 0 };
    const key = this.#keys.get(keyId) ?? fresh;
    this.#keys.set(keyId, key);
    const digest = `${digestHigh}/${digestLow}`;
    if (key.remembered.has(digest)) return no('signatureUsed');
    if (timestamp <= key.floor) return no('signatureTooOld');
    key.queue.push({ digest, timestamp });
    key.remembered.add(digest);
    if (key.remembered.size > REMEMBERED_SIGNATURES) {
      const oldest = key.queue[key.gone++];
      key.remembered.delete(oldest.digest);
      key.floor = Math.max(key.floor, oldest.timestamp);
    }
    return null;
  }

  /** Per key: how many signatures are remembered, and the newest timestamp that is too old. */
  memories(): { keyId: number; count: number; floor: number }[] {
    const keys = [...this.#keys].sort(([a], [b]) => a - b);
    return keys.map(([keyId, { remembered, floor }]) => ({ keyId, count: remembered.size, floor }));
  }

  #answerOnce(command: Command, uid: number, tag: IdempotencyTag): ExpectedOutcome {
    const name = `${uid}/${tag.key}`;
    const first = this.#answers.get(name);
    if (first !== undefined && this.time - first.time < ANSWER_LIFETIME_MS) {
      if (first.digest !== tag.digest) return no('idempotencyKeyReused');
      return { ...first.outcome, replayed: true };
    }
    const outcome = this.#carryOutFor(uid, command);
    this.#answers.set(name, { digest: tag.digest, time: this.time, outcome });
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
      case 'advanceClock':
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
      case 'applyPlan':
        return applyPlan(this, command);
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
