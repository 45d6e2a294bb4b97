// Plans for verified customers, and whether this customer can subscribe.
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { useSession } from '../session/session.ts';

export const NEEDS_VERIFICATION =
  'Only for verified customers. Ask the operator of this exchange to verify your identity.';

/** The interval of checks whether the operator verified the customer, ms. */
const WAITING_MS = 10_000;

/** Whether the plan rejects this customer as not verified. */
export function useIsBarred({ requiresKyc }: { readonly requiresKyc: boolean }): boolean {
  const { me } = useSession();
  const isBarred = requiresKyc && me !== null && !me.kyc;
  useLive(isBarred ? { ...feeds.me, every: WAITING_MS } : null);
  return isBarred;
}
