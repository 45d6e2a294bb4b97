// Part `flood`: the latency of signed orders at a steady pace, in calm and during floods by unknown
// clients and by one customer. All run on the same node, with the loose limits of a sandbox; each
// flood comes from its own process.
import { join } from 'node:path';
import { defaultLimits, limitTexts } from '../src/config-limits.ts';
import { type FloodKind, type FloodReport, runFlood } from './support/floods.ts';
import { followerCaughtUp, LoadClient, startAgio } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import { writeOpenOrders } from './support/open-orders.ts';
import { type Context, type Figure, type Findings, figure, ratio, sizeOf } from './support/part.ts';
import { peakOf, resetPeak } from './support/peak-memory.ts';

const FULL = { warmUpSeconds: 15, phaseSeconds: 5 };

const KINDS: readonly FloodKind[] = [
  'idle connections',
  'bad signatures',
  'unknown paths',
  'one user, 8 keys',
  'l3orderbook subscribes',
  'private snapshots',
  'sockets that do not read',
  'resumed private streams',
  'logins',
];

/** Customers with open orders in the book that is watched, and how many each has. */
const HOLDERS = 20;
const ORDERS_EACH = 9_900;
const CONNECTIONS = 32;
const ORDERS_PER_SECOND = 640;
const KEYS_OF_ONE = 8;
/** Far fewer than the flood of idle connections opens, so it reaches the limit. */
const MAX_CONNECTIONS = 2_000;
/** The default limits of a sandbox; other parts of the benchmark switch limits off. */
const SANDBOX_LIMITS = limitTexts(defaultLimits('sandbox')).join(',');
/** The flood begins this much before the orders and ends after them. */
const LEAD_SECONDS = 1.5;

/** One flood and the calm before it. */
interface Turn {
  readonly calm: LoadAnswer;
  readonly flooded: LoadAnswer;
  readonly flood: FloodReport;
  /** Resident memory before the flood and at its peak; NaN where the system does not say. */
  readonly before: number;
  readonly peak: number;
}

export async function flood(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const dataDir = join(context.directory, 'data');
  context.step(`${HOLDERS * ORDERS_EACH} open orders`);
  const { commands, holders, others, ofLast } = await writeOpenOrders({
    dataDir,
    holders: HOLDERS,
    ordersEach: ORDERS_EACH,
    others: CONNECTIONS + 1,
    keysOfLast: KEYS_OF_ONE,
  });
  const limits = ['--rate-limits', SANDBOX_LIMITS, '--max-connections', String(MAX_CONNECTIONS)];
  // Logins come from many networks.
  limits.push('--trusted-proxies', '127.0.0.1');
  await using node = await startAgio(dataDir, limits);
  await using client = new LoadClient();
  await client.connect(node.ready, others.slice(0, CONNECTIONS));
  const load = { mix: 'quiet', perSecond: ORDERS_PER_SECOND, mayReject: true } as const;
  await client.open({ ...load, seconds: size.warmUpSeconds });

  const turnOf = async (kind: FloodKind): Promise<Turn> => {
    await followerCaughtUp(node.ready);
    const calm = await client.open({ ...load, seconds: size.phaseSeconds });
    const keys = kind === 'one user, 8 keys' ? ofLast : holders.slice(0, 1);
    const before = resetPeak(node.pid);
    const flooding = runFlood({
      ...{ kind, url: node.ready, keys },
      // The whole history, and only the commands of the load.
      resumeFrom: [0, commands],
      seconds: size.phaseSeconds + 2 * LEAD_SECONDS,
    });
    await Bun.sleep(LEAD_SECONDS * 1000);
    const flooded = await client.open({ ...load, seconds: size.phaseSeconds });
    const report = await flooding;
    return { calm, flooded, flood: report, before, peak: peakOf(node.pid) };
  };

  const turns = new Map<FloodKind, Turn[]>(KINDS.map((kind) => [kind, []]));
  for (let run = 1; run <= context.runs; run++) {
    for (const kind of KINDS) {
      context.step(`run ${run} of ${context.runs}: ${kind}`);
      turns.get(kind)!.push(await turnOf(kind));
    }
  }
  return findings(turns);
}

function findings(turns: ReadonlyMap<FloodKind, readonly Turn[]>): Findings {
  const figures: Figure[] = [...turns].flatMap(([kind, of]) => {
    const calm = of.map((turn) => turn.calm.p99);
    const flooded = of.map((turn) => turn.flooded.p99);
    const peak = of.map((turn) => turn.peak);
    const before = of.map((turn) => turn.before);
    const hasMemory = peak.every((bytes) => !Number.isNaN(bytes));
    const memory = [ratio(`${kind}: resident memory, peak ÷ before`, peak, before)];
    return [
      ratio(`${kind}: p99 of orders ÷ calm`, flooded, calm, {
        atMost: kind === 'logins' ? 1.5 : 3,
      }),
      figure(`${kind}: p99 of orders`, 'ms', flooded, { atMost: 250 }),
      figure(`${kind}: p99 in calm`, 'ms', calm),
      ...(hasMemory ? memory : []),
    ];
  });
  const all = [...turns.values()].flat();
  const orders = all.reduce((sum, { flooded }) => sum + flooded.requests, 0);
  const rejected = all.reduce((sum, { flooded }) => sum + flooded.rejected, 0);
  const peak = Math.max(...all.map((turn) => turn.peak));
  const sizes = [...turns].map(([kind, of]) => {
    const { opened, sent } = of.at(-1)!.flood;
    return (
      `${kind}: ${opened.toLocaleString('en')} connections, ${sent.toLocaleString('en')} ` +
      'requests or messages'
    );
  });
  return {
    figures,
    notes: [
      `${ORDERS_PER_SECOND} signed orders and cancels a second over ${CONNECTIONS} ` +
        'connections, open loop, from a process of their own. The book has ' +
        `${(HOLDERS * ORDERS_EACH).toLocaleString('en')} open orders; limits are those of a ` +
        'sandbox, a hundred times those of production, and ' +
        `${MAX_CONNECTIONS.toLocaleString('en')} connections at most.`,
      `The floods of one turn. ${sizes.join('; ')}.`,
      `${rejected.toLocaleString('en')} of ${orders.toLocaleString('en')} orders were rejected ` +
        'with 429 or 503 during floods. Resident memory was at most ' +
        `${Math.round(peak / 2 ** 20)} MiB.`,
    ],
  };
}
