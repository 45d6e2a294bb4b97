// The naive venue: plain objects, sorted arrays and bigints, written from the rules (DESIGN §6) and not from the
// core. It is slow and simple on purpose; where it and the core differ, one of them is wrong.
import type { IdempotencyTag, WriteSignature } from '../../src/core/command.ts';
import {
  type CloseReason,
  type InstrumentStatus,
  type SelfTradePrevention,
  Side,
} from '../../src/core/fix.ts';
import { cancelAllAfter, cancelOrder, massCancel, runTimers } from './cancels.ts';
import type { TradingCommand } from './commands.ts';
import { type ExpectedEvent, type ExpectedOutcome, no, yes } from './expectation.ts';
import {
  amendInstrument,
  amendUser,
  createAsset,
  createInstrument,
  transferFunds,
} from './operator.ts';
import { placeOrder } from './trading.ts';

export interface ModelOrder {
  readonly orderId: number;
  readonly uid: number;
  readonly market: ModelMarket;
  readonly side: Side;
  readonly limit: boolean;
  readonly postOnly: boolean;
  readonly price: bigint;
  readonly orderQty: bigint;
  readonly quoteOrderQty: bigint;
  readonly clOrdId: string;
  readonly createTime: number;
  cumQty: bigint;
  cumQuote: bigint;
  /** What the order sets aside now, in the asset that it pays with. */
  reserved: bigint;
}

export interface ModelMarket {
  readonly securityId: number;
  readonly symbol: string;
  readonly base: number;
  readonly quote: number;
  /** Quote units for one lot at one tick, and base units in a lot. */
  readonly quotePerTickLot: bigint;
  readonly basePerLot: bigint;
  minQuantity: bigint;
  minNotional: bigint;
  makerFee: bigint;
  takerFee: bigint;
  prevention: SelfTradePrevention;
  band: bigint;
  status: InstrumentStatus;
  /** null before the first trade. */
  lastPrice: bigint | null;
  /** Best first, then oldest first. */
  readonly bids: ModelOrder[];
  readonly asks: ModelOrder[];
}

export interface ModelUser {
  suspended: boolean;
  /** null: what the instrument charges. */
  makerFee: bigint | null;
  takerFee: bigint | null;
  maxOpenOrders: number;
  /** Oldest first. */
  readonly open: ModelOrder[];
}

export interface ModelAsset {
  readonly name: string;
  readonly scale: number;
}

export interface ModelTransfer {
  readonly uid: number;
  readonly assetId: number;
  readonly moved: bigint;
  readonly transferId: number;
  readonly seq: number;
}

export interface ModelSweep {
  readonly uid: number;
  /** 0: every instrument. */
  readonly securityId: number;
  /** Orders from this id on came later and are not meant. */
  readonly below: number;
  readonly reason: CloseReason;
}

interface ModelKey {
  /** Signatures still remembered, oldest first, and the same as a set. */
  readonly queue: { readonly digest: string; readonly timestamp: number }[];
  readonly remembered: Set<string>;
  /** How many of the queue were let go. */
  gone: number;
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

export class Venue {
  readonly users = new Map<number, ModelUser>();
  readonly assets: ModelAsset[] = [];
  readonly markets = new Map<number, ModelMarket>();
  /** Free money by `uid/assetId`. */
  readonly free = new Map<string, bigint>();
  /** Fees taken and money brought in, by assetId. */
  readonly fees = new Map<number, bigint>();
  readonly broughtIn = new Map<number, bigint>();
  readonly transfers = new Map<string, ModelTransfer>();
  readonly switches = new Map<number, number>();
  /** Mass cancels that are not finished, the next one first. */
  readonly sweeps: ModelSweep[] = [];
  readonly #keys = new Map<number, ModelKey>();
  readonly #answers = new Map<string, ModelAnswer>();
  nextOrderId = 1;
  nextExecId = 1;
  nextTradeId = 1;
  nextTransferId = 1;
  seq = 0;
  time = 0;
  events: ExpectedEvent[] = [];
  /** Books that the last command changed. */
  readonly touched = new Set<ModelMarket>();

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

  freeOf(uid: number, assetId: number): bigint {
    return this.free.get(`${uid}/${assetId}`) ?? 0n;
  }

  give(uid: number, assetId: number, money: bigint): void {
    const balance = this.freeOf(uid, assetId) + money;
    if (balance < 0n) throw new Error(`the model overdraws user ${uid}, asset ${assetId}`);
    this.free.set(`${uid}/${assetId}`, balance);
  }

  /** Sets aside exactly what the rest of the order can cost; 0 for one that is not in the book. */
  reserve(order: ModelOrder, money: bigint): void {
    this.give(order.uid, paidWith(order), order.reserved - money);
    order.reserved = money;
  }
}

export const paidWith = ({ market, side }: ModelOrder): number =>
  side === Side.buy ? market.quote : market.base;

export const sideOf = (market: ModelMarket, side: Side): ModelOrder[] =>
  side === Side.buy ? market.bids : market.asks;

export const leavesOf = (order: ModelOrder): bigint => order.orderQty - order.cumQty;
