// The redemptions view: one row for each redemption, with the time of its credit once it has one.
import type { Database } from 'bun:sqlite';
import type { RedemptionChanged } from '../core/event.ts';
import { MAX_PAGE_SIZE } from './id-walk.ts';
import {
  changing,
  type InsertInto,
  integer,
  money,
  nullableInteger,
  type Reader,
  type RecordOf,
  rowId,
  Table,
} from './table.ts';

/** Redemptions of one subscription, newest first, at most MAX_PAGE_SIZE. */
export interface RedemptionsQuery {
  readonly type: 'redemptions';
  readonly applyId: number;
}

/** `creditTime`, ms, is null until the redemption is credited. */
export const REDEMPTIONS = new Table(
  'redemptions',
  {
    redemptionId: rowId(),
    applyId: integer(),
    uid: integer(),
    assetId: integer(),
    amount: money(),
    forfeited: money(),
    redeemLockHours: integer(),
    status: changing(integer<1 | 2>()),
    createTime: integer(),
    creditTime: changing(nullableInteger()),
  },
  // An index ends with the rowid, which is the redemptionId.
  { indexes: ['CREATE INDEX redemptionsOfSubscription ON redemptions (applyId)'] },
);
export type RedemptionFacts = RecordOf<typeof REDEMPTIONS>;

export class RedemptionsView {
  readonly #insert: InsertInto<typeof REDEMPTIONS>;
  /** The last change of each redemption since the last flush. */
  readonly #changed = new Map<number, RedemptionChanged>();
  readonly #ofSubscription: Reader<RedemptionFacts>;

  constructor(db: Database) {
    this.#insert = REDEMPTIONS.prepareInsert(db);
    this.#ofSubscription = REDEMPTIONS.all.prepare(
      db,
      `INDEXED BY redemptionsOfSubscription
       WHERE applyId = ? ORDER BY redemptionId DESC LIMIT ${MAX_PAGE_SIZE}`,
    );
  }

  record(event: RedemptionChanged): void {
    this.#changed.set(event.redemptionId, event);
  }

  /** In the transaction of the batch. */
  flush(): void {
    for (const event of this.#changed.values()) {
      const creditTime = event.status === 2 ? event.transactTime : null;
      this.#insert({ ...event, creditTime });
    }
    this.#changed.clear();
  }

  find(query: RedemptionsQuery): RedemptionFacts[] {
    return this.#ofSubscription.all(query.applyId);
  }
}
