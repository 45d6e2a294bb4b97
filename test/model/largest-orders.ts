// The largest of everything in one instrument: icebergs of 100 parts, batches of 50, texts of 64
// characters, thousands of open orders of an account, thousands of price levels, and OCO pairs and
// stops of all kinds at one price. Rarely an order takes all of it.
import type {
  AmendOrder,
  BatchEntry,
  Command,
  PlaceOco,
  PlaceOrder,
} from '../../src/core/command.ts';
import { OrdType, Side, TimeInForce, TriggerPriceDirection } from '../../src/core/fix.ts';
import { NO_EXTRAS } from '../../src/core/order-extras.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import type { Prng } from '../support/prng.ts';
import type { UnsignedWrite } from './authorship.ts';
import { type ModelOrder, sideOf, type VenueState } from './state.ts';

/** The richest accounts of listing(). */
const OWNERS = [9, 10, 11] as const;
const MARKET = 1;
const MIDDLE = 60_000;
const LEVELS = 10_000;
const PARTS = 100;
const BATCH = 50;
/** Worth the minimum of the market at any of the prices. */
const MIN_LOTS = 1_000;
/** Stops and the icebergs of a crowded level are here, on both sides of the middle. */
const CROWDED = 20;
/** Open orders of all accounts, from which on large orders come more often. */
const MANY = 8_000;

type Entry<C> = Omit<C, 'uid' | 'signature' | 'idempotency'>;

export class LargestOrders {
  readonly #random: Prng;
  readonly #venue: VenueState;
  #texts = 0;

  constructor(random: Prng, venue: VenueState) {
    this.#random = random;
    this.#venue = venue;
  }

  /** Lets the owners have as many open orders as they like. */
  static opening(): Command[] {
    const unchanged = { kyc: null, suspended: null, makerFee: null, takerFee: null };
    return OWNERS.map((uid) => ({ type: 'amendUser', uid, ...unchanged, maxOpenOrders: 100_000 }));
  }

  next(): UnsignedWrite {
    const random = this.#random;
    const uid = random.pick(OWNERS);
    const open = OWNERS.reduce((sum, one) => sum + this.#venue.users.get(one)!.open.length, 0);
    if (random.oneIn(open > MANY ? 25 : 400)) return { ...this.#sweeping(), uid };
    if (random.oneIn(open > MANY ? 150 : 3_000)) return this.#massCancel(uid);
    return { type: 'orderBatch', uid, entries: this.#entries(uid) };
  }

  #entries(uid: number): BatchEntry[] {
    const random = this.#random;
    const own = this.#venue.users.get(uid)!.open;
    const entry = (): BatchEntry =>
      random.weighted<() => BatchEntry>([
        [60, () => this.#iceberg()],
        [15, () => this.#stop()],
        [10, () => this.#oco()],
        [own.length > 0 ? 10 : 0, () => this.#amend(random.pick(own))],
        [own.length > 0 ? 5 : 0, () => this.#cancel(random.pick(own))],
      ])();
    return Array.from({ length: BATCH }, entry);
  }

  /** 64 characters, some of three bytes. */
  #text(): string {
    const text = `${this.#texts++}`.padStart(8, '0');
    return text + (this.#random.oneIn(4) ? '界'.repeat(56) : 'x'.repeat(56));
  }

  /** Half of all are at one price. */
  #away(): number {
    return this.#random.oneIn(2) ? CROWDED : this.#random.between(CROWDED + 1, LEVELS);
  }

  #iceberg(): Entry<PlaceOrder> {
    const side = this.#random.pick([Side.buy, Side.sell]);
    const away = this.#away();
    const displayQty = this.#random.between(MIN_LOTS, 3 * MIN_LOTS);
    return this.#order(side, OrdType.limit, {
      price: ticks(MIDDLE + (side === Side.buy ? -away : away)),
      orderQty: lots(displayQty * this.#random.between(PARTS / 2, PARTS)),
      postOnly: true,
      extras: { ...NO_EXTRAS, displayQty: lots(displayQty) },
    });
  }

  #stop(): Entry<PlaceOrder> {
    const random = this.#random;
    const up = random.oneIn(2);
    const isLimit = random.oneIn(2);
    const trigger = ticks(MIDDLE + (up ? CROWDED : -CROWDED));
    const triggerPriceDirection = up ? TriggerPriceDirection.up : TriggerPriceDirection.down;
    const side = random.pick([Side.buy, Side.sell]);
    const trail = random.oneIn(2) ? this.#trail() : 0;
    // Some trail from their entry on, which have the direction of their side.
    const begins = trail !== 0 && up === (side === Side.buy) && random.oneIn(2);
    const stopPx = begins ? ticks(0) : trigger;
    return this.#order(side, isLimit ? OrdType.stopLimit : OrdType.stop, {
      price: isLimit ? trigger : ticks(0),
      orderQty: lots(random.between(MIN_LOTS, 9 * MIN_LOTS)),
      extras: { ...NO_EXTRAS, stopPx, triggerPriceDirection, trail },
    });
  }

  /** Two of each unit, so that many stops share a distance, and a few of their own. */
  #trail(): number {
    const random = this.#random;
    return random.pick([2, 10, -CROWDED, -3 * CROWDED, -random.between(1, LEVELS)]);
  }

  #oco(): Entry<PlaceOco> {
    const side = this.#random.pick([Side.buy, Side.sell]);
    const sign = side === Side.buy ? -1 : 1;
    return {
      type: 'placeOco',
      securityId: MARKET,
      side,
      orderQty: lots(this.#random.between(MIN_LOTS, 9 * MIN_LOTS)),
      price: ticks(MIDDLE + sign * CROWDED),
      stopPx: ticks(MIDDLE - sign * CROWDED),
      stopLimitPx: ticks(0),
      trail: 0,
      timeInForce: TimeInForce.goodTillCancel,
      expireTime: 0,
      selfTradePrevention: null,
      clOrdId: this.#text(),
      stopClOrdId: this.#text(),
      strictClOrdId: true,
    };
  }

  #amend({ orderId, orderQty }: ModelOrder): Entry<AmendOrder> {
    return {
      type: 'amendOrder',
      securityId: MARKET,
      orderId,
      origClOrdId: '',
      clOrdId: this.#text(),
      orderQty: lots(Math.max(1, Number(orderQty) - 1)),
      price: null,
      stopPx: null,
      displayQty: null,
      expireTime: null,
      bracket: null,
    };
  }

  #cancel({ orderId }: ModelOrder): BatchEntry {
    return { type: 'cancelOrder', orderId, origClOrdId: '', clOrdId: this.#text() };
  }

  /** Takes much of one side: at a price, at the market, or all or nothing. */
  #sweeping(): Entry<PlaceOrder> {
    const random = this.#random;
    const side = random.pick([Side.buy, Side.sell]);
    const against = sideOf(
      this.#venue.markets.get(MARKET)!,
      side === Side.buy ? Side.sell : Side.buy,
    );
    const total = against.reduce((sum, { orderQty, cumQty }) => sum + orderQty - cumQty, 0n);
    const orderQty = lots(Math.max(1, Math.ceil(Number(total) / random.between(1, 4))));
    if (random.oneIn(4)) return this.#order(side, OrdType.market, { orderQty });
    const away = random.pick([CROWDED, LEVELS]);
    const price = ticks(MIDDLE + (side === Side.buy ? away : -away));
    const timeInForce = random.pick([
      TimeInForce.goodTillCancel,
      TimeInForce.immediateOrCancel,
      TimeInForce.fillOrKill,
    ]);
    const extras = {
      ...NO_EXTRAS,
      timeInForce,
      selfTradePrevention: random.pick([null, 0, 1, 2, 3]),
    };
    return this.#order(side, OrdType.limit, { price, orderQty, extras: extras as never });
  }

  #massCancel(uid: number): UnsignedWrite {
    const securityId = this.#random.pick([0, MARKET]);
    return { type: 'massCancel', uid, securityId, clOrdId: this.#text() };
  }

  #order(
    side: Side,
    ordType: OrdType,
    terms: Pick<PlaceOrder, 'orderQty'> & Partial<PlaceOrder>,
  ): Entry<PlaceOrder> {
    return {
      type: 'placeOrder',
      securityId: MARKET,
      side,
      ordType,
      price: ticks(0),
      quoteOrderQty: amount(0),
      postOnly: false,
      clOrdId: this.#text(),
      strictClOrdId: true,
      extras: null,
      ...terms,
    };
  }
}
