// What Prometheus reads at /metrics: the engine's pace, the queue, the follower's lag, the reserves of plans, and the answers
// by status.
import { Counter, Gauge, Registry } from 'prom-client';
import type { PlanReserve } from '../contract/plan-reserve.ts';

export interface Gauges {
  readonly seq: () => number;
  readonly journalSyncs: () => number;
  readonly followerSeq: () => number;
  readonly queueLength: () => number;
  readonly openOrders: () => number;
  /** Seconds. */
  readonly standstill: () => number;
  readonly streamConnections: () => number;
  readonly planReserves: () => readonly PlanReserve[];
}

export class Metrics {
  readonly #registry = new Registry();
  /** Counted in a plain map, since every order passes here; handed over when somebody reads. */
  readonly #answers = new Map<number, number>();

  constructor(gauges: Gauges) {
    const registers = [this.#registry];
    const answers = this.#answers;
    new Counter({
      name: 'agio_http_responses_total',
      help: 'HTTP answers by status.',
      labelNames: ['status'],
      registers,
      collect() {
        this.reset();
        for (const [status, count] of answers) this.inc({ status: String(status) }, count);
      },
    });
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    gauge('agio_journal_seq', 'Last command that is durable and applied.', gauges.seq);
    new Counter({
      name: 'agio_journal_syncs_total',
      help: 'Batches of commands made durable, one sync each.',
      registers,
      collect() {
        this.reset();
        this.inc(gauges.journalSyncs());
      },
    });
    gauge('agio_follower_seq', 'Last command in the views.', gauges.followerSeq);
    gauge('agio_follower_lag', 'Commands that the views are behind.', () =>
      Math.max(0, gauges.seq() - gauges.followerSeq()),
    );
    gauge(
      'agio_business_ahead_seconds',
      'Business time is ahead of the clock, and stands still until the clock has reached it.',
      gauges.standstill,
    );
    gauge('agio_queue_length', 'Commands that wait for the journal.', gauges.queueLength);
    gauge('agio_open_orders', 'Orders resting in all books.', gauges.openOrders);
    gauge('agio_stream_connections', 'Websockets that are open.', gauges.streamConnections);
    gauge('agio_resident_bytes', 'Resident memory of the process.', () =>
      process.memoryUsage.rss(),
    );
    gauge('agio_uptime_seconds', 'Seconds since the process started.', () =>
      Math.floor(process.uptime()),
    );
    this.#addPlanGauges(gauges);
  }

  /** A sample for each plan. */
  #addPlanGauges({ planReserves }: Gauges): void {
    const registers = [this.#registry];
    const gauge = (name: string, help: string, read: (reserve: PlanReserve) => number | null) =>
      new Gauge({
        name,
        help,
        labelNames: ['plan'],
        registers,
        collect() {
          this.reset();
          for (const reserve of planReserves()) {
            const value = read(reserve);
            if (value !== null) this.set({ plan: String(reserve.plan.planId) }, value);
          }
        },
      });
    gauge(
      'agio_plan_reserve_days',
      'Days of interest that the reserve of a plan covers; none where nothing is earned.',
      ({ daysOfCover }) => (daysOfCover === null ? null : Number(daysOfCover)),
    );
    gauge(
      'agio_plan_interest_overdue',
      '1 while a plan owes interest that fell due and could not be paid, else 0.',
      ({ overdue }) => (overdue ? 1 : 0),
    );
  }

  countAnswer(status: number): void {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
  }

  /** Text exposition format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
