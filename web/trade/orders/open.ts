// The open orders of the person at the page, for whatever shows them: the list, the book, the chart.
import type { Order } from '../../../src/sdk/index.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { useSession } from '../../session/session.ts';

/** Of all pairs, newest first; undefined for a visitor, and while they are not known. */
export function useOpenOrders(): readonly Order[] | undefined {
  const { state } = useSession();
  return useLive(state === 'loggedIn' ? feeds.openOrders : null).data?.data;
}
