// What the earn pages read, and how fresh it is kept. All of it is below `earn`, so that a write can refresh it at once.
import { statement } from '../api/account.ts';
import * as earn from '../api/earn.ts';
import type { Decimal } from '../exact/decimal.ts';
import { feeds } from '../live/feeds.ts';
import { type Feed, useLive } from '../live/live.ts';
import { readOffers } from './offers.ts';
import { DAY_MS } from './progress.ts';
import { paidOfTerm } from './redemption.ts';

/** What a write of the earn area changes. */
export const AFFECTED = [['earn'], ['balances']] as const;

const own = <T>(key: Feed<T>['key'], every: number | null, read: Feed<T>['read']): Feed<T> => ({
  key: ['earn', ...key],
  every,
  read,
});

export const PAGE_SIZE = 20;
/** The most days that the exchange answers at once. */
const CHUNK = 100;

export const earnFeeds = {
  offers: (loggedIn: boolean) =>
    own(['offers', loggedIn ? 'own' : 'public'], 30_000, (signal) => readOffers(loggedIn, signal)),
  current: own(['current'], 5_000, earn.currentSubscriptions),
  subscription: (applyId: string) =>
    own(['subscription', applyId], 5_000, (signal) => earn.subscription(applyId, signal)),
  plan: (planId: string) => own(['plan', planId], 60_000, (signal) => earn.plan(planId, signal)),
  preview: (query: earn.PreviewQuery) =>
    own(['preview', query.planId, query.amount ?? '', query.day ?? ''], 60_000, (signal) =>
      earn.applyPreview(query, signal),
    ),
  interest: (applyId: string, page: number) =>
    own(['interest', applyId, page], 15_000, (signal) =>
      earn.interest(applyId, page, PAGE_SIZE, signal),
    ),
  /** The newest `count` days, newest first. */
  history: (applyId: string, count: number) =>
    own(['history', applyId, count], 30_000, (signal) => readHistory(applyId, count, signal)),
  explanation: (applyId: string, date: string) =>
    own(['explanation', applyId, date], null, (signal) => earn.explain(applyId, date, signal)),
  redeemPreview: (applyId: string, amount: Decimal) =>
    own(['redeemPreview', applyId, amount], 15_000, (signal) =>
      earn.redeemPreview(applyId, amount, signal),
    ),
  paidOfTerm: (subscription: earn.Subscription) =>
    own(['paidOfTerm', subscription.applyId, subscription.startDate], 15_000, (signal) =>
      readPaid(subscription, signal),
    ),
} as const;

async function readHistory(
  applyId: string,
  count: number,
  signal: AbortSignal,
): Promise<readonly earn.InterestEntry[]> {
  const first = await earn.interest(applyId, 1, CHUNK, signal);
  const pages = Math.min(Number(first.totalPage), Math.ceil(count / CHUNK));
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, pages - 1) }, (_, i) =>
      earn.interest(applyId, i + 2, CHUNK, signal),
    ),
  );
  return [first, ...rest].flatMap(({ items }) => items).slice(0, count);
}

/** The most pages of the statement that are read through. */
const STATEMENT_PAGES = 5;

/** What the running term has paid, from the statement; null where that is too long to be read here. */
async function readPaid(
  { applyId, startDate, coin }: earn.Subscription,
  signal: AbortSignal,
): Promise<Decimal | null> {
  const entries = [];
  let lastEntryId: string | null = null;
  for (let page = 0; page < STATEMENT_PAGES; page++) {
    const from = { asset: coin, startTime: Number(startDate) + DAY_MS, size: 1000 };
    const answer = await statement(lastEntryId === null ? from : { ...from, lastEntryId }, signal);
    entries.push(...answer.data);
    ({ lastEntryId } = answer.pagination);
    if (answer.data.length < from.size) return paidOfTerm(entries, { applyId, startDate });
  }
  return null;
}

/** Digits after the point of a coin's smallest unit; null while it is not known. */
export function useScale(coin: string): number | null {
  const { data } = useLive(feeds.assets);
  const scale = data?.find(({ asset }) => asset === coin)?.scale;
  return scale === undefined ? null : Number(scale);
}

/** Business time, epoch ms: what interest days go by. The sandbox's may be ahead of the clock. */
export function useNow(): number | null {
  const { data } = useLive(feeds.serverTime);
  return data === undefined ? null : Number(data.businessTime);
}
