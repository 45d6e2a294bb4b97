// The port of the cluster's shared store: one lease, the journal's records, and the rows of
// identity. PostgreSQL is one (postgres/); the simulation has another. Every write names the term
// of its leader, and the store rejects it once a later term has begun. A leader that was paused or
// cut off can therefore never write again, whatever its clock says.
import type { IdentityChange, IdentityHead, RowTarget } from '../identity/storage/change.ts';
import type { JournalHead, JournalRecord } from '../journal/journal.ts';
import type { SetAside } from '../journal/set-aside.ts';
import type { MemberRow, Membership, NodeProcess } from './members.ts';

/** A node that leads. */
export interface Leader {
  /** The leader's term. It only rises; a term has one leader. */
  readonly epoch: number;
  /** The name of the node that leads. */
  readonly node: string;
  /** Where the other nodes reach its link, as host:port. */
  readonly address: string;
  /** The process that leads: see NodeProcess. */
  readonly instance: string;
}

/** A process that may lead. */
export type Candidate = Pick<NodeProcess, 'node' | 'address' | 'instance'>;

/** How long a leader leads after it has asked for a renewal, by its own steady clock. */
export const LEASE_MS = 2000;
/** The renewal of a lease that nobody holds. */
export const FREE = '';
/** The renewal of a lease that no node may take: a copy into the store is not complete. */
export const KEPT = 'kept';

/** The right of one node to lead, for a limited time. */
interface Lease extends Leader {
  /** Another text with each renewal, or FREE, or KEPT. */
  readonly renewal: string;
}

/** An answer about the lease, with the store's clock when it was given, ms since 1970. */
export interface LeaseAnswer {
  /** null in a store that no node has led. */
  readonly lease: Lease | null;
  /** The version of the rules of the next record; null before the first term. */
  readonly rules: number | null;
  readonly storeTime: number;
}

/** Identity, and the last command of the journal at the same moment: each user is in both. */
export interface IdentityAtSeq extends IdentityHead {
  readonly journalSeq: number;
}

/**
 * - `fenced`: a later term has begun. Nothing was written, and this term can never write again;
 * - `full`: the store has no room. Nothing was written, and the same write may be tried again;
 * - `unreachable`: no answer came, and the write may be made until this node begins its next term.
 *   Either repeat the same write, or `acquire` and then read what was written;
 * - `rejected`: the store will not serve this node (its schema, its privileges); the message ends
 * in   what the operator can do.
 */
export type StoreErrorKind = 'fenced' | 'full' | 'unreachable' | 'rejected';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  /**
   * A setting has to be mended, such as the password. A start ends with the message; a node that
   * runs goes on as while the store is down.
   */
  readonly isMistake: boolean;

  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    { isMistake = false, ...options }: ErrorOptions & { readonly isMistake?: boolean } = {},
  ) {
    super(message, options);
    this.isMistake = isMistake;
  }
}

/**
 * All methods reject with a StoreError, and none hangs longer than the store's timeout. Answers
 * show only what survives the loss of a machine.
 */
export interface ClusterStore {
  readLease(): Promise<LeaseAnswer>;

  /**
   * Begins the next term for this process where it is a member that reads the rules, and the lease
   * is free, is its own by name and address, or still has the renewal `ended`: the caller has
   * watched it for a whole lease (lease-watch.ts). Else changes nothing. Once it resolves, every
   * write of earlier terms is rejected, and the writes that they made survive a failover of the
   * store. The first term sets the rules: the newest that all members read.
   */
  acquire(candidate: Candidate, ended?: string): Promise<LeaseAnswer>;

  /** Prolongs the lease of this term. Rejects with `fenced` once a later term has begun. */
  renew(epoch: number): Promise<LeaseAnswer>;

  /** Ends this term, and begins the next for another node, which need not wait for anything. */
  handOver(epoch: number, next: Candidate): Promise<LeaseAnswer>;

  /** The members, and the rules of the next record. */
  members(): Promise<Membership>;

  /**
   * Makes a process a member. Changes nothing where another process of the node has not stopped,
   * unless it is `replaced` and has not beaten since. Rejects with `rejected` where the node cannot
   * read the journal, or cannot talk to a member.
   */
  register(process: NodeProcess, replaced: MemberRow | null): Promise<Membership>;

  /** Counts a beat of a member; returns all. */
  beat(process: Pick<NodeProcess, 'node' | 'instance'>): Promise<Membership>;

  /** Notes that a member has stopped. */
  leave(process: Pick<NodeProcess, 'node' | 'instance'>): Promise<void>;

  /** Removes a member that is gone. Rejects with `fenced` once a later term has begun. */
  forget(epoch: number, node: string): Promise<Membership>;

  /**
   * Raises the rules of the next record to this version if every member reads it; else changes
   * nothing. Rejects with `fenced` once a later term has begun.
   */
  raiseRules(epoch: number, rules: number): Promise<Membership>;

  /**
   * Appends the next record; resolves once it would survive the loss of a machine. The last record
   * of the journal may be appended again, which writes nothing.
   */
  append(record: JournalRecord): Promise<void>;

  /** The end of the journal; seq 0 and 32 zero bytes while it is empty. */
  head(): Promise<JournalHead>;

  /** The records whose last seq is at least `fromSeq`, in order, about `maxBytes` of them. */
  read(fromSeq: number, maxBytes: number): Promise<JournalRecord[]>;

  /** The commands that were set aside; `read` marks them too. */
  setAside(): Promise<SetAside[]>;

  /** Sets a command aside, once. Rejects with `rejected` while a node leads: see `acquire`. */
  addSetAside(entry: SetAside, ended?: string): Promise<void>;

  /**
   * Gives all rows of one moment to the target that `open` makes, in portions. Throws what the
   * target throws; it is closed wherever this rejects.
   */
  readIdentity<T extends RowTarget>(open: (head: IdentityAtSeq) => T): Promise<T>;

  /** The number of the last write of identity; 0 before the first. */
  identityVersion(): Promise<number>;

  /**
   * Makes write number `version` of identity durable, all of it or nothing. Rejects with `fenced`
   * also where `version` is not the next one. The last write of a term may be repeated, which
   * writes nothing.
   */
  writeIdentity(epoch: number, version: number, change: IdentityChange): Promise<void>;

  close(): Promise<void>;
}
