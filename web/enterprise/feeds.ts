// The feeds of the enterprise page.
import type {
  CallOptions,
  MemberSubscription,
  MemberSubscriptionsRequest,
  PlanType,
} from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import type { Decimal } from '../exact/decimal.ts';
import type { Feed } from '../live/live.ts';
import { principalIn } from './margin.ts';

const own = <T>(key: Feed<T>['key'], every: number | null, read: Feed<T>['read']): Feed<T> => ({
  key: ['enterprise', ...key],
  every,
  read,
});

export const PAGE_SIZE = 20;
/** The maximum number of pages that an estimate reads, of 100 subscriptions each. */
const MAX_PAGES = 50;

export const enterpriseFeeds = {
  members: (query: MemberSubscriptionsRequest) =>
    own(
      ['members', query.planType ?? '', query.symbol ?? '', query.pageNum ?? 1],
      10_000,
      (options) => client.memberSubscriptions(query, options),
    ),
  margins: (asset: string | undefined, page: number) =>
    own(['margins', asset ?? '', page], 15_000, (options) =>
      client.margins(
        { ...(asset === undefined ? {} : { asset }), pageNum: page, pageSize: PAGE_SIZE },
        options,
      ),
    ),
  plans: own(['plans'], 60_000, (options) => client.plans(options)),
  principal: (planId: string, asset: string, planType: PlanType) =>
    own(['principal', planId], 30_000, (options) =>
      readPrincipal(planId, asset, planType, options),
    ),
} as const;

export interface Principal {
  readonly amount: Decimal;
  /** True if it counts every subscription, or only the newest. */
  readonly complete: boolean;
}

async function readPrincipal(
  planId: string,
  symbol: string,
  planType: PlanType,
  options: CallOptions,
): Promise<Principal> {
  const found: MemberSubscription[] = [];
  for (let pageNum = 1; pageNum <= MAX_PAGES; pageNum++) {
    const query = { symbol, planType, pageNum, pageSize: 100 };
    const { items, totalPage } = await client.memberSubscriptions(query, options);
    found.push(...items);
    if (pageNum >= totalPage) {
      return { amount: principalIn(found, planId), complete: true };
    }
  }
  return { amount: principalIn(found, planId), complete: false };
}
