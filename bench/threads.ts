// Part `threads`: orders over HTTP with and without gateway threads, the processor time of each
// thread, the memory of a node with many of them, and the sequencer's thread alone. From the
// processor time follows what larger machines would reach.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CpuPerOrder,
  cpuPerOrder,
  PROJECTED_CORES,
  projected,
  threadSeconds,
} from '../src/cli/bench/measure.ts';
import { bareRate, CONNECTIONS, startAgioUnderLoad } from './support/agio-load.ts';
import { followerCaughtUp, metricsOf, type SustainedAnswer } from './support/load.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figure,
  figuresOf,
  ratio,
} from './support/part.ts';
import { runScript } from './support/processes.ts';
import type { SequencerRun, SequencerSpeed } from './support/sequencer-process.ts';
import { perRequest, threadTimes } from './support/threads.ts';

interface Size {
  readonly warmUp: number;
  readonly orders: number;
  readonly bareRequests: number;
  /** Before the second look at memory. */
  readonly memoryOrders: number;
  readonly sequencerWarmUp: number;
  readonly commands: number;
}

const FULL: Size = {
  warmUp: 100_000,
  orders: 400_000,
  bareRequests: 300_000,
  memoryOrders: 50_000,
  sequencerWarmUp: 200_000,
  commands: 800_000,
};
const QUICK: Size = {
  warmUp: 20_000,
  orders: 40_000,
  bareRequests: 40_000,
  memoryOrders: 20_000,
  sequencerWarmUp: 50_000,
  commands: 100_000,
};

const GATEWAYS = [0, 1, 2] as const;
const MANY_GATEWAYS = 4;
/** Commands over the ring without an answer yet; the sequencer's batches hold 1,024. */
const IN_FLIGHT = 2048;
const SETTLE_MS = 2000;

type Subject = 'bare' | 'none' | 'many' | 'sequencer' | (typeof GATEWAYS)[number];

interface Orders extends SustainedAnswer {
  readonly cpu: CpuPerOrder;
  /** The disk writes, which are a part of `cpu.other`; null without /proc. */
  readonly disk: number | null;
}

interface Memory {
  readonly idle: number;
  readonly used: number;
}

export async function threads(context: Context): Promise<Findings> {
  const size = context.quick ? QUICK : FULL;
  const runs = await alternate<unknown, `${Subject}`>(context, {
    '0': () => orders(context, size, 0),
    '1': () => orders(context, size, 1),
    '2': () => orders(context, size, 2),
    bare: () => bareRate(context.directory, size.warmUp, size.bareRequests),
    sequencer: () => sequencer(context, size),
    none: () => memory(context, size, 0),
    many: () => memory(context, size, MANY_GATEWAYS),
  });
  const byGateways = GATEWAYS.map((gateways) => runs[gateways] as Orders[]);
  const withTwo = byGateways.at(-1)!;
  return {
    figures: [
      ...rateFigures(byGateways, runs.bare as number[]),
      ...GATEWAYS.flatMap((gateways) => cpuFigures(byGateways[gateways], gateways)),
      figure(
        'processor time of an order, main and follower, gateways 2',
        'µs',
        withTwo.map(({ cpu }) => (cpu.main ?? 0) + (cpu.follower ?? 0)),
        { atMost: 12 },
      ),
      ...PROJECTED_CORES.map((cores) =>
        figure(
          `computed, not measured: orders with ${cores} cores`,
          '/s',
          withTwo.map(({ cpu }) => projected(cpu, cores).ordersPerSecond),
        ),
      ),
      ...sequencerFigures(runs.sequencer as SequencerSpeed[]),
      ...memoryFigures(runs.none as Memory[], runs.many as Memory[]),
    ],
    notes: notesOf(size, withTwo),
  };
}

function rateFigures(byGateways: readonly Orders[][], bare: readonly number[]): Figure[] {
  const rates = byGateways.map((runs) => runs.map(({ perSecond }) => perSecond));
  const best = bare.map((_, run) => Math.max(...rates.map((each) => each[run]!)));
  return [
    ...GATEWAYS.flatMap((gateways) => [
      figure(`orders over HTTP, gateways ${gateways}`, '/s', rates[gateways]),
      ...figuresOf(byGateways[gateways], [
        [`p99, gateways ${gateways}`, 'ms', ({ p99 }) => p99],
        [`core of the client, gateways ${gateways}`, '%', ({ clientShare }) => clientShare * 100],
      ]),
    ]),
    figure('bare Bun.serve, same requests', '/s', bare),
    ...GATEWAYS.map((gateways) =>
      ratio(`gateways ${gateways} ÷ bare Bun.serve`, rates[gateways], bare),
    ),
    ratio('the best of them ÷ bare Bun.serve', best, bare, { atLeast: 0.7 }),
  ];
}

function cpuFigures(runs: readonly Orders[], gateways: number): Figure[] {
  const names = new Set(runs.flatMap(({ cpu }) => Object.keys(cpu)));
  const row = (thread: string, of: (run: Orders) => number): Figure =>
    figure(`processor time of an order, gateways ${gateways}, ${thread}`, 'µs', runs.map(of));
  return [
    ...[...names].map((name) => row(name, ({ cpu }) => cpu[name] ?? 0)),
    ...(runs.some(({ disk }) => disk === null) ? [] : [row('disk alone', ({ disk }) => disk!)]),
  ];
}

const sequencerFigures = (runs: readonly SequencerSpeed[]): Figure[] =>
  figuresOf(runs, [
    ['sequencer alone, over a ring, durable', '/s', (run) => run.perSecond, { atLeast: 200_000 }],
    ['processor time of a command, sequencer alone', 'µs', ({ cpu }) => cpu],
    ['commands a sync, sequencer alone', 'per sync', ({ commandsPerSync }) => commandsPerSync],
  ]);

function memoryFigures(none: readonly Memory[], many: readonly Memory[]): Figure[] {
  const states = [
    ['idle', ({ idle }: Memory) => idle],
    ['after orders', ({ used }: Memory) => used],
  ] as const;
  return states.flatMap(([state, of]) => [
    figure(`resident memory ${state}, gateways 0`, 'bytes', none.map(of)),
    figure(`resident memory ${state}, gateways ${MANY_GATEWAYS}`, 'bytes', many.map(of)),
    ratio(`resident memory ${state}, gateways ${MANY_GATEWAYS} ÷ 0`, many.map(of), none.map(of), {
      atMost: 1.3,
    }),
  ]);
}

function notesOf({ orders: count, memoryOrders }: Size, [run]: readonly Orders[]): string[] {
  const limits = PROJECTED_CORES.map(
    (cores) => `${cores} cores: ${projected(run!.cpu, cores).limit}`,
  );
  return [
    `Orders: ${CONNECTIONS} connections as in part http, ${count.toLocaleString('en')} requests, ` +
      'half new orders and half cancels; the clock stops when the follower has caught up. The ' +
      'client shares the cores.',
    'Processor time by agio_thread_cpu_seconds_total: gateway is the sum of these threads; other ' +
      'is the disk, compilation and garbage collection.',
    'Computed from the processor time with gateways 2, as `agio bench` does: main and follower ' +
      'have one core each, gateway and other share all cores, the client is elsewhere. Neither ' +
      `memory bandwidth nor the disk limits it. The limits: ${limits.join('; ')}.`,
    `The sequencer alone: a process with engine and file journal. A second thread sends commands ` +
      `that were encoded before, each with a signature, ${IN_FLIGHT.toLocaleString('en')} at a ` +
      'time, half new orders and half cancels. Each outcome goes back when it is durable. No ' +
      'HTTP, no limits, no text of answers, no follower.',
    `Memory: agio_resident_bytes ${SETTLE_MS / 1000} s after the start, and again after ` +
      `${memoryOrders.toLocaleString('en')} orders and cancels, without a forced collection of ` +
      'garbage.',
  ];
}

const startWith = ({ directory }: Context, gateways: number) =>
  startAgioUnderLoad(directory, ['--gateways', String(gateways)]);

async function orders(context: Context, size: Size, gateways: number): Promise<Orders> {
  await using agio = await startWith(context, gateways);
  const { client, url, pid } = agio;
  const load = { mix: 'orders', connections: CONNECTIONS } as const;
  const warmUp = await client.closed({ ...load, requests: size.warmUp });
  await followerCaughtUp(url);
  const before = await threadSeconds(url);
  const diskBefore = threadTimes(pid);
  const sent = await client.sustained(url, { ...load, requests: size.orders });
  const disk = perRequest(diskBefore, threadTimes(pid), sent.requests)?.disk ?? null;
  const cpu = cpuPerOrder(before, await threadSeconds(url), sent.requests);
  await agio.checkSequenced(warmUp.requests + sent.requests);
  return { ...sent, cpu, disk };
}

async function memory(context: Context, size: Size, gateways: number): Promise<Memory> {
  await using agio = await startWith(context, gateways);
  const { client, url } = agio;
  const resident = async (): Promise<number> => {
    await Bun.sleep(SETTLE_MS);
    return (await metricsOf(url)).get('agio_resident_bytes')!;
  };
  const idle = await resident();
  const load = { mix: 'orders', connections: CONNECTIONS } as const;
  await client.sustained(url, { ...load, requests: size.memoryOrders });
  return { idle, used: await resident() };
}

async function sequencer(context: Context, size: Size): Promise<SequencerSpeed> {
  const dataDir = join(context.directory, 'sequencer');
  rmSync(dataDir, { recursive: true, force: true });
  const { sequencerWarmUp: warmUp, commands } = size;
  const run: SequencerRun = { dataDir, warmUp, commands, inFlight: IN_FLIGHT };
  const speed = await runScript<SequencerSpeed>('sequencer-process.ts', run);
  rmSync(dataDir, { recursive: true, force: true });
  return speed;
}
