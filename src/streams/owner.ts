// The live channels of one account: its feed, and each subscription from its first message on. A subscription begins with a
// snapshot, or with what was missed since a seq; what happens while that is being read is held back and follows.
import { writeBalances } from '../contract/account.ts';
import { stringify } from '../contract/json.ts';
import { Problem } from '../contract/problem.ts';
import type { OwnChannel, Subject } from '../contract/stream.ts';
import { dataMessage, subjectText } from '../contract/stream-messages.ts';
import type { ExecutionReport } from '../core/event.ts';
import { OrdStatus } from '../core/fix.ts';
import type { State } from '../core/state.ts';
import type { SnapshotKey } from '../engine/snapshot-store.ts';
import { type ViewReader, ViewsUnavailable } from '../views/views.ts';
import { Close, type Connection, type Subscription } from './connection.ts';
import {
  MAX_HELD,
  MAX_REPLAYED_COMMANDS,
  MAX_REPLAYED_TEXT,
  MAX_REST_MS,
  restOf,
} from './limits.ts';
import {
  type OwnEvent,
  OwnerFeed,
  type Told,
  writeReports,
  writeSubscriptions,
} from './owner-feed.ts';
import type { Resumptions } from './resume.ts';

export interface OwnerHost {
  readonly state: State;
  readonly views: ViewReader;
  readonly resumptions: Resumptions;
  readonly dataDir: string;
  readonly snapshotKeys: readonly SnapshotKey[];
  warn(error: unknown): void;
}

/** How a subscription is to begin. */
export interface Beginning {
  readonly resumeFrom: number | undefined;
  /** It cannot begin; it has ended. */
  readonly onFailure: (problem: Problem) => void;
}

/** A message that has to wait for what comes before it. */
interface Held {
  readonly seq: number;
  readonly time: number;
  readonly told: Told;
}

/** The orders that rest are these. */
const OPEN: readonly OrdStatus[] = [OrdStatus.new, OrdStatus.partiallyFilled];
const PAGE = 1000;

export class Owner {
  readonly uid: number;
  readonly host: OwnerHost;
  readonly feed: OwnerFeed;
  readonly #subscriptions = new Set<OwnSubscription>();
  /** Those that wait for a snapshot. */
  readonly #due = new Set<OwnSubscription>();
  #working = false;
  /** No further snapshots before this time of performance.now(). */
  #restsUntil = 0;

  constructor(uid: number, host: OwnerHost) {
    this.uid = uid;
    this.host = host;
    this.feed = new OwnerFeed(uid);
    host.state.audience.addOwner(uid);
  }

  get isEmpty(): boolean {
    return this.#subscriptions.size === 0;
  }

  see(event: OwnEvent): void {
    this.feed.see(event);
  }

  /** Tells everyone what has come since the last time. */
  flush(): void {
    const { state } = this.host;
    const { seq, time } = state;
    for (const told of this.feed.flush(state)) {
      for (const subscription of this.#subscriptions) {
        if (subscription.channel === told.channel) subscription.deliver({ seq, time, told });
      }
    }
  }

  add(subscription: OwnSubscription): void {
    this.flush();
    this.feed.begin(subscription.channel, this.host.state);
    this.#subscriptions.add(subscription);
  }

  /**
   * A snapshot for each that asks, as soon as it is their turn: what is read and written for it is read and written once for all who
   * wait, and then rests, so that asking again and again costs no more than asking.
   */
  snapshot(subscription: OwnSubscription): void {
    this.#due.add(subscription);
    if (!this.#working) void this.#work();
  }

  /** How long it is to be kept although nobody listens: who asks again right away must not find it rested. */
  get staysFor(): number {
    return this.#working ? MAX_REST_MS : Math.max(0, this.#restsUntil - performance.now());
  }

  async #work(): Promise<void> {
    this.#working = true;
    while (this.#due.size > 0) {
      const rest = this.#restsUntil - performance.now();
      if (rest > 0) await Bun.sleep(rest);
      const start = performance.now();
      const waiting = [...this.#due];
      this.#due.clear();
      for (const channel of new Set(waiting.map((one) => one.channel))) {
        const ofChannel = waiting.filter((one) => one.channel === channel);
        if (ofChannel.every((one) => one.hasEnded)) continue;
        try {
          const rows = this.#rowsNow(channel) ?? (await this.#openOrders(ofChannel));
          const data = stringify(rows);
          for (const one of ofChannel) one.start(data);
        } catch (error) {
          for (const one of ofChannel) one.fail(error);
        }
      }
      const now = performance.now();
      this.#restsUntil = now + restOf(now - start);
    }
    this.#working = false;
  }

  /** Nothing may be pending; null for what has to be read. */
  #rowsNow(channel: OwnChannel): readonly object[] | null {
    const { state } = this.host;
    this.flush();
    switch (channel) {
      case 'orders':
        return state.orders.countOf(this.uid) > 0 ? null : [];
      case 'balances':
        return writeBalances(state, this.uid);
      case 'subscriptions':
        return writeSubscriptions(state, this.uid);
      case 'interest':
        return [];
    }
  }

  /** What is live already is newer than what is read, and goes over it: each that waits has heard all since the reading began. */
  async #openOrders(waiting: readonly OwnSubscription[]): Promise<readonly object[]> {
    const { host, uid } = this;
    const isWanted = () => waiting.some((one) => !one.hasEnded);
    const rows = await readOpen(host, uid, isWanted);
    this.flush();
    const open = new Map(rows.map((report) => [report.orderId, report]));
    const live = waiting.find((one) => !one.hasEnded)?.reportsHeld ?? [];
    for (const report of live) open.set(report.orderId, report);
    const reports = [...open.values()]
      .filter(({ ordStatus }) => OPEN.includes(ordStatus))
      .sort((a, b) => b.orderId - a.orderId);
    return writeReports(host.state, reports);
  }

  remove(subscription: OwnSubscription): void {
    this.#due.delete(subscription);
    if (!this.#subscriptions.delete(subscription)) return;
    const { channel } = subscription;
    if (![...this.#subscriptions].some((other) => other.channel === channel)) {
      this.feed.end(channel);
    }
  }

  close(): void {
    this.host.state.audience.removeOwner(this.uid);
  }
}

export class OwnSubscription implements Subscription {
  readonly subject: Subject;
  readonly conflates = false;
  readonly #owner: Owner;
  readonly #connection: Connection;
  readonly #left: (owner: Owner) => void;
  readonly #head: string;
  #lastSeq: number;
  #phase: 'loading' | 'live' | 'ended' = 'loading';
  #held: Held[] = [];
  #heldSize = 0;
  #onFailure: Beginning['onFailure'] | null = null;

  /** `left` is called when it has gone out of its owner. */
  constructor(
    owner: Owner,
    connection: Connection,
    subject: Subject,
    left: (owner: Owner) => void,
  ) {
    this.#owner = owner;
    this.#connection = connection;
    this.subject = subject;
    this.#left = left;
    this.#head = subjectText(subject);
    this.#lastSeq = owner.host.state.seq;
    owner.add(this);
  }

  get channel(): OwnChannel {
    return this.subject.channel as OwnChannel;
  }
  get seq(): number {
    return this.#lastSeq;
  }
  get isLoading(): boolean {
    return this.#phase === 'loading';
  }

  get hasEnded(): boolean {
    return this.#phase === 'ended';
  }

  /** The reports that wait for the snapshot. */
  get reportsHeld(): ExecutionReport[] {
    return this.#held.flatMap(({ told }) => told.reports);
  }

  /** Sends the snapshot, or what was missed, and goes live. */
  begin({ resumeFrom, onFailure }: Beginning): void {
    this.#onFailure = onFailure;
    if (resumeFrom === undefined) {
      this.#owner.snapshot(this);
      return;
    }
    const uptoSeq = this.#owner.host.state.seq;
    this.#lastSeq = resumeFrom;
    this.#resume(resumeFrom, uptoSeq).catch((error: unknown) => this.fail(error));
  }

  fail(error: unknown): void {
    if (this.#phase === 'ended') return;
    const known = error instanceof ViewsUnavailable ? new Problem('historyUnavailable') : error;
    if (!(known instanceof Problem)) this.#owner.host.warn(known);
    this.#onFailure?.(known instanceof Problem ? known : new Problem('internal'));
  }

  /** Begins with these rows, which are those of now. */
  start(data: string): void {
    if (this.#phase === 'ended') return;
    this.#held = [];
    const { seq, time } = this.#owner.host.state;
    const frame = { type: 'snapshot', seq, prevSeq: null, transactTime: time } as const;
    this.#connection.send(dataMessage(this.#head, frame, `,"data":${data}`));
    this.#lastSeq = seq;
    this.#phase = 'live';
  }

  async #resume(fromSeq: number, uptoSeq: number): Promise<void> {
    const { host, uid } = this.#owner;
    const { dataDir, snapshotKeys, resumptions } = host;
    const { channel } = this;
    const job = {
      dataDir,
      snapshotKeys,
      uid,
      channel,
      fromSeq,
      uptoSeq,
      maxCommands: MAX_REPLAYED_COMMANDS,
      maxText: MAX_REPLAYED_TEXT,
    };
    const missed = await resumptions.run(job, () => !this.hasEnded);
    if (this.#phase === 'ended') return;
    for (const { seq, transactTime, data } of missed) this.#update(seq, transactTime, data);
    this.#phase = 'live';
    for (const { seq, time, told } of this.#held.splice(0)) this.#update(seq, time, told.data);
  }

  deliver(message: Held): void {
    const { seq, time, told } = message;
    if (this.#phase === 'live') this.#update(seq, time, told.data);
    if (this.#phase !== 'loading') return;
    this.#held.push(message);
    this.#heldSize += told.data.length;
    if (this.#heldSize > MAX_HELD) {
      this.#connection.close(Close.tryAgainLater, 'too much has come before the first message');
    }
  }

  #update(seq: number, time: number, data: string): void {
    const frame = { type: 'update', seq, prevSeq: this.#lastSeq, transactTime: time } as const;
    this.#connection.send(dataMessage(this.#head, frame, `,"data":${data}`));
    this.#lastSeq = seq;
  }

  end(): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#held = [];
    this.#owner.remove(this);
    this.#left(this.#owner);
  }

  /** Nothing of an account's own may be left out, so it does not pause. */
  pause(): void {}
  resume(): void {}
}

/**
 * The last report of every order that rests, from the views; it may be behind what is live by now. It is read only for as long as it
 * is wanted.
 */
async function readOpen(
  { state, views }: OwnerHost,
  uid: number,
  isWanted: () => boolean,
): Promise<ExecutionReport[]> {
  const { seq } = state;
  const found: ExecutionReport[] = [];
  for (const ordStatus of OPEN) {
    for (let lastRowId: number | undefined; isWanted(); ) {
      const from = lastRowId === undefined ? {} : { lastRowId };
      const query = { type: 'orders', uid, size: PAGE, filter: { ordStatus }, ...from } as const;
      const page = await views.query(query, seq);
      found.push(...page);
      if (page.length < PAGE) break;
      lastRowId = page.at(-1)!.orderId;
    }
  }
  return found;
}
