// One trade that reaches thousands of stops of several accounts: each command does a bounded part,
// others go on in between, and a restart goes on where the state was.
import { describe, expect, test } from 'bun:test';
import { ocoOf, reportsOf, stopOf } from '../../../test/support/order-types.ts';
import { BTC_USDT_TERMS, placeOrder, Venue } from '../../../test/support/venue.ts';
import type { Command } from '../command.ts';
import { Exchange } from '../exchange.ts';
import { ExecType, Side } from '../fix.ts';
import { checkInvariants } from '../invariants.ts';
import { IN_PROGRESS } from '../outcome.ts';
import { restore, snapshot } from '../snapshot.ts';
import { State } from '../state.ts';
import { amount, lots, ticks } from '../units.ts';

const ACCOUNTS = 8;
const EACH = 2_000;
const COUNT = ACCOUNTS * EACH;
const [SELLER, BUYER, OTHER] = [ACCOUNTS + 1, ACCOUNTS + 2, ACCOUNTS + 3];
const START = 1_000_000;
const STOP_PX = 900_000;
const ETH_USDT = 2;
const { buy, sell } = Side;

type Kind = readonly [name: string, place: (uid: number, n: number) => Command];

const trailing = (uid: number, stopPx: number, trail: number): Command =>
  stopOf([uid, sell, stopPx, 1], {}, { stopPx: ticks(stopPx), trail });

const KINDS: readonly Kind[] = [
  ['stops at one price', (uid) => stopOf([uid, sell, STOP_PX, 1])],
  ['stop limits at one price', (uid) => stopOf([uid, sell, STOP_PX, 1], { price: ticks(STOP_PX) })],
  ['take profits at one price', (uid) => stopOf([uid, buy, STOP_PX, 1], {}, falling())],
  ['stops at prices of their own', (uid, n) => stopOf([uid, sell, STOP_PX + n, 1])],
  [
    'stops of pairs',
    (uid) => ocoOf({ uid, side: sell, price: 2 * START, stopPx: STOP_PX, orderQty: 1 }),
  ],
  ['stops that begin to trail, by share', (uid) => trailing(uid, STOP_PX, 100)],
  ['stops that begin to trail, by ticks', (uid, n) => trailing(uid, STOP_PX, -1 - n)],
  ['stops that trail, by share', (uid) => trailing(uid, 0, 1_000)],
  ['stops that trail, each at a distance of its own', (uid, n) => trailing(uid, 0, -1 - n)],
];

const falling = () => ({ stopPx: ticks(STOP_PX), triggerPriceDirection: 2 }) as const;

/** Stops of one kind that the next trade reaches, and an instrument of others. */
function crowded([, place]: Kind): Venue {
  const venue = new Venue({ users: OTHER, btc: amount(1e12), usdt: amount(1e15) });
  venue.must({ type: 'createAsset', asset: 'ETH', scale: 8, fiat: false });
  venue.must({ ...BTC_USDT_TERMS, symbol: 'ETH-USDT', baseAsset: 'ETH' });
  venue.sell(SELLER, START, 1);
  venue.buy(BUYER, START, 1);
  for (let n = 0; n < COUNT; n++) venue.must(place(1 + (n % ACCOUNTS), n));
  venue.buy(BUYER, STOP_PX, 1);
  return venue;
}

const theTrade = placeOrder({ uid: SELLER, side: sell, price: ticks(STOP_PX), orderQty: lots(1) });
const runTimers: Command = { type: 'runTimers' };

/** A record does 2,000 units, each of one report or of two queues. The last may exceed them. */
const MOST_REPORTS = 2_010;
const MOST_QUEUES = 4_010;

/** Applies commands to a core that starts again from a snapshot before every fourth one. */
class RestartedCore {
  exchange: Exchange;
  #commands = 0;

  constructor(state: State) {
    this.exchange = new Exchange(restore(snapshot(state)));
  }

  apply(time: number, command: Command): void {
    if (this.#commands++ % 4 === 3) {
      this.exchange = new Exchange(restore(snapshot(this.exchange.state), new State()));
    }
    this.exchange.apply(this.exchange.state.seq + 1, time, command);
  }
}

describe.each(KINDS)('one trade reaches %s', (...kind) => {
  test('each command does a part, and the copies agree', () => {
    const venue = crowded(kind);
    const { exchange } = venue;
    const copy = new RestartedCore(exchange.state);
    const triggered: number[] = [];
    let commands = 0;
    let queues = 0;
    const send = (command: Command): void => {
      venue.send(command);
      copy.apply(venue.time, command);
      commands++;
      const reports = reportsOf(venue);
      expect(reports.length).toBeLessThan(MOST_REPORTS);
      for (const { execType, orderId } of reports) {
        if (execType === ExecType.triggered) triggered.push(orderId);
      }
      const due = exchange.state.due.entriesOf(exchange.state.instruments[1]!);
      const count = due.reduce((sum, one) => sum + ('levels' in one ? one.levels.length : 0), 0);
      expect(count - queues).toBeLessThan(MOST_QUEUES);
      queues = count;
    };
    send(theTrade);
    expect(exchange.work).toBe(1);
    while (exchange.nextTimer <= venue.time) {
      send(runTimers);
      // Another instrument goes on.
      const other = placeOrder({ uid: OTHER, side: buy, price: ticks(5), securityId: ETH_USDT });
      send({ ...other, orderQty: lots(1) });
    }
    expect(triggered.length).toBe(COUNT);
    expect(new Set(triggered).size).toBe(COUNT);
    expect(commands).toBeGreaterThan(10);
    expect(exchange.state.orders.countOf(OTHER)).toBe((commands - 1) / 2);
    expect(copy.exchange.state.stateHash()).toBe(exchange.state.stateHash());
    checkInvariants(exchange.state);
  });
});

test('while the stops move, commands of the pair wait, and the order ends after them', () => {
  const venue = crowded(KINDS[5]);
  const { exchange } = venue;
  expect(venue.send(theTrade)).toBe(IN_PROGRESS);
  const reports = reportsOf(venue).filter(({ uid }) => uid === SELLER);
  expect(reports.map(({ execType }) => execType)).toEqual([ExecType.new, ExecType.fill]);
  checkInvariants(exchange.state);
  const tradeSeq = venue.seq;
  const order = placeOrder({ uid: OTHER, side: buy, price: ticks(5), orderQty: lots(1) });
  expect(venue.send(order)).toBe(IN_PROGRESS);
  const mass = { type: 'massCancel', securityId: 0, clOrdId: 'all' } as const;
  const { canceled } = venue.must({ ...mass, uid: 1, signature: null, idempotency: null });
  expect(canceled).toBe(0);
  const completed: number[] = [];
  while (exchange.nextTimer <= venue.time) {
    venue.must(runTimers);
    completed.push(...exchange.completed.map(({ seq }) => seq));
    checkInvariants(exchange.state);
  }
  expect(completed).toEqual([tradeSeq, tradeSeq + 1]);
  expect(exchange.state.orders.countOf(1)).toBe(0);
  expect(exchange.state.orders.countOf(2)).toBe(EACH);
});

test('an order whose stops move can be set aside: they move in one piece', () => {
  const venue = crowded(KINDS[5]);
  const { exchange } = venue;
  venue.send(theTrade);
  const part = exchange.state.pending.all[0].seq;
  exchange.skip(venue.seq + 1, venue.time, part);
  expect(exchange.isBusy).toBe(false);
  checkInvariants(exchange.state);
});

test('thousands of segments of trailing stops become one in steps', () => {
  const venue = new Venue({ users: 3, workScale: 0.02, btc: amount(1e12), usdt: amount(1e15) });
  const { state } = venue.exchange;
  for (let n = 0; n < 1_000; n++) {
    venue.sell(2, START - n, 1);
    venue.buy(3, START - n, 1);
    venue.must(trailing(1, 0, 4_000));
  }
  const { segments } = state.instruments[1]!.triggers.of(2).trailing;
  expect(segments.length).toBe(1_000);
  venue.sell(2, START + 1, 1);
  venue.send(placeOrder({ uid: 3, side: buy, price: ticks(START + 1), orderQty: lots(1) }));
  const left: number[] = [];
  while (venue.exchange.isBusy) {
    left.push(state.instruments[1]!.triggers.of(2).trailing.segments.length);
    checkInvariants(state);
    venue.must(runTimers);
  }
  expect(left.length).toBeGreaterThan(10);
  expect(state.instruments[1]!.triggers.of(2).trailing.segments).toMatchObject([
    { best: START + 1 },
  ]);
  checkInvariants(state);
});
