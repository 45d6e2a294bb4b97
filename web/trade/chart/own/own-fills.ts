// The user's newest fills of a pair.
import type { Fill } from '../../../../src/sdk/index.ts';
import { useLive } from '../../../live/live.ts';
import { useSession } from '../../../session/session.ts';
import { ownFillsFeed } from '../../feeds.ts';

/** Oldest first; empty for a visitor, and until they are read. */
export function useOwnFills(symbol: string): readonly Fill[] {
  const isLoggedIn = useSession().state === 'loggedIn';
  return useLive(isLoggedIn ? ownFillsFeed(symbol) : null).data ?? NONE;
}
const NONE: readonly Fill[] = [];
