// This process as a member of its cluster: it registers at its start, says that it runs, and knows
// the other members. Another process with its name is accepted once this one is silent.

import { LeaseWatch } from './lease-watch.ts';
import { NameTakenError } from './link/transport.ts';
import { type MemberRow, type Membership, type NodeProcess, otherProcess } from './members.ts';
import { type ClusterStore, FREE, StoreError } from './store.ts';
import { tokensDiffer } from './token-fingerprint.ts';

const BEAT_MS = 1000;
/** A process that did not beat for so long has ended, or cannot reach the store. */
const SILENT_MS = 3000;
const WATCH_MS = 250;

export interface OwnMembershipOptions {
  readonly own: NodeProcess;
  readonly store: ClusterStore;
  readonly warn: (sentence: string) => void;
}

/** A member, as this process has seen it. */
export interface SeenMember extends MemberRow {
  /** False once it was silent for some seconds while this process looked. */
  readonly isRunning: boolean;
}

export class OwnMembership {
  readonly own: NodeProcess;
  readonly #options: OwnMembershipOptions;
  #known: Membership = { members: [], rules: null, renewal: FREE, standbys: 0 };
  /** Looks at the lease with each beat, so that the next leader need not begin to. */
  readonly leaseWatch = new LeaseWatch();
  /** When this process saw each member beat, by its own steady clock. */
  readonly #beats = new Map<string, { readonly beats: number; readonly at: number }>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #isBeating = false;
  #isOver = false;
  /** The nodes with another operator token that were reported. */
  #reported = '';
  /** The most standbys that the database had. */
  #maxStandbys = 0;
  #learnedAt = 0;
  /** Called when another process has taken the place of this one. */
  onLost: (error: Error) => void = () => {};

  constructor(options: OwnMembershipOptions) {
    this.#options = options;
    this.own = options.own;
  }

  /** The rules of the next record, as far as this node knows. */
  get rules(): number {
    return this.#known.rules ?? 0;
  }

  get standbys(): { readonly now: number; readonly most: number } {
    return { now: this.#known.standbys, most: this.#maxStandbys };
  }

  /** False once the store has not answered for some seconds. */
  get seesStore(): boolean {
    return performance.now() - this.#learnedAt < SILENT_MS;
  }

  get members(): readonly SeenMember[] {
    const now = performance.now();
    return this.#known.members.map((member) => ({
      ...member,
      isRunning: !member.isStopped && now - (this.#beats.get(member.node)?.at ?? 0) < SILENT_MS,
    }));
  }

  /** The other nodes whose operator token differs. */
  get otherTokens(): readonly string[] {
    const { node, token } = this.own;
    return this.#known.members
      .filter((other) => other.node !== node && tokensDiffer(token, other.token))
      .map((other) => other.node);
  }

  /**
   * Becomes a member. Rejects with `rejected` where the node cannot be one, and with a
   * NameTakenError where another process of the node runs.
   */
  async register(): Promise<void> {
    await this.#register();
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
  }

  async #register(): Promise<void> {
    const { store } = this.#options;
    let known = await store.register(this.own, null);
    const other = otherProcess(this.own, known.members);
    if (other !== undefined) {
      await this.#watch(other);
      known = await store.register(this.own, other);
      const winner = otherProcess(this.own, known.members);
      if (winner !== undefined) throw NameTakenError.of(winner);
    }
    this.#learn(known);
  }

  /** Resolves once a process was silent for long enough. Rejects where it runs. */
  async #watch({ node, instance, beats }: MemberRow): Promise<void> {
    const until = performance.now() + SILENT_MS;
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
      const { members } = await this.#options.store.members();
      const now = members.find((member) => member.node === node);
      if (now === undefined || now.isStopped) return;
      if (now.instance !== instance || now.beats !== beats) throw NameTakenError.of(now);
    }
  }

  #learn(known: Membership): void {
    const now = performance.now();
    this.#learnedAt = now;
    this.leaseWatch.see(known.renewal);
    for (const { node, beats } of known.members) {
      if (this.#beats.get(node)?.beats !== beats) this.#beats.set(node, { beats, at: now });
    }
    if (known.standbys < this.#known.standbys && known.standbys === 0) {
      this.#options.warn('The database has lost its last standby.');
    }
    this.#maxStandbys = Math.max(this.#maxStandbys, known.standbys);
    this.#known = known;
    this.#reportTokens();
  }

  #reportTokens(): void {
    const others = this.otherTokens.join(', ');
    if (others === this.#reported) return;
    this.#reported = others;
    if (others === '') return;
    this.#options.warn(
      `Another operator token than here is set on ${others}: give all nodes the same one.`,
    );
  }

  /** Says that this process runs, and learns of the others. */
  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const { store } = this.#options;
    try {
      const known = await store.beat(this.own);
      if (this.#isOver) return;
      const own = known.members.find(({ node }) => node === this.own.node);
      if (own === undefined) await this.#register();
      else if (own.instance === this.own.instance) this.#learn(known);
      else this.#lose(NameTakenError.of(own));
    } catch (error) {
      const isPassing = error instanceof StoreError && error.kind !== 'rejected';
      if (!isPassing && !this.#isOver) this.#lose(error as Error);
    } finally {
      this.#isBeating = false;
    }
  }

  #lose(error: Error): void {
    this.close();
    this.onLost(error);
  }

  /** Learns of what this process has changed. */
  async refresh(): Promise<void> {
    this.#learn(await this.#options.store.members());
  }

  /** Says that this process has stopped in order: a next one need not wait. */
  async leave(): Promise<void> {
    this.close();
    await this.#options.store.leave(this.own).catch(() => undefined);
  }

  close(): void {
    this.#isOver = true;
    if (this.#timer !== null) clearInterval(this.#timer);
  }
}
