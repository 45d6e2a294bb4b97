// The subscriptions view: one row a subscription, as its last change left it, also after it was
// redeemed. Interest is no change: until the next one, what it earned since is in the core and in
// the interest view.
import type { Database, Statement } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import { dayOf, type PlanType } from '../core/earn/plan.ts';
import type { SubscriptionStatus } from '../core/earn/subscription.ts';
import type { SubscriptionChanged } from '../core/event.ts';
import type { Amount } from '../core/units.ts';
import { MAX_PAGE_SIZE } from './id-walk.ts';
import type { InterestView } from './interest.ts';
import { fromSql, prepareInsert, type SqlAmount, type SqlValue, toSql } from './sqlite-values.ts';

/** One subscription, live or not. */
export interface SubscriptionQuery {
  readonly type: 'subscription';
  readonly applyId: number;
}

/** Subscriptions whose present or last term belongs to an enterprise, newest first. */
export interface EnterpriseSubscriptionsQuery {
  readonly type: 'enterpriseSubscriptions';
  readonly enterpriseId: number;
  readonly planType?: PlanType;
  readonly assetId?: number;
  /** From 1. */
  readonly page: number;
  /** 1 to MAX_PAGE_SIZE. */
  readonly size: number;
}

/** A subscription after its last change. */
export interface SubscriptionFacts extends Omit<SubscriptionChanged, 'type'> {
  /** The UTC day of its first interest entry, if it has any: the day after it was created. */
  readonly firstDay: number;
  /**
   * The day of its last entry, once it holds no principal; firstDay − 1 when it has none; null while
   * it earns.
   */
  readonly lastDay: number | null;
  /** The most principal that it held in its present or last term. */
  readonly maturityPrincipal: Amount;
}

export interface SubscriptionsPage {
  /** Subscriptions of all pages. */
  readonly total: number;
  readonly items: SubscriptionFacts[];
}

/** Name, type, and whether changes after the first may change it. */
const COLUMNS: readonly [name: string, type: string, changes: boolean][] = [
  ['applyId', 'INTEGER PRIMARY KEY', false],
  ['uid', 'INTEGER NOT NULL', false],
  ['planId', 'INTEGER NOT NULL', false],
  ['planType', 'INTEGER NOT NULL', false],
  ['assetId', 'INTEGER NOT NULL', false],
  ['enterpriseId', 'INTEGER NOT NULL', true],
  ['status', 'INTEGER NOT NULL', true],
  ['principal', 'ANY NOT NULL', true],
  ['redeeming', 'ANY NOT NULL', true],
  ['rate', 'INTEGER NOT NULL', true],
  ['margin', 'INTEGER NOT NULL', true],
  ['boosterRate', 'INTEGER NOT NULL', true],
  ['boosterAmount', 'ANY NOT NULL', true],
  ['lockDay', 'INTEGER NOT NULL', true],
  ['startDay', 'INTEGER NOT NULL', true],
  ['autoRenew', 'INTEGER NOT NULL', true],
  ['earned', 'ANY NOT NULL', true],
  ['marginEarned', 'ANY NOT NULL', true],
  ['createTime', 'INTEGER NOT NULL', false],
  ['transactTime', 'INTEGER NOT NULL', true],
  ['firstDay', 'INTEGER NOT NULL', false],
  ['lastDay', 'INTEGER', true],
  ['maturityPrincipal', 'ANY NOT NULL', true],
];

// The index has all that the enterprise's list is filtered by, so that counting and turning pages
// read no rows that are not returned.
export const SUBSCRIPTIONS_SCHEMA = `
  CREATE TABLE subscriptions (
    ${COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')}
  ) STRICT;
  CREATE INDEX subscriptionsOfEnterprise
    ON subscriptions (enterpriseId, applyId, planType, assetId) WHERE enterpriseId <> 0;
`;

interface SubscriptionRow {
  readonly applyId: number;
  readonly uid: number;
  readonly planId: number;
  readonly planType: PlanType;
  readonly assetId: number;
  readonly enterpriseId: number;
  readonly status: SubscriptionStatus;
  readonly principal: SqlAmount;
  readonly redeeming: SqlAmount;
  readonly rate: number;
  readonly margin: number;
  readonly boosterRate: number;
  readonly boosterAmount: SqlAmount;
  readonly lockDay: number;
  readonly startDay: number;
  readonly autoRenew: number;
  readonly earned: SqlAmount;
  readonly marginEarned: SqlAmount;
  readonly createTime: number;
  readonly transactTime: number;
  readonly firstDay: number;
  readonly lastDay: number | null;
  readonly maturityPrincipal: SqlAmount;
}

/** The last change of a subscription since the last flush. */
interface Change {
  readonly event: SubscriptionChanged;
  /** The most principal since the last flush, of the term that the event tells of. */
  readonly most: Amount;
}

export class SubscriptionsView {
  readonly #interest: InterestView;
  readonly #insert: Statement<unknown, SqlValue[]>;
  readonly #changed = new Map<number, Change>();
  readonly #byId: Statement<SubscriptionRow, SqlValue[]>;
  readonly #countOfEnterprise: Statement<{ total: number }, SqlValue[]>;
  readonly #idsOfEnterprise: Statement<{ applyId: number }, SqlValue[]>;

  constructor(db: Database, interest: InterestView) {
    this.#interest = interest;
    const changing = COLUMNS.filter(([, , changes]) => changes);
    const updates = changing.map(([name]) => `${name} = excluded.${name}`).join(', ');
    const conflict = `ON CONFLICT (applyId) DO UPDATE SET ${updates}`;
    const names = COLUMNS.map(([name]) => name);
    this.#insert = prepareInsert(db, 'subscriptions', names, conflict);
    this.#byId = db.prepare('SELECT * FROM subscriptions WHERE applyId = ?');
    const ofEnterprise = `FROM subscriptions INDEXED BY subscriptionsOfEnterprise
      WHERE enterpriseId = ? AND enterpriseId <> 0
      AND planType = coalesce(?, planType) AND assetId = coalesce(?, assetId)`;
    this.#countOfEnterprise = db.prepare(`SELECT count(*) AS total ${ofEnterprise}`);
    this.#idsOfEnterprise = db.prepare(
      `SELECT applyId ${ofEnterprise} ORDER BY applyId DESC LIMIT ? OFFSET ?`,
    );
  }

  record(event: SubscriptionChanged): void {
    const { applyId, startDay, principal } = event;
    const before = this.#changed.get(applyId);
    const sameTerm = before?.event.startDay === startDay;
    const most = sameTerm && before.most > principal ? before.most : principal;
    this.#changed.set(applyId, { event, most });
  }

  /** In the transaction of the batch, after the interest of the batch. */
  flush(): void {
    for (const { event, most } of this.#changed.values()) {
      const row = this.#byId.get(event.applyId);
      const stored = row?.startDay === event.startDay ? fromSql(row.maturityPrincipal) : most;
      const firstDay = dayOf(event.createTime) + 1;
      // What holds no principal never earns again.
      const lastDay =
        event.principal === 0
          ? (row?.lastDay ?? this.#interest.lastDay(event.applyId, firstDay))
          : null;
      this.#insert.run(
        event.applyId,
        event.uid,
        event.planId,
        event.planType,
        event.assetId,
        event.enterpriseId,
        event.status,
        toSql(event.principal),
        toSql(event.redeeming),
        event.rate,
        event.margin,
        event.boosterRate,
        toSql(event.boosterAmount),
        event.lockDay,
        event.startDay,
        event.autoRenew ? 1 : 0,
        toSql(event.earned),
        toSql(event.marginEarned),
        event.createTime,
        event.transactTime,
        firstDay,
        lastDay,
        toSql(stored > most ? stored : most),
      );
    }
    this.#changed.clear();
  }

  find(query: SubscriptionQuery): SubscriptionFacts | null {
    const row = this.#byId.get(query.applyId);
    return row === null ? null : factsOf(row);
  }

  /** One page. */
  ofEnterprise(query: EnterpriseSubscriptionsQuery): SubscriptionsPage {
    const { enterpriseId, planType = null, assetId = null, page, size } = query;
    assert(size >= 1 && size <= MAX_PAGE_SIZE, 'a page has 1 to 1000 rows');
    assert(page >= 1, 'pages count from 1');
    const { total } = this.#countOfEnterprise.get(enterpriseId, planType, assetId)!;
    const skipped = (page - 1) * size;
    if (skipped >= total) return { total, items: [] };
    const ids = this.#idsOfEnterprise.all(enterpriseId, planType, assetId, size, skipped);
    return { total, items: ids.map(({ applyId }) => factsOf(this.#byId.get(applyId)!)) };
  }
}

const factsOf = (row: SubscriptionRow): SubscriptionFacts => ({
  ...row,
  principal: fromSql(row.principal),
  redeeming: fromSql(row.redeeming),
  boosterAmount: fromSql(row.boosterAmount),
  autoRenew: row.autoRenew === 1,
  earned: fromSql(row.earned),
  marginEarned: fromSql(row.marginEarned),
  maturityPrincipal: fromSql(row.maturityPrincipal),
});
