// The services that routes use. node.ts creates them once; a route takes only those that it needs.
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import type { FollowerHandle } from '../engine/follower-handle.ts';
import type { SnapshotKey } from '../engine/snapshot-store.ts';
import type { Truncation } from '../engine/truncation.ts';
import type { Accounts } from '../identity/accounts/accounts.ts';
import type { Identity } from '../identity/identity.ts';
import type { ChainPoint } from '../journal/record.ts';
import type { ViewReader } from '../views/views.ts';
import type { RejectedLogins } from './auth/rejected-logins.ts';
import type { ClusterControl } from './cluster-control.ts';
import type { SharedAnswers } from './http/shared-answers.ts';
import type { Limits } from './limits/limits.ts';
import type { Availability, Load } from './limits/load.ts';
import type { Metrics } from './operations/metrics.ts';

/** The acts of an operator on the running node. */
interface NodeControl {
  /** The keys that authenticate snapshots, for threads that read them. */
  readonly snapshotKeys: readonly SnapshotKey[];
  /** Takes a snapshot now; resolves when it is durable. */
  snapshot(): Promise<{ readonly seq: number; readonly stateHash: string }>;
  /** The journal's durable head. */
  journalHead(): { readonly seq: number; readonly chainHash: string };
  readonly follower: Pick<FollowerHandle, 'appliedSeq' | 'lagMs' | 'status'>;
  /** Removes journal files before `archived` that no start without the archive needs. */
  truncateJournal(archived: ChainPoint): Promise<Truncation>;
}

export interface Services {
  readonly config: Config;
  readonly engine: Engine;
  readonly views: ViewReader;
  readonly identity: Identity;
  /** For the use cases of identity/accounts. */
  readonly accounts: Accounts;
  /** For public questions that cost more than a few microseconds. */
  readonly sharedAnswers: SharedAnswers;
  readonly node: NodeControl;
  /** null on a single machine. */
  readonly cluster: ClusterControl | null;
  readonly limits: Limits;
  readonly rejectedLogins: RejectedLogins;
  readonly load: Load;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** ready: new requests are served. */
  readonly availability: () => Availability;
}
