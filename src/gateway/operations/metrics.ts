// What Prometheus reads at /metrics: the engine's pace, the queue, the follower's lag, the reserves
// of plans, mails, and the answers: by status, and by how long they took.

import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { ApiCall } from '../../contract/call.ts';
import type { PlanReserve } from '../../contract/operator/plan-reserve.ts';
import { BOUNDS_MS, Durations } from '../../engine/durations.ts';
import type { FollowerHandle } from '../../engine/follower-handle.ts';
import type { Usage } from '../../streams/outbox.ts';
import type { Load } from '../limits/load.ts';

export interface Gauges {
  readonly seq: () => number;
  readonly syncTimes: Durations;
  readonly follower: Pick<FollowerHandle, 'appliedSeq' | 'lagMs' | 'status'>;
  readonly queueLength: () => number;
  readonly storageFull: () => boolean;
  readonly openOrders: () => number;
  /** Seconds. */
  readonly businessAhead: () => number;
  readonly streamConnections: () => number;
  readonly streamFailures: () => number;
  readonly streamUsage: () => Usage;
  readonly mailsWaiting: () => number;
  readonly mailsLost: () => number;
  readonly auditDeferred: () => number;
  readonly planReserves: () => readonly PlanReserve[];
  readonly load: Pick<Load, 'delays' | 'level' | 'shed'>;
  /** null where connections are not counted. */
  readonly connections: () => Connections | null;
}

interface Connections {
  readonly connections: number;
  readonly highWater: number;
  readonly ended: number;
}

const MAX_STATUS = 599;

export class Metrics {
  readonly #registry = new Registry();
  /**
   * By status. Counted in plain numbers, since every order passes here; handed over when somebody
   * reads.
   */
  readonly #answers = new Float64Array(MAX_STATUS + 1);
  readonly #callTimes = new Map<CallKind, Durations>();

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
        answers.forEach((count, status) => {
          if (count > 0) this.inc({ status: String(status) }, count);
        });
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
    const counter = (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    const { syncTimes } = gauges;
    counter(
      'agio_journal_syncs_total',
      'Batches of commands made durable, one sync each.',
      () => syncTimes.count,
    );
    this.#addHistogram(
      'agio_journal_sync_duration_seconds',
      'How long a batch of commands took to be durable.',
      () => [[{}, syncTimes]],
    );
    this.#addHistogram(
      'agio_http_request_duration_seconds',
      'From the headers of a call to its answer, by kind of call.',
      () => [...this.#callTimes].map(([calls, durations]) => [{ calls }, durations]),
    );
    this.#addFollower(gauges, gauge, counter);
    gauge(
      'agio_business_ahead_seconds',
      'Business time is ahead of the wall clock, and runs slower until it has caught up.',
      gauges.businessAhead,
    );
    gauge('agio_queue_length', 'Commands that wait for the journal.', gauges.queueLength);
    gauge('agio_storage_full', '1 while writes are refused for want of disk space, else 0.', () =>
      gauges.storageFull() ? 1 : 0,
    );
    gauge('agio_open_orders', 'Orders resting in all books.', gauges.openOrders);
    gauge('agio_stream_connections', 'Websockets that are open.', gauges.streamConnections);
    counter(
      'agio_stream_failures_total',
      'Streams that were ended because of a fault of the server.',
      gauges.streamFailures,
    );
    const { streamUsage } = gauges;
    gauge(
      'agio_stream_buffered_bytes',
      'Bytes that wait because websockets do not read them.',
      () => streamUsage().buffered,
    );
    counter(
      'agio_stream_snapshot_bytes_total',
      'Bytes of snapshots sent over websockets.',
      () => streamUsage().snapshotBytes,
    );
    counter(
      'agio_stream_refused_total',
      'Requests over websockets that a budget has refused.',
      () => streamUsage().refused,
    );
    gauge('agio_mails_waiting', 'Mails that are not delivered yet.', gauges.mailsWaiting);
    counter('agio_mails_lost_total', 'Mails that were given up.', gauges.mailsLost);
    gauge(
      'agio_audit_deferred',
      'Entries of the audit log that wait in memory for room on the disk.',
      gauges.auditDeferred,
    );
    gauge('agio_resident_bytes', 'Resident memory of the process.', residentBytes);
    gauge('agio_uptime_seconds', 'Seconds since the process started.', () =>
      Math.floor(process.uptime()),
    );
    this.#addPlanGauges(gauges);
    this.#addLoad(gauges);
  }

  #addLoad({ load, connections }: Gauges): void {
    const registers = [this.#registry];
    this.#addHistogram(
      'agio_event_loop_delay_seconds',
      'How late the event loop ran a timer, fifty times a second.',
      () => [[{}, load.delays]],
    );
    new Gauge({
      name: 'agio_load_level',
      help: 'Kinds of calls that are turned away: 0 none, 1 public reads, 2 own reads, 3 writes but orders, 4 orders.',
      registers,
      collect() {
        this.set(load.level);
      },
    });
    new Counter({
      name: 'agio_shed_total',
      help: 'Calls that were turned away because the server was too busy, by kind.',
      labelNames: ['calls'],
      registers,
      collect() {
        this.reset();
        for (const [calls, count] of Object.entries(load.shed)) this.inc({ calls }, count);
      },
    });
    const figure = (name: string, help: string, read: (of: Connections) => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.reset();
          const counted = connections();
          if (counted !== null) this.set(read(counted));
        },
      });
    figure('agio_connections', 'Connections that are open.', (of) => of.connections);
    figure(
      'agio_connections_limit',
      'Connections from which on some are ended.',
      (of) => of.highWater,
    );
    new Counter({
      name: 'agio_connections_ended_total',
      help: 'Connections that were ended because too many were open.',
      registers,
      collect() {
        this.reset();
        this.inc(connections()?.ended ?? 0);
      },
    });
  }

  #addFollower({ seq, follower }: Gauges, gauge: AddFigure, counter: AddFigure): void {
    gauge('agio_follower_seq', 'Last command in the views.', () => follower.appliedSeq);
    gauge('agio_follower_lag', 'Commands that the views are behind.', () =>
      Math.max(0, seq() - follower.appliedSeq),
    );
    gauge(
      'agio_follower_lag_seconds',
      'Seconds since the oldest command became durable that the views lack.',
      () => follower.lagMs / 1000,
    );
    gauge(
      'agio_history_available',
      '1 while history is read, 0 while the views cannot be opened or written.',
      () => (follower.status.views === null ? 1 : 0),
    );
    counter(
      'agio_view_failures_total',
      'Times that the views could not be opened or written.',
      () => follower.status.viewFailures,
    );
    counter(
      'agio_snapshot_failures_total',
      'Snapshots that could not be written.',
      () => follower.status.snapshotFailures,
    );
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

  /**
   * prom-client's own histogram is filled one observation at a time, by labels, which is slow for
   * every order.
   */
  #addHistogram(name: string, help: string, read: () => readonly Sample[]): void {
    const valuesOf = ([labels, durations]: Sample) => {
      const { count, sum } = durations;
      const bounded = durations.upToBounds().map((value, i) => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le: String(BOUNDS_MS[i]! / 1000) },
        value,
      }));
      return [
        ...bounded,
        { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
        { metricName: `${name}_sum`, labels, value: sum / 1000 },
        { metricName: `${name}_count`, labels, value: count },
      ];
    };
    const described = { name, help, type: 'histogram' };
    const get = async () => ({ ...described, values: read().flatMap(valuesOf) });
    this.#registry.registerMetric({ ...described, get } as unknown as Metric);
  }

  /** `ms` since the headers were there; `route` is null for a path that has none. */
  countAnswer(route: ApiCall | null, status: number, ms: number): void {
    this.#answers[status]!++;
    if (route !== null) this.#timesOf(kindOf(route)).observe(ms);
  }

  #timesOf(kind: CallKind): Durations {
    let durations = this.#callTimes.get(kind);
    if (durations === undefined) {
      durations = new Durations();
      this.#callTimes.set(kind, durations);
    }
    return durations;
  }

  /** Text exposition format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}

/** The system is asked by a file, which cannot be opened where descriptors have run out. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return Number.NaN;
  }
}
type AddFigure = (name: string, help: string, read: () => number) => unknown;

type Sample = readonly [labels: Readonly<Record<string, string>>, durations: Durations];

/**
 * Calls that may be expected to take equally long: writes wait for the disk, the user centre hashes
 * passwords.
 */
type CallKind = 'write' | 'read' | 'public' | 'user-center' | 'operator';

function kindOf({ access, write, path }: ApiCall): CallKind {
  if (typeof access === 'object') return write ? 'write' : 'read';
  return access === 'session' || path.startsWith('/user-center/') ? 'user-center' : access;
}
