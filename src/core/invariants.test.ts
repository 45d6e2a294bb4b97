// Each invariant is broken on purpose and must be named: a check that never fails proves nothing.
// Then a busy venue, where they hold after every command.
import { describe, expect, test } from 'bun:test';
import { BTC, BTC_USDT, USDT, Venue } from '../../test/support/venue.ts';
import { InvariantError } from './assert.ts';
import { Side } from './fix.ts';
import { checkInvariants } from './invariants.ts';
import { AccountCode } from './ledger/account-code.ts';
import { VENUE } from './ledger/ledger.ts';
import type { State } from './state.ts';
import { hold, release } from './trading/holds.ts';
import { amount, lots, ticks } from './units.ts';

/** Two bids at 100, one at 99 and an ask at 110; returns the slots of the bids. */
function quoted(): { state: State; slots: number[]; venue: Venue } {
  const venue = new Venue();
  const ids = [venue.buy(1, 100, 5), venue.buy(2, 100, 6), venue.buy(1, 99, 7)];
  venue.sell(2, 110, 8);
  const { state } = venue.exchange;
  return { state, venue, slots: ids.map((id) => state.orders.find(id)) };
}

const bookOf = (state: State) => state.instruments[BTC_USDT]!.book;

/** A new order of one lot. */
const stored = (uid: number, orderId: number, price: number, side: Side = Side.buy) => ({
  terms: {
    uid,
    securityId: BTC_USDT,
    side,
    price: ticks(price),
    orderQty: lots(1),
    postOnly: false,
    clOrdId: '',
  },
  orderId,
  cumQty: lots(0),
  cumQuote: amount(0),
  details: null,
});

const BREAKS: readonly [rule: string, sabotage: (state: State, slots: number[]) => void][] = [
  [
    'all balances of an asset sum to zero',
    ({ ledger }) => {
      const code = AccountCode.feeRevenue;
      ledger.restore({ owner: VENUE, assetId: BTC, code, balance: amount(1) });
    },
  ],
  [
    'a volume is counted for a table',
    ({ feeTiers }) => feeTiers.restore({ uid: 1, day: 1, volume: amount(1) }),
  ],
  ['an account is of a listed asset', (state) => state.assets.pop()],
  ['holds equal open orders', (state) => release(state, 1, USDT, amount(1))],
  ['holds equal open orders', (state) => hold(state, 1, BTC, amount(1))],
  ['a level sums what its orders show', (state) => bookOf(state).reduce(0, lots(1))],
  [
    'a level sums what its orders show',
    (state, [slot]) => state.orders.fill(slot, lots(1), amount(100)),
  ],
  [
    'an order has a filled amount exactly with a filled quantity',
    (state, [slot]) => state.orders.fill(slot, lots(1), amount(0)),
  ],
  [
    'what an order leaves is above zero and at most its quantity',
    (state, [slot]) => state.orders.fill(slot, lots(5), amount(500)),
  ],
  ['a queue is linked in both directions', (state, [, slot]) => state.orders.setPrevious(slot, -1)],
  ['an order knows its level', (state, [slot]) => state.orders.setLevel(slot, 1)],
  ['a queue ends with its last order', (state, [slot]) => state.orders.setNext(slot, -1)],
  ['every stored order is in a queue', (state) => void state.orders.add(stored(1, 50, 90), 0)],
  ['every stored order is in a queue', (state, [slot]) => bookOf(state).remove(slot)],
  [
    'the book is not crossed',
    (state) => bookOf(state).add(state.orders.add(stored(1, 50, 100, Side.sell), 0)),
  ],
  [
    'a queue is in order of priority',
    (state, [slot]) => {
      bookOf(state).remove(slot);
      bookOf(state).add(slot);
    },
  ],
  ['a level has the price of its place', (state) => misplace(state)],
  [
    'counters are above every id in use',
    (state) => {
      state.next.orderId = 4;
    },
  ],
  [
    'counters are above every id in use',
    (state) => {
      state.next.transferId = 1;
    },
  ],
  [
    'a counter is a natural number',
    (state) => {
      state.next.execId = 0.5;
    },
  ],
  [
    'nothing was created in the future',
    (state) => {
      state.time = 0;
    },
  ],
  [
    'the state hash is that of the facts',
    (state) => {
      state.hash.begin(0);
      state.hash.number(5);
      state.hash.add();
    },
  ],
];

/** A second place in the ladder for the level of the best bid. */
function misplace(state: State): void {
  const ladder = bookOf(state).ladder(Side.buy);
  ladder.remove(ticks(99));
  ladder.insert(ticks(98), ladder.best());
}

describe('a broken invariant is named', () => {
  test('and a venue as it should be has none', () => {
    const { state } = quoted();
    checkInvariants(state);
    expect(state.orders.size).toBe(4);
  });

  BREAKS.forEach(([rule, sabotage], i) => {
    test(`${i + 1} ${rule}`, () => {
      const { state, slots } = quoted();
      sabotage(state, slots);
      expect(() => checkInvariants(state)).toThrow(InvariantError);
      expect(() => checkInvariants(state)).toThrow(rule);
    });
  });

  test('an owner overdrawn is rejected by the ledger itself', () => {
    const { state } = quoted();
    expect(() => release(state, 1, BTC, amount(1))).toThrow('no customer is overdrawn');
  });
});
