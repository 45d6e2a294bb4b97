// The present triggers of one account's trailing stops. One trade may move thousands of them, so no
// move has a report: they are read from the state at intervals, and those that moved are sent.

import { stringify } from '../contract/json.ts';
import { type TrailingTrigger, trailingTrigger } from '../contract/streams/answers.ts';
import type { ExecutionReport } from '../core/event.ts';
import { NONE } from '../core/matching/order-store.ts';
import type { State } from '../core/state.ts';
import type { Ticks } from '../core/units.ts';
import type { Payer } from './budget.ts';
import { PIECE_ORDERS, TRIGGERS_INTERVAL_MS } from './limits.ts';
import type { ChannelUpdate } from './owner-feed.ts';
import type { StreamHost } from './topic.ts';

interface Subscriber {
  readonly payer: Payer;
  deliver(update: ChannelUpdate): void;
}

export class OwnerTriggers {
  readonly #host: StreamHost;
  readonly #state: State;
  readonly #uid: number;
  readonly #subscribers: () => readonly Subscriber[];
  /** By orderId, the trigger as last sent; null without a subscriber. */
  #sent: Map<number, Ticks> | null = null;
  /** The position of the last look. */
  #seq = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isLooking = false;

  constructor(host: StreamHost, uid: number, subscribers: () => readonly Subscriber[]) {
    this.#host = host;
    this.#state = host.state;
    this.#uid = uid;
    this.#subscribers = subscribers;
  }

  /** Begins at the current state, unless it has begun. */
  begin(): void {
    if (this.#sent !== null) return;
    this.#timer = setInterval(() => void this.#look(), TRIGGERS_INTERVAL_MS);
    const { orders, seq } = this.#state;
    this.#seq = seq;
    this.#sent = new Map();
    for (let slot = orders.firstOf(this.#uid); slot !== NONE; slot = orders.newerOf(slot)) {
      const trigger = this.#trigger(slot);
      if (trigger !== null) this.#sent.set(orders.orderId(slot), trigger);
    }
  }

  end(): void {
    clearInterval(this.#timer);
    this.#sent = null;
  }

  /** The report of a stop that begins to trail has its first trigger. */
  receive({ orderId, trailingTime, workingIndicator, triggerPx }: ExecutionReport): void {
    if (this.#sent === null || trailingTime === 0 || workingIndicator) return;
    if (!this.#sent.has(orderId)) this.#sent.set(orderId, triggerPx);
  }

  /** All stops that trail. */
  all(): object[] {
    return this.#rows(this.#present(this.#sent?.keys() ?? []));
  }

  /** One look at a time, in pieces, at the turns of its first subscriber. */
  async #look(): Promise<void> {
    const { seq } = this.#state;
    if (this.#sent === null || this.#isLooking || this.#seq === seq) return;
    this.#isLooking = true;
    this.#seq = seq;
    const orderIds = [...this.#sent.keys()];
    for (let at = 0; at < orderIds.length; at += PIECE_ORDERS) {
      const payer = this.#subscribers()[0]?.payer;
      if (payer === undefined) break;
      const piece = orderIds.slice(at, at + PIECE_ORDERS);
      await this.#host.turns.run(payer, () => this.#sendMoved(piece)).catch(this.#host.warn);
    }
    this.#isLooking = false;
  }

  #sendMoved(orderIds: readonly number[]): void {
    // The last subscriber may have left before the turn.
    if (this.#sent === null) return;
    const { seq, time } = this.#state;
    const moved = this.#present(orderIds).filter(
      ({ orderId, triggerPx }) => this.#sent!.get(orderId) !== triggerPx,
    );
    if (moved.length === 0) return;
    for (const { orderId, triggerPx } of moved) this.#sent!.set(orderId, triggerPx);
    const data = stringify(this.#rows(moved));
    const update = { channel: 'triggers', seq, time, data, reports: [] } as const;
    for (const subscriber of this.#subscribers()) subscriber.deliver(update);
  }

  /** The stops among these that still trail; forgets the others. */
  #present(orderIds: Iterable<number>): TrailingTrigger[] {
    const present: TrailingTrigger[] = [];
    for (const orderId of orderIds) {
      const slot = this.#state.orders.find(orderId);
      const triggerPx = slot === NONE ? null : this.#trigger(slot);
      if (triggerPx === null) this.#sent!.delete(orderId);
      else present.push({ orderId, triggerPx });
    }
    return present;
  }

  /** null: the order does not trail. */
  #trigger(slot: number): Ticks | null {
    const { orders, instruments } = this.#state;
    const { triggers } = instruments[orders.securityId(slot)]!;
    if (!triggers.isTrailing(slot)) return null;
    return triggers.trailingOf(orders.side(slot)).triggerOf(slot);
  }

  #rows(present: readonly TrailingTrigger[]): object[] {
    const { orders, instruments } = this.#state;
    return present.map((one) =>
      trailingTrigger.write(one, instruments[orders.securityId(orders.find(one.orderId))]!),
    );
  }
}
