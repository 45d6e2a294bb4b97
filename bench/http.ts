// Part `http`: signed orders over HTTP, each durable before its answer. The clock stops when the
// follower has written the history of the last order.
import { CONNECTIONS, cpuRows, Loaded, type PerStream, type ServerKind } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import { STREAM_NOTE, STREAMS, type Stream } from './support/order-flow.ts';
import { many, part, type Row } from './support/part.ts';
import { startBusyProcess } from './support/processes.ts';

interface ServerRun {
  readonly streams: PerStream;
  /** The rate of stream market while another process uses one core. */
  readonly shared: number;
  /** At half of agio's rate of stream market; of a bare server, at OPEN_RATE. */
  readonly open: Pick<LoadAnswer, 'p99' | 'max'>;
}
type Run = Readonly<Record<'agio' | 'bare' | 'durable', ServerRun>>;

/** Requests a second that a bare server gets in an open phase: about as many as agio gets. */
const OPEN_RATE = 15_000;

async function sharedRate(server: Loaded, orders: number): Promise<number> {
  await using _process = startBusyProcess();
  return (await server.sustained('market', orders)).perSecond;
}

const rate = (kind: keyof Run, mix: Stream) => (run: Run) => run[kind].streams[mix].perSecond;

const rateRows = (mix: Stream): Row<Run>[] => [
  [`agio, ${mix}`, '/s', rate('agio', mix)],
  [`agio until the last answer, ${mix}`, '/s', ({ agio }) => agio.streams[mix].burst],
  [`bare Bun.serve, ${mix}`, '/s', rate('bare', mix)],
  [`bare durable, ${mix}`, '/s', rate('durable', mix)],
];

export const http = part({
  name: 'http',
  question:
    'How many signed orders per second become durable and get an HTTP answer, and how fast?',
  against: 'a bare Bun.serve with the same signature and JSON, without and with a disk',
  size: {
    warmUp: 60_000,
    /** Many times what the follower may defer. */
    requests: 400_000,
    /** The bare servers defer nothing. */
    bareRequests: 200_000,
    openSeconds: 6,
    /** While another process uses one core. */
    sharedRequests: 100_000,
  },
  subjects({ warmUp, requests, bareRequests, openSeconds, sharedRequests }, context) {
    const runBare = async (kind: ServerKind): Promise<ServerRun> => {
      await using server = await Loaded.start(context, kind);
      const streams = await server.streams({ warmUp, orders: bareRequests });
      const open = await server.run({ mix: 'market', perSecond: OPEN_RATE, seconds: openSeconds });
      return { streams, shared: await sharedRate(server, sharedRequests), open };
    };
    return {
      async agio() {
        await using server = await Loaded.start(context);
        const streams = await server.streams({ warmUp, orders: requests });
        const perSecond = streams.market.perSecond / 2;
        const open = await server.run({ mix: 'market', perSecond, seconds: openSeconds });
        const shared = await sharedRate(server, sharedRequests);
        await server.checkJournal();
        return { streams, shared, open };
      },
      bare: () => runBare('bare'),
      durable: () => runBare('durable'),
    };
  },
  rows: () => [
    ...STREAMS.flatMap(rateRows),
    [
      'agio ÷ bare durable, busy',
      '×',
      (run) => rate('agio', 'busy')(run) / rate('durable', 'busy')(run),
      { atLeast: 0.75 },
    ],
    [
      'agio ÷ bare Bun.serve, market, while another process uses one core',
      '×',
      ({ agio, bare }) => agio.shared / bare.shared,
      { atLeast: 0.5 },
    ],
    ...cpuRows(({ agio }: Run) => agio.streams, '', {
      targets: { 'market, follower': { atMost: 5 }, 'busy, follower': { atMost: 8 } },
    }),
    ...cpuRows(({ bare }: Run) => bare.streams, ' of bare', { threads: ['main'] }),
    [
      'main ÷ main of bare, market',
      '×',
      ({ agio, bare }) => agio.streams.market.cpu.main / bare.streams.market.cpu.main,
      { atMost: 1.4 },
    ],
    ['p99 at half of the rate, market', 'ms', ({ agio }) => agio.open.p99, { atMost: 5 }],
    ['longest at half of the rate, market', 'ms', ({ agio }) => agio.open.max],
    [`p99 of bare, ${many(OPEN_RATE)}/s, market`, 'ms', ({ bare }) => bare.open.p99],
    [`p99 of bare durable, ${many(OPEN_RATE)}/s, market`, 'ms', ({ durable }) => durable.open.p99],
    ...STREAMS.map((mix): Row<Run> => {
      const bytes = ({ agio }: Run) => agio.streams[mix].historyBytes;
      return [`history of an order, ${mix}`, 'bytes', bytes];
    }),
  ],
  notes: ({ requests }) => [
    `${CONNECTIONS} keep-alive connections from a second process, one customer and key ` +
      'each; every request is signed and different, every answer 200. ' +
      `${many(requests)} requests of each stream, many times what the ` +
      'follower may defer; the clock stops when it has caught up. The journal has gained exactly ' +
      'as many commands as there were requests.',
    STREAM_NOTE,
    'The other process runs an endless loop at the usual priority.',
    'Open loop at half of the rate: requests are due at fixed times and timed from then, so that ' +
      'a stall counts for every request that was due in it. The client looks at its clock once a ' +
      'millisecond, which is part of the times.',
    'The bare server looks up the key, checks the HMAC as one writes it with node:crypto, parses ' +
      'the JSON and answers a small one: no state, no disk. Bare durable also makes one O_DSYNC ' +
      'write of the bodies of a batch before it answers them, while the next batch gathers: the ' +
      'limit for the same promise.',
    'Tried for the history, and left: inserts of 4 or 20 rows each (1.4 times as slow), rows in ' +
      'order of their users, pages of 8 and 16 KiB, checkpoints of 64 MiB, transactions of three ' +
      'times as many commands (no difference beyond the noise), many orders of a user in one row ' +
      'with indexes by class and clOrdId (18 to 26 % fewer bytes, and no less processor time), ' +
      'an index by a hash of the clOrdId in place of its text (twice as slow: a page of the file ' +
      'for each), and its hashes in sorted runs (no faster, and names can be chosen to have one ' +
      'hash). Won: one value for the fields of an order, ids by class many to a row, an index of ' +
      'clOrdIds in parts of 65,536 order ids (random clOrdIds cost an eighth more than names in ' +
      'order, and a third more in one index), and forms of records compiled from their fields (a ' +
      'sixth in the busy stream, a ninth in the market one).',
    'Tried for the thread of orders, and left: the headers of an answer as an object or an array ' +
      '(2 to 2.3 times the time of one shared Headers), an HMAC of two plain hashes instead of a ' +
      'prepared one (1.2 times), a scan of strings by character (1.4 times that by indexOf), and ' +
      'answers written by hand (0.4 % of an order). By `perf`, a quarter of the thread is the ' +
      'JavaScript of agio, a quarter the kernel, and half the runtime, most of it in calls of ' +
      'agio: headers, JSON, the HMAC, the answer.',
    'Tried for the p99, and left: a follower that writes nothing while orders come, which ' +
      'is the best that smaller slices of it could reach, a data directory in memory, the ' +
      'lowest scheduling class for the other threads, and at most one write of the disk in ' +
      'a millisecond. All had the same p99, within its noise. At half of the rate, an order ' +
      'costs the main thread of agio and of a bare server one and a half times as much as ' +
      'at the full rate, in JavaScript, runtime and kernel alike. What stalls by `perf ' +
      'sched` are bursts of 7 ms and more of the follower, the garbage collection, the ' +
      'compiler, and the return of free memory to the system. Without that return ' +
      '(`MIMALLOC_PURGE_HOLES=0`) the median p99 of ten phases was 11 ms in place of 16, ' +
      'and five of five runs had 3 to 7 % more orders a second, with 120 to 150 MB more ' +
      'memory.',
  ],
});
