// The store against plain objects in arrays: finding by both ids, owners' lists in order of
// creation, fills, reused slots and the hash, which must be that of the orders that are left.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { Side } from '../fix.ts';
import { FIXED_SEED, KeyedHash } from '../keyed-hash.ts';
import { StateHash } from '../state-hash.ts';
import { type Amount, add, amount, lots, MAX_INTEGER, ticks } from '../units.ts';
import { type NewOrder, NONE, OrderStore } from './order-store.ts';

/** Quantities and prices are small or as large as they may be. */
const orderOf = (random: Prng, orderId: number): NewOrder => {
  const orderQty = lots(random.percent(80) ? 1 + random.below(1_000) : MAX_INTEGER);
  return {
    terms: {
      uid: random.between(1, 5),
      securityId: random.between(1, 3),
      side: random.pick([Side.buy, Side.sell]),
      price: ticks(random.percent(80) ? 1 + random.below(100) : MAX_INTEGER),
      orderQty,
      postOnly: random.percent(20),
      clOrdId: clOrdIdOf(random, orderId),
    },
    orderId,
    cumQty: lots(random.below(Math.min(orderQty, 1_000))),
    cumQuote: amount(random.belowBig(10n ** 20n)),
    details: null,
  };
};

const createTimeOf = ({ orderId }: NewOrder): number => 1_700_000_000_000 + orderId;

/** From few texts, so that orders share them; some look like the generated id of another order. */
const clOrdIdOf = (random: Prng, orderId: number): string =>
  random.weighted([
    [5, ''],
    [5, `id-${random.below(6)}`],
    [2, `api_${random.between(1, 5)}_${random.between(1, orderId + 5)}`],
  ]);

type Kept = { order: NewOrder; leaves: number; cumQuote: Amount; slot: number };
const nameOf = ({ order }: Kept): string =>
  order.terms.clOrdId === '' ? `api_${order.terms.uid}_${order.orderId}` : order.terms.clOrdId;

/** The hash of a store that has exactly these orders. */
function hashOf(kept: readonly Kept[]): string {
  const hash = new StateHash();
  const store = new OrderStore(hash);
  for (const { order, leaves, cumQuote } of kept) {
    const cumQty = lots(order.terms.orderQty - leaves);
    store.add({ ...order, cumQty, cumQuote }, createTimeOf(order));
  }
  return hash.digest();
}

function ownersList(store: OrderStore, uid: number): number[] {
  const ids: number[] = [];
  for (let s = store.firstOf(uid); s !== NONE; s = store.newerOf(s)) ids.push(store.orderId(s));
  return ids;
}

function expectSame(store: OrderStore, kept: readonly Kept[], random: Prng): void {
  expect(store.size).toBe(kept.length);
  const uid = random.between(1, 6);
  const own = kept.filter(({ order }) => order.terms.uid === uid);
  expect(ownersList(store, uid)).toEqual(own.map(({ order }) => order.orderId));
  expect(store.countOf(uid)).toBe(own.length);
  const text = random.percent(70) && kept.length > 0 ? nameOf(random.pick(kept)) : `id-${uid}`;
  const named = own.findLast((one) => nameOf(one) === text);
  expect(store.findByClOrdId(uid, text)).toBe(named?.slot ?? NONE);
  for (const { order, leaves, cumQuote, slot } of kept.slice(-3)) {
    expect(store.find(order.orderId)).toBe(slot);
    expect(store.leavesQty(slot)).toBe(lots(leaves));
    expect(store.cumQuote(slot)).toBe(cumQuote);
    expect({
      uid: store.uid(slot),
      securityId: store.securityId(slot),
      side: store.side(slot),
      price: store.price(slot),
      orderQty: store.orderQty(slot),
      postOnly: store.postOnly(slot),
      clOrdId: store.givenClOrdId(slot),
    }).toEqual(order.terms);
    expect(store.createTime(slot)).toBe(createTimeOf(order));
    expect(store.cumQty(slot)).toBe(lots(order.terms.orderQty - leaves));
  }
}

describe('order store', () => {
  for (const seed of [1, 2]) {
    test(`is a list of orders, seed ${seed}`, () => {
      const random = new Prng(seed);
      const hash = new StateHash();
      const store = new OrderStore(hash);
      const kept: Kept[] = [];
      let nextId = 1;
      for (let i = 0; i < 6_000; i++) {
        const what = random.below(100);
        if (kept.length === 0 || what < (i < 4_000 ? 65 : 25)) {
          const order = orderOf(random, nextId++);
          const slot = store.add(order, createTimeOf(order));
          kept.push({
            order,
            leaves: order.terms.orderQty - order.cumQty,
            cumQuote: order.cumQuote,
            slot,
          });
        } else if (what < 75) {
          const [gone] = kept.splice(random.below(kept.length), 1);
          store.remove(gone.slot);
          expect(store.find(gone.order.orderId)).toBe(NONE);
        } else {
          const filled = random.pick(kept);
          if (filled.leaves === 1) continue;
          const quantity = lots(random.between(1, Math.min(filled.leaves - 1, 1_000)));
          filled.cumQuote = add(filled.cumQuote, amount(7));
          filled.leaves -= quantity;
          expect(store.fill(filled.slot, quantity, filled.cumQuote)).toBe(lots(filled.leaves));
        }
        expectSame(store, kept, random);
        if (i % 500 === 0) expect(hash.digest()).toBe(hashOf(kept));
      }
      expect(hash.digest()).toBe(hashOf(kept));
      for (const { slot } of kept) store.remove(slot);
      expect(hash.digest()).toBe(new StateHash().digest());
    });
  }

  test('two clOrdIds of one hash are two', () => {
    // Found by trying: all that is known of them in the index is the same.
    const names = ['47471', '53903'];
    const keyed = new KeyedHash(FIXED_SEED);
    expect(keyed.text(3, names[0])).toBe(keyed.text(3, names[1]));
    const store = new OrderStore(new StateHash());
    const order = orderOf(new Prng(1), 7);
    const slots = names.map((clOrdId, i) =>
      store.add({ ...order, orderId: 7 + i, terms: { ...order.terms, uid: 3, clOrdId } }, 0),
    );
    expect(names.map((name) => store.findByClOrdId(3, name))).toEqual(slots);
    store.remove(slots[0]);
    expect(store.findByClOrdId(3, names[0])).toBe(NONE);
    expect(store.findByClOrdId(3, names[1])).toBe(slots[1]);
  });
});
