// A node's time as leader, from its term's first command to its last: the sequencer over the shared
// journal, the lease that it renews, and the feeds of the other nodes.
import { noLeader } from '../engine/command-port.ts';
import { checkpointOf } from '../engine/follower.ts';
import type { Sequencer } from '../engine/sequencer.ts';
import type { Usage } from '../gateway/limits/limits.ts';
import type { Replication } from '../identity/replication.ts';
import type { IdentityChange } from '../identity/storage/change.ts';
import type { FileJournal } from '../journal/file-journal.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { ClusterClock } from './cluster-clock.ts';
import { ClusterJournal } from './cluster-journal.ts';
import { writeDurably } from './durably.ts';
import { Feed, type FeedOptions, RemoteReceiver } from './feed.ts';
import type { PeerHello } from './link/hello.ts';
import { downFrame } from './link/messages.ts';
import { type Channel, LinkError, NameTakenError } from './link/transport.ts';
import { Newest } from './newest.ts';
import { HOLD_MS, HoldingPort } from './ports.ts';
import { type ClusterStore, LEASE_MS, type Leader, type LeaseAnswer, StoreError } from './store.ts';

const RENEW_MS = 500;
/** Between two messages about rate limits. */
const TAKEN_MS = 50;
/** Some hundred milliseconds of a busy leader. */
const KEPT_RECORD_BYTES = 8 << 20;
/** A node that lacks more of them loads identity from the store. */
const KEPT_CHANGE_BYTES = 4 << 20;
/** A handover waits this long for nodes that lack records; they lose their commands in flight. */
const CATCH_UP_MS = 300;
/** Between two attempts to write identity to a store without room. */
const FULL_PAUSE_MS = 500;
/** Between two comparisons of the state with the other nodes. */
const CHECKPOINT_MS = 20;

export interface LeadingOptions
  extends Pick<FeedOptions, 'engine' | 'identity' | 'limits' | 'serve'> {
  readonly store: ClusterStore;
  readonly local: FileJournal;
  readonly clock: ClusterClock;
  readonly queueLimit: number;
  /** The version of the rules of the next record, by the store. */
  readonly rules: number;
  readonly warn: (sentence: string) => void;
}

/** A write of identity as the frame for the other nodes. */
interface NumberedChange {
  readonly version: number;
  readonly frame: Uint8Array;
}

/** The remains of a role, for the next one. */
export interface TermEnd {
  /** The next leader, where the last one has named it. */
  readonly next: Leader | null;
  /** Commands that wait for that leader. */
  readonly held: HoldingPort | null;
}

export class Leading {
  readonly epoch: number;
  /** Resolves when another node may lead. */
  readonly ended: Promise<TermEnd>;
  readonly #options: LeadingOptions;
  readonly #journal: ClusterJournal;
  readonly #sequencer: Sequencer;
  readonly #feeds = new Set<Feed>();
  /** Feeds that are closed, with commands that have no answer yet. */
  readonly #lost = new Set<Feed>();
  readonly #end: (end: TermEnd) => void;
  /** The version of the rules of the next record. */
  #rules: number;
  /** Records that are durable and not applied yet. */
  #durable: JournalRecord[] = [];
  /** The lease is held until then, by the monotonic clock. */
  #heldUntil: number;
  /** The last applied records, for nodes that catch up. */
  readonly #recent = new Newest<JournalRecord>(KEPT_RECORD_BYTES);
  /** The last writes of identity, for nodes that connect. */
  readonly #changes = new Newest<NumberedChange>(KEPT_CHANGE_BYTES);
  readonly #timers: readonly ReturnType<typeof setInterval>[];
  #checkpoint: ReturnType<typeof setTimeout> | null = null;
  /** The term ends: a node that connected now would follow nobody. */
  #isEnding = false;

  /** The engine and identity are at the end of the store; the lease was granted at `grantedAt`. */
  constructor(options: LeadingOptions, { epoch }: Leader, grantedAt: number) {
    this.#options = options;
    this.epoch = epoch;
    this.#heldUntil = grantedAt + LEASE_MS;
    const { promise, resolve } = Promise.withResolvers<TermEnd>();
    this.ended = promise;
    this.#end = resolve;
    const { store, local, engine } = options;
    this.#rules = Math.max(options.rules, engine.seq === 0 ? 0 : engine.exchange.state.rules);
    this.#journal = new ClusterJournal({
      store,
      local,
      epoch: this.epoch,
      leaseLeft: () => this.#leaseLeft(),
      onDurable: (record) => this.#durable.push(record),
    });
    this.#sequencer = engine.lead({
      journal: this.#journal,
      epoch: this.epoch,
      rules: () => this.#rules,
      onDeposed: () => void this.#finish({ next: null, held: null }),
    });
    this.#replication.lead(this.#replication.version, {
      persist: (version, change) => this.#persist(version, change),
      onDurable: (version, change) => this.#push(version, change),
    });
    engine.start();
    this.#timers = [
      setInterval(() => void this.#renew(), RENEW_MS),
      setInterval(() => this.tellTaken(), TAKEN_MS),
    ];
  }

  get feeds(): readonly Feed[] {
    return [...this.#feeds];
  }

  get #replication(): Replication {
    return this.#options.identity.replication!;
  }

  /** Makes a write of identity durable; where that fails, the term is over. */
  async #persist(version: number, change: IdentityChange): Promise<void> {
    const { store } = this.#options;
    const { epoch } = this;
    const isOver = () => this.#leaseLeft() <= 0;
    for (;;) {
      try {
        await writeDurably({
          attempt: () => store.writeIdentity(epoch, version, change),
          isMade: async () => {
            await store.renew(epoch);
            return (await store.identityVersion()) >= version;
          },
          isOver,
        });
        return;
      } catch (error) {
        const isFull = error instanceof StoreError && error.kind === 'full' && !isOver();
        if (!isFull) {
          this.depose();
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, FULL_PAUSE_MS));
      }
    }
  }

  #push(version: number, change: IdentityChange): void {
    const frame = downFrame('identity', { version, ...change }).slice();
    this.#changes.push({ version, frame }, frame.length);
    for (const feed of this.#feeds) feed.identity(frame);
  }

  /** True if no other node can lead yet. */
  get holdsLease(): boolean {
    return this.#leaseLeft() > 0;
  }

  #leaseLeft(): number {
    return this.#heldUntil - performance.now();
  }

  async #renew(): Promise<void> {
    const { store, clock, warn } = this.#options;
    const sentAt = performance.now();
    try {
      const { rules } = await clock.ask(() => store.renew(this.epoch));
      this.raise(rules ?? 0);
      this.#heldUntil = Math.max(this.#heldUntil, sentAt + LEASE_MS);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // During a handover the next term may have begun before this answer.
      const isOver = error.kind === 'fenced' || this.#leaseLeft() <= 0;
      if (!isOver || this.#isEnding) return;
      warn(`This node leads no more: ${error.message.replace(/\.$/, '')}.`);
      this.depose();
    }
  }

  /** Ends the term: commands that wait are rejected. */
  depose(): void {
    this.#sequencer.depose(true);
  }

  /** Ends the term without a next leader: a batch on its way to the store is answered first. */
  async resign(): Promise<void> {
    this.#isEnding = true;
    for (const { receiver } of await this.#sequencer.release()) receiver.reject(noLeader());
    this.depose();
  }

  async #finish(end: TermEnd): Promise<void> {
    this.#isEnding = true;
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#checkpoint !== null) clearTimeout(this.#checkpoint);
    for (const feed of this.#feeds) feed.close('this node leads no more');
    await this.#journal.close();
    this.#replication.follow();
    this.#end(end);
  }

  /** A node has connected. Throws a LinkError where it has to look at the store first. */
  accept(channel: Channel, hello: PeerHello): void {
    const { engine, local, warn } = this.#options;
    if (this.#isEnding) throw new LinkError('its term ends');
    const missing = this.#changesAfter(hello.identityVersion);
    if (hello.rules < this.#rules) {
      throw new LinkError(`node ${hello.node} is of an older release; upgrade it`);
    }
    if (missing === null || hello.seq > engine.seq) {
      throw new LinkError(`node ${hello.node} has to read the database first`);
    }
    for (const feed of this.#feeds) {
      if (feed.node !== hello.node) continue;
      if (feed.address !== hello.address) throw NameTakenError.of(feed);
      feed.close('the node has connected again');
    }
    channel.send(downFrame('head', { head: local.head }));
    const feed = new Feed({
      ...this.#options,
      channel,
      hello,
      read: (fromSeq) => local.read(fromSeq),
      recent: (fromSeq) => this.#recentFrom(fromSeq),
      settle: () => this.settle(),
      onTaken: (from, taken) => this.#tell(taken, from),
      onClose: (closed, reason) => {
        this.#feeds.delete(closed);
        this.#lost.add(closed);
        void closed.settled.then(() => this.#lost.delete(closed));
        warn(`Node ${closed.node} is not connected: ${reason}.`);
      },
      onFault: (error) => warn(`A call of node ${hello.node} failed: ${error}.`),
    });
    this.#feeds.add(feed);
    for (const { frame } of missing) feed.identity(frame);
  }

  /** Tells the other nodes what has passed the limits here. */
  tellTaken(): void {
    const taken = this.#options.limits.takeNews();
    if (taken.length > 0) this.#tell(taken);
  }

  /** Tells all nodes but one what has passed the limits elsewhere. */
  #tell(taken: readonly Usage[], from: Feed | null = null): void {
    for (const feed of this.#feeds) if (feed !== from) feed.taken(taken);
  }

  /** An operator has raised the rules: every member reads them. */
  raise(rules: number): void {
    this.#rules = Math.max(this.#rules, rules);
  }

  #recentFrom(fromSeq: number): readonly JournalRecord[] {
    const { items } = this.#recent;
    const first = items.findIndex(({ firstSeq }) => firstSeq === fromSeq);
    return first < 0 ? [] : items.slice(first);
  }

  /** null where they are no longer here. */
  #changesAfter(version: number): readonly NumberedChange[] | null {
    const missing = this.#changes.items.filter((change) => change.version > version);
    return missing.length === this.#replication.version - version ? missing : null;
  }

  /** The engine has applied the journal up to `seq`, which ends a record. */
  applied(seq: number): void {
    const count = this.#durable.findIndex((record) => record.firstSeq > seq);
    const applied = this.#durable.splice(0, count < 0 ? this.#durable.length : count);
    for (const record of applied) {
      this.#recent.push(record, record.payload.length);
      for (const feed of this.#feeds) feed.applied(record);
    }
    this.#checkpoint ??= setTimeout(() => {
      this.#checkpoint = null;
      const checkpoint = checkpointOf(this.#options.engine.exchange);
      for (const feed of this.#feeds) feed.checkpoint(checkpoint);
    }, CHECKPOINT_MS);
  }

  /**
   * The end of the journal, once it has every command of a lost link that will ever be in it: a
   * closed channel takes no more. Rejects where the term ends.
   */
  async settle(): Promise<number> {
    const settled = Promise.all([...this.#lost].map((feed) => feed.settled));
    await Promise.race([settled, this.ended]);
    while (!this.#isEnding) {
      // A leader that was paused looks first whether it still leads.
      if (this.holdsLease) return this.#options.engine.seq;
      await new Promise((resolve) => setTimeout(resolve, TAKEN_MS));
    }
    throw noLeader();
  }

  /** Resolves when every node has been sent every record, and soon in any case. */
  async #allLive(): Promise<void> {
    const behind = this.feeds.filter(({ isLive }) => !isLive);
    if (behind.length === 0) return;
    const caughtUp = Promise.all(behind.map(({ catchingUp }) => catchingUp));
    const timer = new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS));
    await Promise.race([caughtUp, timer]);
  }

  /**
   * Gives the lead to a connected node. Commands that come meanwhile are held and go to it. Rejects
   * with a StoreError, and then the term may be over.
   */
  async handOver({ node, address, instance }: Feed): Promise<LeaseAnswer> {
    const { engine, store, clock, identity, queueLimit } = this.#options;
    const held = new HoldingPort(queueLimit, HOLD_MS);
    this.#isEnding = true;
    engine.follow(held);
    for (const feed of this.#feeds) feed.stop();
    try {
      for (const waiting of await this.#sequencer.release()) {
        // The node that sent it sends it again.
        if (waiting.receiver instanceof RemoteReceiver) continue;
        held.enqueue(waiting.command, waiting.receiver, waiting.encoded, waiting.access);
      }
      // Calls whose commands were just applied have their audit entries to write.
      await new Promise((resolve) => setImmediate(resolve));
      await identity.replication!.drain();
      // A node that lacks records could not tell which of its commands are in them.
      await this.#allLive();
      const answer = await clock.ask(() => store.handOver(this.epoch, { node, address, instance }));
      for (const feed of this.#feeds) feed.moved(answer.lease!);
      await this.#finish({ next: answer.lease, held });
      return answer;
    } catch (error) {
      await this.#finish({ next: null, held });
      throw error;
    }
  }
}
