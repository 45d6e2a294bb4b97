// The quotes of the demo market: where they stand, how they follow the price, and what passed
// means.
import { describe, expect, test } from 'bun:test';
import { Side } from '../core/fix.ts';
import { lots, type Ticks, ticks } from '../core/units.ts';
import type { Account } from './account.ts';
import { type Book, type BookOrder, LEVELS, ladder, Maker, outwards, passedLots } from './maker.ts';
import { DEMO_PAIRS, type DemoPair, FairPrices, MIN_LOTS } from './pairs.ts';
import { Prng } from './prng.ts';

const SIDES = [Side.buy, Side.sell] as const;
const RUNNING = new AbortController().signal;

/** An account whose orders rest in a book, and which counts its writes. */
class RestingOrders {
  readonly #orders = new Map<number, BookOrder & { readonly side: Side }>();
  #nextId = 1;
  placed = 0;
  canceled = 0;

  mayPlace(): boolean {
    return true;
  }

  async placeQuote(_: DemoPair, side: Side, price: Ticks, quantity: BookOrder['quantity']) {
    const orderId = this.#nextId++;
    this.placed++;
    this.#orders.set(orderId, { orderId, side, price, quantity });
    return orderId;
  }

  async cancel(_: DemoPair, orderId: number): Promise<void> {
    if (this.#orders.delete(orderId)) this.canceled++;
  }

  get book(): Book {
    const of = (side: Side) =>
      [...this.#orders.values()]
        .filter((order) => order.side === side)
        .sort((a, b) => outwards(side) * (a.price - b.price));
    return { [Side.buy]: of(Side.buy), [Side.sell]: of(Side.sell) };
  }
}

function start() {
  const account = new RestingOrders();
  const maker = new Maker(account as unknown as Account, new Prng(11));
  const round = async (pair: DemoPair, fair: number): Promise<Book> => {
    const { book } = account;
    const customers = await maker.withdraw(pair, book, fair);
    await maker.refill(pair, book, fair, RUNNING);
    return customers;
  };
  return { account, round };
}

describe.each(DEMO_PAIRS.map((pair) => [pair.symbol, pair] as const))('%s', (_, pair) => {
  test('a ladder has distinct prices on the grid, best first, away from the fair price', () => {
    const fair = new FairPrices(11);
    for (let n = 0; n < 200; n++) {
      fair.step();
      for (const side of SIDES) {
        const out = outwards(side);
        const prices = ladder(pair, side, fair.of(pair));
        expect(prices.length).toBe(LEVELS);
        const distances = prices.map((price) => out * (price - fair.of(pair)));
        expect(distances[0]).toBeGreaterThanOrEqual(pair.touch);
        expect(distances).toEqual([...new Set(distances)].sort((a, b) => a - b));
        expect(prices.every((price) => Number.isSafeInteger(price) && price > 0)).toBe(true);
      }
    }
  });

  test('a moving price keeps both sides in shape, by a few orders at a time', async () => {
    const { account, round } = start();
    const fair = new FairPrices(13);
    await round(pair, fair.of(pair));
    expect(account.placed).toBe(2 * LEVELS);
    for (let second = 0; second < 3600; second++) {
      fair.step();
      fair.step();
      await round(pair, fair.of(pair));
      const { book } = account;
      for (const side of SIDES) {
        expect(book[side].length).toBeWithin(LEVELS, LEVELS + 20);
        const distance = outwards(side) * (book[side][0]!.price - fair.of(pair));
        expect(distance).toBeWithin(pair.touch / 2, pair.touch + 2 * pair.step + 1);
      }
    }
    expect(account.canceled / 3600).toBeLessThan(5);
  });
});

describe('the maker', () => {
  const [pair] = DEMO_PAIRS;
  const fair = pair.anchor;

  test('quotes more further out, and never less than the minimum', async () => {
    const { account, round } = start();
    await round(pair, fair);
    const { book } = account;
    const sizes = SIDES.map((side) => book[side].map(({ quantity }) => quantity));
    expect(sizes.flat().every((size) => size >= MIN_LOTS)).toBe(true);
    const sum = (part: readonly number[]) => part.reduce((total, size) => total + size, 0);
    expect(sum(sizes.flatMap((side) => side.slice(-10)))).toBeGreaterThan(
      sum(sizes.flatMap((side) => side.slice(0, 10))),
    );
  });

  test('distinguishes the orders of customers from its own', async () => {
    const { account, round } = start();
    await round(pair, fair);
    await account.placeQuote(pair, Side.buy, ticks(fair + 10), lots(70));
    await account.placeQuote(pair, Side.buy, ticks(fair - 10), lots(30));
    const customers = await round(pair, fair);
    expect(customers[Side.buy].map(({ quantity }) => quantity)).toEqual([lots(70), lots(30)]);
    expect(passedLots(customers, Side.buy, fair)).toBe(lots(70));
    expect(passedLots(customers, Side.sell, fair)).toBe(lots(0));
  });
});
