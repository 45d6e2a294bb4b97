// Plans that only take verified customers, and whether this person may subscribe.
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { useSession } from '../session/session.ts';

export const NEEDS_VERIFICATION =
  'Only for verified customers; ask the operator of this exchange to verify your identity.';

/** How often is looked whether the operator has verified somebody who waits for it, ms. */
const WAITING_MS = 10_000;

/** Whether the plan would refuse this person for not being verified. */
export function useIsBarred({ requiresKyc }: { readonly requiresKyc: boolean }): boolean {
  const { me } = useSession();
  const isBarred = requiresKyc && me !== null && !me.kyc;
  useLive(isBarred ? { ...feeds.me, every: WAITING_MS } : null);
  return isBarred;
}
