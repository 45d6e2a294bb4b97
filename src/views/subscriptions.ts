// The subscriptions view: one row a subscription, as its last change left it, also after it was
// redeemed. Interest is no change: until the next one, what it earned since is in the core and in
// the interest view.
import type { Database } from 'bun:sqlite';
import { dayOf } from '../core/calendar.ts';
import { integer, money, nullable } from '../core/codec.ts';
import type { PlanType } from '../core/earn/plan.ts';
import { SubscriptionStatus } from '../core/earn/subscription.ts';
import { SUBSCRIPTION_CHANGED, type SubscriptionChanged } from '../core/event.ts';
import type { Amount } from '../core/units.ts';
import type { InterestView } from './interest.ts';
import {
  type Insert,
  type PageOf,
  Pages,
  type PageTerms,
  type Reader,
  type RecordOf,
  Table,
} from './table.ts';

/** One subscription, live or not. */
export interface SubscriptionQuery {
  readonly type: 'subscription';
  readonly applyId: number;
}

/** Subscriptions whose current or last term belongs to an enterprise, newest first. */
export interface EnterpriseSubscriptionsQuery extends PageTerms {
  readonly type: 'enterpriseSubscriptions';
  readonly enterpriseId: number;
  readonly planType?: PlanType;
  readonly assetId?: number;
}

/** Redeemed subscriptions of a user, newest first. */
export interface EndedSubscriptionsQuery extends PageTerms {
  readonly type: 'endedSubscriptions';
  readonly uid: number;
}

export const SUBSCRIPTIONS = new Table(
  'subscriptions',
  {
    ...SUBSCRIPTION_CHANGED.fields,
    /** The UTC day of its first interest entry, if it has any: the day after it was created. */
    firstDay: integer,
    /**
     * The day of its last entry, once it holds no principal; firstDay − 1 when it has none; null
     * while it earns.
     */
    lastDay: nullable(integer),
    /** The maximum principal in its current or last term. */
    maturityPrincipal: money,
  },
  {
    rowId: 'applyId',
    constant: ['uid', 'planId', 'planType', 'assetId', 'createTime', 'firstDay'],
    // It has all filter columns of the enterprise's list, so a page reads no other rows.
    indexes: [
      `CREATE INDEX subscriptionsOfEnterprise
       ON subscriptions (enterpriseId, applyId, planType, assetId) WHERE enterpriseId <> 0`,
      `CREATE INDEX endedSubscriptions
       ON subscriptions (uid, applyId) WHERE status = ${SubscriptionStatus.redeemed}`,
    ],
  },
);

/** A subscription after its last change. */
export type SubscriptionFacts = RecordOf<typeof SUBSCRIPTIONS>;

/** The last change of a subscription since the last flush. */
interface Change {
  readonly event: SubscriptionChanged;
  /** The maximum principal since the last flush, in the term of the event. */
  readonly most: Amount;
}

export class SubscriptionsView {
  readonly #interest: InterestView;
  readonly #insert: Insert<SubscriptionFacts>;
  readonly #changed = new Map<number, Change>();
  readonly #byId: Reader<SubscriptionFacts>;
  readonly #ofEnterprise: Pages<SubscriptionFacts>;
  readonly #ended: Pages<SubscriptionFacts>;

  constructor(db: Database, interest: InterestView) {
    this.#interest = interest;
    this.#insert = SUBSCRIPTIONS.prepareInsert(db);
    this.#byId = SUBSCRIPTIONS.all.prepare(db, 'WHERE applyId = ?');
    this.#ofEnterprise = new Pages(
      db,
      SUBSCRIPTIONS,
      `INDEXED BY subscriptionsOfEnterprise
      WHERE enterpriseId = ? AND enterpriseId <> 0
      AND planType = coalesce(?, planType) AND assetId = coalesce(?, assetId)`,
    );
    this.#ended = new Pages(
      db,
      SUBSCRIPTIONS,
      `INDEXED BY endedSubscriptions
      WHERE uid = ? AND status = ${SubscriptionStatus.redeemed}`,
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
      const before = this.#byId.get(event.applyId);
      const stored = before?.startDay === event.startDay ? before.maturityPrincipal : most;
      const firstDay = dayOf(event.createTime) + 1;
      // A subscription without principal never earns again.
      const lastDay =
        event.principal === 0
          ? (before?.lastDay ?? this.#interest.lastDay(event.applyId, firstDay))
          : null;
      const maturityPrincipal = stored > most ? stored : most;
      this.#insert({ ...event, firstDay, lastDay, maturityPrincipal });
    }
    this.#changed.clear();
  }

  find(query: SubscriptionQuery): SubscriptionFacts | null {
    return this.#byId.get(query.applyId);
  }

  ofEnterprise(query: EnterpriseSubscriptionsQuery): PageOf<SubscriptionFacts> {
    const { enterpriseId, planType = null, assetId = null } = query;
    return this.#ofEnterprise.read(query, enterpriseId, planType, assetId);
  }

  ended(query: EndedSubscriptionsQuery): PageOf<SubscriptionFacts> {
    return this.#ended.read(query, query.uid);
  }
}
