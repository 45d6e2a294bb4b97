// The redemptions view: one row for each redemption, with the time of its credit once it has one.
import type { Database } from 'bun:sqlite';
import { integer, nullable } from '../core/codec.ts';
import { REPORTED_REDEMPTION } from '../core/earn/subscription.ts';
import { REDEMPTION_CHANGED, type RedemptionChanged } from '../core/event.ts';
import { MAX_PAGE_SIZE } from './id-walk.ts';
import { type Insert, type Reader, type RecordOf, Table } from './table.ts';

/** Redemptions of one subscription, newest first, at most MAX_PAGE_SIZE. */
export interface RedemptionsQuery {
  readonly type: 'redemptions';
  readonly applyId: number;
}

const REPORTED = Object.keys(
  REPORTED_REDEMPTION.fields,
) as (keyof typeof REPORTED_REDEMPTION.fields)[];

/** `creditTime`, ms, is null until the redemption is credited. */
export const REDEMPTIONS = new Table(
  'redemptions',
  { ...REDEMPTION_CHANGED.fields, creditTime: nullable(integer) },
  {
    rowId: 'redemptionId',
    constant: [...REPORTED, 'uid', 'assetId'],
    // An index ends with the rowid, which is the redemptionId.
    indexes: ['CREATE INDEX redemptionsOfSubscription ON redemptions (applyId)'],
  },
);
export type RedemptionFacts = RecordOf<typeof REDEMPTIONS>;

export class RedemptionsView {
  readonly #insert: Insert<RedemptionChanged>;
  /** The last change of each redemption since the last flush. */
  readonly #changed = new Map<number, RedemptionChanged>();
  readonly #ofSubscription: Reader<RedemptionFacts>;

  constructor(db: Database) {
    this.#insert = REDEMPTIONS.prepareInsert<RedemptionChanged>(db, {
      creditTime: ({ status, transactTime }) => (status === 2 ? transactTime : null),
    });
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
    for (const event of this.#changed.values()) this.#insert(event);
    this.#changed.clear();
  }

  find(query: RedemptionsQuery): RedemptionFacts[] {
    return this.#ofSubscription.all(query.applyId);
  }
}
