// A seeded stream of commands that meets every rule of the venue. Goals: deep books with few users,
// so that self-trades and shared prices are common; amounts from one unit to far beyond 2^53; and
// about one command in five that is to be refused. Method: it looks into the model to aim (at an
// open order, a balance, the best price), so that rare branches are hit on purpose and not by luck;
// what it emits is plain data and can be replayed.
import type { Command, PlaceOrder } from '../../src/core/command.ts';
import { OrdType, Side } from '../../src/core/fix.ts';
import { type Amount, amount, type Lots, lots, MAX_INTEGER, ticks } from '../../src/core/units.ts';
import { Prng } from '../support/prng.ts';
import { Authorship, keyOf, type Unsigned } from './authorship.ts';
import { listing, OperatorCommands } from './operator-workload.ts';
import { type ModelMarket, type ModelOrder, sideOf, type VenueState } from './state.ts';

export interface Timed {
  readonly time: number;
  readonly command: Command;
}

/**
 * busyKey: one key signs nearly everything and its memory overflows. crowd: more orders are
 * canceled together than one command may cancel.
 */
export type Profile = 'mixed' | 'busyKey' | 'crowd';

/** Makes two commands in a hundred name something that does not exist. */
const UNKNOWN = 9_999;

export class Workload {
  readonly #random: Prng;
  readonly #venue: VenueState;
  readonly #authorship: Authorship;
  readonly #operator: OperatorCommands;
  readonly #profile: Profile;
  #opening: Command[];
  #time = 1_700_000_000_000;

  constructor(seed: number, venue: VenueState, profile: Profile) {
    this.#random = new Prng(seed);
    this.#venue = venue;
    this.#authorship = new Authorship(this.#random, profile === 'busyKey');
    this.#profile = profile;
    this.#operator = new OperatorCommands(this.#random, venue);
    this.#opening = listing();
    if (profile === 'crowd') this.#opening.push(...RICHEST_WITHOUT_LIMIT);
  }

  next(): Timed {
    const first = this.#opening.shift();
    if (first !== undefined) return { time: this.#time, command: first };
    this.#time += this.#step();
    if (this.#random.oneIn(100)) this.#time = Math.max(this.#time, this.#nextDeadline());
    return { time: this.#time, command: this.#command() };
  }

  /** Mostly a few milliseconds; sometimes past every window. */
  #step(): number {
    const random = this.#random;
    if (random.oneIn(5_000)) return random.between(3_600_000, 90_000_000);
    return random.oneIn(100) ? random.below(5_000) : random.below(20);
  }

  /** The exact moment at which a switch is due, where off by one would show. */
  #nextDeadline(): number {
    const deadlines = [...this.#venue.switches.values()];
    return deadlines.length === 0 ? 0 : Math.min(...deadlines);
  }

  #command(): Command {
    const random = this.#random;
    if (this.#profile === 'crowd' && !random.oneIn(100)) return this.#crowding();
    if (this.#profile === 'busyKey' && !random.oneIn(10)) return this.#sign(this.#order());
    const kind = random.weighted([
      [680, () => this.#sign(this.#order())],
      [80, () => this.#sign(this.#cancel())],
      [4, () => this.#sign(this.#massCancel())],
      [12, () => this.#sign(this.#switch())],
      [60, () => this.#operator.transfer()],
      [30, () => this.#operator.amendment()],
      [4, () => this.#operator.cancelOrders()],
      [5, () => this.#operator.membership()],
      [4, () => this.#operator.withdrawal()],
      [4, () => this.#operator.listingAttempt()],
      [15, (): Command => ({ type: 'runTimers' })],
      [1, (): Command => ({ type: 'forgetKey', keyId: keyOf(this.#uid(), random) })],
      [1, (): Command => ({ type: 'advanceClock', milliseconds: random.below(1_000) })],
    ]);
    return kind();
  }

  #sign(command: Unsigned): Command {
    return this.#authorship.author(command, this.#time);
  }

  #uid(): number {
    return this.#random.oneIn(300) ? UNKNOWN : this.#random.between(1, this.#venue.users.size);
  }

  #market(): ModelMarket {
    return this.#venue.markets.get(this.#random.between(1, this.#venue.markets.size))!;
  }

  #order(): Unsigned {
    const random = this.#random;
    const market = this.#market();
    const uid = this.#uid();
    const side = random.pick([Side.buy, Side.sell]);
    const limit = random.percent(82);
    const byQuote = !limit && side === Side.buy && random.percent(60);
    const price = limit ? this.#price(market, side) : ticks(0);
    return {
      type: 'placeOrder',
      uid,
      securityId: random.oneIn(300) ? UNKNOWN : market.securityId,
      side,
      ordType: limit ? OrdType.limit : OrdType.market,
      price,
      orderQty: byQuote ? lots(0) : this.#quantity(market, uid, side, price),
      quoteOrderQty: byQuote ? this.#budget(market, uid) : amount(0),
      postOnly: limit && random.percent(20),
      clOrdId: this.#clOrdId(uid),
      strictClOrdId: random.percent(15),
      extras: null,
    } satisfies Omit<PlaceOrder, 'signature' | 'idempotency'>;
  }

  /** Mostly away from the first price, so that books grow deep; about a third take. */
  #price(market: ModelMarket, side: Side) {
    const random = this.#random;
    const others = sideOf(market, side === Side.buy ? Side.sell : Side.buy);
    const start = anchorOf(market);
    const best = Number(others[0]?.price ?? market.lastPrice ?? start);
    const last = Number(market.lastPrice ?? start);
    const sign = side === Side.buy ? -1 : 1;
    const price = random.weighted([
      [55, () => start + sign * random.below(60)],
      [20, () => last + sign * random.between(-3, 30)],
      [18, () => best - sign * random.below(4)],
      [5, () => last + sign * Math.floor(last * random.between(-20, 20) * 0.01)],
      [1, () => 1],
      [1, () => MAX_INTEGER - random.below(3)],
    ])();
    return ticks(Math.min(Math.max(price, 1), MAX_INTEGER));
  }

  #quantity(market: ModelMarket, uid: number, side: Side, price: number): Lots {
    const random = this.#random;
    const minimum = Number(market.minQuantity);
    const affordable = this.#affordable(market, uid, side, price);
    const others = sideOf(market, side === Side.buy ? Side.sell : Side.buy);
    const first = others[0] === undefined ? minimum : Number(others[0].orderQty - others[0].cumQty);
    const quantity = random.weighted([
      [160, () => minimum + random.below(minimum * 20)],
      [3, () => 1 + random.below(Math.max(1, Math.floor(affordable / 4)))],
      [20, () => first],
      [2, () => affordable],
      [4, () => affordable + 1],
      [4, () => 1 + random.below(minimum)],
      [2, () => affordable * 2],
      [1, () => MAX_INTEGER],
    ])();
    return lots(Math.min(Math.max(quantity, 1), MAX_INTEGER));
  }

  /** The largest quantity that the user can pay for; a guess where the price is not known. */
  #affordable(market: ModelMarket, uid: number, side: Side, price: number): number {
    const { quotePerTickLot, basePerLot } = market;
    const most =
      side === Side.sell
        ? this.#venue.freeOf(uid, market.base) / basePerLot
        : this.#venue.freeOf(uid, market.quote) /
          (BigInt(Math.max(price, Number(market.lastPrice ?? 1n))) * quotePerTickLot);
    return most > BigInt(MAX_INTEGER) ? MAX_INTEGER : Number(most);
  }

  #budget(market: ModelMarket, uid: number): Amount {
    const random = this.#random;
    const free = this.#venue.freeOf(uid, market.quote);
    const best = market.asks[0];
    const perLot = (best?.price ?? 1n) * market.quotePerTickLot;
    const levelCost = best === undefined ? perLot : perLot * (best.orderQty - best.cumQty);
    const budget = random.weighted([
      [2, () => 1n + random.belowBig(free / 3n + 1n)],
      [60, () => perLot * BigInt(random.between(1, 50)) + random.belowBig(perLot)],
      [20, () => levelCost],
      [10, () => levelCost * 5n],
      [3, () => random.belowBig(perLot)],
      [1, () => free],
      [3, () => free + 1n],
    ])();
    return amount(budget);
  }

  /** From a small pool, so that an account repeats ids; some look generated. */
  #clOrdId(uid: number): string {
    const random = this.#random;
    return random.weighted([
      [40, ''],
      [50, `id-${random.below(12)}`],
      [5, `api_${uid}_${random.between(1, this.#venue.nextOrderId + 20)}`],
      [2, 'Ωμέγα'],
    ]);
  }

  #cancel(): Unsigned {
    const random = this.#random;
    const target = this.#openOrder();
    const own = target !== undefined && !random.oneIn(20);
    const uid = own ? target.uid : this.#uid();
    const orderId = random.oneIn(15)
      ? random.between(1, this.#venue.nextOrderId + 5)
      : (target?.orderId ?? 1);
    const byText = random.percent(35);
    const name = random.percent(70) ? (target?.clOrdId ?? 'none') : this.#clOrdId(uid);
    return {
      type: 'cancelOrder',
      uid,
      orderId: byText && random.percent(60) ? 0 : orderId,
      origClOrdId: byText ? name : '',
      clOrdId: random.percent(50) ? '' : `cancel-${random.below(100)}`,
    };
  }

  /** Small orders of the richest account far from the best price; rarely a cancel of all. */
  #crowding(): Command {
    const random = this.#random;
    const uid = RICHEST;
    const many = this.#venue.users.get(uid)!.open.length > 10_000;
    if (many && random.oneIn(300)) {
      const [of, securityId] = random.pick([
        [uid, 0],
        [uid, 1],
        [0, 1],
      ]);
      if (random.percent(70)) return { type: 'cancelOrders', uid: of, securityId };
      const all = { type: 'massCancel', uid, securityId: random.below(2), clOrdId: '' } as const;
      return this.#sign(random.oneIn(2) ? all : { type: 'cancelAllAfter', uid, timeout: 1 });
    }
    if (random.oneIn(many ? 30 : 300)) return { type: 'runTimers' };
    const side = random.pick([Side.buy, Side.sell]);
    const away = random.between(1, 1_500) * (side === Side.buy ? -1 : 1);
    return this.#sign({
      type: 'placeOrder',
      uid,
      securityId: 1,
      side,
      ordType: OrdType.limit,
      price: ticks(60_000 + away),
      orderQty: lots(1_000),
      quoteOrderQty: amount(0),
      postOnly: true,
      clOrdId: random.percent(50) ? '' : `id-${random.below(3)}`,
      strictClOrdId: false,
      extras: null,
    });
  }

  #openOrder(): ModelOrder | undefined {
    const random = this.#random;
    for (let tries = 0; tries < 5; tries++) {
      const user = this.#venue.users.get(random.between(1, this.#venue.users.size))!;
      if (user.open.length > 0) return random.pick(user.open);
    }
    return undefined;
  }

  #massCancel(): Unsigned {
    const random = this.#random;
    const securityId = random.oneIn(12) ? UNKNOWN : this.#market().securityId;
    return {
      type: 'massCancel',
      uid: this.#uid(),
      securityId: random.percent(30) ? 0 : securityId,
      clOrdId: random.percent(50) ? '' : 'mass',
    };
  }

  #switch(): Unsigned {
    const random = this.#random;
    const timeout = random.percent(60) ? 0 : random.between(1, random.oneIn(3) ? 500 : 20_000);
    return { type: 'cancelAllAfter', uid: this.#uid(), timeout };
  }
}

/** The last of those whom listing() gives money. */
const RICHEST = 11;
const RICHEST_WITHOUT_LIMIT: readonly Command[] = [
  {
    type: 'amendUser',
    uid: RICHEST,
    kyc: null,
    suspended: null,
    makerFee: null,
    takerFee: null,
    maxOpenOrders: 100_000,
  },
];

/** Where the price of an instrument starts, in ticks. */
const anchorOf = ({ securityId }: ModelMarket): number =>
  [0, 60_000, 2_500, 3, 700_000_000][securityId] ?? 1_000;
