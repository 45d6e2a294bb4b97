// The user's fills of a pair as the stream of orders reports them.
import type { Fill, Order } from '../../../../src/sdk/index.ts';
import { isPositive, multiply } from '../../../exact/decimal.ts';
import type { OrderNews } from '../../../live/channels.ts';
import { reportsAfter } from '../../../shell/fill-history.ts';

export type OwnFill = Pick<Fill, 'transactTime' | 'side' | 'quantity' | 'quoteAmount'>;

/** The reports of a stream so far; the stream itself has only the last ones. */
export interface FillReport {
  readonly since: number | null;
  readonly execId: number | null;
  readonly fills: readonly OwnFill[];
}

export const NOTHING_REPORTED: FillReport = { since: null, execId: null, fills: [] };

const fillOf = ({ transactTime, side, lastQty, lastPx }: Order): OwnFill => ({
  transactTime,
  side,
  quantity: lastQty,
  quoteAmount: multiply(lastPx, lastQty),
});

/** Adds the reports of a pair that are news; a stream that begins again starts without any. */
export function withReports(
  known: FillReport,
  news: Pick<OrderNews, 'since' | 'reports'>,
  symbol: string,
): FillReport {
  const { since } = news;
  const before = known.since === since ? known : { ...NOTHING_REPORTED, since };
  const reports = reportsAfter(news.reports, before.execId);
  if (reports.length === 0) return before;
  const added = reports
    .filter((report) => report.symbol === symbol && isPositive(report.lastQty))
    .map(fillOf);
  const execId = reports.at(-1)!.execId;
  return {
    since,
    execId,
    fills: added.length === 0 ? before.fills : [...before.fills, ...added],
  };
}
