// A small venue for tests: assets BTC and USDT of scale 8, the instrument BTC-USDT (tick 0.01, lot
// 0.000001), users with funds, and short ways to send commands to a real Exchange. It remembers
// every command with its time, so that a test can write the same history to a journal or replay it.
// One tick times one lot is exactly one unit of USDT.
import type { Command, CreateInstrument, PlaceOrder } from '../../src/core/command.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { InstrumentStatus, OrdType, SelfTradePrevention, Side } from '../../src/core/fix.ts';
import type { AnyResult, Outcome, ResultOf } from '../../src/core/outcome.ts';
import { State } from '../../src/core/state.ts';
import { type Amount, amount, lots, ticks } from '../../src/core/units.ts';
import { Work } from '../../src/core/work.ts';

/** The ids that the venue's first commands assign. */
export const BTC = 0;
export const USDT = 1;
export const BTC_USDT = 1;

/** 2026-01-01 00:00 UTC: the time of the first command unless a test wants another. */
export const VENUE_START = Date.UTC(2026, 0, 1);

export interface VenueOptions {
  /** How many users there are from the start: uids 1 to `users`. */
  readonly users?: number;
  /** The balances of each, in the smallest units. */
  readonly btc?: Amount;
  readonly usdt?: Amount;
  /** Terms of BTC-USDT that differ from the usual. */
  readonly terms?: Partial<CreateInstrument>;
  readonly startTime?: number;
  /** The share of the usual work that a record may do. */
  readonly workScale?: number;
}

/** A command as a journal would keep it; its seq is its place in the list plus one. */
export interface TimedCommand {
  readonly time: number;
  readonly command: Command;
}

/** The terms of an order that a test sets; the others have defaults. */
export type OrderTerms = Partial<Omit<PlaceOrder, 'type'>> & {
  readonly uid: number;
  readonly side: Side;
};

/** An amendment of an instrument that changes nothing. */
export const UNCHANGED_INSTRUMENT = {
  type: 'amendInstrument',
  minQuantity: null,
  minNotional: null,
  makerFee: null,
  takerFee: null,
  selfTradePrevention: null,
  priceBand: null,
  status: null,
} as const;

export const BTC_USDT_TERMS: CreateInstrument = {
  type: 'createInstrument',
  symbol: 'BTC-USDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  tick: { mantissa: 1, decimals: 2 },
  lot: { mantissa: 1, decimals: 6 },
  minQuantity: lots(1),
  minNotional: amount(1),
  makerFee: 0,
  takerFee: 0,
  selfTradePrevention: SelfTradePrevention.none,
  priceBand: 0,
  status: InstrumentStatus.LIVE,
};

export class Venue {
  readonly exchange: Exchange;
  /** Every command so far, rejected ones too. */
  readonly log: TimedCommand[] = [];
  /** The time of the next command, ms; a test moves it forward as it likes. */
  time: number;
  #transfers = 0;

  constructor(options: VenueOptions = {}) {
    this.time = options.startTime ?? VENUE_START;
    this.exchange = new Exchange(new State(undefined, new Work(options.workScale)));
    this.must({ type: 'createAsset', asset: 'BTC', scale: 8, fiat: false });
    this.must({ type: 'createAsset', asset: 'USDT', scale: 8, fiat: false });
    this.must({ ...BTC_USDT_TERMS, ...options.terms });
    const btc = options.btc ?? amount(1_000_000 * 10 ** 8);
    const usdt = options.usdt ?? amount(1_000_000_000_000n * 10n ** 8n);
    for (let uid = 1; uid <= (options.users ?? 2); uid++) this.addUser(btc, usdt);
  }

  get seq(): number {
    return this.exchange.state.seq;
  }

  /** The events of the last command. */
  get events(): readonly CoreEvent[] {
    return this.exchange.events;
  }

  /** Sequences and applies a command. */
  send(command: Command): Outcome {
    this.log.push({ time: this.time, command });
    return this.exchange.apply(this.seq + 1, this.time, command);
  }

  /** Like `send`, but it must be accepted. */
  must<C extends Command>(command: C): ResultOf<C> {
    const outcome: Outcome<AnyResult> = this.send(command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
    return outcome.result as ResultOf<C>;
  }

  /** Creates a user, credits what is above zero, and returns the uid. */
  addUser(btc: Amount = amount(0), usdt: Amount = amount(0)): number {
    const { uid } = this.must({ type: 'createUser', kyc: true });
    if (btc > 0) this.transfer(uid, BTC, btc);
    if (usdt > 0) this.transfer(uid, USDT, usdt);
    return uid;
  }

  /** Credits (`money` > 0) or debits (< 0) a user under a reference of its own. */
  transfer(uid: number, assetId: number, money: Amount): Outcome {
    this.#transfers++;
    return this.send({
      type: 'transferFunds',
      direction: money > 0 ? 'credit' : 'debit',
      uid,
      assetId,
      amount: money > 0 ? money : amount(-BigInt(money)),
      reference: `transfer-${this.#transfers}`,
    });
  }

  place(terms: OrderTerms): Outcome {
    return this.send(placeOrder(terms));
  }

  /** A limit order that has to be accepted; returns its orderId. */
  limit(uid: number, side: Side, price: number, quantity: number, more = {}): number {
    const order = placeOrder({ uid, side, price: ticks(price), orderQty: lots(quantity), ...more });
    return this.must(order).orderId;
  }

  buy(uid: number, price: number, quantity: number, more = {}): number {
    return this.limit(uid, Side.buy, price, quantity, more);
  }

  sell(uid: number, price: number, quantity: number, more = {}): number {
    return this.limit(uid, Side.sell, price, quantity, more);
  }

  /** A market order by quantity that has to be accepted; returns its orderId. */
  market(uid: number, side: Side, quantity: number): number {
    const ordType = OrdType.market;
    return this.must(placeOrder({ uid, side, ordType, orderQty: lots(quantity) })).orderId;
  }

  cancel(uid: number, orderId: number): Outcome {
    return this.send({
      type: 'cancelOrder',
      uid,
      orderId,
      origClOrdId: '',
      clOrdId: '',
      signature: null,
      idempotency: null,
    });
  }
}

/** A limit order of BTC-USDT, unsigned, except for what `terms` say. */
export function placeOrder(terms: OrderTerms): PlaceOrder {
  return {
    type: 'placeOrder',
    securityId: BTC_USDT,
    ordType: OrdType.limit,
    price: ticks(0),
    orderQty: lots(0),
    quoteOrderQty: amount(0),
    postOnly: false,
    clOrdId: '',
    strictClOrdId: false,
    extras: null,
    signature: null,
    idempotency: null,
    ...terms,
  };
}
