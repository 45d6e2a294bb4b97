// If and why a node rejects writes: the same answer for load balancers, metrics, the
// command line and the console.
import type { Engine } from '../../engine/engine.ts';
import type { ClusterStatus } from '../cluster-control.ts';

/** `storageFull`: no room for the journal. `noLeader`: no node of the cluster leads. */
export type NotReady = 'storageFull' | 'noLeader';

/** Why a server does not serve yet; `waitingForDatabase`: also for room there, and its standby. */
export type StartReason = 'starting' | 'waitingForDatabase';

/** null while the node accepts writes; `cluster` is null on a single machine. */
export function notReadyReason(
  { storageFull }: Pick<Engine, 'storageFull'>,
  cluster: Pick<ClusterStatus, 'role'> | null,
): NotReady | null {
  if (cluster?.role === 'none') return 'noLeader';
  return storageFull ? 'storageFull' : null;
}
