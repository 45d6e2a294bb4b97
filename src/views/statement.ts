// The statement: for each user and asset, every change of the spot balance (available + held), with
// the balance after it. Holds are no entries, since money that is set aside for an order is still
// in it; what is subscribed to a plan has left it, and is an entry, until it comes back. Entries
// are never changed, so opening balance + entries = closing balance for every asset and every
// window.
import type { Database, Statement } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import { integer, money, nullable, text } from '../core/codec.ts';
import type { EarnMoved, FundsTransferred, Trade } from '../core/event.ts';
import { Side } from '../core/fix.ts';
import { type Amount, add, subtract, ZERO } from '../core/units.ts';
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
import type { InstrumentsView } from './instruments.ts';
import { type Insert, type RecordOf, type Row, type SqlValue, Table } from './table.ts';

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
    tradeId: nullable(integer),
    orderId: nullable(integer),
    transferId: nullable(integer),
    reference: nullable(text),
    applyId: nullable(integer),
  },
  { key: ['uid', 'assetId', 'entryId'] },
);
const ENTRY = ENTRIES.without('uid');

export interface StatementEntry extends Omit<ReturnType<typeof ENTRY.read>, 'kind'> {
  readonly kind: EntryKind;
}

/** A change of a spot balance, before it has an entry's number and balance. */
type Movement = Omit<RecordOf<typeof ENTRIES>, 'entryId' | 'balance'>;

interface TradeSide {
  readonly uid: number;
  readonly orderId: number;
  readonly fee: Amount;
}

interface Money {
  readonly assetId: number;
  readonly money: Amount;
}

/** Balances of more users than this are not kept between batches: about 10 MB. */
export const MAX_CACHED_USERS = 50_000;

export class StatementView {
  readonly #instruments: InstrumentsView;
  readonly #insert: Insert<RecordOf<typeof ENTRIES>>;
  /** Rows that wait for the batch's transaction. */
  readonly #new: RecordOf<typeof ENTRIES>[] = [];
  /** The spot balances of users by assetId, as a cache. */
  readonly #balances = new Map<number, Amount[]>();
  #nextEntryId: number;
  readonly #forward: Statement<Row, SqlValue[]>;
  readonly #backward: Statement<Row, SqlValue[]>;
  readonly #nextAsset: Statement<{ assetId: number }, SqlValue[]>;
  readonly #atOrAfter: Statement<IdTime, SqlValue[]>;

  /** `nextEntryId` is as the last batch left it. */
  constructor(db: Database, instruments: InstrumentsView, nextEntryId: number) {
    this.#instruments = instruments;
    this.#nextEntryId = nextEntryId;
    this.#insert = ENTRIES.prepareInsert(db);
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
    this.#append({
      uid: event.uid,
      assetId: event.assetId,
      time: event.transactTime,
      kind: event.amount > 0 ? KINDS.credit : KINDS.debit,
      amount: event.amount,
      tradeId: null,
      orderId: null,
      transferId: event.transferId,
      reference: event.reference,
      applyId: null,
    });
  }

  recordEarn(event: EarnMoved): void {
    this.#append({
      uid: event.uid,
      assetId: event.assetId,
      time: event.transactTime,
      kind: KINDS[event.kind],
      amount: event.amount,
      tradeId: null,
      orderId: null,
      transferId: null,
      reference: null,
      applyId: event.applyId,
    });
  }

  /** The taker's entries come first. */
  recordTrade(trade: Trade): void {
    const { base, quote } = this.#instruments.assetsOf(trade.securityId);
    const inBase = { assetId: base, money: trade.baseAmount };
    const inQuote = { assetId: quote, money: trade.quoteAmount };
    const takerBuys = trade.takerSide === Side.buy;
    const takerGives = takerBuys ? inQuote : inBase;
    const takerGets = takerBuys ? inBase : inQuote;
    const { takerUid, takerOrderId, takerFee, makerUid, makerOrderId, makerFee } = trade;
    const taker = { uid: takerUid, orderId: takerOrderId, fee: takerFee };
    const maker = { uid: makerUid, orderId: makerOrderId, fee: makerFee };
    this.#appendSide(trade, taker, takerGives, takerGets);
    this.#appendSide(trade, maker, takerGets, takerGives);
  }

  /** A side gives, receives, and pays its fee out of what it received. */
  #appendSide(trade: Trade, side: TradeSide, gives: Money, gets: Money): void {
    const { uid, orderId, fee } = side;
    const { tradeId, transactTime: time } = trade;
    const none = { transferId: null, reference: null, applyId: null };
    const common = { uid, orderId, tradeId, time, ...none };
    const { trade: kind } = KINDS;
    const given = subtract(ZERO, gives.money);
    this.#append({ ...common, kind, assetId: gives.assetId, amount: given });
    this.#append({ ...common, kind, assetId: gets.assetId, amount: gets.money });
    if (fee === 0) return;
    const feePaid = subtract(ZERO, fee);
    this.#append({ ...common, kind: KINDS.fee, assetId: gets.assetId, amount: feePaid });
  }

  #append(movement: Movement): void {
    const { uid, assetId, amount } = movement;
    const balance = this.#move(uid, assetId, amount);
    this.#new.push({ ...movement, entryId: this.#nextEntryId++, balance });
  }

  /** Users whose balances are in memory. */
  get cachedUsers(): number {
    return this.#balances.size;
  }

  /** Changes the user's spot balance and returns what it is then. */
  #move(uid: number, assetId: number, money: Amount): Amount {
    let own = this.#balances.get(uid);
    if (own === undefined) {
      own = [];
      this.#balances.set(uid, own);
    }
    const before = own[assetId] ?? this.#balanceBefore(uid, assetId, NO_BOUND);
    const balance = add(before, money);
    assert(balance >= 0, 'nobody has less than nothing');
    own[assetId] = balance;
    return balance;
  }

  /** In the transaction of the batch. */
  flush(): void {
    for (const entry of this.#new) this.#insert(entry);
    this.#new.length = 0;
    if (this.#balances.size > MAX_CACHED_USERS) this.#balances.clear();
  }

  /** One page. */
  find(query: StatementQuery): StatementEntry[] {
    const { uid, size, lastEntryId } = query;
    assertPageSize(size);
    const newestFirst = query.order === 'newestFirst';
    const ranges = this.#assets(query).map((assetId): Range<Row> => {
      const { from, end } = this.#window(query, assetId);
      return newestFirst
        ? (bound, limit) => this.#backward.all(uid, assetId, from, Math.min(end, bound), limit)
        : (bound, limit) => this.#forward.all(uid, assetId, Math.max(from, bound + 1), end, limit);
    });
    const bound = lastEntryId ?? (newestFirst ? NO_BOUND : 0);
    const idOf = (row: Row): number => row.entryId as number;
    return mergeRanges({ ranges, idOf, newestFirst, bound, size }).map(entryOf);
  }

  /** In order of assetId. */
  balances(query: StatementBalancesQuery): StatementBalance[] {
    return this.#assets(query).map((assetId) => {
      const { from, end } = this.#window(query, assetId);
      return {
        assetId,
        opening: this.#balanceBefore(query.uid, assetId, from),
        closing: this.#balanceBefore(query.uid, assetId, end),
      };
    });
  }

  /** The assets that the query is about and the user has entries in, ascending. */
  #assets({ uid, assetId }: StatementQuery | StatementBalancesQuery): number[] {
    const found: number[] = [];
    for (let from = assetId ?? 0; ; ) {
      const row = this.#nextAsset.get(uid, from);
      if (row === null || (assetId !== undefined && row.assetId !== assetId)) return found;
      found.push(row.assetId);
      from = row.assetId + 1;
    }
  }

  /** The window as entryIds of one asset. */
  #window(query: StatementQuery | StatementBalancesQuery, assetId: number): IdWindow {
    return idWindow(query, (time) =>
      idAtTime(time, this.#nextEntryId, (id) => this.#atOrAfter.get(query.uid, assetId, id)),
    );
  }

  /** The user's spot balance of the asset before the entry with this id. */
  #balanceBefore(uid: number, assetId: number, entryId: number): Amount {
    const row = this.#backward.get(uid, assetId, 0, entryId, 1);
    return row === null ? ZERO : ENTRY.read(row).balance;
  }
}

function entryOf(row: Row): StatementEntry {
  const entry = ENTRY.read(row);
  return { ...entry, kind: KIND_NAMES.get(entry.kind)! };
}
