// The redemptions view: one row for each redemption, with the time of its credit once it has one.
import type { Database } from 'bun:sqlite';
import { integer, nullable } from '../core/codec.ts';
import { REPORTED_REDEMPTION } from '../core/earn/subscription.ts';
import { REDEMPTION_CHANGED, type RedemptionChanged } from '../core/event.ts';
import { MAX_PAGE_SIZE } from './id-walk.ts';
import { NewRows, type Reader, type RecordOf, Table } from './table.ts';

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

export class RedemptionsView extends NewRows<RedemptionChanged> {
  readonly #ofSubscription: Reader<RedemptionFacts>;

  constructor(db: Database) {
    const creditTime = ({ status, transactTime }: RedemptionChanged) =>
      status === 2 ? transactTime : null;
    super(REDEMPTIONS.prepareInsert<RedemptionChanged>(db, { creditTime }));
    this.#ofSubscription = REDEMPTIONS.all.prepare(
      db,
      `INDEXED BY redemptionsOfSubscription
       WHERE applyId = ? ORDER BY redemptionId DESC LIMIT ${MAX_PAGE_SIZE}`,
    );
  }

  find(query: RedemptionsQuery): RedemptionFacts[] {
    return this.#ofSubscription.all(query.applyId);
  }
}
