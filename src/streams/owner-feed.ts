// The updates of one account's channels, as JSON texts, from the account's events and the state
// after them. The live stream and a replay of the journal both use it, so they send the same rows.

import type { SubscriptionView } from '../contract/earn/answers.ts';
import { viewOfClosed, viewOfLive, writeCurrent } from '../contract/earn/writers.ts';
import { stringify } from '../contract/json.ts';
import { streamedInterest } from '../contract/streams/answers.ts';
import type { OwnChannel } from '../contract/streams/requests.ts';
import { ownedParts, writeBalance } from '../contract/trading/account.ts';
import { order } from '../contract/trading/order-report.ts';
import { dayOf } from '../core/calendar.ts';
import type {
  CoreEvent,
  ExecutionReport,
  InterestAccrued,
  SubscriptionChanged,
} from '../core/event.ts';
import type { State } from '../core/state.ts';
import type { Amount } from '../core/units.ts';
import { ChangeQueue } from './change-queue.ts';
import { MESSAGE_ROWS } from './limits.ts';

/** An event of one account; a trade has two, and each gets its own report. */
export type OwnEvent = Extract<CoreEvent, { readonly uid: number }>;

export const isOwn = (event: CoreEvent): event is OwnEvent => 'uid' in event;

/** One channel's message. */
export interface ChannelUpdate {
  readonly channel: OwnChannel;
  /** Every change up to here is in this message or in an earlier one. */
  readonly seq: number;
  readonly time: number;
  /** The rows, as JSON text of an array. */
  readonly data: string;
  /** In channel `orders`: the reports of the rows. */
  readonly reports: readonly ExecutionReport[];
}

/** A subscription that changed; `event` is null where only interest was added. */
interface ChangedSubscription {
  readonly event: SubscriptionChanged | null;
  /** The command of the first change since the last message. */
  readonly seq: number;
}

export class OwnerFeed {
  readonly #uid: number;
  readonly #channels = new Set<OwnChannel>();
  readonly #reports = new ChangeQueue<ExecutionReport>();
  readonly #interest = new ChangeQueue<InterestAccrued>();
  /** By applyId, in order of their first change. */
  readonly #subscriptions = new Map<number, ChangedSubscription>();
  /** By assetId, as last sent; null without a subscriber. */
  #owned: Amount[][] | null = null;
  /** The command of the first event since the balances were sent; null for none. */
  #movedSeq: number | null = null;

  constructor(uid: number) {
    this.#uid = uid;
  }

  /** Begins a channel at the current state. */
  begin(channel: OwnChannel, state: State): void {
    this.#channels.add(channel);
    if (channel === 'balances') this.#owned ??= this.#ownedNow(state);
  }

  end(channel: OwnChannel): void {
    this.#channels.delete(channel);
    if (channel === 'orders') this.#reports.clear();
    else if (channel === 'interest') this.#interest.clear();
    else if (channel === 'subscriptions') this.#subscriptions.clear();
    else if (channel === 'balances') [this.#owned, this.#movedSeq] = [null, null];
  }

  /** An event of the command `seq`. */
  receive(event: OwnEvent, seq: number): void {
    if (this.#owned !== null) this.#movedSeq ??= seq;
    if (event.type === 'executionReport') {
      if (this.#channels.has('orders')) this.#reports.push(event, seq);
    } else if (event.type === 'subscriptionChanged') {
      this.#note(event.applyId, event, seq);
    } else if (event.type === 'interestAccrued') {
      if (this.#channels.has('interest')) this.#interest.push(event, seq);
      this.#note(event.applyId, null, seq);
    }
  }

  #note(applyId: number, event: SubscriptionChanged | null, seq: number): void {
    if (!this.#channels.has('subscriptions')) return;
    const known = this.#subscriptions.get(applyId);
    this.#subscriptions.set(applyId, {
      event: event ?? known?.event ?? null,
      seq: known?.seq ?? seq,
    });
  }

  /** Changes that wait. */
  get waiting(): number {
    const rows = this.#reports.length + this.#interest.length + this.#subscriptions.size;
    return this.#movedSeq === null ? rows : rows + 1;
  }

  /** The position up to which everything was sent; the journal stands at `seq`. */
  sentSeq(seq: number): number {
    return Math.min(
      this.#reports.sentSeq(seq),
      this.#interest.sentSeq(seq),
      this.#subscriptionsSent(seq),
      this.#movedSeq === null ? seq : this.#movedSeq - 1,
    );
  }

  #subscriptionsSent(seq: number): number {
    for (const first of this.#subscriptions.values()) return first.seq - 1;
    return seq;
  }

  /** The next message; null where none waits. */
  next(state: State): ChannelUpdate | null {
    if (this.#movedSeq !== null) {
      this.#movedSeq = null;
      const rows = this.#changedBalances(state);
      if (rows.length > 0) return updateOf('balances', state.seq, state, rows);
    }
    if (this.#reports.length > 0) return this.#nextReports(state);
    if (this.#interest.length > 0) {
      const entries = this.#interest.take();
      const rows = entries.map((entry) =>
        streamedInterest.write(entry, state.assets[entry.assetId]!),
      );
      return updateOf('interest', this.#interest.sentSeq(state.seq), state, rows);
    }
    while (this.#subscriptions.size > 0) {
      const changed = [...this.#subscriptions.entries().take(MESSAGE_ROWS)];
      for (const [applyId] of changed) this.#subscriptions.delete(applyId);
      const rows = changed.flatMap(([id, { event }]) => writeSubscription(state, id, event));
      const seq = this.#subscriptionsSent(state.seq);
      if (rows.length > 0) return updateOf('subscriptions', seq, state, rows);
    }
    return null;
  }

  #nextReports(state: State): ChannelUpdate {
    const reports = this.#reports.take();
    const rows = reports.map((report) => writeReport(state, report));
    return updateOf('orders', this.#reports.sentSeq(state.seq), state, rows, reports);
  }

  #ownedNow(state: State): Amount[][] {
    return state.assets.map((asset) =>
      asset === undefined ? [] : ownedParts(state, this.#uid, asset),
    );
  }

  #changedBalances(state: State): object[] {
    const before = this.#owned!;
    const now = this.#ownedNow(state);
    this.#owned = now;
    return state.assets.flatMap((asset) => {
      if (asset === undefined) return [];
      const parts = now[asset.assetId]!;
      const known = before[asset.assetId];
      const same = parts.every((part, i) => part === (known?.[i] ?? 0));
      return same ? [] : writeBalance(asset, parts);
    });
  }
}

const updateOf = (
  channel: OwnChannel,
  seq: number,
  { time }: State,
  rows: readonly object[],
  reports: readonly ExecutionReport[] = [],
): ChannelUpdate => ({ channel, seq, time, data: stringify(rows), reports });

export const writeReport = (state: State, report: ExecutionReport): object =>
  order.write(report, state.instruments[report.securityId]!);

/** A subscription as the list of subscriptions has it, or from its last event once it is gone. */
function writeSubscription(
  state: State,
  applyId: number,
  event: SubscriptionChanged | null,
): object[] {
  const live = state.earn.subscriptions.find(applyId);
  if (live !== undefined) return [writeCurrent(state, viewOfLive(state, live, dayOf(state.time)))];
  return event === null ? [] : [writeCurrent(state, closedView(state, event))];
}

const closedView = (state: State, event: SubscriptionChanged): SubscriptionView => ({
  ...viewOfClosed(state, { ...event, maturityPrincipal: event.principal }),
  status: event.status,
});

/** The subscriptions that are not redeemed, newest first. */
export const writeSubscriptions = (state: State, uid: number): object[] =>
  [...state.earn.subscriptions.ofUser(uid)].map((subscription) =>
    writeCurrent(state, viewOfLive(state, subscription, dayOf(state.time))),
  );
