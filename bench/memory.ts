// Part `memory`: the memory of a resting order, at a million of them, as the growth of a process in
// which only the core grows.
import { Exchange } from '../src/core/exchange.ts';
import { alternate, type Context, type Findings, figuresOf, sizeOf } from './support/part.ts';
import { job } from './support/processes.ts';
import { type Memory, settledMemory } from './support/settled-memory.ts';
import { orderCommand, placeOf, START, venueCommands } from './support/venue.ts';

const FULL = { orders: 1_000_000 };
const USERS = 1000;
/** Orders placed before the first look, so that compiled code and first pages are not counted. */
const WARM_UP = 20_000;
/** Distinct prices a side. */
const PRICES = 50_000;

interface Run {
  readonly orders: number;
  readonly withClOrdIds: boolean;
}

function place(exchange: Exchange, count: number, { withClOrdIds }: Run): void {
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
    if (!outcome.ok) throw new Error(`an order was rejected: ${outcome.reject.name}`);
  }
}

/** Bytes of a resting order. */
const growthOf = job(import.meta, async (run: Run): Promise<Memory> => {
  const exchange = new Exchange();
  for (const command of venueCommands(USERS)) {
    exchange.apply(exchange.state.seq + 1, START, command);
  }
  place(exchange, WARM_UP, run);
  const before = await settledMemory();
  place(exchange, run.orders, run);
  const after = await settledMemory();
  if (exchange.state.orders.size !== WARM_UP + run.orders) {
    throw new Error('some orders do not rest');
  }
  return {
    resident: (after.resident - before.resident) / run.orders,
    live: (after.live - before.live) / run.orders,
  };
});

export async function memory(context: Context): Promise<Findings> {
  const { orders } = sizeOf(context, FULL);
  const growth = await alternate(context, {
    'without client order ids': () => growthOf({ orders, withClOrdIds: false }),
    'with client order ids': () => growthOf({ orders, withClOrdIds: true }),
  });
  const figures = Object.entries(growth).flatMap(([name, runs]) =>
    figuresOf(runs, [
      [`resident memory an order, ${name}`, 'bytes', ({ resident }) => resident, { atMost: 500 }],
      [`live memory an order, ${name}`, 'bytes', ({ live }) => live],
    ]),
  );
  return {
    figures,
    notes: [
      `${orders.toLocaleString('en')} resting limit orders of 1,000 customers at 100,000 ` +
        'prices, after a warm-up with 20,000; client order ids have 20 characters. Resident: ' +
        'growth of the process after full garbage collections. Live: heap and typed arrays ' +
        'alone.',
    ],
  };
}
