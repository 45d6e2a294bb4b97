// The redemptions view: one row for each redemption that was asked for, with the time of its credit
// once it has one.
import type { Database, Statement } from 'bun:sqlite';
import type { RedemptionChanged } from '../core/event.ts';
import type { Amount } from '../core/units.ts';
import { MAX_PAGE_SIZE } from './id-walk.ts';
import { fromSql, prepareInsert, type SqlAmount, type SqlValue, toSql } from './sqlite-values.ts';

/** Redemptions of one subscription, newest first, at most MAX_PAGE_SIZE. */
export interface RedemptionsQuery {
  readonly type: 'redemptions';
  readonly applyId: number;
}

export interface RedemptionFacts {
  readonly redemptionId: number;
  readonly applyId: number;
  readonly uid: number;
  readonly assetId: number;
  /** What was asked for, in units of the asset. */
  readonly amount: Amount;
  /** What of it was taken back for interest that had been paid. */
  readonly forfeited: Amount;
  readonly redeemLockHours: number;
  /** Asked for (1), or credited (2). */
  readonly status: 1 | 2;
  /** Business time, ms. */
  readonly createTime: number;
  /** Business time, ms; null until it is credited. */
  readonly creditTime: number | null;
}

// An index of a table ends with its rowid, which is the redemptionId.
export const REDEMPTIONS_SCHEMA = `
  CREATE TABLE redemptions (
    redemptionId INTEGER PRIMARY KEY,
    applyId INTEGER NOT NULL,
    uid INTEGER NOT NULL,
    assetId INTEGER NOT NULL,
    amount ANY NOT NULL,
    forfeited ANY NOT NULL,
    redeemLockHours INTEGER NOT NULL,
    status INTEGER NOT NULL,
    createTime INTEGER NOT NULL,
    creditTime INTEGER
  ) STRICT;
  CREATE INDEX redemptionsOfSubscription ON redemptions (applyId);
`;

const COLUMNS = [
  'redemptionId',
  'applyId',
  'uid',
  'assetId',
  'amount',
  'forfeited',
  'redeemLockHours',
  'status',
  'createTime',
  'creditTime',
] as const;

type RedemptionRow = Omit<RedemptionFacts, 'amount' | 'forfeited'> & {
  readonly amount: SqlAmount;
  readonly forfeited: SqlAmount;
};

export class RedemptionsView {
  readonly #insert: Statement<unknown, SqlValue[]>;
  /** The last change of each redemption since the last flush. */
  readonly #changed = new Map<number, RedemptionChanged>();
  readonly #ofSubscription: Statement<RedemptionRow, SqlValue[]>;

  constructor(db: Database) {
    this.#insert = prepareInsert(
      db,
      'redemptions',
      COLUMNS,
      `ON CONFLICT (redemptionId) DO UPDATE
       SET status = excluded.status, creditTime = excluded.creditTime`,
    );
    this.#ofSubscription = db.prepare(
      `SELECT ${COLUMNS.join(', ')} FROM redemptions INDEXED BY redemptionsOfSubscription
       WHERE applyId = ? ORDER BY redemptionId DESC LIMIT ${MAX_PAGE_SIZE}`,
    );
  }

  record(event: RedemptionChanged): void {
    this.#changed.set(event.redemptionId, event);
  }

  /** In the transaction of the batch. */
  flush(): void {
    for (const event of this.#changed.values()) {
      this.#insert.run(
        event.redemptionId,
        event.applyId,
        event.uid,
        event.assetId,
        toSql(event.amount),
        toSql(event.forfeited),
        event.redeemLockHours,
        event.status,
        event.createTime,
        event.status === 2 ? event.transactTime : null,
      );
    }
    this.#changed.clear();
  }

  find(query: RedemptionsQuery): RedemptionFacts[] {
    return this.#ofSubscription.all(query.applyId).map((row) => ({
      ...row,
      amount: fromSql(row.amount),
      forfeited: fromSql(row.forfeited),
    }));
  }
}
