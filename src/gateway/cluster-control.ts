// The cluster, as the gateway of one of its nodes uses it.

/** `none`: nobody leads, or it is not known who. */
export type ClusterRole = 'leader' | 'follower' | 'none';

export interface ClusterNode {
  readonly node: string;
  /** Where the other nodes reach its link, as host:port. */
  readonly address: string;
  readonly role: 'leader' | 'follower';
  /** The last seq that it has applied, as the leader knows it. */
  readonly seq: number;
  /** Wall clock, ms; null for the node itself. */
  readonly connectedSince: number | null;
}

/** A node as the store knows it, connected or not. */
export interface ClusterMember {
  readonly node: string;
  readonly address: string;
  readonly release: string;
  /** The newest version of the core's rules that it reads. */
  readonly newestRules: number;
  /** When it last said that it runs, ms since 1970. */
  readonly seenAt: number;
  readonly isStopped: boolean;
  readonly isRunning: boolean;
}

/** The effect of raising the rules. */
export interface ClusterUpgrade {
  readonly from: number;
  readonly to: number;
  /** The members that do not read them; nothing is raised while there are any. */
  readonly older: readonly ClusterMember[];
}

export interface ClusterStatus {
  readonly node: string;
  readonly role: ClusterRole;
  /** The last known term. */
  readonly epoch: number;
  readonly leader: { readonly node: string; readonly address: string } | null;
  /** When the present leader's term began, wall clock, ms. */
  readonly since: number | null;
  /** On the leader all connected nodes, itself first; elsewhere only the node itself. */
  readonly nodes: readonly ClusterNode[];
  /** All nodes that the store knows, by name. */
  readonly members: readonly ClusterMember[];
  /** False once this node has not seen the store for some seconds, nor any member there. */
  readonly seesStore: boolean;
  /** Why this node neither leads nor follows, as a sentence of its log; null while it does. */
  readonly trouble: string | null;
  /** The version of the core's rules of the next record. */
  readonly rules: number;
  /** The standbys of the database, now and at most since the start of this node. */
  readonly standbys: { readonly now: number; readonly most: number };
  /** The nodes whose operator token is not that of this one. */
  readonly otherTokens: readonly string[];
}

export interface ClusterControl {
  /** True if this node leads. Only the leader writes identity. */
  readonly leads: boolean;
  /**
   * The leader's answer to a request that came from `peer`. Rejects with an EngineError where there
   * is no leader, or where it was lost before its answer.
   */
  relay(request: Request, peer: string): Promise<Response>;
  /**
   * Resolves once this node has all of identity that the leader had when it was called. Rejects
   * with an EngineError where there is no leader.
   */
  syncIdentity(): Promise<void>;
  /**
   * Resolves once this node has every command that has an answer, and of those with an unknown
   * outcome every one that will ever be in the journal. Rejects with an EngineError where nobody
   * leads.
   */
  settle(): Promise<void>;
  status(): ClusterStatus;
  /** Gives the lead to a connected node. Rejects with a Problem for any other. */
  handOver(node: string): Promise<void>;
  /**
   * Raises the rules to the newest that a member reads, if every member reads them; a trial changes
   * nothing. Rejects with an EngineError on a node that does not lead.
   */
  upgrade(isTrial: boolean): Promise<ClusterUpgrade>;
  /** Removes a node that is gone. Rejects with a Problem where it is unknown, or runs. */
  forget(node: string): Promise<void>;
}
