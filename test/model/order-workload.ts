// The orders of the workload: every type and every term, aimed at the book, the last price and the
// balance of the owner, so that rare branches are hit on purpose.
import type { AmendOrder, PlaceOco, PlaceOrder } from '../../src/core/command.ts';
import {
  OrdType,
  opposite,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import { NO_EXTRAS, type OrderExtras } from '../../src/core/order-extras.ts';
import {
  type Amount,
  amount,
  type Lots,
  lots,
  MAX_INTEGER,
  type Ticks,
  ticks,
} from '../../src/core/units.ts';
import type { Prng } from '../support/prng.ts';
import {
  isStop,
  leavesOf,
  type ModelMarket,
  type ModelOrder,
  sideOf,
  type VenueState,
} from './state.ts';

/** Without the customer: as an entry of a batch has it. */
type Entry<C> = Omit<C, 'uid' | 'signature' | 'idempotency'>;

/** Makes two commands in a hundred name something that does not exist. */
export const UNKNOWN = 9_999;

export class OrderCommands {
  readonly #random: Prng;
  readonly #venue: VenueState;
  readonly #amendsExits: boolean;

  constructor(random: Prng, venue: VenueState, amendsExits: boolean) {
    this.#random = random;
    this.#venue = venue;
    this.#amendsExits = amendsExits;
  }

  uid(): number {
    return this.#random.oneIn(300) ? UNKNOWN : this.#random.between(1, this.#venue.users.size);
  }

  market(): ModelMarket {
    return this.#venue.markets.get(this.#random.between(1, this.#venue.markets.size))!;
  }

  order(uid: number, market = this.market()): Entry<PlaceOrder> {
    const random = this.#random;
    const side = random.pick([Side.buy, Side.sell]);
    const plain = random.percent(45);
    const ordType = random.weighted<OrdType>([
      [70, OrdType.limit],
      [18, OrdType.market],
      [plain ? 0 : 20, OrdType.stop],
      [plain ? 0 : 20, OrdType.stopLimit],
    ]);
    const isLimit = ordType === OrdType.limit || ordType === OrdType.stopLimit;
    const trail = isStop({ ordType }) && random.percent(40) ? this.#trail(market) : 0;
    const begins = trail !== 0 && random.percent(65);
    const direction = begins ? usualDirection(side) : this.#direction(ordType, side);
    const trigger = isStop({ ordType }) ? this.#stopPx(market, direction) : ticks(0);
    const stopPx = begins ? ticks(0) : trigger;
    const price = !isLimit
      ? ticks(0)
      : ordType === OrdType.limit
        ? this.price(market, side)
        : this.#near(trigger, side);
    const quoted = !isLimit && (side === Side.buy || (!plain && ordType === OrdType.market));
    const byQuote = quoted && random.percent(60);
    const orderQty = byQuote ? lots(0) : this.quantity(market, uid, side, trigger || price);
    const timeInForce = plain ? TimeInForce.goodTillCancel : this.#timeInForce(ordType);
    const rests = isLimit && timeInForce !== TimeInForce.immediateOrCancel;
    const postOnly =
      rests && timeInForce !== TimeInForce.fillOrKill && random.percent(plain ? 20 : 12);
    const canHide = ordType === OrdType.limit && rests && timeInForce !== TimeInForce.fillOrKill;
    const extras: OrderExtras = {
      timeInForce,
      expireTime: timeInForce === TimeInForce.goodTillDate ? this.expireTime() : 0,
      displayQty: canHide && random.percent(35) ? this.displayQty(market, orderQty) : lots(0),
      selfTradePrevention: this.#prevention(market),
      stopPx,
      triggerPriceDirection: direction,
      trail,
      bracket:
        !byQuote && random.percent(this.#amendsExits ? 40 : 12)
          ? this.#bracket(market, side, price || trigger)
          : null,
    };
    return {
      type: 'placeOrder',
      securityId: random.oneIn(300) ? UNKNOWN : market.securityId,
      side,
      ordType,
      price,
      orderQty,
      quoteOrderQty: byQuote ? this.#budget(market, uid, side) : amount(0),
      postOnly,
      clOrdId: this.clOrdId(uid),
      strictClOrdId: random.percent(15),
      extras: plain ? null : random.oneIn(60) ? this.#malformed(extras) : extras,
    };
  }

  /** Another term, which mostly does not fit the others. */
  #malformed(extras: OrderExtras): OrderExtras {
    const random = this.#random;
    return {
      ...extras,
      ...random.pick<Partial<OrderExtras>>([
        { timeInForce: random.pick(Object.values(TimeInForce)) },
        { expireTime: extras.expireTime === 0 ? this.expireTime() : 0 },
        { displayQty: lots(1_000) },
        { stopPx: extras.stopPx === 0 ? ticks(1) : ticks(0) },
        { triggerPriceDirection: random.pick(Object.values(TriggerPriceDirection)) },
        { trail: random.pick([0, 10_000, 100, -1]) },
        {
          bracket: { takeProfitPx: ticks(50), stopPx: ticks(50), stopLimitPx: ticks(0), trail: 0 },
        },
      ]),
    };
  }

  #timeInForce(ordType: OrdType): TimeInForce {
    const { goodTillCancel, immediateOrCancel, fillOrKill, goodTillDate } = TimeInForce;
    const isMarket = ordType === OrdType.market;
    const isStopMarket = ordType === OrdType.stop;
    return this.#random.weighted<TimeInForce>([
      [40, goodTillCancel],
      [isStopMarket ? 0 : 20, immediateOrCancel],
      [isStopMarket ? 0 : 20, fillOrKill],
      [isMarket ? 0 : 25, goodTillDate],
    ]);
  }

  /** Mostly soon, so that many expire; rarely a time that has passed. */
  expireTime(): number {
    const random = this.#random;
    const { time } = this.#venue;
    return random.weighted([
      [50, () => time + random.between(1, 300)],
      [40, () => time + random.between(1, 20_000)],
      [8, () => time + 3_600_000],
      [1, () => time],
      [1, () => Math.max(time - random.below(1_000), 1)],
    ])();
  }

  /** Rarely 0, which no order that expires may have. */
  #amendedExpireTime(): number {
    return this.#random.oneIn(20) ? 0 : this.expireTime();
  }

  /** Often none where the pair has none, so that it yields when the pair gets another rule. */
  #prevention(market: ModelMarket): SelfTradePrevention | null {
    const random = this.#random;
    const { none } = SelfTradePrevention;
    if (market.prevention === none && random.percent(60)) return none;
    return random.percent(65) ? null : random.pick(Object.values(SelfTradePrevention));
  }

  displayQty(market: ModelMarket, quantity: number): Lots {
    const random = this.#random;
    const shown = random.weighted([
      [50, () => Math.ceil(quantity / random.between(2, 6))],
      [20, () => Number(market.minQuantity)],
      [20, () => Math.ceil(quantity / 100)],
      [4, () => quantity],
      [4, () => Math.floor(quantity / 120)],
      [2, () => 1],
    ])();
    return lots(Math.min(Math.max(shown, 1), quantity));
  }

  #direction(ordType: OrdType, side: Side): TriggerPriceDirection {
    const { none, up, down } = TriggerPriceDirection;
    if (!isStop({ ordType })) return none;
    const usual = this.#random.percent(65);
    return (side === Side.buy) === usual ? up : down;
  }

  /** Mostly a few ticks, so that the price comes back; some prices are a few ticks themselves. */
  #trail(market: ModelMarket): number {
    const random = this.#random;
    const last = Number(market.lastPrice ?? anchorOf(market));
    return random.weighted([
      [40, () => -random.between(1, 6)],
      [40, () => Math.min(random.between(1, 8) * Math.ceil(10_000 / Math.max(last, 8)), 5_000)],
      [8, () => random.between(1, 5_000)],
      [4, () => -Math.max(Math.floor(last / 2) + random.between(-1, 1), 1)],
      [1, () => 5_001],
      [1, () => -MAX_INTEGER],
    ])();
  }

  /** Mostly a few ticks from the last price, so that trades reach it; often at the same price. */
  #stopPx(market: ModelMarket, direction: TriggerPriceDirection): Ticks {
    const random = this.#random;
    const last = Number(market.lastPrice ?? anchorOf(market));
    const sign = direction === TriggerPriceDirection.up ? 1 : -1;
    const away = random.weighted([
      [60, () => random.between(1, 5)],
      [30, () => random.between(1, 60)],
      [5, () => -random.below(4)],
      [1, () => MAX_INTEGER],
    ])();
    return inRange(last + sign * away);
  }

  /** The price of a stop limit: beyond its stop, or short of it. */
  #near(stopPx: Ticks, side: Side): Ticks {
    const sign = side === Side.buy ? 1 : -1;
    return inRange(stopPx + sign * this.#random.between(-4, 12));
  }

  /** Exits around the last price; they are often rejected or reached when their time comes. */
  /** Mostly around the price of the entry, so that its exits are on their sides. */
  #bracket(market: ModelMarket, side: Side, entryPx: Ticks): OrderExtras['bracket'] {
    const random = this.#random;
    const isNear = entryPx !== 0 && random.percent(70);
    const last = isNear ? entryPx : Number(market.lastPrice ?? anchorOf(market));
    const sign = side === Side.buy ? 1 : -1;
    const profit = random.between(1, 20);
    const loss = random.between(1, 20);
    const stopPx = inRange(last - sign * loss);
    const trail = random.percent(25) ? this.#trail(market) : 0;
    const takeProfitPx = inRange(last + sign * profit);
    const none = ticks(0);
    const stopLimitPx = random.percent(50) ? none : inRange(stopPx - sign * random.below(6));
    const both = { takeProfitPx, stopPx: trail === 0 ? stopPx : none, trail, stopLimitPx };
    // Some have one exit.
    if (profit > 18) return { ...both, takeProfitPx: none };
    return loss > 18 ? { takeProfitPx, stopPx: none, trail: 0, stopLimitPx: none } : both;
  }

  /** Mostly away from the first price, so that books grow deep; about a third take. */
  price(market: ModelMarket, side: Side): Ticks {
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
    return inRange(price);
  }

  quantity(market: ModelMarket, uid: number, side: Side, price: number): Lots {
    const random = this.#random;
    const minimum = Number(market.minQuantity);
    const affordable = this.affordable(market, uid, side, price);
    const others = sideOf(market, side === Side.buy ? Side.sell : Side.buy);
    const first = others[0] === undefined ? minimum : Number(leavesOf(others[0]));
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
  affordable(market: ModelMarket, uid: number, side: Side, price: number): number {
    const { quotePerTickLot, basePerLot } = market;
    const most =
      side === Side.sell
        ? this.#venue.freeOf(uid, market.base) / basePerLot
        : this.#venue.freeOf(uid, market.quote) /
          (BigInt(Math.max(price, Number(market.lastPrice ?? 1n))) * quotePerTickLot);
    return most > BigInt(MAX_INTEGER) ? MAX_INTEGER : Number(most);
  }

  #budget(market: ModelMarket, uid: number, side: Side): Amount {
    const random = this.#random;
    const free = this.#venue.freeOf(uid, market.quote);
    const best = sideOf(market, side === Side.buy ? Side.sell : Side.buy)[0];
    const perLot = (best?.price ?? 1n) * market.quotePerTickLot;
    const levelCost = best === undefined ? perLot : perLot * leavesOf(best);
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
  clOrdId(uid: number): string {
    const random = this.#random;
    return random.weighted([
      [40, ''],
      [50, `id-${random.below(12)}`],
      [5, `api_${uid}_${random.between(1, this.#venue.nextOrderId + 20)}`],
      [2, 'Ωμέγα'],
    ]);
  }

  /** Amends an open order: less, more, another price, or what it cannot be given. */
  amend(uid: number, target: ModelOrder | undefined): Entry<AmendOrder> {
    const random = this.#random;
    const { orderId, clOrdId } = target ?? { orderId: 1, clOrdId: 'none' };
    const market = target?.market ?? this.market();
    const byText = random.percent(30);
    const terms = {
      securityId: random.oneIn(100) ? this.market().securityId : market.securityId,
      orderQty: random.percent(55) ? this.#amendedQuantity(market, target) : null,
      price: random.percent(35) ? this.#amendedPrice(market, target) : null,
      stopPx: random.percent(target !== undefined && isStop(target) ? 40 : 3)
        ? this.#stopPx(market, target?.direction ?? TriggerPriceDirection.up)
        : null,
      displayQty: random.percent(target?.displayQty ? 30 : 4)
        ? random.oneIn(5)
          ? lots(0)
          : this.displayQty(market, Number(target?.orderQty ?? 10n))
        : null,
      expireTime: random.percent(target?.expireTime ? 20 : 3) ? this.#amendedExpireTime() : null,
      bracket: this.#amendsExits ? this.#amendedBracket(market, target) : null,
    };
    const { securityId: _, ...changes } = terms;
    const isEmpty = Object.values(changes).every((value) => value === null);
    return {
      type: 'amendOrder',
      ...terms,
      orderQty: isEmpty ? this.#amendedQuantity(market, target) : terms.orderQty,
      orderId: byText && random.percent(60) ? 0 : random.oneIn(20) ? orderId + 1 : orderId,
      origClOrdId: byText ? (random.oneIn(15) ? this.clOrdId(uid) : clOrdId) : '',
      clOrdId: random.percent(50) ? '' : `amend-${random.below(100)}`,
    };
  }

  /** An order that a fill meets before its amendment. */
  takenAndAmended(uid: number, market: ModelMarket): [Entry<PlaceOrder>, Entry<AmendOrder>] {
    const random = this.#random;
    const side = random.pick([Side.buy, Side.sell]);
    const best = sideOf(market, side === Side.buy ? Side.sell : Side.buy)[0];
    const first = best === undefined ? Number(market.minQuantity) : Number(leavesOf(best));
    const quantity = Math.min(first + random.between(-1, 40), MAX_INTEGER - 50);
    const clOrdId = `taken-${random.next()}`;
    const order = this.order(uid, market);
    return [
      {
        ...order,
        side,
        ordType: OrdType.limit,
        price: best === undefined ? this.price(market, side) : inRange(Number(best.price)),
        orderQty: lots(Math.max(quantity, 1)),
        quoteOrderQty: amount(0),
        postOnly: false,
        clOrdId,
        extras: null,
      },
      {
        ...this.amend(uid, undefined),
        securityId: market.securityId,
        orderId: 0,
        origClOrdId: clOrdId,
        orderQty: lots(Math.max(quantity + random.between(-41, 5), 1)),
      },
    ];
  }

  /** A bracket whose exits find less than was bought, since the next order sells some of it. */
  boughtAndSold(uid: number, market: ModelMarket): [Entry<PlaceOrder>, Entry<PlaceOrder>] {
    const random = this.#random;
    const best = sideOf(market, Side.sell)[0];
    const price = best === undefined ? this.price(market, Side.buy) : inRange(Number(best.price));
    const bought = Number(market.minQuantity) * random.between(4, 12);
    const rest = Math.floor(bought * random.pick([0.2, 0.5, 0.9]));
    const owned = this.affordable(market, uid, Side.sell, price);
    const plain = {
      ...this.order(uid, market),
      ordType: OrdType.limit,
      quoteOrderQty: amount(0),
      postOnly: false,
    };
    const bracket = this.#bracket(market, Side.buy, price);
    return [
      {
        ...plain,
        side: Side.buy,
        price,
        orderQty: lots(bought),
        extras: { ...NO_EXTRAS, bracket },
      },
      {
        ...plain,
        side: Side.sell,
        price: inRange(price + random.between(10, 30)),
        orderQty: lots(Math.min(owned + rest, MAX_INTEGER)),
        extras: null,
      },
    ];
  }

  #amendedBracket(market: ModelMarket, target: ModelOrder | undefined): OrderExtras['bracket'] {
    if (!this.#random.percent(target?.bracket ? 60 : 2)) return null;
    const side = target?.side ?? Side.buy;
    const entryPx = Number(target?.price || target?.stopPx || 0n);
    return this.#bracket(market, this.#random.oneIn(20) ? opposite(side) : side, ticks(entryPx));
  }

  #amendedQuantity(market: ModelMarket, target: ModelOrder | undefined): Lots {
    const random = this.#random;
    const total = Number(target?.orderQty ?? 10n);
    const filled = Number(target?.cumQty ?? 0n);
    const quantity = random.weighted([
      [50, () => filled + 1 + random.below(Math.max(total - filled, 1))],
      [25, () => total + random.between(1, 50)],
      [6, () => total],
      [6, () => filled],
      [4, () => Number(market.minQuantity) - 1],
      [2, () => total * 1_000],
      [1, () => MAX_INTEGER],
    ])();
    return lots(Math.min(Math.max(quantity, 1), MAX_INTEGER));
  }

  #amendedPrice(market: ModelMarket, target: ModelOrder | undefined): Ticks {
    if (target === undefined || this.#random.oneIn(4)) {
      return this.price(market, target?.side ?? Side.buy);
    }
    return this.#random.oneIn(8)
      ? inRange(Number(target.price))
      : inRange(Number(target.price) + this.#random.between(-4, 4));
  }

  oco(uid: number, market = this.market()): Entry<PlaceOco> {
    const random = this.#random;
    const side = random.pick([Side.buy, Side.sell]);
    const stopPx = this.#stopPx(market, usualDirection(side));
    const trail = random.percent(30) ? this.#trail(market) : 0;
    const dated = random.percent(25);
    const sign = side === Side.buy ? -1 : 1;
    const price = random.percent(80)
      ? inRange(Number(market.lastPrice ?? stopPx) + sign * random.between(-1, 5))
      : this.price(market, side);
    return {
      type: 'placeOco',
      securityId: random.oneIn(300) ? UNKNOWN : market.securityId,
      side,
      orderQty: this.quantity(market, uid, side, stopPx),
      price,
      stopPx: trail !== 0 && random.percent(65) ? ticks(0) : stopPx,
      trail,
      stopLimitPx: random.percent(50) ? ticks(0) : this.#near(stopPx, side),
      timeInForce: dated ? TimeInForce.goodTillDate : TimeInForce.goodTillCancel,
      expireTime: dated ? this.expireTime() : 0,
      selfTradePrevention: this.#prevention(market),
      clOrdId: this.clOrdId(uid),
      stopClOrdId: this.clOrdId(uid),
      strictClOrdId: random.percent(15),
    };
  }
}

const usualDirection = (side: Side): TriggerPriceDirection =>
  side === Side.buy ? TriggerPriceDirection.up : TriggerPriceDirection.down;

const inRange = (price: number): Ticks => ticks(Math.min(Math.max(price, 1), MAX_INTEGER));

/** Where the price of an instrument starts, in ticks. */
const anchorOf = ({ securityId }: ModelMarket): number =>
  [0, 60_000, 2_500, 3, 700_000_000][securityId] ?? 1_000;
