// The feeds of the Earn pages. All keys start with `earn`, so that a write refreshes them together.
import type {
  CallOptions,
  LedgerEntry,
  LedgerRequest,
  PreviewApplyRequest,
  Redemption,
} from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import type { Decimal } from '../exact/decimal.ts';
import { DAY_MS } from '../exact/format.ts';
import { rereadOn, updatesFrom } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import { feeds } from '../live/feeds.ts';
import { feedsBelow, firstOf, useLive } from '../live/live.ts';
import { readOffers } from './offers.ts';
import { creditedOf, paidOfTerm, type Subscription } from './redemption.ts';

/** The feeds that an Earn write changes. */
export const AFFECTED = [['earn'], ['balances']] as const;

const own = feedsBelow('earn');

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
  ended: (page: number) =>
    own(
      ['ended', page],
      30_000,
      (options) => client.endedSubscriptions({ currentPage: page, pageSize: 10 }, options),
      rereadOn(channels.subscriptions),
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
      (options) => firstOf(client.allInterest({ applyId, pageSize: CHUNK }, options), count),
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

/** The interest that the running term paid; null if the statement is too long. */
async function readPaid(
  { applyId, startDate, coin }: Subscription,
  options: CallOptions,
): Promise<Decimal | null> {
  const window = { asset: coin, startTime: Number(startDate) + DAY_MS };
  const entries = await readEntries(window, options);
  return entries === null ? null : paidOfTerm(entries, { applyId, startDate });
}

/** The maximum number of statement entries to read. */
const MAX_ENTRIES = 5000;

/** The entries of a statement window; null if there are too many. */
async function readEntries(
  window: LedgerRequest,
  options: CallOptions,
): Promise<readonly LedgerEntry[] | null> {
  const entries = await firstOf(client.allLedgerEntries(window, options), MAX_ENTRIES + 1);
  return entries.length > MAX_ENTRIES ? null : entries;
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
