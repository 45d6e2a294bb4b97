// The updates of one account's channels, batch by batch, as JSON texts, from the events of the
// account and the state after them. The live stream and a replay of the journal both use it, so
// they send the same messages.

import {
  type SubscriptionView,
  viewOfClosed,
  viewOfLive,
  writeCurrent,
  writeInterest,
} from '../contract/earn/writers.ts';
import { stringify } from '../contract/json.ts';
import type { OwnChannel } from '../contract/streams/requests.ts';
import { ownedParts, writeBalance } from '../contract/trading/account.ts';
import { writeOrder } from '../contract/trading/order-report.ts';
import { dayOf } from '../core/calendar.ts';
import type {
  CoreEvent,
  ExecutionReport,
  InterestAccrued,
  SubscriptionChanged,
} from '../core/event.ts';
import type { State } from '../core/state.ts';
import type { Amount } from '../core/units.ts';

/** An event of one account; a trade has two, and each gets its own report. */
export type OwnEvent = Extract<CoreEvent, { readonly uid: number }>;

export const isOwn = (event: CoreEvent): event is OwnEvent => 'uid' in event;

/** The rows of one channel's message, as JSON text of an array. */
export interface ChannelUpdate {
  readonly channel: OwnChannel;
  readonly data: string;
  /** In channel `orders`: the reports of the rows. */
  readonly reports: readonly ExecutionReport[];
}

export class OwnerFeed {
  readonly #uid: number;
  readonly #channels = new Set<OwnChannel>();
  #reports: ExecutionReport[] = [];
  #interest: InterestAccrued[] = [];
  /** The last change of each subscription; null where only interest was added. */
  readonly #subscriptions = new Map<number, SubscriptionChanged | null>();
  /** By assetId, as last sent; null without a subscriber. */
  #owned: Amount[][] | null = null;
  #changed = false;

  constructor(uid: number) {
    this.#uid = uid;
  }

  /** Begins a channel at the current state. Nothing may be pending. */
  begin(channel: OwnChannel, state: State): void {
    this.#channels.add(channel);
    if (channel === 'balances') this.#owned ??= this.#ownedNow(state);
  }

  end(channel: OwnChannel): void {
    this.#channels.delete(channel);
    if (channel === 'balances') this.#owned = null;
  }

  receive(event: OwnEvent): void {
    this.#changed = true;
    if (event.type === 'executionReport') {
      if (this.#channels.has('orders')) this.#reports.push(event);
    } else if (event.type === 'subscriptionChanged') {
      this.#subscriptions.set(event.applyId, event);
    } else if (event.type === 'interestAccrued') {
      if (this.#channels.has('interest')) this.#interest.push(event);
      const known = this.#subscriptions.get(event.applyId) ?? null;
      this.#subscriptions.set(event.applyId, known);
    }
  }

  /** The updates since the last flush. */
  flush(state: State): ChannelUpdate[] {
    if (!this.#changed) return [];
    this.#changed = false;
    const updates: ChannelUpdate[] = [];
    const reports = this.#reports;
    const add = (channel: OwnChannel, write: () => readonly object[]): void => {
      const rows = this.#channels.has(channel) ? write() : [];
      if (rows.length === 0) return;
      const own = channel === 'orders' ? reports : [];
      updates.push({ channel, data: stringify(rows), reports: own });
    };
    add('orders', () => reports.map((report) => writeReport(state, report)));
    add('balances', () => this.#changedBalances(state));
    add('subscriptions', () =>
      [...this.#subscriptions].flatMap(([id, event]) => writeSubscription(state, id, event)),
    );
    add('interest', () => this.#interest.map((entry) => writeEntry(state, entry)));
    this.#reports = [];
    this.#interest = [];
    this.#subscriptions.clear();
    return updates;
  }

  #ownedNow(state: State): Amount[][] {
    return state.assets.map((asset) => ownedParts(state, this.#uid, asset));
  }

  #changedBalances(state: State): object[] {
    const before = this.#owned!;
    const now = this.#ownedNow(state);
    this.#owned = now;
    return state.assets.flatMap((asset) => {
      const parts = now[asset.assetId]!;
      const known = before[asset.assetId];
      const same = parts.every((part, i) => part === (known?.[i] ?? 0));
      return same ? [] : writeBalance(asset, parts);
    });
  }
}

export const writeReport = (state: State, report: ExecutionReport): object =>
  writeOrder(report, state.instruments[report.securityId]!);

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

/** A day's interest, with its subscription: the stream has those of all. */
const writeEntry = (state: State, entry: InterestAccrued): object => ({
  applyId: String(entry.applyId),
  ...writeInterest(state, entry),
});

/** The subscriptions that are not redeemed, newest first. */
export const writeSubscriptions = (state: State, uid: number): object[] =>
  [...state.earn.subscriptions.ofUser(uid)].map((subscription) =>
    writeCurrent(state, viewOfLive(state, subscription, dayOf(state.time))),
  );
