// The interest view: one row for each subscription and day that it earned, never changed. The key
// begins with the day, so that closing a day, for however many subscriptions, writes at the end of
// the table only.
//
// A subscription's rows begin with the day after it was created and have no gap. A page of them is
// a range of days, and each day is one lookup by key: no query reads rows of other subscriptions.
import type { Database, Statement } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import { INTEREST_ENTRY, type InterestAccrued } from '../core/event.ts';
import {
  assertPage,
  NewRows,
  type PageOf,
  type PageTerms,
  type Reader,
  type RecordOf,
  type SqlValue,
  Table,
} from './table.ts';

/** Interest of one subscription, newest day first. */
export interface InterestQuery extends PageTerms {
  readonly type: 'interest';
  readonly applyId: number;
}

/** The interest of one subscription for one day. */
export interface InterestDayQuery {
  readonly type: 'interestDay';
  readonly applyId: number;
  /** A UTC day, counted from 1970-01-01. */
  readonly day: number;
}

/** A day's interest with all that it was computed from, as in InterestAccrued. */
export type InterestEntry = Omit<InterestAccrued, 'type' | 'transactTime'>;

export const INTEREST = new Table('interest', INTEREST_ENTRY.fields, { key: ['day', 'applyId'] });

/** The part of a subscription that its entries need. */
interface Subscriber {
  readonly uid: number;
  readonly assetId: number;
  readonly firstDay: number;
  readonly lastDay: number | null;
}

export class InterestView extends NewRows<InterestAccrued> {
  /** The last day that has rows; −1 when none has. */
  #newestDay: number;
  readonly #byKey: Reader<RecordOf<typeof INTEREST>>;
  readonly #exists: Statement<object, SqlValue[]>;
  readonly #subscriber: Statement<Subscriber, SqlValue[]>;

  constructor(db: Database) {
    super(INTEREST.prepareInsert(db));
    this.#byKey = INTEREST.all.prepare(db, 'WHERE day = ? AND applyId = ?');
    this.#exists = db.prepare('SELECT 1 FROM interest WHERE day = ? AND applyId = ?');
    this.#subscriber = db.prepare(
      'SELECT uid, assetId, firstDay, lastDay FROM subscriptions WHERE applyId = ?',
    );
    const newest = db
      .query<{ day: number }, []>('SELECT day FROM interest ORDER BY day DESC LIMIT 1')
      .get();
    this.#newestDay = newest?.day ?? -1;
  }

  override record(entry: InterestAccrued): void {
    super.record(entry);
    this.#newestDay = Math.max(this.#newestDay, entry.day);
  }

  /** One page; its total is 0 for an unknown subscription. */
  find(query: InterestQuery): PageOf<InterestEntry> {
    assertPage(query);
    const { applyId, page, size } = query;
    const subscriber = this.#subscriber.get(applyId);
    if (subscriber === null) return { total: 0, items: [] };
    const { firstDay } = subscriber;
    const lastDay = subscriber.lastDay ?? this.lastDay(applyId, firstDay);
    const newest = lastDay - (page - 1) * size;
    const items: InterestEntry[] = [];
    for (let day = newest; day >= firstDay && day > newest - size; day--) {
      const entry = this.#entry(subscriber, applyId, day);
      assert(entry !== null, 'the days of a subscription have no gap');
      items.push(entry);
    }
    return { total: lastDay - firstDay + 1, items };
  }

  /** The entry of one day, or null where there is none. */
  onDay(query: InterestDayQuery): InterestEntry | null {
    const { applyId, day } = query;
    const subscriber = this.#subscriber.get(applyId);
    return subscriber === null ? null : this.#entry(subscriber, applyId, day);
  }

  /**
   * The last day that the subscription has a row for, in the file and the open transaction; the day
   * before `firstDay` when it has none.
   */
  lastDay(applyId: number, firstDay: number): number {
    // A subscription that still earns has a row on the newest day, or a few days before while a
    // backlog of days is closed: so steps back from there double until they meet a row, and what
    // was passed is bisected.
    let without = this.#newestDay + 1;
    let last = this.#newestDay;
    for (let step = 1; last >= firstDay && !this.#has(applyId, last); step *= 2) {
      without = last;
      last -= step;
    }
    last = Math.max(last, firstDay - 1);
    while (without - last > 1) {
      const middle = Math.floor((last + without) / 2);
      if (this.#has(applyId, middle)) last = middle;
      else without = middle;
    }
    return last;
  }

  #has(applyId: number, day: number): boolean {
    return this.#exists.get(day, applyId) !== null;
  }

  #entry({ uid, assetId }: Subscriber, applyId: number, day: number): InterestEntry | null {
    const entry = this.#byKey.get(day, applyId);
    return entry === null ? null : { uid, assetId, ...entry };
  }
}
