// The user's newest fills of a pair: those before the stream of orders began are read once, later
// ones come from its reports.
import { useMemo, useRef } from 'react';
import { feeds } from '../../../live/feeds.ts';
import { useLive } from '../../../live/live.ts';
import { useSession } from '../../../session/session.ts';
import { ownFillsFeed } from '../../feeds.ts';
import { NOTHING_REPORTED, type OwnFill, withReports } from './reported-fills.ts';

/** Oldest first; empty for a visitor, and until they are read. */
export function useOwnFills(symbol: string): readonly OwnFill[] {
  const isLoggedIn = useSession().state === 'loggedIn';
  const { data: news } = useLive(isLoggedIn ? feeds.orderNews : null);
  const { data: read } = useLive(isLoggedIn ? ownFillsFeed(symbol, news?.since ?? null) : null);
  const reported = useRef(NOTHING_REPORTED);
  if (news != null) reported.current = withReports(reported.current, news, symbol);
  const { fills } = news == null ? NOTHING_REPORTED : reported.current;
  return useMemo(() => (read === undefined ? fills : [...read, ...fills]), [read, fills]);
}
