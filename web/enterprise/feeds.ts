// The feeds of the enterprise page.
import type {
  CallOptions,
  MemberSubscription,
  MemberSubscriptionsRequest,
} from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { feedsBelow } from '../live/live.ts';

const own = feedsBelow('enterprise');

export const PAGE_SIZE = 20;
/** The maximum number of pages that totals read, of 100 subscriptions each. */
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
  all: own(['all'], 30_000, readAll),
} as const;

export interface AllSubscriptions {
  readonly items: readonly MemberSubscription[];
  /** False if there are more: these are the newest. */
  readonly isComplete: boolean;
}

async function readAll(options: CallOptions): Promise<AllSubscriptions> {
  const items: MemberSubscription[] = [];
  for (let pageNum = 1; pageNum <= MAX_PAGES; pageNum++) {
    const page = await client.memberSubscriptions({ pageNum, pageSize: 100 }, options);
    items.push(...page.items);
    if (pageNum >= page.totalPage) return { items, isComplete: true };
  }
  return { items, isComplete: false };
}
