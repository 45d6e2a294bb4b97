// The live channels of one account: its feed, and each subscription from its first message on. A
// subscription begins with a snapshot, or with the messages missed since a seq. Updates that come
// meanwhile are buffered and follow.

import { stringify } from '../contract/json.ts';
import { Problem } from '../contract/problem.ts';
import { dataMessage, subjectText } from '../contract/streams/messages.ts';
import type { OwnChannel, Subject } from '../contract/streams/requests.ts';
import { writeBalances } from '../contract/trading/account.ts';
import type { ExecutionReport } from '../core/event.ts';
import { OrdStatus } from '../core/fix.ts';
import { withPresentTrigger } from '../core/trading/report.ts';
import { ViewsUnavailable } from '../views/views.ts';
import type { Payer } from './budget.ts';
import { Close, type Connection, type Subscription } from './connection.ts';
import { BULK_TEXT, MAX_HELD, MAX_REST_MS, PIECE_ROWS, REPLAY_COST, restOf } from './limits.ts';
import {
  type ChannelUpdate,
  type OwnEvent,
  OwnerFeed,
  writeReport,
  writeSubscriptions,
} from './owner-feed.ts';
import { OwnerTriggers } from './owner-triggers.ts';
import type { Resumptions } from './resume.ts';
import type { MissedMessage } from './resume-worker.ts';
import type { Mark, StreamHost } from './topic.ts';

export interface OwnerHost extends StreamHost {
  readonly resumptions: Resumptions;
}

/** How a subscription begins. */
export interface Beginning {
  readonly resumeFrom: number | undefined;
  /** It cannot begin. */
  readonly onFailure: (problem: Problem) => void;
}

/** Statuses of resting orders. */
const OPEN: readonly OrdStatus[] = [OrdStatus.new, OrdStatus.partiallyFilled];
const PAGE = 200;
/** Between two checks of the subscriptions that cannot pay yet. */
const MIN_REST_MS = 10;

/** The rows of a snapshot, which are written in pieces, and where it stands. */
interface OwnSnapshot<R = unknown> {
  readonly rows: readonly R[];
  readonly write: (row: R) => object;
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
  readonly #triggers: OwnerTriggers;

  constructor(uid: number, host: OwnerHost) {
    this.uid = uid;
    this.host = host;
    this.feed = new OwnerFeed(uid);
    this.#triggers = new OwnerTriggers(host, uid, () =>
      [...this.#subscriptions].filter(({ channel }) => channel === 'triggers'),
    );
    host.state.eventFilter.owners.add(uid);
  }

  get isEmpty(): boolean {
    return this.#subscriptions.size === 0;
  }

  receive(event: OwnEvent): void {
    this.feed.receive(event, this.host.state.seq);
    if (event.type === 'executionReport') this.#triggers.receive(event);
  }

  get waiting(): number {
    return this.feed.waiting;
  }

  /** Delivers the next message; returns its cost, in rows and in copies of it. */
  sendNext(): number {
    const before = this.waiting;
    const update = this.feed.next(this.host.state);
    let cost = before - this.waiting;
    for (const subscription of this.#subscriptions) {
      if (subscription.channel !== update?.channel) continue;
      subscription.deliver(update);
      cost++;
    }
    return cost;
  }

  /** Runs `work` in a turn in which every change so far has been delivered. */
  async settled<T>(payer: Payer, work: () => T): Promise<T> {
    const attempt = (): { readonly result: T } | null => {
      for (let cost = 0; this.waiting > 0 && cost < PIECE_ROWS; ) cost += this.sendNext();
      return this.waiting === 0 ? { result: work() } : null;
    };
    for (;;) {
      const done = await this.host.turns.run(payer, attempt);
      if (done !== null) return done.result;
    }
  }

  /** The text of an update, written once for all subscriptions that are at the same seq. */
  updateText(head: string, prevSeq: number, seq: number, time: number, data: string): string {
    const last = this.#lastUpdate;
    if (last?.data === data && last.head === head && last.prevSeq === prevSeq) return last.text;
    const frame = { type: 'update', seq, prevSeq, transactTime: time } as const;
    const text = dataMessage(head, frame, `,"data":${data}`);
    this.#lastUpdate = data.length > BULK_TEXT ? { head, prevSeq, data, text } : null;
    return text;
  }

  add(subscription: OwnSubscription): void {
    this.feed.begin(subscription.channel, this.host.state);
    this.#subscriptions.add(subscription);
    if (subscription.channel === 'triggers') this.#triggers.begin();
  }

  /**
   * Queues a subscription for a snapshot. One snapshot serves all that wait, and a pause follows
   * it, so repeated requests cost no more than one.
   */
  snapshot(subscription: OwnSubscription): void {
    this.#due.add(subscription);
    if (!this.#working) void this.#work();
  }

  /** How long it stays without subscribers, so that a new subscription does not skip the pause. */
  get lingerMs(): number {
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
      for (const one of round) one.load();
      if (channel === 'orders') await this.#startAll(round, await this.#openOrders(round));
      else await this.#startAll(round, await this.#rows(channel, round));
    } catch (error) {
      for (const one of round) one.fail(error);
    }
  }

  /** Writes the snapshot in pieces, and sends it to each of the round that can pay. */
  async #startAll<R>(
    round: readonly OwnSubscription[],
    { rows, write, mark }: OwnSnapshot<R>,
  ): Promise<void> {
    const { turns } = this.host;
    const { payer, subject } = round[0]!;
    const texts: string[] = [];
    for (let at = 0; at < rows.length; at += PIECE_ROWS) {
      const piece = () => stringify(rows.slice(at, at + PIECE_ROWS).map(write)).slice(1, -1);
      texts.push(await turns.run(payer, piece));
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

  #rows(
    channel: Exclude<OwnChannel, 'orders'>,
    round: readonly OwnSubscription[],
  ): Promise<OwnSnapshot<object>> {
    return this.settled(round[0]!.payer, () => {
      const rows = this.#objects(channel);
      return { rows, write: (row) => row, mark: this.#cut(round) };
    });
  }

  /** The current position: the snapshot has the updates that were buffered up to here. */
  #cut(round: readonly OwnSubscription[]): Mark {
    for (const one of round) one.dropBuffered();
    const { seq, time } = this.host.state;
    return { seq, time };
  }

  #objects(channel: Exclude<OwnChannel, 'orders'>): readonly object[] {
    const { state } = this.host;
    switch (channel) {
      case 'balances':
        return writeBalances(state, this.uid);
      case 'subscriptions':
        return writeSubscriptions(state, this.uid);
      case 'triggers':
        return this.#triggers.all();
      case 'interest':
        return [];
    }
  }

  /**
   * The last reports of the resting orders. Live reports are newer than those of the views and
   * replace them: each subscription of the round has buffered all since the first query.
   */
  async #openOrders(round: readonly OwnSubscription[]): Promise<OwnSnapshot<ExecutionReport>> {
    const { host, uid } = this;
    const { state, turns } = host;
    const { payer } = round[0]!;
    const open = new Map<number, ExecutionReport>();
    const note = (reports: readonly ExecutionReport[]): void => {
      for (const report of reports) {
        if (OPEN.includes(report.ordStatus)) open.set(report.orderId, report);
        else open.delete(report.orderId);
      }
    };
    const isWanted = () => round.some((one) => !one.hasEnded);
    if (state.orders.countOf(uid) > 0) {
      for await (const page of readOpen(host, uid, isWanted)) {
        await turns.run(payer, () => note(page));
      }
    }
    return this.settled(payer, () => {
      note(round.find((one) => !one.hasEnded)?.bufferedReports ?? []);
      const write = (report: ExecutionReport): object =>
        writeReport(state, withPresentTrigger(state, report));
      return { rows: newestFirst(open), write, mark: this.#cut(round) };
    });
  }

  remove(subscription: OwnSubscription): void {
    this.#due.delete(subscription);
    if (!this.#subscriptions.delete(subscription)) return;
    const { channel } = subscription;
    if (![...this.#subscriptions].some((other) => other.channel === channel)) {
      this.feed.end(channel);
      if (channel === 'triggers') this.#triggers.end();
    }
  }

  close(): void {
    this.#triggers.end();
    this.host.state.eventFilter.owners.remove(this.uid);
  }
}

/**
 * `waiting`: for its turn to get a snapshot. `loading`: the snapshot, or what was missed, is being
 * read. `live`: it was sent.
 */
type Phase = 'waiting' | 'loading' | 'live' | 'ended';

export class OwnSubscription implements Subscription {
  readonly subject: Subject;
  readonly conflates = false;
  readonly #owner: Owner;
  readonly #connection: Connection;
  readonly #onEnd: (owner: Owner) => void;
  readonly #head: string;
  #lastSeq: number;
  #phase: Phase = 'waiting';
  #buffer: ChannelUpdate[] = [];
  #bufferSize = 0;
  #onFailure: Beginning['onFailure'] | null = null;

  constructor(
    owner: Owner,
    connection: Connection,
    subject: Subject,
    onEnd: (owner: Owner) => void,
  ) {
    this.#owner = owner;
    this.#connection = connection;
    this.subject = subject;
    this.#onEnd = onEnd;
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
  get sentSeq(): number {
    return this.#owner.feed.sentSeq(this.#owner.host.state.seq);
  }
  get isLoading(): boolean {
    return this.#phase === 'waiting' || this.#phase === 'loading';
  }

  get payer(): Payer {
    return this.#connection.payer;
  }
  /** True if it may get a snapshot: its budget allows it, and the peer has read what was sent. */
  get affords(): boolean {
    return this.#connection.affords && this.#connection.isCaughtUp;
  }

  get hasEnded(): boolean {
    return this.#phase === 'ended';
  }

  /** The reports that follow the snapshot. */
  get bufferedReports(): ExecutionReport[] {
    return this.#buffer.flatMap(({ reports }) => reports);
  }

  /** Sends the snapshot, or what was missed, and goes live. */
  begin({ resumeFrom, onFailure }: Beginning): void {
    this.#onFailure = onFailure;
    if (resumeFrom === undefined) {
      this.#owner.snapshot(this);
      return;
    }
    this.load();
    this.#lastSeq = resumeFrom;
    this.#resume(resumeFrom).catch((error: unknown) => this.fail(error));
  }

  fail(error: unknown): void {
    if (this.#phase === 'ended') return;
    const known = error instanceof ViewsUnavailable ? new Problem('historyUnavailable') : error;
    if (!(known instanceof Problem)) this.#owner.host.warn(known);
    this.#onFailure?.(known instanceof Problem ? known : new Problem('internal'));
  }

  /** Begins to buffer updates, which follow the snapshot. */
  load(): void {
    if (this.#phase === 'waiting') this.#phase = 'loading';
  }

  /** Waits for a later snapshot, without the updates so far. */
  wait(): void {
    if (this.#phase !== 'loading') return;
    this.#phase = 'waiting';
    this.dropBuffered();
  }

  dropBuffered(): void {
    this.#buffer = [];
    this.#bufferSize = 0;
  }

  /** Sends the snapshot of the state at `seq`, and the updates that were buffered since. */
  start(text: string, seq: number): void {
    if (this.#phase === 'ended') return;
    this.#connection.spend(text.length);
    const sent = () => this.#connection.countSnapshot(text.length);
    this.#connection.outbox.sendInTurn({ text, of: this, sent });
    this.#lastSeq = seq;
    this.#goLive();
  }

  #goLive(): void {
    this.#phase = 'live';
    for (const { seq, time, data } of this.#buffer.splice(0)) this.#update(seq, time, data);
  }

  async #resume(fromSeq: number): Promise<void> {
    const { host, uid } = this.#owner;
    const { channel } = this;
    const uptoSeq = await this.#owner.settled(this.payer, () => {
      this.dropBuffered();
      return host.state.seq;
    });
    await host.resumptions.run(
      { uid, channel, fromSeq, uptoSeq },
      {
        isWanted: () => !this.hasEnded,
        requireBudget: () => this.#connection.requireBudget(),
        spend: (ms) => this.payer.time.spend(ms * REPLAY_COST),
        deliver: (part) => host.turns.run(this.payer, () => this.#sendMissed(part)),
      },
    );
    if (!this.hasEnded) this.#goLive();
  }

  #sendMissed(part: readonly MissedMessage[]): void {
    if (this.hasEnded) return;
    for (const { seq, transactTime, data } of part) {
      this.#connection.spend(data.length);
      this.#connection.countSnapshot(data.length);
      this.#update(seq, transactTime, data);
    }
  }

  deliver(update: ChannelUpdate): void {
    const { seq, time, data } = update;
    if (this.#phase === 'live') this.#update(seq, time, data);
    if (this.#phase !== 'loading') return;
    this.#buffer.push(update);
    this.#bufferSize += data.length;
    if (this.#bufferSize > MAX_HELD) {
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
    this.dropBuffered();
    this.#connection.withdraw(this);
    this.#owner.remove(this);
    this.#onEnd(this.#owner);
  }

  /** It never pauses: an account gets every one of its own changes. */
  pause(): void {}
  resume(): void {}
}

/** These reports by descending id of their orders. */
function newestFirst(open: ReadonlyMap<number, ExecutionReport>): ExecutionReport[] {
  const ids = Float64Array.from(open.keys()).sort().reverse();
  return Array.from(ids, (orderId) => open.get(orderId)!);
}

/** The last report of every resting order, from the views, in pages, while they are wanted. */
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
