// Commands that go on in later commands: the order of fills and of commands is that of one piece.
import { describe, expect, test } from 'bun:test';
import { Lockstep } from '../../test/model/lockstep.ts';
import { Workload } from '../../test/model/workload.ts';
import { limitWith } from '../../test/support/order-types.ts';
import {
  BTC_USDT,
  BTC_USDT_TERMS,
  placeOrder,
  type TimedCommand,
  Venue,
} from '../../test/support/venue.ts';
import type { Command } from './command.ts';
import { Exchange } from './exchange.ts';
import { OrdType, Side, TimeInForce } from './fix.ts';
import { checkInvariants } from './invariants.ts';
import { AccountCode } from './ledger/account-code.ts';
import { IN_PROGRESS, type Outcome } from './outcome.ts';
import { PendingCommands } from './pending.ts';
import { restore, snapshot } from './snapshot.ts';
import { State } from './state.ts';
import { amount, lots, ticks } from './units.ts';
import { Work } from './work.ts';

/** A record of so little work does one or two fills. */
const TINY = 0.0005;

test.each([2, 3, 7])('each part of a slice can be abandoned (seed %i)', (seed) => {
  // The model does each command in one piece, and aims the next one.
  const model = new Lockstep();
  const workload = new Workload(seed, model.venue, 'slices');
  const exchange = new Exchange(new State(undefined, new Work(TINY)));
  const parts = new Set<number>();
  exchange.state.onPart = (part) => parts.add(part);
  const abandoned = { commands: 0, orders: 0 };
  const apply = (to: Exchange, time: number, command: Command) =>
    to.apply(to.state.seq + 1, time, command);
  for (let i = 0; i < 1_600; i++) {
    const { time, command } = workload.next();
    model.step({ time, command });
    apply(exchange, time, command);
    while (exchange.nextTimer <= time) {
      const before = snapshot(exchange.state);
      parts.clear();
      apply(exchange, time, { type: 'runTimers' });
      for (const part of parts) {
        const state = restore(before, new State(undefined, new Work(TINY)));
        const copy = new Exchange(state);
        copy.skip(state.seq + 1, time, part);
        checkInvariants(state);
        if (part > 0) {
          abandoned.commands++;
          expect(copy.completed.map(({ seq }) => seq)).toEqual([part]);
          expect(state.pending.all.some(({ seq }) => seq === part)).toBe(false);
        } else abandoned.orders++;
        while (copy.nextTimer <= time) apply(copy, time, { type: 'runTimers' });
        checkInvariants(state);
      }
    }
  }
  expect(abandoned.commands).toBeGreaterThan(10);
  expect(abandoned.orders).toBeGreaterThan(5);
});

const ETH_USDT = 2;

/** Ten makers of one lot each at 100, and a second instrument; a record does about two fills. */
function crowded(): Venue {
  const venue = new Venue({ users: 4, workScale: TINY });
  venue.must({ type: 'createAsset', asset: 'ETH', scale: 8, fiat: false });
  venue.must({ ...BTC_USDT_TERMS, symbol: 'ETH-USDT', baseAsset: 'ETH' });
  for (let i = 0; i < 10; i++) venue.sell(1, 100, 1);
  return venue;
}

const run = (venue: Venue): void => {
  venue.must({ type: 'runTimers' });
};

const finish = (venue: Venue): Map<number, Outcome> => {
  const outcomes = new Map<number, Outcome>();
  while (venue.exchange.isBusy) {
    run(venue);
    for (const { seq, outcome } of venue.exchange.completed) outcomes.set(seq, outcome);
  }
  checkInvariants(venue.exchange.state);
  return outcomes;
};

const buy = (uid: number, orderQty: number, more = {}): Command =>
  placeOrder({ uid, side: Side.buy, price: ticks(100), orderQty: lots(orderQty), ...more });

describe('while the match of an order goes on', () => {
  test('another instrument and another account go on', () => {
    const venue = crowded();
    expect(venue.send(buy(2, 10))).toBe(IN_PROGRESS);
    const other = venue.send(buy(3, 1, { securityId: ETH_USDT }));
    expect(other).toMatchObject({ ok: true, result: { clOrdId: '' } });
    expect(other).not.toBe(IN_PROGRESS);
  });

  test('later orders of the instrument come after it, and are answered then', () => {
    const venue = crowded();
    venue.send(buy(2, 8));
    const first = venue.seq;
    expect(venue.send(buy(3, 5))).toBe(IN_PROGRESS);
    expect(venue.send(buy(4, 1))).toBe(IN_PROGRESS);
    const outcomes = finish(venue);
    expect([...outcomes.keys()]).toEqual([first, first + 1, first + 2]);
    const { ledger, orders } = venue.exchange.state;
    const bought = (uid: number) => ledger.balanceOf(uid, 0, AccountCode.available);
    const before = amount(1_000_000 * 10 ** 8);
    expect([2, 3, 4].map((uid) => Number(bought(uid)) - Number(before))).toEqual([800, 200, 0]);
    expect(orders.countOf(3)).toBe(1);
  });

  test('a skip of an order amid icebergs does not change what the next one fills', () => {
    const venue = new Venue({ users: 4, workScale: TINY });
    for (let i = 0; i < 5; i++) {
      venue.send(limitWith([1, Side.sell, 100, 10], { displayQty: lots(1) }));
    }
    expect(venue.send(buy(2, 40))).toBe(IN_PROGRESS);
    venue.exchange.skip(venue.seq + 1, venue.time, venue.seq);
    venue.send(buy(3, 4));
    finish(venue);
    const { ledger } = venue.exchange.state;
    const bought = ledger.balanceOf(3, 0, AccountCode.available);
    expect(Number(bought) - 1_000_000 * 10 ** 8).toBe(400);
  });

  test('thousands that wait behind it go on in their order, in few passes', () => {
    const venue = crowded();
    venue.send(buy(2, 8));
    // They rest, which is no work.
    for (let i = 0; i < 2_000; i++) venue.send(buy(2 + (i % 2), 1, { price: ticks(50) }));
    const { pending } = venue.exchange.state;
    expect(pending.count).toBe(2_001);
    const all = Object.getOwnPropertyDescriptor(PendingCommands.prototype, 'all')!;
    let passes = 0;
    const get = () => [passes++, all.get!.call(pending)][1];
    Object.defineProperty(pending, 'all', { get });
    const timers = venue.seq;
    const outcomes = finish(venue);
    expect([...outcomes.keys()]).toEqual(
      Array.from({ length: 2_001 }, (_, i) => timers - 2000 + i),
    );
    expect(venue.exchange.state.orders.countOf(2)).toBe(1_000);
    expect(passes).toBeLessThan(10 * (venue.seq - timers));
  });

  test('a later command of the account comes after it, in any instrument', () => {
    const venue = crowded();
    venue.send(buy(2, 10));
    expect(venue.send(buy(2, 1, { securityId: ETH_USDT }))).toBe(IN_PROGRESS);
    expect([...finish(venue).values()].every(({ ok }) => ok)).toBe(true);
  });

  test('a maker cannot cancel before it has traded', () => {
    const venue = crowded();
    const last = venue.exchange.state.orders.orderId(venue.exchange.state.orders.lastOf(1));
    venue.send(buy(2, 10));
    expect(venue.cancel(1, last)).toBe(IN_PROGRESS);
    const cancel = venue.seq;
    expect(finish(venue).get(cancel)).toMatchObject({
      ok: false,
      reject: { name: 'orderUnknown' },
    });
  });

  test('a market buy keeps the money that it may still spend', () => {
    const venue = crowded();
    const { ledger } = venue.exchange.state;
    venue.send(placeOrder({ uid: 2, side: Side.buy, ordType: OrdType.market, orderQty: lots(10) }));
    expect(ledger.balanceOf(2, 1, AccountCode.available)).toBe(amount(0));
    finish(venue);
    expect(ledger.balanceOf(2, 1, AccountCode.held)).toBe(amount(0));
  });

  test('fill-or-kill fills whole though a maker expires meanwhile', () => {
    const venue = crowded();
    const expireTime = venue.time + 5;
    const extras = { timeInForce: TimeInForce.goodTillDate, expireTime };
    venue.must(limitWith([3, Side.sell, 100, 2], extras));
    const fok = limitWith([2, Side.buy, 100, 12], { timeInForce: TimeInForce.fillOrKill });
    expect(venue.send(fok)).toBe(IN_PROGRESS);
    venue.time += 10;
    finish(venue);
    expect(venue.exchange.state.orders.size).toBe(0);
    expect(venue.exchange.state.ledger.balanceOf(2, 0, AccountCode.available)).toBe(
      amount(1_000_000 * 10 ** 8 + 1_200),
    );
  });

  test('an Idempotency-Key gets the answer once it is there', () => {
    const venue = crowded();
    const idempotency = { key: 'one', digest: 'body' };
    const signature = { keyId: 1, timestamp: venue.time, digestHigh: 1, digestLow: 2 };
    const order = { ...buy(2, 10), idempotency, signature } as Command;
    venue.send(order);
    const first = venue.seq;
    expect(venue.exchange.outcomeOfUsed(order as never)).toBeNull();
    expect(venue.send(order)).toBe(IN_PROGRESS);
    const outcomes = finish(venue);
    expect(outcomes.get(first)).toMatchObject({ ok: true, replayed: false });
    expect(outcomes.get(first + 1)).toMatchObject({ ok: true, replayed: true });
    expect(venue.exchange.state.orders.size).toBe(0);
  });
});

test('a mass cancel, which looks at all orders of its account, waits for work', () => {
  const venue = crowded();
  venue.must(buy(3, 1, { price: ticks(50) }));
  const clOrdId = 'all';
  const who = { uid: 3, signature: null, idempotency: null };
  const cancel: Command = { type: 'massCancel', ...who, securityId: ETH_USDT, clOrdId };
  const outcomes: Outcome[] = [];
  const firstSeq = venue.seq + 1;
  const { rules } = venue.exchange.state;
  venue.exchange.applyRecord(
    { firstSeq, rules, time: venue.time },
    [buy(2, 10), cancel],
    (_seq, _command, outcome) => outcomes.push(outcome),
  );
  expect(outcomes).toEqual([IN_PROGRESS, IN_PROGRESS]);
  const result = { clOrdId, canceled: 0 };
  expect(finish(venue).get(firstSeq + 1)).toMatchObject({ ok: true, result });
});

describe('a snapshot between two slices', () => {
  const replay = (from: Exchange, log: readonly TimedCommand[]): void => {
    for (const { time, command } of log) from.apply(from.state.seq + 1, time, command);
  };

  test('continues the match, and what waits for it', () => {
    const venue = crowded();
    const iceberg = { displayQty: lots(2) };
    for (const uid of [1, 3, 4]) venue.must(limitWith([uid, Side.sell, 101, 9], iceberg));
    venue.send(buy(2, 30, { price: ticks(101) }));
    venue.send(buy(3, 5));
    const commands = [buy(4, 2, { price: ticks(101) }), buy(2, 3)];
    for (let slice = 0; slice < 12; slice++) {
      const state = restore(snapshot(venue.exchange.state), new State(undefined, new Work(TINY)));
      const copy = new Exchange(state);
      expect(copy.state.stateHash()).toBe(venue.exchange.state.stateHash());
      const from = venue.log.length;
      if (commands.length > 0) venue.send(commands.shift()!);
      run(venue);
      replay(copy, venue.log.slice(from));
      expect(copy.state.stateHash()).toBe(venue.exchange.state.stateHash());
      expect(copy.events).toEqual([...venue.events]);
      checkInvariants(venue.exchange.state);
    }
    finish(venue);
    expect(venue.exchange.state.instruments[BTC_USDT]!.matching).toBeNull();
  });
});
