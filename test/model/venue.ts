// The naive venue: written from the rules (DESIGN §6) and not from the core, slow and simple on
// purpose. Where it and the core differ, one of them is wrong. This file is the way in: signatures,
// Idempotency-Keys, and which rule is asked.
import type { IdempotencyTag, WriteSignature } from '../../src/core/command.ts';
import { cancelAllAfter, cancelOrder, massCancel, runTimers } from './cancels.ts';
import type { TradingCommand } from './commands.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
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

  apply(time: number, command: TradingCommand): ExpectedOutcome {
    this.seq++;
    this.time = time;
    this.events = [];
    this.touched.clear();
    if (!('signature' in command)) return this.#carryOut(command);
    const refusal = command.signature === null ? null : this.#useSignature(command.signature);
    if (refusal !== null) return refusal;
    if (command.idempotency === null) return this.#carryOut(command);
    return this.#answerOnce(command, command.uid, command.idempotency);
  }

  /** Remembers the signature, or says why it may not be used. */
  #useSignature({
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

  #answerOnce(command: TradingCommand, uid: number, tag: IdempotencyTag): ExpectedOutcome {
    const name = `${uid}/${tag.key}`;
    const first = this.#answers.get(name);
    if (first !== undefined && this.time - first.time < ANSWER_LIFETIME_MS) {
      if (first.digest !== tag.digest) return no('idempotencyKeyReused');
      return { ...first.outcome, replayed: true };
    }
    const outcome = this.#carryOut(command);
    this.#answers.set(name, { digest: tag.digest, time: this.time, outcome });
    return outcome;
  }

  #carryOut(command: TradingCommand): ExpectedOutcome {
    switch (command.type) {
      case 'placeOrder':
        return placeOrder(this, command);
      case 'cancelOrder':
        return cancelOrder(this, command);
      case 'massCancel':
        return massCancel(this, command);
      case 'cancelAllAfter':
        return cancelAllAfter(this, command);
      case 'createUser': {
        const uid = this.users.size + 1;
        const fees = { makerFee: null, takerFee: null };
        this.users.set(uid, { suspended: false, ...fees, maxOpenOrders: 10_000, open: [] });
        return yes({ uid });
      }
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
      case 'advanceClock':
        return yes({ now: this.time + command.milliseconds });
      case 'runTimers':
        return runTimers(this);
    }
  }
}
