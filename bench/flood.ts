// Part `flood`: the latency of signed orders at a steady pace, in calm and during floods by unknown
// clients and by one customer. All run on the same node, with the loose limits of a sandbox; each
// flood comes from its own process.
import { join } from 'node:path';
import { defaultLimits, limitTexts } from '../src/config-limits.ts';
import { peakOf, resetPeak } from './support/accounts.ts';
import { FLOOD_KINDS, type FloodKind, type FloodPlan, floods } from './support/floods.ts';
import { createKeys, Writer } from './support/history.ts';
import { Loaded, startNode } from './support/load.ts';
import { many, part, type Row } from './support/part.ts';
import { program } from './support/processes.ts';
import { orderCommand, placeOf, venueCommands } from './support/venue.ts';

/** Customers with open orders in the book that is watched, and how many each has. */
const HOLDERS = 20;
const ORDERS_EACH = 9_900;
const PRICES = 50_000;
/** Nearer to the middle than these are only the orders of the load. */
const GAP = 10_000;
const CONNECTIONS = 32;
const ORDERS_PER_SECOND = 640;
const KEYS_OF_ONE = 8;
/** Far fewer than the flood of idle connections opens, so it reaches the limit. */
const MAX_CONNECTIONS = 2_000;
/** The flood begins this much before the orders and ends after them. */
const LEAD_SECONDS = 1.5;

const { once } = program(import.meta, {
  /** The customers with open orders, those of the load, and one with many keys. */
  async write(dataDir: string) {
    const users = HOLDERS + CONNECTIONS + 1;
    const writer = await new Writer().open(dataDir);
    await writer.sendAll(venueCommands(users, ORDERS_EACH + 20_000));
    // Customers take turns, so one customer's orders are all over the book and the store.
    for (let number = 0; number < HOLDERS * ORDERS_EACH; number++) {
      const uid = 1 + (Math.floor(number / 2) % HOLDERS);
      writer.send(orderCommand({ uid, quantity: 1000, ...placeOf(number, PRICES, GAP) }));
      await writer.flushFull();
    }
    await writer.close();
    return {
      keys: createKeys(dataDir, users, KEYS_OF_ONE),
      commands: writer.exchange.state.seq,
    };
  },
});

/** Limits of a sandbox; logins come from many networks. */
const FLAGS = [
  ...['--rate-limits', limitTexts(defaultLimits('sandbox')).join(',')],
  ...['--max-connections', String(MAX_CONNECTIONS), '--trusted-proxies', '127.0.0.1'],
];

const LOAD = { mix: 'quiet', perSecond: ORDERS_PER_SECOND, accepts: '^(429|503):' } as const;

/** The latency of orders in calm and during a flood. */
async function turnOf(node: Loaded, phaseSeconds: number, flood: FloodPlan) {
  await node.caughtUp();
  const calm = await node.run({ ...LOAD, seconds: phaseSeconds });
  const flooding = floods.run({ ...flood, seconds: phaseSeconds + 2 * LEAD_SECONDS });
  await Bun.sleep(LEAD_SECONDS * 1000);
  const flooded = await node.run({ ...LOAD, seconds: phaseSeconds });
  const peak = peakOf(node.server.pid);
  return { calm: calm.p99, flooded, report: await flooding, peak };
}
type Turn = Awaited<ReturnType<typeof turnOf>>;
type Run = Readonly<Record<string, Turn>>;

export const flood = part({
  name: 'flood',
  question: 'How much do floods by unknown callers, or by one customer, delay other orders?',
  against: 'the same orders without the flood',
  size: { warmUpSeconds: 15, phaseSeconds: 5 },
  async subjects({ warmUpSeconds, phaseSeconds }, { directory, step, resources }) {
    const dataDir = join(directory, 'data');
    step(`${HOLDERS * ORDERS_EACH} open orders`);
    const { keys, commands } = await once.write(dataDir);
    const customers = keys.slice(HOLDERS, HOLDERS + CONNECTIONS);
    const node = resources.use(await Loaded.connect(await startNode(dataDir, FLAGS), customers));
    await node.run({ ...LOAD, seconds: warmUpSeconds });
    resetPeak(node.server.pid);
    const port = Number(new URL(node.server.url).port);
    const subjects = FLOOD_KINDS.map((kind): [FloodKind, () => Promise<Turn>] => {
      const attackers = kind === 'one user, 8 keys' ? keys.slice(-KEYS_OF_ONE) : keys.slice(0, 1);
      // The whole history, and only the commands of the load.
      const resumeFrom = [0, commands];
      return [kind, () => turnOf(node, phaseSeconds, { kind, port, keys: attackers, resumeFrom })];
    });
    return Object.fromEntries(subjects);
  },
  rows: () =>
    FLOOD_KINDS.flatMap((kind): Row<Run>[] => [
      [
        `${kind}: p99 of orders ÷ calm`,
        '×',
        (run) => run[kind].flooded.p99 / run[kind].calm,
        { atMost: kind === 'logins' ? 1.5 : 3 },
      ],
      [`${kind}: p99 of orders`, 'ms', (run) => run[kind].flooded.p99, { atMost: 250 }],
    ]),
  notes(_, runs) {
    const turns = runs.flatMap((run) => Object.values(run));
    const orders = turns.reduce((sum, { flooded }) => sum + flooded.requests, 0);
    const rejected = turns.reduce((sum, { flooded }) => sum + flooded.rejected, 0);
    const peak = Math.max(...turns.map((turn) => turn.peak));
    const sizes = Object.entries(runs.at(-1)!).map(
      ([
        kind,
        {
          report: { opened, sent },
        },
      ]) => {
        return `${kind}: ${many(opened)} connections, ${many(sent)} requests or messages`;
      },
    );
    return [
      `${ORDERS_PER_SECOND} signed orders and cancels a second over ${CONNECTIONS} connections, ` +
        'open loop, from a process of their own. The book has ' +
        `${many(HOLDERS * ORDERS_EACH)} open orders; limits are those of a sandbox, a hundred ` +
        `times those of production, and ${many(MAX_CONNECTIONS)} connections at most.`,
      `The floods of one turn. ${sizes.join('; ')}.`,
      `${many(rejected)} of ${many(orders)} orders were rejected with 429 or 503 during floods. ` +
        `Resident memory was at most ${Math.round(peak / 2 ** 20)} MiB.`,
    ];
  },
});
