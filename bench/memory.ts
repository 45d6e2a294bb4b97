// Part `memory`: the memory of a resting order, at a million of them, as the growth of a process in
// which only the core grows.
import { growthOf, type Memory, settledMemory } from './support/accounts.ts';
import { Writer } from './support/history.ts';
import { many, part, type Row } from './support/part.ts';
import { program } from './support/processes.ts';
import { orderCommand, placeOf, venueCommands } from './support/venue.ts';

const USERS = 1000;
/** Orders placed before the first look, so that compiled code and first pages are not counted. */
const WARM_UP = 20_000;
/** Distinct prices a side. */
const PRICES = 50_000;
const ORDERS_A_MILLISECOND = 1000;

function place(writer: Writer, count: number, withClOrdIds: boolean): void {
  const { orders } = writer.exchange.state;
  for (let left = count; left > 0; left--) {
    const number = orders.size;
    if (number % ORDERS_A_MILLISECOND === 0) writer.time++;
    const uid = 1 + (number % USERS);
    // The length of what bots use: a name and a number.
    const clOrdId = withClOrdIds ? `strategy-a-${String(number).padStart(9, '0')}` : '';
    const terms = { uid, quantity: 1 + (number % 100), clOrdId };
    writer.send(orderCommand({ ...placeOf(number, PRICES), ...terms }));
  }
}

const { once } = program(import.meta, {
  /** The memory of a resting order. */
  async growth(orders: number, withClOrdIds: boolean): Promise<Memory> {
    const writer = new Writer();
    await writer.sendAll(venueCommands(USERS));
    place(writer, WARM_UP, withClOrdIds);
    const before = await settledMemory();
    place(writer, orders, withClOrdIds);
    const growth = growthOf(before, await settledMemory(), orders);
    if (writer.exchange.state.orders.size !== WARM_UP + orders) {
      throw new Error('some orders do not rest');
    }
    return growth;
  },
});

const WITHOUT = 'without client order ids';
const WITH = 'with client order ids';

export const memory = part({
  name: 'memory',
  question: 'How much memory does each of a million resting orders take?',
  against: 'the targets only',
  size: { orders: 1_000_000 },
  subjects: ({ orders }) => ({
    [WITHOUT]: () => once.growth(orders, false),
    [WITH]: () => once.growth(orders, true),
  }),
  rows: () =>
    ([WITHOUT, WITH] as const).flatMap((name): Row<Record<typeof name, Memory>>[] => [
      [`resident memory an order, ${name}`, 'bytes', (run) => run[name].resident, { atMost: 500 }],
      [`live memory an order, ${name}`, 'bytes', (run) => run[name].live],
    ]),
  notes: ({ orders }) => [
    `${many(orders)} resting limit orders of 1,000 customers at 100,000 prices, after a warm-up ` +
      'with 20,000; client order ids have 20 characters. Resident: growth of the process after ' +
      'full garbage collections. Live: heap and typed arrays alone.',
  ],
});
