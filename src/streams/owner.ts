// The live channels of one account: its feed, and each subscription from its first message on. A
// subscription begins with a snapshot, or with what was missed since a seq; what happens while that
// is being read is held back and follows.

import { stringify } from '../contract/json.ts';
import { Problem } from '../contract/problem.ts';
import { dataMessage, subjectText } from '../contract/streams/messages.ts';
import type { OwnChannel, Subject } from '../contract/streams/requests.ts';
import { writeBalances } from '../contract/trading/account.ts';
import type { ExecutionReport } from '../core/event.ts';
import { OrdStatus } from '../core/fix.ts';
import type { State } from '../core/state.ts';
import type { SnapshotKey } from '../engine/snapshot-store.ts';
import { type ViewReader, ViewsUnavailable } from '../views/views.ts';
import type { Payer } from './budget.ts';
import { Close, type Connection, type Subscription } from './connection.ts';
import {
  BULK_TEXT,
  MAX_HELD,
  MAX_REPLAYED_COMMANDS,
  MAX_REPLAYED_TEXT,
  MAX_REST_MS,
  PIECE_ROWS,
  REPLAY_COST,
  restOf,
} from './limits.ts';
import {
  type ChannelUpdate,
  type OwnEvent,
  OwnerFeed,
  writeReport,
  writeSubscriptions,
} from './owner-feed.ts';
import type { Resumptions } from './resume.ts';
import type { Missed } from './resume-worker.ts';
import type { Mark } from './topic.ts';
import type { Turns } from './turns.ts';

export interface OwnerHost {
  readonly state: State;
  readonly views: ViewReader;
  readonly resumptions: Resumptions;
  readonly turns: Turns;
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
  readonly update: ChannelUpdate;
}

/** The orders that rest are these. */
const OPEN: readonly OrdStatus[] = [OrdStatus.new, OrdStatus.partiallyFilled];
const PAGE = 200;
/** Rows that are joined in one piece of work. */
const PIECE_JOINED = 2000;
/** Subscriptions that cannot pay yet are looked at this often. */
const MIN_REST_MS = 10;

/** The rows of a snapshot, and where it stands. */
interface OwnSnapshot {
  readonly rows: readonly string[];
  readonly mark: Mark;
}

export class Owner {
  readonly uid: number;
  readonly host: OwnerHost;
  readonly feed: OwnerFeed;
  readonly #subscriptions = new Set<OwnSubscription>();
  /** Subscriptions that wait for a snapshot. */
  readonly #due = new Set<OwnSubscription>();
  #working = false;
  /** The last long update. */
  #lastUpdate: { head: string; prevSeq: number; data: string; text: string } | null = null;
  /** No further snapshots before this time of performance.now(). */
  #restsUntil = 0;

  constructor(uid: number, host: OwnerHost) {
    this.uid = uid;
    this.host = host;
    this.feed = new OwnerFeed(uid);
    host.state.eventFilter.addOwner(uid);
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
    for (const update of this.feed.flush(state)) {
      for (const subscription of this.#subscriptions) {
        if (subscription.channel === update.channel) subscription.deliver({ seq, time, update });
      }
    }
  }

  /** The text of an update, written once for all who have heard the same before. */
  updateText(head: string, prevSeq: number, seq: number, time: number, data: string): string {
    const last = this.#lastUpdate;
    if (last?.data === data && last.head === head && last.prevSeq === prevSeq) return last.text;
    const frame = { type: 'update', seq, prevSeq, transactTime: time } as const;
    const text = dataMessage(head, frame, `,"data":${data}`);
    this.#lastUpdate = data.length > BULK_TEXT ? { head, prevSeq, data, text } : null;
    return text;
  }

  add(subscription: OwnSubscription): void {
    this.flush();
    this.feed.begin(subscription.channel, this.host.state);
    this.#subscriptions.add(subscription);
  }

  /**
   * A snapshot for each that asks, as soon as it is their turn: what is read and written for it is
   * read and written once for all who wait, and then rests, so that asking again and again costs no
   * more than asking.
   */
  snapshot(subscription: OwnSubscription): void {
    this.#due.add(subscription);
    if (!this.#working) void this.#work();
  }

  /**
   * How long it is to be kept although nobody listens: who asks again right away must not find it
   * rested.
   */
  get staysFor(): number {
    return this.#working ? MAX_REST_MS : Math.max(0, this.#restsUntil - performance.now());
  }

  async #work(): Promise<void> {
    this.#working = true;
    while (this.#due.size > 0) {
      const [first] = this.#due;
      const wait = Math.max(this.#restsUntil - performance.now(), first!.payer.time.msUntil(0));
      if (wait > 0) await Bun.sleep(wait);
      const start = performance.now();
      const affordable = [...this.#due].filter((one) => one.affords);
      for (const channel of new Set(affordable.map((one) => one.channel))) {
        const round = affordable.filter((one) => one.channel === channel && !one.hasEnded);
        for (const one of round) this.#due.delete(one);
        if (round.length > 0) await this.#serve(channel, round);
      }
      const now = performance.now();
      this.#restsUntil = now + Math.max(MIN_REST_MS, restOf(now - start));
    }
    this.#working = false;
  }

  /** One snapshot for all of the round. */
  async #serve(channel: OwnChannel, round: readonly OwnSubscription[]): Promise<void> {
    try {
      for (const one of round) one.hold();
      const isWanted = () => round.some((one) => !one.hasEnded);
      const snapshot =
        channel === 'orders'
          ? await this.#openOrders(round, isWanted)
          : await this.#rows(channel, round[0]!.payer);
      await this.#startAll(round, snapshot);
    } catch (error) {
      for (const one of round) one.fail(error);
    }
  }

  /** Writes the snapshot in pieces, and sends it to each of the round that can pay. */
  async #startAll(round: readonly OwnSubscription[], { rows, mark }: OwnSnapshot): Promise<void> {
    const { turns } = this.host;
    const { payer, subject } = round[0]!;
    const texts: string[] = [];
    for (let at = 0; at < rows.length; at += PIECE_JOINED) {
      texts.push(await turns.run(payer, () => rows.slice(at, at + PIECE_JOINED).join(',')));
    }
    await turns.run(payer, () => {
      const { seq, time: transactTime } = mark;
      const frame = { type: 'snapshot', seq, prevSeq: null, transactTime } as const;
      const text = dataMessage(subjectText(subject), frame, `,"data":[${texts.join(',')}]`);
      for (const one of round) this.#startOne(one, text, seq);
    });
  }

  #startOne(one: OwnSubscription, text: string, seq: number): void {
    if (one.hasEnded) return;
    if (one.affords) {
      one.start(text, seq);
    } else {
      one.wait();
      this.#due.add(one);
    }
  }

  /** The current rows, written in pieces. */
  async #rows(channel: Exclude<OwnChannel, 'orders'>, payer: Payer): Promise<OwnSnapshot> {
    const { state } = this.host;
    const { turns } = this.host;
    const { objects, mark } = await turns.run(payer, () => {
      this.flush();
      return { objects: this.#objects(channel), mark: { seq: state.seq, time: state.time } };
    });
    const rows: string[] = [];
    for (let at = 0; at < objects.length; at += PIECE_ROWS) {
      await turns.run(payer, () => {
        for (const object of objects.slice(at, at + PIECE_ROWS)) rows.push(stringify(object));
      });
    }
    return { rows, mark };
  }

  #objects(channel: Exclude<OwnChannel, 'orders'>): readonly object[] {
    const { state } = this.host;
    switch (channel) {
      case 'balances':
        return writeBalances(state, this.uid);
      case 'subscriptions':
        return writeSubscriptions(state, this.uid);
      case 'interest':
        return [];
    }
  }

  /**
   * Live updates are newer than the rows that are read, and replace them: each of the round has
   * held all since the reading began.
   */
  async #openOrders(
    round: readonly OwnSubscription[],
    isWanted: () => boolean,
  ): Promise<OwnSnapshot> {
    const { host, uid } = this;
    const { state, turns } = host;
    const { payer } = round[0]!;
    const open = new Map<number, string>();
    const write = (reports: readonly ExecutionReport[]): void => {
      for (const report of reports) {
        const isOpen = OPEN.includes(report.ordStatus);
        if (!isOpen) open.delete(report.orderId);
        else open.set(report.orderId, stringify(writeReport(state, report)));
      }
    };
    await turns.run(payer, () => this.flush());
    if (state.orders.countOf(uid) > 0) {
      for await (const page of readOpen(host, uid, isWanted)) {
        await turns.run(payer, () => write(page));
      }
    }
    return turns.run(payer, () => {
      this.flush();
      write(round.find((one) => !one.hasEnded)?.reportsHeld ?? []);
      const mark = { seq: state.seq, time: state.time };
      return { rows: newestFirst(open), mark };
    });
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
    this.host.state.eventFilter.removeOwner(this.uid);
  }
}

/**
 * `waiting`: for its turn to have a snapshot. `loading`: the snapshot, or what was missed, is being
 * read. `live`: it was handed over.
 */
type Phase = 'waiting' | 'loading' | 'live' | 'ended';

export class OwnSubscription implements Subscription {
  readonly subject: Subject;
  readonly conflates = false;
  readonly #owner: Owner;
  readonly #connection: Connection;
  readonly #left: (owner: Owner) => void;
  readonly #head: string;
  #lastSeq: number;
  #phase: Phase = 'waiting';
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
    return this.#phase === 'waiting' || this.#phase === 'loading';
  }

  get payer(): Payer {
    return this.#connection.payer;
  }
  /**
   * Whether a snapshot may be made for it: its budget allows it, and the peer has read what was
   * sent.
   */
  get affords(): boolean {
    return this.#connection.affords && this.#connection.isCaughtUp;
  }

  get hasEnded(): boolean {
    return this.#phase === 'ended';
  }

  /** The reports that wait for the snapshot. */
  get reportsHeld(): ExecutionReport[] {
    return this.#held.flatMap(({ update }) => update.reports);
  }

  /** Sends the snapshot, or what was missed, and goes live. */
  begin({ resumeFrom, onFailure }: Beginning): void {
    this.#onFailure = onFailure;
    if (resumeFrom === undefined) {
      this.#owner.snapshot(this);
      return;
    }
    this.hold();
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

  /** From now on keeps what happens, for behind the snapshot. */
  hold(): void {
    if (this.#phase === 'waiting') this.#phase = 'loading';
  }

  /** There is no snapshot for it yet, and nothing to keep. */
  wait(): void {
    if (this.#phase !== 'loading') return;
    this.#phase = 'waiting';
    this.#held = [];
    this.#heldSize = 0;
  }

  /** Begins with this snapshot, which stands at `seq`; what was held since follows. */
  start(text: string, seq: number): void {
    if (this.#phase === 'ended') return;
    this.#connection.spend(text.length);
    this.#connection.outbox.sendInTurn({ text, of: this, sent: null });
    this.#lastSeq = seq;
    this.#phase = 'live';
    for (const later of this.#held.splice(0)) {
      if (later.seq > seq) this.#update(later.seq, later.time, later.update.data);
    }
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
    await resumptions.run(job, {
      isWanted: () => !this.hasEnded,
      requireBudget: () => this.#connection.requireBudget(),
      spend: (ms) => this.payer.time.spend(ms * REPLAY_COST),
      deliver: (part) => host.turns.run(this.payer, () => this.#sendMissed(part)),
    });
    if (this.#phase === 'ended') return;
    this.#phase = 'live';
    for (const { seq, time, update } of this.#held.splice(0)) this.#update(seq, time, update.data);
  }

  #sendMissed(part: readonly Missed[]): void {
    if (this.hasEnded) return;
    for (const { seq, transactTime, data } of part) {
      this.#connection.spend(data.length);
      this.#update(seq, transactTime, data);
    }
  }

  deliver(message: Held): void {
    const { seq, time, update } = message;
    if (this.#phase === 'live') this.#update(seq, time, update.data);
    if (this.#phase !== 'loading') return;
    this.#held.push(message);
    this.#heldSize += update.data.length;
    if (this.#heldSize > MAX_HELD) {
      this.#connection.close(Close.tryAgainLater, 'too much has come before the first message');
    }
  }

  #update(seq: number, time: number, data: string): void {
    const text = this.#owner.updateText(this.#head, this.#lastSeq, seq, time, data);
    this.#connection.send(text, this);
    this.#lastSeq = seq;
  }

  end(): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#held = [];
    this.#connection.withdraw(this);
    this.#owner.remove(this);
    this.#left(this.#owner);
  }

  /** Nothing of an account's own may be left out, so it does not pause. */
  pause(): void {}
  resume(): void {}
}

/** The texts of these orders by descending id. */
function newestFirst(open: ReadonlyMap<number, string>): string[] {
  const ids = Float64Array.from(open.keys()).sort().reverse();
  return Array.from(ids, (orderId) => open.get(orderId)!);
}

/**
 * The last report of every order that rests, from the views, a page at a time; it may be behind
 * what is live by now. It is read only for as long as it is wanted.
 */
async function* readOpen(
  { state, views }: OwnerHost,
  uid: number,
  isWanted: () => boolean,
): AsyncGenerator<readonly ExecutionReport[]> {
  const { seq } = state;
  for (const ordStatus of OPEN) {
    for (let lastRowId: number | undefined; isWanted(); ) {
      const from = lastRowId === undefined ? {} : { lastRowId };
      const query = { type: 'orders', uid, size: PAGE, filter: { ordStatus }, ...from } as const;
      const page = await views.query(query, seq);
      yield page;
      if (page.length < PAGE) break;
      lastRowId = page.at(-1)!.orderId;
    }
  }
}
