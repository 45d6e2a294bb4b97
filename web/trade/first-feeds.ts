// The feeds that the trade page shows first, which are read while its code is still being loaded.
import { feeds } from '../live/feeds.ts';
import type { Feed } from '../live/live.ts';
import { stored } from '../session/stored.ts';
import { decoded } from '../shell/decoded.ts';
import { BOOK_DEPTH } from './book/rows.ts';

/** The symbol of the pair that was shown last. */
export const lastVisited = stored(localStorage, 'agio.pair');

/** The feeds of a path below /trade. A symbol that does not exist is rejected, as on the page. */
export function firstFeeds(named: string | undefined): readonly Feed<unknown>[] {
  const symbol = named === undefined ? lastVisited.get() : decoded(named).toUpperCase();
  const { instruments, assets, tickers, book, trades } = feeds;
  if (symbol === null) return [instruments, assets, tickers];
  return [instruments, assets, tickers, book(symbol, BOOK_DEPTH), trades(symbol)];
}
