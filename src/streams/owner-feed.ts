// The updates of one account's channels, batch by batch, as JSON texts: made from the events of its
// owner and the state after them. It does not know who listens, so that the live stream and a
// replay of the journal say the same.

import { type Shown, shownLive, writeCurrent, writeInterest } from '../contract/earn/writers.ts';
import { stringify } from '../contract/json.ts';
import type { OwnChannel } from '../contract/streams/requests.ts';
import { ownedParts, writeBalance } from '../contract/trading/account.ts';
import { writeOrder } from '../contract/trading/orders.ts';
import { dayOf } from '../core/calendar.ts';
import { currentTerms } from '../core/earn/plan.ts';
import type {
  CoreEvent,
  ExecutionReport,
  InterestAccrued,
  SubscriptionChanged,
} from '../core/event.ts';
import type { State } from '../core/state.ts';
import type { Amount } from '../core/units.ts';

/** An event that belongs to one account; a trade has two owners, who each have their report. */
export type OwnEvent = Extract<CoreEvent, { readonly uid: number }>;

export const isOwn = (event: CoreEvent): event is OwnEvent => 'uid' in event;

/** The rows of one channel's message, as JSON text of an array. */
export interface ChannelUpdate {
  readonly channel: OwnChannel;
  readonly data: string;
  /** In channel `orders`: the reports that the rows were made of. */
  readonly reports: readonly ExecutionReport[];
}

export class OwnerFeed {
  readonly #uid: number;
  readonly #channels = new Set<OwnChannel>();
  #reports: ExecutionReport[] = [];
  #interest: InterestAccrued[] = [];
  /** The last news of each subscription that has changed; null where only interest was added. */
  readonly #subscriptions = new Map<number, SubscriptionChanged | null>();
  /** By assetId, as last sent; null while nobody listens. */
  #owned: Amount[][] | null = null;
  #changed = false;

  constructor(uid: number) {
    this.#uid = uid;
  }

  /** From the present state on. Nothing may be pending. */
  begin(channel: OwnChannel, state: State): void {
    this.#channels.add(channel);
    if (channel === 'balances') this.#owned ??= this.#ownedNow(state);
  }

  end(channel: OwnChannel): void {
    this.#channels.delete(channel);
    if (channel === 'balances') this.#owned = null;
  }

  see(event: OwnEvent): void {
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

  /** The updates since the last call; empty where that is nothing. */
  flush(state: State): ChannelUpdate[] {
    if (!this.#changed) return [];
    this.#changed = false;
    const updates: ChannelUpdate[] = [];
    const tell = (
      channel: OwnChannel,
      rows: readonly object[],
      reports: ExecutionReport[] = [],
    ) => {
      if (rows.length === 0 || !this.#channels.has(channel)) return;
      updates.push({ channel, data: stringify(rows), reports });
    };
    const reports = this.#reports;
    tell(
      'orders',
      reports.map((report) => writeReport(state, report)),
      reports,
    );
    if (this.#owned !== null) tell('balances', this.#changedBalances(state, this.#owned));
    const changed = [...this.#subscriptions];
    if (this.#channels.has('subscriptions')) {
      tell(
        'subscriptions',
        changed.flatMap(([applyId, event]) => writeSubscription(state, applyId, event)),
      );
    }
    const interest = this.#interest;
    tell(
      'interest',
      interest.map((entry) => writeEntry(state, entry)),
    );
    this.#reports = [];
    this.#interest = [];
    this.#subscriptions.clear();
    return updates;
  }

  #ownedNow(state: State): Amount[][] {
    return state.assets.map((asset) => ownedParts(state, this.#uid, asset));
  }

  #changedBalances(state: State, before: readonly Amount[][]): object[] {
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

/**
 * A subscription as the current list has it; one with nothing left as its last event tells of it.
 */
function writeSubscription(
  state: State,
  applyId: number,
  event: SubscriptionChanged | null,
): object[] {
  const live = state.earn.subscriptions.find(applyId);
  if (live !== undefined) return [writeCurrent(state, shownLive(state, live, dayOf(state.time)))];
  return event === null ? [] : [writeCurrent(state, shownGone(state, event))];
}

function shownGone(state: State, event: SubscriptionChanged): Shown {
  const plan = state.earn.plans[event.planId]!;
  return {
    applyId: event.applyId,
    plan,
    terms: currentTerms(plan),
    status: event.status,
    amount: event.principal,
    rate: event.rate,
    boosterRate: event.boosterRate,
    hadBooster: event.boosterAmount > 0,
    startDay: event.startDay,
    lockDay: event.lockDay,
    autoRenew: event.autoRenew,
    renewal: null,
    earned: event.earned,
  };
}

/** A day's interest; the list of one subscription need not say whose it is, the stream must. */
const writeEntry = (state: State, entry: InterestAccrued): object => ({
  applyId: String(entry.applyId),
  ...writeInterest(state, entry),
});

/** The subscriptions that are not redeemed, newest first. */
export const writeSubscriptions = (state: State, uid: number): object[] =>
  [...state.earn.subscriptions.ofUser(uid)].map((subscription) =>
    writeCurrent(state, shownLive(state, subscription, dayOf(state.time))),
  );
