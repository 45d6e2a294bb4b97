// The statement: for each user and asset, every change of the spot balance (available + held), with
// the balance after it. Holds are no entries, since money that is set aside for an order is still
// in it; what is subscribed to a plan has left it, and is an entry, until it comes back. Entries
// are never changed, so opening balance + entries = closing balance for every asset and every
// window.
//
// The entries of a trade are not stored: they follow from the rows of its fills (fills.ts), which
// have the balances and the number of the first entry.
import type { Database, Statement } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import { integer, money, nullable, text } from '../core/codec.ts';
import type { EarnMoved, FundsTransferred, Trade } from '../core/event.ts';
import { opposite, Side } from '../core/fix.ts';
import { type Amount, add, subtract, ZERO } from '../core/units.ts';
import type { FillRecord, FillsView } from './fills.ts';
import {
  assertPageSize,
  type IdTime,
  type IdWindow,
  idAtTime,
  idWindow,
  mergeRanges,
  NO_BOUND,
  type Range,
  type TimeWindow,
} from './id-walk.ts';
import { assetsOf, type Listings } from './listings.ts';
import { NewRows, type RecordOf, type Row, type SqlValue, Table } from './table.ts';

/** The purpose of an entry, as it is stored. Numbers are permanent. */
const KINDS = {
  credit: 1,
  debit: 2,
  trade: 3,
  fee: 4,
  subscription: 5,
  redemption: 6,
  interest: 7,
  forfeit: 8,
  boosterLock: 9,
  boosterReturn: 10,
} as const;
type EntryKind = keyof typeof KINDS;
const KIND_NAMES = new Map<number, EntryKind>(
  Object.entries(KINDS).map(([name, code]) => [code, name as EntryKind]),
);

/** A user's entries in one asset, or in all, in a window of time. */
export interface StatementQuery extends TimeWindow {
  readonly type: 'statement';
  readonly uid: number;
  readonly assetId?: number;
  readonly order: 'newestFirst' | 'oldestFirst';
  /** Continues after this entry, in the order of the query. */
  readonly lastEntryId?: number;
  /** 1 to MAX_PAGE_SIZE. */
  readonly size: number;
}

/** A user's spot balances before and after a window of time. */
export interface StatementBalancesQuery extends TimeWindow {
  readonly type: 'statementBalances';
  readonly uid: number;
  readonly assetId?: number;
}

/** One for each asset that the user ever had an entry in. */
export interface StatementBalance {
  readonly assetId: number;
  readonly opening: Amount;
  readonly closing: Amount;
}

export const ENTRIES = new Table(
  'entries',
  {
    uid: integer,
    assetId: integer,
    /** Grows with time over all users and assets. */
    entryId: integer,
    /** Business time, ms. */
    time: integer,
    kind: integer,
    /** Positive: received. Negative: given. */
    amount: money,
    /** The user's spot balance of the asset after the entry, held or free. */
    balance: money,
    transferId: nullable(integer),
    reference: nullable(text),
    applyId: nullable(integer),
  },
  { key: ['uid', 'assetId', 'entryId'] },
);
const ENTRY = ENTRIES.without('uid');

export interface StatementEntry extends Omit<ReturnType<typeof ENTRY.read>, 'kind'> {
  readonly kind: EntryKind;
  readonly tradeId: number | null;
  readonly orderId: number | null;
}

/** A change of a spot balance, before it has an entry's number and balance. */
type Movement = Omit<RecordOf<typeof ENTRIES>, 'entryId' | 'balance'>;

type TradeSide = Pick<FillRecord, 'maker' | 'uid' | 'orderId' | 'fee' | 'side'>;

/** Where a part of a user's entries is: those of an asset, or those of the fills in a pair. */
interface Source {
  /** Entries by their ids, in the order of the walk, and at most `limit` of them. */
  walk(window: IdWindow, limit: number, newestFirst: boolean): StatementEntry[];
  /** The first entry at `time` or later, or a greater id. */
  entryAt(time: number): number;
}

/** Balances of more users than this are not kept between batches: about 10 MB. */
export const MAX_CACHED_USERS = 50_000;

export class StatementView {
  readonly #listings: Listings;
  readonly #fills: FillsView;
  readonly #new: NewRows<RecordOf<typeof ENTRIES>>;
  /** The spot balances of users by assetId, as a cache. */
  readonly #balances = new Map<number, Amount[]>();
  #nextEntryId: number;
  readonly #forward: Statement<Row, SqlValue[]>;
  readonly #backward: Statement<Row, SqlValue[]>;
  readonly #nextAsset: Statement<{ assetId: number }, SqlValue[]>;
  readonly #atOrAfter: Statement<IdTime, SqlValue[]>;

  /** `nextEntryId` is as the last batch left it. */
  constructor(db: Database, listings: Listings, fills: FillsView, nextEntryId: number) {
    this.#listings = listings;
    this.#fills = fills;
    this.#nextEntryId = nextEntryId;
    this.#new = new NewRows(ENTRIES.prepareInsert(db));
    const walk = (direction: string): Statement<Row, SqlValue[]> =>
      db.prepare(
        `SELECT ${ENTRY.columns} FROM entries
         WHERE uid = ? AND assetId = ? AND entryId >= ? AND entryId < ?
         ORDER BY entryId ${direction} LIMIT ?`,
      );
    this.#forward = walk('ASC');
    this.#backward = walk('DESC');
    this.#nextAsset = db.prepare(
      'SELECT assetId FROM entries WHERE uid = ? AND assetId >= ? ORDER BY assetId LIMIT 1',
    );
    this.#atOrAfter = db.prepare(
      `SELECT entryId AS id, time FROM entries
       WHERE uid = ? AND assetId = ? AND entryId >= ? ORDER BY entryId LIMIT 1`,
    );
  }

  get nextEntryId(): number {
    return this.#nextEntryId;
  }

  recordTransfer(event: FundsTransferred): void {
    const { uid, assetId, amount, transferId, reference, transactTime: time } = event;
    const kind = amount > 0 ? KINDS.credit : KINDS.debit;
    this.#append({ uid, assetId, time, kind, amount, transferId, reference, applyId: null });
  }

  recordEarn(event: EarnMoved): void {
    const { uid, assetId, amount, applyId, transactTime: time } = event;
    const none = { transferId: null, reference: null };
    this.#append({ uid, assetId, time, kind: KINDS[event.kind], amount, applyId, ...none });
  }

  /** The taker's fill comes first. */
  recordTrade(trade: Trade): void {
    const { takerUid, takerOrderId, takerFee, takerSide, makerUid, makerOrderId, makerFee } = trade;
    const taker = { maker: false, uid: takerUid, orderId: takerOrderId, fee: takerFee };
    const maker = { maker: true, uid: makerUid, orderId: makerOrderId, fee: makerFee };
    this.#recordFill(trade, { ...taker, side: takerSide });
    this.#recordFill(trade, { ...maker, side: opposite(takerSide) });
  }

  /** A side gives, receives, and pays its fee out of what it received. */
  #recordFill(trade: Trade, { maker, uid, orderId, fee, side }: TradeSide): void {
    const { tradeId, securityId, price, quantity, baseAmount, quoteAmount, transactTime } = trade;
    const { base, quote } = assetsOf(this.#listings, securityId);
    const isBuy = side === Side.buy;
    const inBase = isBuy ? subtract(baseAmount, fee) : subtract(ZERO, baseAmount);
    const inQuote = isBuy ? subtract(ZERO, quoteAmount) : subtract(quoteAmount, fee);
    this.#fills.record({
      uid,
      securityId,
      tradeId,
      maker,
      orderId,
      side,
      price,
      quantity,
      baseAmount,
      quoteAmount,
      fee,
      baseBalance: this.#move(uid, base, inBase),
      quoteBalance: this.#move(uid, quote, inQuote),
      entryId: this.#nextEntryId,
      transactTime,
    });
    this.#nextEntryId += fee === 0 ? 2 : 3;
  }

  #append(movement: Movement): void {
    const { uid, assetId, amount } = movement;
    const balance = this.#move(uid, assetId, amount);
    this.#new.record({ ...movement, entryId: this.#nextEntryId++, balance });
  }

  /** Changes the user's spot balance and returns what it is then. */
  #move(uid: number, assetId: number, money: Amount): Amount {
    let own = this.#balances.get(uid);
    if (own === undefined) {
      own = [];
      this.#balances.set(uid, own);
    }
    const before = own[assetId] ?? this.#balanceBefore(uid, assetId, undefined);
    const balance = add(before, money);
    assert(balance >= 0, 'nobody has less than nothing');
    own[assetId] = balance;
    return balance;
  }

  /** In the transaction of the batch. */
  flush(): void {
    this.#new.flush();
    if (this.#balances.size > MAX_CACHED_USERS) this.#balances.clear();
  }

  /** One page. */
  find(query: StatementQuery): StatementEntry[] {
    const { uid, assetId, size, lastEntryId } = query;
    assertPageSize(size);
    const newestFirst = query.order === 'newestFirst';
    const ranges = this.#sources(uid, assetId).map((source): Range<StatementEntry> => {
      const { from, end } = idWindow(query, (time) => source.entryAt(time));
      return newestFirst
        ? (bound, limit) => source.walk({ from, end: Math.min(end, bound) }, limit, true)
        : (bound, limit) => source.walk({ from: Math.max(from, bound + 1), end }, limit, false);
    });
    const bound = lastEntryId ?? (newestFirst ? NO_BOUND : 0);
    const idOf = (entry: StatementEntry): number => entry.entryId;
    return mergeRanges({ ranges, idOf, newestFirst, bound, size });
  }

  /** In order of assetId. */
  balances({ uid, assetId, start, end }: StatementBalancesQuery): StatementBalance[] {
    return this.#assetsOf(uid)
      .filter((own) => own === (assetId ?? own))
      .map((own) => ({
        assetId: own,
        opening: start === undefined ? ZERO : this.#balanceBefore(uid, own, start),
        closing: this.#balanceBefore(uid, own, end),
      }));
  }

  /** The assets that the user has entries in, ascending. */
  #assetsOf(uid: number): number[] {
    const traded = this.#fills.instrumentsOf(uid).flatMap((securityId) => {
      const { base, quote } = assetsOf(this.#listings, securityId);
      return [base, quote];
    });
    return [...new Set([...this.#assetsMoved(uid), ...traded])].sort((a, b) => a - b);
  }

  /** The assets that the user has stored entries in, ascending. */
  #assetsMoved(uid: number): number[] {
    const found: number[] = [];
    for (let from = 0; ; ) {
      const row = this.#nextAsset.get(uid, from);
      if (row === null) return found;
      found.push(row.assetId);
      from = row.assetId + 1;
    }
  }

  /** The user's spot balance of the asset before this time; undefined: now. */
  #balanceBefore(uid: number, assetId: number, time: number | undefined): Amount {
    let last: StatementEntry | undefined;
    for (const source of this.#sources(uid, assetId)) {
      const end = time === undefined ? NO_BOUND : source.entryAt(time);
      const [entry] = source.walk({ from: 0, end }, 1, true);
      if (entry !== undefined && entry.entryId > (last?.entryId ?? 0)) last = entry;
    }
    return last?.balance ?? ZERO;
  }

  /** Every entry of the user in the asset, or in all, is in one of them. */
  #sources(uid: number, assetId: number | undefined): Source[] {
    const assets = assetId === undefined ? this.#assetsMoved(uid) : [assetId];
    const traded = this.#fills.instrumentsOf(uid).filter((securityId) => {
      const { base, quote } = assetsOf(this.#listings, securityId);
      return assetId === undefined || assetId === base || assetId === quote;
    });
    return [
      ...assets.map((own) => this.#moved(uid, own)),
      ...traded.map((securityId) => this.#traded(uid, securityId, assetId)),
    ];
  }

  #moved(uid: number, assetId: number): Source {
    const atOrAfter = (id: number) => this.#atOrAfter.get(uid, assetId, id);
    return {
      walk: ({ from, end }, limit, newestFirst) =>
        (newestFirst ? this.#backward : this.#forward)
          .all(uid, assetId, from, end, limit)
          .map(entryOf),
      entryAt: (time) => idAtTime(time, this.#nextEntryId, atOrAfter),
    };
  }

  /** The entries of fills, of one asset or of both. */
  #traded(uid: number, securityId: number, assetId: number | undefined): Source {
    const assets = assetsOf(this.#listings, securityId);
    return {
      walk: (window, limit, newestFirst) => {
        // Each fill makes an entry at least, but for those before the window, and one at its end.
        const walk = { newestFirst, limit: limit + 4 };
        return this.#fills
          .withEntries({ uid, securityId }, window, walk)
          .flatMap((fill) => {
            const entries = entriesOf(fill, assets);
            return newestFirst ? entries.reverse() : entries;
          })
          .filter(({ entryId }) => entryId >= window.from && entryId < window.end)
          .filter((entry) => entry.assetId === (assetId ?? entry.assetId))
          .slice(0, limit);
      },
      entryAt: (time) => this.#fills.entryAt(uid, securityId, time),
    };
  }
}

function entryOf(row: Row): StatementEntry {
  const entry = ENTRY.read(row);
  return { ...entry, kind: KIND_NAMES.get(entry.kind)!, tradeId: null, orderId: null };
}

/** The entries of a fill: the money given, the money received, and the fee unless it is 0. */
function entriesOf(
  fill: FillRecord,
  { base, quote }: ReturnType<typeof assetsOf>,
): StatementEntry[] {
  const { side, baseAmount, quoteAmount, baseBalance, quoteBalance, fee } = fill;
  const inBase = { assetId: base, amount: baseAmount, balance: baseBalance };
  const inQuote = { assetId: quote, amount: quoteAmount, balance: quoteBalance };
  const [given, received] = side === Side.buy ? [inQuote, inBase] : [inBase, inQuote];
  const { entryId, tradeId, orderId, transactTime: time } = fill;
  const none = { transferId: null, reference: null, applyId: null };
  const common = { time, tradeId, orderId, ...none };
  const entries: StatementEntry[] = [
    { ...common, ...given, entryId, kind: 'trade', amount: subtract(ZERO, given.amount) },
    {
      ...{ ...common, ...received },
      ...{ entryId: entryId + 1, kind: 'trade', balance: add(received.balance, fee) },
    },
  ];
  if (fee !== 0) {
    const paid = { kind: 'fee', amount: subtract(ZERO, fee) } as const;
    entries.push({ ...common, ...received, entryId: entryId + 2, ...paid });
  }
  return entries;
}
