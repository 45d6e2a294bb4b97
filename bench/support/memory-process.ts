// The growth of a process by each resting order: a fresh exchange, filled only by apply(), and
// nothing else in the process that could grow.
import { Exchange } from '../../src/core/exchange.ts';
import { argumentOf, report } from './processes.ts';
import { type Memory, settledMemory } from './settled-memory.ts';
import { orderCommand, placeOf, START, venueCommands } from './venue.ts';

export interface MemoryRun {
  readonly orders: number;
  readonly withClOrdIds: boolean;
}

/** Bytes a resting order. */
export type MemoryGrowth = Memory;

const USERS = 1000;
/** Orders placed before the first look, so that compiled code and first pages are not counted. */
const WARM_UP = 20_000;
/** Distinct prices a side. */
const PRICES = 50_000;

function place(exchange: Exchange, count: number, { withClOrdIds }: MemoryRun): void {
  const first = exchange.state.orders.size;
  for (let number = first; number < first + count; number++) {
    const command = orderCommand({
      ...placeOf(number, PRICES),
      uid: 1 + (number % USERS),
      quantity: 1 + (number % 100),
      // The length of what bots use: a name and a number.
      clOrdId: withClOrdIds ? `strategy-a-${String(number).padStart(9, '0')}` : '',
      signature: null,
    });
    const { seq } = exchange.state;
    const outcome = exchange.apply(seq + 1, START + Math.floor(number / 1000), command);
    if (!outcome.ok) throw new Error(`an order was refused: ${outcome.reject.name}`);
  }
}

const run = argumentOf<MemoryRun>();
const exchange = new Exchange();
for (const command of venueCommands(USERS)) {
  exchange.apply(exchange.state.seq + 1, START, command);
}
place(exchange, WARM_UP, run);
const before = await settledMemory();
place(exchange, run.orders, run);
const after = await settledMemory();
if (exchange.state.orders.size !== WARM_UP + run.orders) throw new Error('some orders do not rest');
report({
  resident: (after.resident - before.resident) / run.orders,
  live: (after.live - before.live) / run.orders,
} satisfies MemoryGrowth);
