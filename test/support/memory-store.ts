// The shared store of a cluster in memory, with the rules of the port. A test cuts it off, makes it
// slow, or loses its answers.

import {
  type MemberRow,
  type Membership,
  membershipProblem,
  type NodeProcess,
  otherProcess,
  readsRules,
} from '../../src/cluster/members.ts';
import {
  type Candidate,
  type ClusterStore,
  FREE,
  type IdentityAtSeq,
  KEPT,
  type LeaseAnswer,
  StoreError,
} from '../../src/cluster/store.ts';
import { assert } from '../../src/core/assert.ts';
import type {
  IdentityChange,
  IdentityImage,
  RowTarget,
} from '../../src/identity/storage/change.ts';
import type { JournalHead, JournalRecord } from '../../src/journal/journal.ts';
import { genesisHash, sameBytes } from '../../src/journal/record.ts';
import { type SetAside, withSetAside } from '../../src/journal/set-aside.ts';

/** The image with its rows in one order; those of a store come in any. */
export const sorted = ({ version, rows, mac }: IdentityImage): IdentityImage => ({
  version,
  rows: rows.toSorted(),
  mac,
});

interface Held {
  epoch: number;
  node: string;
  address: string;
  instance: string;
  renewal: string;
}

/** The content of the store, which all nodes share. */
export class MemoryCluster {
  readonly records: JournalRecord[] = [];
  readonly setAside: SetAside[] = [];
  identity: IdentityImage = { version: 0, rows: [], mac: '' };
  /** The term that wrote it. */
  identityEpoch = 0;
  held: Held | null = null;
  #renewals = 0;
  /** The rules of the next record. */
  rules: number | null = null;
  readonly members = new Map<string, MemberRow>();
  standbys = 0;
  /** The clock of the store, which a test may set. */
  now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  get head(): JournalHead {
    const last = this.records.at(-1);
    if (last === undefined) return { seq: 0, chainHash: genesisHash() };
    return { seq: last.firstSeq + last.count - 1, chainHash: last.chainHash };
  }

  nextRenewal(): string {
    return `renewal ${++this.#renewals}`;
  }

  requireTerm(epoch: number): void {
    if (this.held?.epoch === epoch) return;
    throw new StoreError('fenced', `term ${this.held?.epoch ?? 0} has begun`);
  }
}

/** How a store that is cut off treats a call: it never gets there, or its answer is lost. */
type Fault = 'request' | 'answer' | null;

/** The time that a request takes to the store, or its answer back. */
export type Latency = (way: 'request' | 'answer') => Promise<void>;

/** One node's access to the shared store. */
export class MemoryStore implements ClusterStore {
  readonly #cluster: MemoryCluster;
  readonly #latency: Latency;
  fault: Fault = null;
  full = false;
  #closed = false;

  constructor(cluster: MemoryCluster, latency: Latency = async () => {}) {
    this.#cluster = cluster;
    this.#latency = latency;
  }

  async #call<T>(act: () => T): Promise<T> {
    await this.#latency('request');
    if (this.#closed || this.fault === 'request') throw unreachable();
    const result = act();
    await this.#latency('answer');
    // The fault may have come while the call was on its way.
    if (this.fault !== null) throw unreachable();
    return result;
  }

  readLease(): Promise<LeaseAnswer> {
    return this.#call(() => this.#answer());
  }

  acquire({ node, address, instance }: Candidate, ended?: string): Promise<LeaseAnswer> {
    return this.#call(() => {
      const cluster = this.#cluster;
      const { held } = cluster;
      const member = cluster.members.get(node);
      if (member?.instance !== instance) return this.#answer();
      if (cluster.rules !== null && !readsRules(member, cluster.rules)) return this.#answer();
      const isOwn = held?.node === node && held.address === address;
      const isEnded = held === null || held.renewal === FREE || held.renewal === ended;
      const isFree = (isEnded || isOwn) && held?.renewal !== KEPT;
      if (isFree) {
        cluster.rules ??= Math.min(
          ...Array.from(cluster.members.values(), ({ newestRules }) => newestRules),
        );
        this.#begin((held?.epoch ?? 0) + 1, { node, address, instance });
      }
      return this.#answer();
    });
  }

  renew(epoch: number): Promise<LeaseAnswer> {
    return this.#call(() => {
      this.#cluster.requireTerm(epoch);
      this.#cluster.held!.renewal = this.#cluster.nextRenewal();
      return this.#answer();
    });
  }

  handOver(epoch: number, { node, address, instance }: Candidate): Promise<LeaseAnswer> {
    return this.#call(() => {
      this.#cluster.requireTerm(epoch);
      this.#begin(epoch + 1, { node, address, instance });
      return this.#answer();
    });
  }

  #begin(epoch: number, next: Candidate): void {
    this.#cluster.held = { epoch, ...next, renewal: this.#cluster.nextRenewal() };
  }

  members(): Promise<Membership> {
    return this.#call(() => this.#membership());
  }

  #membership(): Membership {
    const { members, rules, held, standbys } = this.#cluster;
    const renewal = held?.renewal ?? FREE;
    return { members: [...members.values()], rules, renewal, standbys };
  }

  register(process: NodeProcess, replaced: MemberRow | null): Promise<Membership> {
    return this.#call(() => {
      const { members, rules, now } = this.#cluster;
      const known = [...members.values()];
      const problem = membershipProblem(process, rules, known);
      if (problem !== null) throw new StoreError('rejected', problem);
      const other = otherProcess(process, known);
      const isReplaced = other?.instance === replaced?.instance && other?.beats === replaced?.beats;
      if (other === undefined || isReplaced) {
        const beats = (members.get(process.node)?.beats ?? 0) + 1;
        members.set(process.node, { ...process, beats, seenAt: now(), isStopped: false });
      }
      return this.#membership();
    });
  }

  beat({ node, instance }: Candidate): Promise<Membership> {
    return this.#call(() => {
      const { members, now } = this.#cluster;
      const member = members.get(node);
      if (member?.instance === instance && !member.isStopped) {
        members.set(node, { ...member, beats: member.beats + 1, seenAt: now() });
      }
      return this.#membership();
    });
  }

  leave({ node, instance }: Candidate): Promise<void> {
    return this.#call(() => {
      const { members, now } = this.#cluster;
      const member = members.get(node);
      if (member?.instance !== instance) return;
      members.set(node, { ...member, seenAt: now(), isStopped: true });
    });
  }

  forget(epoch: number, node: string): Promise<Membership> {
    return this.#call(() => {
      this.#cluster.requireTerm(epoch);
      this.#cluster.members.delete(node);
      return this.#membership();
    });
  }

  raiseRules(epoch: number, rules: number): Promise<Membership> {
    return this.#call(() => {
      const cluster = this.#cluster;
      cluster.requireTerm(epoch);
      const isReadable = [...cluster.members.values()].every((each) => readsRules(each, rules));
      if (isReadable) cluster.rules = Math.max(cluster.rules ?? 0, rules);
      return this.#membership();
    });
  }

  #answer(): LeaseAnswer {
    const { held, rules } = this.#cluster;
    const storeTime = this.#cluster.now();
    if (held === null) return { lease: null, rules, storeTime };
    return { lease: { ...held }, rules, storeTime };
  }

  append(record: JournalRecord): Promise<void> {
    return this.#call(() => {
      const cluster = this.#cluster;
      // A repeated append, whose first answer was lost.
      if (sameBytes(cluster.head.chainHash, record.chainHash)) return;
      if (this.full) throw new StoreError('full', 'the store has no room');
      cluster.requireTerm(record.epoch);
      assert(record.firstSeq === cluster.head.seq + 1, 'a record continues the journal');
      cluster.records.push({ ...record, payload: new Uint8Array(record.payload) });
    });
  }

  head(): Promise<JournalHead> {
    return this.#call(() => this.#cluster.head);
  }

  read(fromSeq: number, maxBytes: number): Promise<JournalRecord[]> {
    return this.#call(() => {
      let bytes = 0;
      return this.#cluster.records
        .filter(({ firstSeq, count }) => firstSeq + count - 1 >= fromSeq)
        .filter(({ payload }) => {
          bytes += payload.length;
          return bytes - payload.length < maxBytes;
        })
        .map((record) => withSetAside(record, this.#cluster.setAside));
    });
  }

  setAside(): Promise<SetAside[]> {
    return this.#call(() => [...this.#cluster.setAside]);
  }

  addSetAside(entry: SetAside, ended?: string): Promise<void> {
    return this.#call(() => {
      const { setAside, held } = this.#cluster;
      if (held !== null && held.renewal !== FREE && held.renewal !== ended) {
        throw new StoreError('rejected', `${held.node} leads this cluster: stop it first.`);
      }
      if (!setAside.some(({ seq }) => seq === entry.seq)) setAside.push(entry);
    });
  }

  readIdentity<T extends RowTarget>(open: (head: IdentityAtSeq) => T): Promise<T> {
    return this.#call(() => {
      const { identity, head } = this.#cluster;
      const { version, mac, rows } = identity;
      const target = open({ version, mac, journalSeq: head.seq });
      try {
        for (const row of rows) target.take([row]);
        return target;
      } catch (error) {
        target.close();
        throw error;
      }
    });
  }

  identityVersion(): Promise<number> {
    return this.#call(() => this.#cluster.identity.version);
  }

  writeIdentity(epoch: number, version: number, change: IdentityChange): Promise<void> {
    return this.#call(() => {
      const cluster = this.#cluster;
      const { identity } = cluster;
      if (version === identity.version && epoch === cluster.identityEpoch) return;
      cluster.requireTerm(epoch);
      if (version !== identity.version + 1) throw new StoreError('fenced', 'a gap');
      const kept = new Set(identity.rows).difference(new Set(change.removed));
      cluster.identity = { version, rows: [...kept, ...change.added], mac: change.mac };
      cluster.identityEpoch = epoch;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

const unreachable = (): StoreError => new StoreError('unreachable', 'the store does not answer');
