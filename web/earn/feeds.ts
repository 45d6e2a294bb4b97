// The feeds of the Earn pages. All keys start with `earn`, so that a write refreshes them together.
import type {
  CallOptions,
  InterestEntry,
  LedgerEntry,
  LedgerRequest,
  PreviewApplyRequest,
  Redemption,
} from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import type { Decimal } from '../exact/decimal.ts';
import { DAY_MS } from '../exact/format.ts';
import { type FeedUpdates, rereadOn, updatesFrom } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import { feeds } from '../live/feeds.ts';
import { type Feed, useLive } from '../live/live.ts';
import { readOffers } from './offers.ts';
import { creditedOf, paidOfTerm, type Subscription } from './redemption.ts';

/** The feeds that an Earn write changes. */
export const AFFECTED = [['earn'], ['balances']] as const;

const own = <T>(
  key: Feed<T>['key'],
  every: number | null,
  read: Feed<T>['read'],
  updates?: FeedUpdates<T>,
): Feed<T> => ({
  key: ['earn', ...key],
  every,
  read,
  ...(updates === undefined ? {} : { updates }),
});

const PAGE_SIZE = 20;
/** The server's maximum page size. */
const CHUNK = 100;

export const earnFeeds = {
  offers: (loggedIn: boolean) =>
    own(['offers', loggedIn ? 'own' : 'public'], 30_000, (options) =>
      readOffers(loggedIn, options),
    ),
  current: own(
    ['current'],
    5_000,
    (options) => client.subscriptions(options),
    updatesFrom(channels.subscriptions, (current) => [...current.values()].toReversed()),
  ),
  subscription: (applyId: string) =>
    own(
      ['subscription', applyId],
      5_000,
      (options) => client.subscription({ applyId }, options),
      rereadOn(channels.subscriptions),
    ),
  plan: (planId: string) =>
    own(['plan', planId], 60_000, (options) => client.plan({ planId }, options)),
  preview: (query: PreviewApplyRequest & { readonly amount?: Decimal }) =>
    own(['preview', query.planId, query.amount ?? '', query.day ?? ''], 60_000, (options) =>
      client.previewApply(query, options),
    ),
  interest: (applyId: string, page: number) =>
    own(
      ['interest', applyId, page],
      15_000,
      (options) => client.interest({ applyId, currentPage: page, pageSize: PAGE_SIZE }, options),
      rereadOn(channels.interest),
    ),
  /** The newest `count` days, newest first. */
  history: (applyId: string, count: number) =>
    own(
      ['history', applyId, count],
      30_000,
      (options) => readHistory(applyId, count, options),
      rereadOn(channels.interest),
    ),
  explanation: (applyId: string, date: number) =>
    own(['explanation', applyId, date], null, (options) =>
      client.explainInterest({ applyId, date }, options),
    ),
  redeemPreview: (applyId: string, amount: Decimal) =>
    own(['redeemPreview', applyId, amount], 15_000, (options) =>
      client.previewRedeem({ applyId, amount }, options),
    ),
  paidOfTerm: (subscription: Subscription) =>
    own(['paidOfTerm', subscription.applyId, subscription.startDate], 15_000, (options) =>
      readPaid(subscription, options),
    ),
  credited: (subscription: Subscription, redemption: Redemption) =>
    own(['credited', subscription.applyId, redemption.createTime], null, (options) =>
      readCredited(subscription, redemption, options),
    ),
} as const;

async function readHistory(
  applyId: string,
  count: number,
  options: CallOptions,
): Promise<readonly InterestEntry[]> {
  const read = (currentPage: number) =>
    client.interest({ applyId, currentPage, pageSize: CHUNK }, options);
  const first = await read(1);
  const pages = Math.min(first.totalPage, Math.ceil(count / CHUNK));
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, pages - 1) }, (_, i) => read(i + 2)),
  );
  return [first, ...rest].flatMap(({ items }) => items).slice(0, count);
}

/** Looks for the credit of a redemption this long after it was due. */
const LATE_MS = DAY_MS;

/** The amount credited for an early redemption; null if it is not found. */
async function readCredited(
  { applyId, coin }: Subscription,
  { createTime, redeemLockTime }: Redemption,
  options: CallOptions,
): Promise<Decimal | null> {
  const due = Number(createTime) + redeemLockTime * (DAY_MS / 24);
  const window = { asset: coin, startTime: due, endTime: due + LATE_MS };
  const entries = await readEntries(window, options);
  return entries === null ? null : creditedOf(entries, applyId);
}

/** The maximum number of statement pages to read. */
const STATEMENT_PAGES = 5;

/** The interest that the running term paid; null if the statement is too long. */
async function readPaid(
  { applyId, startDate, coin }: Subscription,
  options: CallOptions,
): Promise<Decimal | null> {
  const window = { asset: coin, startTime: Number(startDate) + DAY_MS };
  const entries = await readEntries(window, options);
  return entries === null ? null : paidOfTerm(entries, { applyId, startDate });
}

/** The entries of a statement window; null if there are too many. */
async function readEntries(
  query: LedgerRequest,
  options: CallOptions,
): Promise<readonly LedgerEntry[] | null> {
  const from = { ...query, size: 1000 };
  const entries: LedgerEntry[] = [];
  let lastEntryId: number | null = null;
  for (let page = 0; page < STATEMENT_PAGES; page++) {
    const request = lastEntryId === null ? from : { ...from, lastEntryId };
    const answer = await client.ledger(request, options);
    entries.push(...answer.data);
    ({ lastEntryId } = answer.pagination);
    if (answer.data.length < from.size) return entries;
  }
  return null;
}

/** Decimals of the coin; null while they are unknown. */
export function useScale(coin: string): number | null {
  const { data } = useLive(feeds.assets);
  const scale = data?.find(({ asset }) => asset === coin)?.scale;
  return scale ?? null;
}

/** Business time, epoch ms, which interest days follow. A sandbox can be ahead of the clock. */
export function useNow(): number | null {
  const { data } = useLive(feeds.serverTime);
  return data?.businessTime ?? null;
}
