// The statement against the core: whatever happens, opening balance + entries = closing balance =
// what the ledger says that the user owns.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import fc from 'fast-check';
import { ETH, tradedVenue } from '../../test/support/trading-workload.ts';
import { BTC, USDT, Venue } from '../../test/support/venue.ts';
import { storeOf, storeOfEvents, TemporaryDirectory } from '../../test/support/view-files.ts';
import type { CoreEvent, EarnMoved } from '../core/event.ts';
import { AccountCode } from '../core/ledger/account-code.ts';
import { type Amount, add, amount, RATE_ONE, ZERO } from '../core/units.ts';
import { FillsView } from './fills.ts';
import { MAX_CACHED_USERS, type StatementEntry, type StatementQuery } from './statement.ts';
import { type ViewStore, viewsPath } from './view-store.ts';

const USERS = 3;
const ASSETS = [BTC, USDT, ETH];

const owned = (venue: Venue, uid: number, assetId: number): Amount => {
  const { ledger } = venue.exchange.state;
  const available = ledger.balanceOf(uid, assetId, AccountCode.available);
  return add(available, ledger.balanceOf(uid, assetId, AccountCode.held));
};

const sum = (entries: readonly StatementEntry[]): Amount =>
  entries.reduce((total, entry) => add(total, entry.amount), ZERO);

const withFees = { makerFee: RATE_ONE / 1000, takerFee: RATE_ONE / 500 };

const randomVenue = (seed: number, steps: number): Venue =>
  tradedVenue(seed, steps, { users: USERS, terms: withFees });

/** All pages of a query. */
function statement(
  store: ViewStore,
  wanted: Partial<StatementQuery> & { uid: number },
): StatementEntry[] {
  const query: StatementQuery = {
    ...{ type: 'statement', order: 'oldestFirst', size: 1000 },
    ...wanted,
  };
  const found: StatementEntry[] = [];
  for (;;) {
    const lastEntryId = found.at(-1)?.entryId ?? query.lastEntryId;
    const page = store.statement.find({ ...query, lastEntryId });
    found.push(...page);
    if (page.length < query.size) return found;
  }
}

describe('any history', () => {
  test('sums to the balance of the ledger', () => {
    const run = fc.record({
      seed: fc.integer(),
      steps: fc.integer({ min: 0, max: 400 }),
      batch: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(run, ({ seed, steps, batch }) => {
        using directory = new TemporaryDirectory();
        const venue = randomVenue(seed, steps);
        const store = storeOf(venue, directory.path, batch);
        for (let uid = 1; uid <= USERS; uid++) {
          for (const assetId of ASSETS) {
            const entries = statement(store, { uid, assetId });
            expect(sum(entries)).toBe(owned(venue, uid, assetId));
            let balance: Amount = ZERO;
            const balances = entries.map((entry) => (balance = add(balance, entry.amount)));
            expect(entries.map((entry) => entry.balance)).toEqual(balances);
          }
        }
        store.close();
      }),
      { numRuns: 30 },
    );
  });
});

describe('one history', () => {
  let directory: TemporaryDirectory;
  let store: ViewStore;
  let venue: Venue;
  beforeAll(() => {
    directory = new TemporaryDirectory();
    venue = randomVenue(11, 3000);
    store = storeOf(venue, directory.path, 333);
  });
  afterAll(() => {
    store.close();
    directory[Symbol.dispose]();
  });

  test('opening + entries = closing in any window, and windows that meet share a balance', () => {
    const first = venue.log[0].time;
    const time = fc.integer({ min: first - 1, max: venue.time + 1 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: USERS }), time, time, (uid, a, b) => {
        const [start, end] = a < b ? [a, b] : [b, a];
        const window = { uid, start, end };
        const balances = store.statement.balances({ type: 'statementBalances', ...window });
        expect(balances.map(({ assetId }) => assetId)).toEqual(ASSETS);
        const before = store.statement.balances({ type: 'statementBalances', uid, end: start });
        for (const { assetId, opening, closing } of balances) {
          const entries = statement(store, { ...window, assetId });
          expect(add(opening, sum(entries))).toBe(closing);
          expect(before.find((balance) => balance.assetId === assetId)!.closing).toBe(opening);
          expect(entries.filter(({ time: at }) => at < start || at >= end)).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('pages of any size and order join to the whole', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: USERS }),
        fc.integer({ min: 1, max: 700 }),
        fc.option(fc.constantFrom(...ASSETS), { nil: undefined }),
        (uid, size, assetId) => {
          const whole = statement(store, { uid, assetId });
          const ids = whole.map(({ entryId }) => entryId);
          expect(ids).toEqual([...new Set(ids)].sort((x, y) => x - y));
          expect(statement(store, { uid, assetId, size })).toEqual(whole);
          const backwards = statement(store, { uid, assetId, size, order: 'newestFirst' });
          expect(backwards).toEqual(whole.toReversed());
        },
      ),
      { numRuns: 40 },
    );
    const parts = ASSETS.flatMap((assetId) => statement(store, { uid: 1, assetId }));
    expect(parts.sort((a, b) => a.entryId - b.entryId)).toEqual(statement(store, { uid: 1 }));
  });

  test('someone without money has no entries', () => {
    expect(statement(store, { uid: 99 })).toEqual([]);
    expect(store.statement.balances({ type: 'statementBalances', uid: 99 })).toEqual([]);
  });
});

test('a trade has the amounts given and received and the fee; a hold has no entry', () => {
  using directory = new TemporaryDirectory();
  const venue = new Venue({ users: 0, terms: withFees });
  const seller = venue.addUser(amount(1_000_000), amount(0));
  const buyer = venue.addUser(amount(0), amount(500_000));
  const maker = venue.sell(seller, 100, 2000);
  const taker = venue.buy(buyer, 100, 2000);
  venue.buy(buyer, 1, 2000);
  venue.transfer(buyer, USDT, amount(-1));
  const store = storeOf(venue, directory.path);
  const none = { transferId: null, reference: null, applyId: null };
  const common = { tradeId: 1, ...none, time: venue.time };
  const bought = { ...common, orderId: taker };
  expect(statement(store, { uid: buyer })).toMatchObject([
    { assetId: USDT, kind: 'credit', amount: 500_000, balance: 500_000, reference: 'transfer-2' },
    { ...bought, assetId: USDT, kind: 'trade', amount: -200_000, balance: 300_000 },
    { ...bought, assetId: BTC, kind: 'trade', amount: 200_000, balance: 200_000 },
    { ...bought, assetId: BTC, kind: 'fee', amount: -400, balance: 199_600 },
    { assetId: USDT, kind: 'debit', amount: -1, balance: 299_999, transferId: 3, orderId: null },
  ]);
  const sold = { ...common, orderId: maker };
  expect(statement(store, { uid: seller })).toMatchObject([
    { assetId: BTC, kind: 'credit', amount: 1_000_000, balance: 1_000_000 },
    { ...sold, assetId: BTC, kind: 'trade', amount: -200_000, balance: 800_000 },
    { ...sold, assetId: USDT, kind: 'trade', amount: 200_000, balance: 200_000 },
    { ...sold, assetId: USDT, kind: 'fee', amount: -200, balance: 199_800 },
  ]);
  store.close();
});

test('a transfer to or from earn is an entry; kinds are stored by permanent numbers', () => {
  using directory = new TemporaryDirectory();
  const [uid, transactTime] = [1, Date.UTC(2026, 0, 1)];
  const credit = (assetId: number, money: number): CoreEvent => ({
    type: 'fundsTransferred',
    transferId: assetId + 1,
    uid,
    assetId,
    amount: amount(money),
    reference: 'r',
    transactTime,
  });
  const moved = (kind: EarnMoved['kind'], assetId: number, money: number): CoreEvent => ({
    type: 'earnMoved',
    kind,
    applyId: 9,
    uid,
    assetId,
    amount: amount(money),
    transactTime,
  });
  const store = storeOfEvents(
    [
      [credit(USDT, 1000), credit(ETH, 50)],
      [moved('subscription', USDT, -1000), moved('boosterLock', ETH, -20)],
      [moved('interest', USDT, 7)],
      [
        moved('redemption', USDT, 1000),
        moved('forfeit', USDT, -7),
        moved('boosterReturn', ETH, 20),
      ],
    ],
    directory.path,
    2,
  );
  const usual = { time: transactTime, tradeId: null, orderId: null };
  const earn = { ...usual, transferId: null, reference: null, applyId: 9 };
  const inUsdt = { ...earn, assetId: USDT };
  const inEth = { ...earn, assetId: ETH };
  const expected: unknown[] = [
    { ...usual, entryId: 1, assetId: USDT, kind: 'credit', amount: 1000, balance: 1000 },
    { ...usual, entryId: 2, assetId: ETH, kind: 'credit', amount: 50, balance: 50 },
    { ...inUsdt, entryId: 3, kind: 'subscription', amount: -1000, balance: 0 },
    { ...inEth, entryId: 4, kind: 'boosterLock', amount: -20, balance: 30 },
    { ...inUsdt, entryId: 5, kind: 'interest', amount: 7, balance: 7 },
    { ...inUsdt, entryId: 6, kind: 'redemption', amount: 1000, balance: 1007 },
    { ...inUsdt, entryId: 7, kind: 'forfeit', amount: -7, balance: 1000 },
    { ...inEth, entryId: 8, kind: 'boosterReturn', amount: 20, balance: 50 },
  ];
  const entries = statement(store, { uid });
  expect(entries).toMatchObject(expected as StatementEntry[]);
  expect(entries).toHaveLength(expected.length);
  expect(entries[0].applyId).toBeNull();
  store.close();
  const db = new Database(viewsPath(directory.path), { readonly: true });
  const kinds = db.query<{ kind: number }, []>('SELECT kind FROM entries ORDER BY entryId').all();
  expect(kinds.map(({ kind }) => kind)).toEqual([1, 1, 5, 9, 7, 6, 8, 10]);
  db.close();
});

test('the balances of users in memory are bounded, and read again', () => {
  using directory = new TemporaryDirectory();
  const creditOf = (uid: number, transferId: number): CoreEvent => ({
    type: 'fundsTransferred',
    transferId,
    uid,
    assetId: USDT,
    amount: amount(5),
    reference: `r${transferId}`,
    transactTime: Date.UTC(2026, 0, 1),
  });
  const users = MAX_CACHED_USERS + 1;
  const first = Array.from({ length: users }, (_, n) => creditOf(n + 1, n + 1));
  using read = spyOn(FillsView.prototype, 'instrumentsOf');
  const store = storeOfEvents([first, [creditOf(users, users + 1)]], directory.path, 1);
  expect(read).toHaveBeenCalledTimes(users + 1);
  expect(statement(store, { uid: users }).map(({ balance }) => balance)).toEqual([
    amount(5),
    amount(10),
  ]);
  store.close();
});
