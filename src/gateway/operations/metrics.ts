// The metrics at /metrics in the text format of Prometheus, version 0.0.4: one table of figures,
// read when somebody asks. Every order is counted here, so counting is plain arithmetic.
import type { ApiCall } from '../../contract/call.ts';
import type { PlanReserve } from '../../contract/operator/plan-reserve.ts';
import { BOUNDS_MS, Durations } from '../../engine/durations.ts';
import type { Engine } from '../../engine/engine.ts';
import type { FollowerHandle } from '../../engine/follower-handle.ts';
import { threadCpu } from '../../engine/thread-cpu.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Streams } from '../../streams/streams.ts';
import type { ClusterNode, ClusterStatus } from '../cluster-control.ts';
import type { ConnectionGuard } from '../limits/connection-guard.ts';
import type { Load } from '../limits/load.ts';
import { notReadyReason } from './readiness.ts';

/** The parts of a node that have figures. */
export interface MetricSources {
  readonly engine: Engine;
  readonly follower: Pick<FollowerHandle, 'appliedSeq' | 'lagMs' | 'status'>;
  readonly identity: Pick<Identity, 'mailer' | 'audit'>;
  readonly planReserves: () => readonly PlanReserve[];
  readonly load: Pick<Load, 'delays' | 'level' | 'shed'>;
  /** null before the streams are open. */
  readonly streams: () => Streams | null;
  /** null where connections are not counted. */
  readonly connections: () => Connections | null;
}

type Connections = Pick<ConnectionGuard, 'connections' | 'highWater' | 'ended'>;

type Labels = Readonly<Record<string, string>>;

/** One line: the suffix of the name, the labels and the value. */
interface Sample {
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly read: () => readonly Sample[];
}

const MAX_STATUS = 599;

/** The content type of the exposition. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export class Metrics {
  /** The number of answers by status. */
  readonly #answers = new Float64Array(MAX_STATUS + 1);
  /** Orders over websockets, by the status of their answers. */
  readonly #orders = new Float64Array(MAX_STATUS + 1);
  readonly #callTimes = new Map<CallKind, Durations>();
  readonly #receiveTimes = new Durations();
  readonly #metrics: readonly Metric[];
  readonly #engine: Engine;

  constructor(sources: MetricSources) {
    this.#engine = sources.engine;
    this.#metrics = [
      ...this.#httpMetrics(),
      ...journalMetrics(sources),
      this.#stageMetric(sources),
      ...followerMetrics(sources),
      ...streamMetrics(sources),
      ...processMetrics(sources),
      ...planMetrics(sources),
      ...loadMetrics(sources),
      ...connectionMetrics(sources),
    ];
  }

  /** Counts an answer `ms` after its headers; `route` is null for a path without a route. */
  countAnswer(route: ApiCall | null, status: number, ms: number): void {
    this.#answers[status]!++;
    if (route !== null) this.#timesOf(kindOf(route)).observe(ms);
  }

  /** Counts a write that was verified and parsed `ms` after its headers. */
  countReceived(ms: number): void {
    this.#receiveTimes.observe(ms);
  }

  /** Counts the answer to an order, a cancel or a mass cancel over a websocket. */
  countOrder(status: number): void {
    this.#orders[status]!++;
  }

  /** The text exposition format; `cluster` is null on a single machine. */
  text(cluster: ClusterStatus | null = null): string {
    const metrics = cluster === null ? [] : clusterMetrics(cluster);
    const isReady = notReadyReason(this.#engine, cluster) === null;
    return expositionOf([...this.#metrics, readyMetric(isReady), ...metrics]);
  }

  #httpMetrics(): readonly Metric[] {
    return [
      byStatus('agio_http_responses_total', 'HTTP answers by status.', this.#answers),
      byStatus(
        'agio_stream_orders_total',
        'Orders and cancels over websockets, by the status of their answers.',
        this.#orders,
      ),
      histogram(
        'agio_http_request_duration_seconds',
        'From the headers of a call to its answer, by kind of call.',
        () => [...this.#callTimes].map(([calls, durations]) => [{ calls }, durations]),
      ),
    ];
  }

  #stageMetric({ engine }: MetricSources): Metric {
    const { queue, journal, apply, answer } = engine.stages;
    const stages = { receive: this.#receiveTimes, queue, journal, apply, answer };
    return histogram(
      'agio_write_stage_duration_seconds',
      'Stages of writes: receive of each call, then queue, journal, apply, answer of each batch.',
      () => Object.entries(stages).map(([stage, durations]) => [{ stage }, durations]),
    );
  }

  #timesOf(kind: CallKind): Durations {
    let durations = this.#callTimes.get(kind);
    if (durations === undefined) {
      durations = new Durations();
      this.#callTimes.set(kind, durations);
    }
    return durations;
  }
}

/** The metrics of a server that is starting. */
export const startMetrics = (isNode: boolean): string =>
  expositionOf([...ownMetrics, readyMetric(false), ...(isNode ? [roleMetric('none')] : [])]);

const expositionOf = (metrics: readonly Metric[]): string =>
  `${metrics.map(textOf).join('\n\n')}\n`;

const readyMetric = (isReady: boolean): Metric =>
  gauge('agio_ready', '1 while this node accepts writes, else 0.', () => (isReady ? 1 : 0));

const journalMetrics = ({ engine }: MetricSources): readonly Metric[] => [
  gauge('agio_journal_seq', 'Last command that is durable and applied.', () => engine.seq),
  counter(
    'agio_journal_syncs_total',
    'Batches of commands made durable, one sync each.',
    () => engine.stages.journal.count,
  ),
  histogram(
    'agio_journal_sync_duration_seconds',
    'How long a batch of commands took to be durable.',
    () => [[{}, engine.stages.journal]],
  ),
  gauge(
    'agio_business_ahead_seconds',
    'Business time is ahead of the wall clock, and runs slower until it has caught up.',
    () => engine.ahead / 1000,
  ),
  gauge('agio_queue_length', 'Writes that wait for the journal.', () => engine.queueLength),
  gauge('agio_storage_full', '1 while writes are rejected for want of disk space, else 0.', () =>
    engine.storageFull ? 1 : 0,
  ),
  gauge(
    'agio_open_orders',
    'Orders resting in all books.',
    () => engine.exchange.state.orders.size,
  ),
];

const followerMetrics = ({ engine, follower }: MetricSources): readonly Metric[] => [
  gauge('agio_follower_seq', 'Last command in the views.', () => follower.appliedSeq),
  gauge('agio_follower_lag', 'Commands that the views are behind.', () =>
    Math.max(0, engine.seq - follower.appliedSeq),
  ),
  gauge(
    'agio_follower_lag_seconds',
    'Seconds since the oldest command became durable that the views lack.',
    () => follower.lagMs / 1000,
  ),
  gauge(
    'agio_history_available',
    '1 while history is read, 0 while the views cannot be opened or written.',
    () => (follower.status.views === null ? 1 : 0),
  ),
  counter(
    'agio_view_failures_total',
    'Times that the views could not be opened or written.',
    () => follower.status.viewFailures,
  ),
  counter(
    'agio_snapshot_failures_total',
    'Snapshots that could not be written.',
    () => follower.status.snapshotFailures,
  ),
];

const streamMetrics = ({ streams }: MetricSources): readonly Metric[] => [
  gauge(
    'agio_stream_connections',
    'Websockets that are open.',
    () => streams()?.connectionCount ?? 0,
  ),
  counter(
    'agio_stream_failures_total',
    'Streams that were ended because of a fault of the server.',
    () => streams()?.failures ?? 0,
  ),
  gauge(
    'agio_stream_buffered_bytes',
    'Bytes that wait because websockets do not read them.',
    () => streams()?.usage.buffered ?? 0,
  ),
  counter(
    'agio_stream_snapshot_bytes_total',
    'Bytes of snapshots sent over websockets.',
    () => streams()?.usage.snapshotBytes ?? 0,
  ),
  counter(
    'agio_stream_refused_total',
    'Requests over websockets that a budget has rejected.',
    () => streams()?.usage.rejected ?? 0,
  ),
];

const processMetrics = ({ identity: { mailer, audit } }: MetricSources): readonly Metric[] => [
  gauge('agio_mails_waiting', 'Mails that are not delivered yet.', () => mailer.waiting),
  counter('agio_mails_lost_total', 'Mails that were dropped.', () => mailer.lost),
  gauge(
    'agio_audit_deferred',
    'Entries of the audit log that wait in memory for room on the disk.',
    () => audit.deferred,
  ),
  {
    name: 'agio_thread_cpu_seconds_total',
    type: 'counter',
    help: 'Processor time by thread; other: the disk, compilation, garbage collection.',
    read: () => [...threadCpu.seconds()].map(([thread, value]) => ({ labels: { thread }, value })),
  },
  ...ownMetrics,
];

/** One sample for each plan. */
function planMetrics({ planReserves }: MetricSources): readonly Metric[] {
  const samples = (read: (reserve: PlanReserve) => number | null): Sample[] =>
    planReserves().flatMap((reserve) => {
      const value = read(reserve);
      return value === null ? [] : [{ labels: { plan: String(reserve.plan.planId) }, value }];
    });
  return [
    {
      name: 'agio_plan_reserve_days',
      type: 'gauge',
      help: 'Days of interest that the reserve of a plan covers; none where nothing is earned.',
      read: () => samples(({ daysOfCover }) => (daysOfCover === null ? null : Number(daysOfCover))),
    },
    {
      name: 'agio_plan_reserve_alarm',
      type: 'gauge',
      help: '1 where the operator has to fund the reserve of a plan.',
      read: () => samples(({ alarm }) => Number(alarm)),
    },
    {
      name: 'agio_plan_interest_overdue',
      type: 'gauge',
      help: '1 while a plan owes interest that fell due and could not be paid, else 0.',
      read: () => samples(({ overdue }) => (overdue ? 1 : 0)),
    },
  ];
}

const loadMetrics = ({ load }: MetricSources): readonly Metric[] => [
  histogram(
    'agio_event_loop_delay_seconds',
    'How late the event loop ran a timer, fifty times a second.',
    () => [[{}, load.delays]],
  ),
  gauge(
    'agio_load_level',
    'Kinds of calls that are turned away: 0 none, 1 public reads, 2 own reads, ' +
      '3 writes but orders, 4 orders.',
    () => load.level,
  ),
  {
    name: 'agio_shed_total',
    type: 'counter',
    help: 'Calls that were turned away because the server was too busy, by kind.',
    read: () => Object.entries(load.shed).map(([calls, value]) => ({ labels: { calls }, value })),
  },
];

function connectionMetrics({ connections }: MetricSources): readonly Metric[] {
  const counted = (name: string, help: string, read: (of: Connections) => number): Metric => ({
    name,
    type: 'gauge',
    help,
    read: () => {
      const found = connections();
      return found === null ? [] : [{ labels: {}, value: read(found) }];
    },
  });
  return [
    counted('agio_connections', 'Connections that are open.', (of) => of.connections),
    counted(
      'agio_connections_limit',
      'Connections from which on some are ended.',
      (of) => of.highWater,
    ),
    counter(
      'agio_connections_ended_total',
      'Connections that were ended because too many were open.',
      () => connections()?.ended ?? 0,
    ),
  ];
}

const ROLES = ['leader', 'follower', 'none'] as const;

const roleMetric = (role: (typeof ROLES)[number]): Metric => ({
  name: 'agio_cluster_role',
  type: 'gauge',
  help: '1 for the present role of this node, else 0.',
  read: () => ROLES.map((each) => ({ labels: { role: each }, value: each === role ? 1 : 0 })),
});

function clusterMetrics({ node: own, role, epoch, nodes }: ClusterStatus): readonly Metric[] {
  const lagOf = ({ seq }: ClusterNode) => Math.max(0, nodes[0]!.seq - seq);
  const ofAll: readonly Metric[] = [
    roleMetric(role),
    gauge('agio_cluster_epoch', 'The last known term of a leader.', () => epoch),
  ];
  if (role !== 'leader') return ofAll;
  return [
    ...ofAll,
    gauge('agio_cluster_nodes', 'Nodes of the cluster, the leader included.', () => nodes.length),
    {
      name: 'agio_cluster_lag_commands',
      type: 'gauge',
      help: 'Commands of the leader that another node has not applied yet.',
      read: () =>
        nodes
          .filter(({ node }) => node !== own)
          .map((each) => ({ labels: { node: each.node }, value: lagOf(each) })),
    },
  ];
}

const byStatus = (name: string, help: string, counts: Float64Array): Metric => ({
  name,
  type: 'counter',
  help,
  read: () =>
    [...counts].flatMap((value, status) =>
      value > 0 ? [{ labels: { status: String(status) }, value }] : [],
    ),
});

const figure =
  (type: 'counter' | 'gauge') =>
  (name: string, help: string, read: () => number): Metric => ({
    name,
    type,
    help,
    read: () => [{ labels: {}, value: read() }],
  });

const gauge = figure('gauge');
const counter = figure('counter');

/** Figures of the process alone. */
const ownMetrics: readonly Metric[] = [
  gauge('agio_resident_bytes', 'Resident memory of the process.', residentBytes),
  gauge('agio_uptime_seconds', 'Seconds since the process started.', () =>
    Math.floor(process.uptime()),
  ),
];

/** A histogram of durations, in seconds, for each set of labels. */
function histogram(
  name: string,
  help: string,
  read: () => readonly (readonly [Labels, Durations])[],
): Metric {
  const samplesOf = ([labels, durations]: readonly [Labels, Durations]): Sample[] => {
    const { count, sum } = durations;
    const bounded = durations.upToBounds().map((value, i) => ({
      suffix: '_bucket',
      labels: { ...labels, le: String(BOUNDS_MS[i]! / 1000) },
      value,
    }));
    return [
      ...bounded,
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
      { suffix: '_sum', labels, value: sum / 1000 },
      { suffix: '_count', labels, value: count },
    ];
  };
  return { name, type: 'histogram', help, read: () => read().flatMap(samplesOf) };
}

function textOf({ name, type, help, read }: Metric): string {
  const lines = read().map(
    ({ suffix = '', labels, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

/** All label values are names or numbers of agio, so none needs an escape. */
function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** The system reads a file for this figure, which fails without free descriptors. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return Number.NaN;
  }
}

/** Calls of a similar duration: writes wait for the disk, the user center hashes passwords. */
type CallKind = 'write' | 'read' | 'public' | 'user-center' | 'operator';

function kindOf({ access, write, path }: ApiCall): CallKind {
  if (typeof access === 'object') return write ? 'write' : 'read';
  return access === 'session' || path.startsWith('/user-center/') ? 'user-center' : access;
}
