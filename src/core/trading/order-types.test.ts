// Random orders of every type, amended, canceled and triggered, in small books: the invariants hold
// after each command, and a snapshot has the same future. test/model has the rules themselves.
import { expect, test } from 'bun:test';
import {
  amendOf,
  limitWith,
  ocoOf,
  reportsOf,
  stopOf,
  withExtras,
} from '../../../test/support/order-types.ts';
import { Prng } from '../../../test/support/prng.ts';
import { BTC_USDT, UNCHANGED_INSTRUMENT, Venue } from '../../../test/support/venue.ts';
import type { Command, PlaceOrder } from '../command.ts';
import { Exchange } from '../exchange.ts';
import { InstrumentStatus, OrdType, Side, TimeInForce, TriggerPriceDirection } from '../fix.ts';
import { checkInvariants } from '../invariants.ts';
import type { Outcome } from '../outcome.ts';
import { restore, snapshot } from '../snapshot.ts';
import { amount, lots, ticks } from '../units.ts';

const USERS = 4;

class Workload {
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
    const expireTime = expires ? this.#venue.time + this.#random.below(400) : 0;
    return { timeInForce, expireTime };
  }
  #bracket(side: Side) {
    if (!this.#random.oneIn(6)) return null;
    const [near, far] = [this.#price() - 8, this.#price() + 8];
    const [takeProfitPx, stopPx] = side === Side.buy ? [far, near] : [near, far];
    const stopLimitPx = this.#random.oneIn(3) ? ticks(stopPx) : ticks(0);
    return { takeProfitPx: ticks(takeProfitPx), stopPx: ticks(stopPx), stopLimitPx };
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
    const triggerPriceDirection = random.pick([up, down]);
    const more = random.oneIn(2) ? {} : { price: ticks(this.#price()) };
    const order = stopOf([uid, side, this.#price(), random.between(1, 100)], more, {
      ...this.#life(),
      triggerPriceDirection,
      selfTradePrevention: this.#prevention(),
      bracket: this.#bracket(side),
    });
    if (order.ordType === OrdType.stopLimit || side === Side.sell || random.oneIn(2)) return order;
    const byQuote = { orderQty: lots(0), quoteOrderQty: amount(random.between(100, 20_000)) };
    return { ...order, ...byQuote, extras: { ...order.extras!, bracket: null } };
  }

  #market(uid: number): Command {
    const random = this.#random;
    const { goodTillCancel, fillOrKill } = TimeInForce;
    const terms = { uid, side: this.#side(), ordType: OrdType.market };
    const extras = { timeInForce: random.pick([goodTillCancel, fillOrKill]) };
    return random.oneIn(2)
      ? withExtras({ ...terms, orderQty: lots(random.between(1, 200)) }, extras)
      : withExtras({ ...terms, quoteOrderQty: amount(random.between(1, 20_000)) }, extras);
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
    return ocoOf(terms, { ...this.#life(), stopLimitPx, selfTradePrevention: this.#prevention() });
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

/** Branches that the runs meet, by name. */
const met = new Set<string>();

function note(venue: Venue, outcome: Outcome): void {
  const names = reportsOf(venue).map(
    ({ execType, reason, ordType }) => `${ordType} ${execType} ${reason}`,
  );
  if (!outcome.ok) names.push(outcome.reject.name);
  for (const name of names) met.add(name);
}

test.each([1, 2, 3, 4])('random orders of every type keep the invariants (seed %i)', (seed) => {
  const random = new Prng(seed);
  const funds = { btc: amount(500_000), usdt: amount(600_000) };
  const terms = { makerFee: 100_000, takerFee: 200_000, priceBand: seed % 2 === 0 ? 8_000_000 : 0 };
  const venue = new Venue({ users: USERS, ...funds, terms });
  const workload = new Workload(random, venue);
  let other = new Exchange(restore(snapshot(venue.exchange.state)));
  for (let i = 0; i < 1_500; i++) {
    if (random.oneIn(4)) venue.time += random.below(60);
    const command = workload.next();
    const seq = venue.seq + 1;
    note(venue, venue.send(command));
    other.apply(seq, venue.time, command);
    checkInvariants(venue.exchange.state);
    expect(other.state.stateHash()).toBe(venue.exchange.state.stateHash());
    expect(other.events).toEqual([...venue.events]);
    if (i % 50 === 0) other = new Exchange(restore(snapshot(venue.exchange.state)));
  }
});
/** A report by ordType, execType and reason, or a refusal. */
const EXPECTED = [
  ...['1 4 4', '1 4 6', '1 4 7', '1 4 12', '2 4 5', '2 4 11', '2 4 12', '2 4 13', '2 4 14'],
  ...['2 5 0', '2 8 6', '2 8 8', '3 2 0', '3 21 0', '3 4 7', '3 4 13', '3 4 14', '3 5 0'],
  ...['4 2 0', '4 21 0', '4 4 5', '4 4 6', '4 4 13', '4 4 14', '4 5 0'],
  ...['belowFilled', 'displayTooSmall', 'expireTimePassed', 'notAmendable', 'wouldTrigger'],
];

test('the random orders meet what they are for', () => {
  expect(EXPECTED.filter((name) => !met.has(name))).toEqual([]);
});
