// Random orders of every type in a small book, amended, canceled and triggered.
import type { Command, PlaceOrder } from '../../src/core/command.ts';
import {
  InstrumentStatus,
  OrdType,
  Side,
  TimeInForce,
  TriggerPriceDirection,
} from '../../src/core/fix.ts';
import { amount, lots, ticks } from '../../src/core/units.ts';
import { amendOf, limitWith, ocoOf, stopOf, withExtras } from './order-types.ts';
import type { Prng } from './prng.ts';
import { BTC_USDT, UNCHANGED_INSTRUMENT, type Venue } from './venue.ts';

/** The accounts that place them: 1 to this. */
export const USERS = 4;

export class OrderWorkload {
  readonly #random: Prng;
  readonly #venue: Venue;

  constructor(random: Prng, venue: Venue) {
    this.#random = random;
    this.#venue = venue;
  }

  next(): Command {
    const random = this.#random;
    const uid = random.between(1, USERS);
    const make = random.weighted<() => Command>([
      [30, () => this.#limit(uid)],
      [12, () => this.#stop(uid)],
      [10, () => this.#market(uid)],
      [14, () => this.#amendment(uid)],
      [8, () => this.#oco(uid)],
      [6, () => this.#cancel(uid)],
      [4, () => ({ type: 'runTimers' })],
      [1, () => ({ ...this.#write(uid), type: 'massCancel', securityId: 0, clOrdId: 'm' })],
      [1, () => ({ type: 'cancelOrders', uid: 0, securityId: BTC_USDT })],
      [3, () => this.#batch(uid)],
      [2, () => this.#status()],
    ]);
    return make();
  }

  #write(uid: number) {
    return { uid, signature: null, idempotency: null } as const;
  }
  #side(): Side {
    return this.#random.pick([Side.buy, Side.sell]);
  }
  #price(): number {
    return this.#random.between(90, 110);
  }
  #prevention() {
    return this.#random.pick([null, null, 0, 1, 2, 3] as const);
  }
  #life() {
    const { goodTillCancel, goodTillDate } = TimeInForce;
    const timeInForce = this.#random.pick([goodTillCancel, goodTillCancel, goodTillDate]);
    const expires = timeInForce === goodTillDate;
    const expireTime = expires ? this.#venue.time + this.#random.below(200) : 0;
    return { timeInForce, expireTime };
  }
  #bracket(side: Side) {
    if (!this.#random.oneIn(6)) return null;
    const [near, far] = [this.#price() - 8, this.#price() + 8];
    const [takeProfitPx, stopPx] = side === Side.buy ? [far, near] : [near, far];
    const stopLimitPx = this.#random.oneIn(3) ? ticks(stopPx) : ticks(0);
    const trail = this.#trail();
    const exits = { takeProfitPx: ticks(takeProfitPx), stopLimitPx, trail };
    return { ...exits, stopPx: ticks(trail === 0 ? stopPx : 0) };
  }

  /** The distance of a stop; most have none. */
  #trail(): number {
    return this.#random.oneIn(3) ? this.#random.pick([-1, -3, -8, 100, 500]) : 0;
  }

  #limit(uid: number): Command {
    const random = this.#random;
    const side = this.#side();
    const orderQty = random.between(1, 300);
    const { immediateOrCancel, fillOrKill } = TimeInForce;
    const isShort = random.oneIn(5);
    const life = isShort
      ? { timeInForce: random.pick([immediateOrCancel, fillOrKill]), expireTime: 0 }
      : this.#life();
    const isIceberg = !isShort && random.oneIn(3);
    const extras = {
      ...life,
      displayQty: lots(isIceberg ? random.between(1, orderQty) : 0),
      selfTradePrevention: this.#prevention(),
      bracket: this.#bracket(side),
    };
    const order = limitWith([uid, side, this.#price(), orderQty], extras);
    const postOnly = !isShort && random.oneIn(6);
    return random.oneIn(3) ? { ...order, postOnly, extras: null } : { ...order, postOnly };
  }

  #stop(uid: number): Command {
    const random = this.#random;
    const side = this.#side();
    const { up, down } = TriggerPriceDirection;
    const trail = this.#trail();
    const begins = trail !== 0 && random.oneIn(2);
    const usual = side === Side.buy ? up : down;
    const triggerPriceDirection = begins ? usual : random.pick([up, down]);
    const stopPx = this.#price();
    const more = random.oneIn(2) ? {} : { price: ticks(stopPx + random.pick([-7, 7])) };
    const order = stopOf([uid, side, stopPx, random.between(1, 100)], more, {
      ...this.#life(),
      ...(begins ? { stopPx: ticks(0) } : {}),
      trail,
      triggerPriceDirection,
      selfTradePrevention: this.#prevention(),
      bracket: this.#bracket(side),
    });
    if (order.ordType === OrdType.stopLimit || side === Side.sell || random.oneIn(2)) return order;
    const byQuote = { orderQty: lots(0), quoteOrderQty: amount(random.between(50, 1_000)) };
    return { ...order, ...byQuote, extras: { ...order.extras!, bracket: null } };
  }

  #market(uid: number): Command {
    const random = this.#random;
    const { goodTillCancel, fillOrKill } = TimeInForce;
    const terms = { uid, side: this.#side(), ordType: OrdType.market };
    const extras = { timeInForce: random.pick([goodTillCancel, fillOrKill]) };
    return random.oneIn(2)
      ? withExtras({ ...terms, orderQty: lots(random.between(1, 200)) }, extras)
      : withExtras({ ...terms, quoteOrderQty: amount(random.between(1, 8_000)) }, extras);
  }

  #openOf(uid: number): number {
    const { orders } = this.#venue.exchange.state;
    let slot = orders.firstOf(uid);
    for (let i = this.#random.below(orders.countOf(uid) + 1); i > 1; i--) {
      slot = orders.newerOf(slot);
    }
    return slot < 0 ? 1 : orders.orderId(slot);
  }

  #amendment(uid: number): Command {
    const random = this.#random;
    const maybe = <T>(value: T): T | null => (random.oneIn(3) ? value : null);
    return amendOf(uid, this.#openOf(uid), {
      orderQty: maybe(lots(random.between(1, 300))),
      price: maybe(ticks(this.#price())),
      stopPx: random.oneIn(5) ? ticks(this.#price()) : null,
      displayQty: random.oneIn(5) ? lots(random.between(0, 50)) : null,
      expireTime: random.oneIn(8) ? this.#venue.time + random.below(300) : null,
    });
  }

  #oco(uid: number): Command {
    const side = this.#side();
    const [low, high] = [this.#random.between(88, 99), this.#random.between(101, 112)];
    const [price, stopPx] = side === Side.sell ? [high, low] : [low, high];
    const stopLimitPx = ticks(this.#random.oneIn(2) ? 0 : this.#price());
    const terms = { uid, side, price, stopPx, orderQty: this.#random.between(1, 100) };
    const trail = this.#trail();
    return ocoOf(terms, {
      trail,
      ...this.#life(),
      stopLimitPx,
      selfTradePrevention: this.#prevention(),
    });
  }

  #cancel(uid: number): Command {
    const orderId = this.#openOf(uid);
    return { ...this.#write(uid), type: 'cancelOrder', orderId, origClOrdId: '', clOrdId: 'c' };
  }

  #batch(uid: number): Command {
    const commands = [this.#limit(uid), this.#amendment(uid), this.#oco(uid), this.#cancel(uid)];
    const entries = commands.map((command) => {
      const { uid: _, signature: __, idempotency: ___, ...entry } = command as PlaceOrder;
      return entry;
    });
    return { ...this.#write(uid), type: 'orderBatch', entries };
  }

  #status(): Command {
    const { LIVE, HALTED, POST_ONLY } = InstrumentStatus;
    const status = this.#random.pick([LIVE, LIVE, LIVE, LIVE, HALTED, POST_ONLY]);
    return { ...UNCHANGED_INSTRUMENT, securityId: BTC_USDT, status };
  }
}
