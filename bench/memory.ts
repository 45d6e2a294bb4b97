// Part `memory`: the memory of a resting order, at a million of them, and of a write that is
// remembered, as the growth of a process in which only the core grows. Also whether the process
// grows with its writes while its open orders do not, and with an order that meets many icebergs.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '../src/core/calendar.ts';
import { Side } from '../src/core/fix.ts';
import { growthOf, type Memory, peakOf, resetPeak, settledMemory } from './support/accounts.ts';
import { openFollower, Writer } from './support/history.ts';
import { accounts, icebergs, order, PARTS, pairOf, setUpCommands, TAKER } from './support/large.ts';
import { many, part, type Row } from './support/part.ts';
import { program } from './support/processes.ts';
import {
  cancelCommand,
  orderCommand,
  placeOf,
  signatureOf,
  venueCommands,
} from './support/venue.ts';

const USERS = 1000;
/** Orders placed before the first look, so that compiled code and first pages are not counted. */
const WARM_UP = 20_000;
/** Distinct prices a side. */
const PRICES = 50_000;
const ORDERS_A_MILLISECOND = 1000;
/** The simulated time of the writes. */
const DAYS = 10;

/** The length of what bots use: a name and a number. */
const clOrdIdOf = (number: number): string => `strategy-a-${String(number).padStart(9, '0')}`;

function place(writer: Writer, count: number, withClOrdIds: boolean): void {
  const { orders } = writer.exchange.state;
  for (let left = count; left > 0; left--) {
    const number = orders.size;
    if (number % ORDERS_A_MILLISECOND === 0) writer.time++;
    const uid = 1 + (number % USERS);
    const clOrdId = withClOrdIds ? clOrdIdOf(number) : '';
    const terms = { uid, quantity: 1 + (number % 100), clOrdId };
    writer.send(orderCommand({ ...placeOf(number, PRICES), ...terms }));
  }
}

/** Places orders and cancels each, signed and with an Idempotency-Key, so far apart. */
function write(writer: Writer, from: number, to: number, apart: number): void {
  const start = writer.time - from * apart;
  let orderId = 0;
  for (let n = from; n < to; n++) {
    writer.time = Math.floor(start + n * apart);
    const uid = 1 + ((n >> 1) % USERS);
    const number = String(n).padStart(12, '0');
    const idempotency = {
      key: `3f2504e0-4f89-41d3-9a0c-${number}`,
      digest: `0123456789abcdef0123${number}`,
    };
    const signature = signatureOf(uid, n, writer.time);
    if (n % 2 === 1) writer.send({ ...cancelCommand(uid, orderId, signature), idempotency });
    else {
      const terms = { uid, quantity: 1, clOrdId: clOrdIdOf(n), signature };
      const order = orderCommand({ ...placeOf(n, PRICES), ...terms });
      ({ orderId } = writer.send({ ...order, idempotency }));
    }
  }
}

async function venue(): Promise<Writer> {
  const writer = new Writer();
  await writer.sendAll(venueCommands(USERS));
  place(writer, WARM_UP, false);
  return writer;
}

/** A first order warms the process up, and a second one is measured. */
const PAIRS = [pairOf(1, 0, 0), pairOf(1, 0, 1)];

/** Writes a journal with the icebergs and the orders that meet them. Returns where each is. */
async function writeMatches(dataDir: string, count: number): Promise<number[]> {
  const writer = await new Writer().open(dataDir);
  await writer.sendAll(accounts());
  for (const pair of PAIRS) await writer.sendAll(setUpCommands(icebergs(count).setUp, pair));
  const ends: number[] = [];
  for (const pair of PAIRS) {
    // Each command with its own record: the order, and the timers that complete it.
    await writer.advance(1);
    ends.push(writer.exchange.state.seq);
    writer.send(order(pair, { uid: TAKER, side: Side.buy, quantity: count * PARTS }));
    await writer.advance(1);
    while (writer.exchange.isBusy) {
      writer.send({ type: 'runTimers' });
      await writer.advance(1);
    }
  }
  await writer.close();
  return [ends[1], writer.exchange.state.seq];
}

const { once } = program(import.meta, {
  /** The memory of a resting order. */
  async growth(orders: number, withClOrdIds: boolean): Promise<Memory> {
    const writer = await venue();
    const before = await settledMemory();
    place(writer, orders, withClOrdIds);
    const growth = growthOf(before, await settledMemory(), orders);
    if (writer.exchange.state.orders.size !== WARM_UP + orders) {
      throw new Error('some orders do not rest');
    }
    return growth;
  },

  /** Measures after a tenth of the writes and after all. */
  async retained(writes: number) {
    const apart = (DAYS * DAY_MS) / writes;
    const writer = await venue();
    const before = await settledMemory();
    write(writer, 0, writes / 10, apart);
    const early = await settledMemory();
    const remembered = writer.exchange.state.outcomes.count;
    write(writer, writes / 10, writes, apart);
    const late = await settledMemory();
    return {
      early: early.resident,
      late: late.resident,
      perWrite: growthOf(before, early, remembered).live,
    };
  },

  writeMatches,

  /** By how much the peak of a follower exceeds what it had before the second order. */
  async followed(dataDir: string, [from, to]: readonly number[]): Promise<number> {
    const follower = await openFollower(dataDir);
    const reach = async (seq: number): Promise<void> => {
      follower.notifyDurable(seq);
      while (follower.appliedSeq < seq) await Bun.sleep(5);
    };
    await reach(from);
    await settledMemory();
    const before = resetPeak(process.pid);
    await reach(to);
    const peak = peakOf(process.pid);
    await follower.abandon();
    return peak - before;
  },
});

const WITHOUT = 'without client order ids';
const WITH = 'with client order ids';
type Run = Readonly<Record<typeof WITHOUT | typeof WITH, Memory>> & {
  readonly followed: number;
  readonly retained: Awaited<ReturnType<typeof once.retained>>;
};

export const memory = part({
  name: 'memory',
  question:
    'How much memory does each of a million resting orders take, and does a process grow with ' +
    'the writes of several days?',
  against: 'the targets, and itself after a tenth of the writes',
  size: { orders: 1_000_000, writes: 10_000_000, met: 20_000 },
  subjects: ({ orders, writes, met }, { directory }) => ({
    [WITHOUT]: () => once.growth(orders, false),
    [WITH]: () => once.growth(orders, true),
    retained: () => once.retained(writes),
    async followed() {
      const dataDir = join(directory, 'matches');
      rmSync(dataDir, { recursive: true, force: true });
      return await once.followed(dataDir, await once.writeMatches(dataDir, met));
    },
  }),
  rows: ({ writes, met }) => [
    ...([WITHOUT, WITH] as const).flatMap((name): Row<Run>[] => [
      [`resident memory an order, ${name}`, 'bytes', (run) => run[name].resident, { atMost: 500 }],
      [`live memory an order, ${name}`, 'bytes', (run) => run[name].live],
    ]),
    [
      `resident memory after ${many(writes / 10)} writes`,
      'bytes',
      ({ retained }) => retained.early,
    ],
    [`resident memory after ${many(writes)} writes`, 'bytes', ({ retained }) => retained.late],
    [
      'resident memory, late ÷ early',
      '×',
      ({ retained }) => retained.late / retained.early,
      { atMost: 1.2 },
    ],
    ['live memory a write that is remembered', 'bytes', ({ retained }) => retained.perWrite],
    [
      `growth of a follower, an order that meets ${many(met)} icebergs`,
      'bytes',
      ({ followed }) => followed,
      { atMost: 32 * 2 ** 20 },
    ],
  ],
  notes: ({ orders }) => [
    `${many(orders)} resting limit orders of 1,000 customers at 100,000 prices, after a warm-up ` +
      'with 20,000; client order ids have 20 characters. Resident: growth of the process after ' +
      'full garbage collections. Live: heap and typed arrays alone.',
    `The writes: over ${DAYS} simulated days, orders that are canceled right after, each signed ` +
      'and with an Idempotency-Key of 36 characters; the 20,000 orders stay.',
    'The icebergs have 100 parts at one price. The follower has done the same in another pair ' +
      'before, so that compiled code and caches are not counted. Growth: the peak of the ' +
      'resident memory, with garbage, over that before.',
  ],
});
