// Look-ups by clOrdId where two of them meet in the index; test/model has all others.
import { expect, test } from 'bun:test';
import { Side } from '../fix.ts';
import { FIXED_SEED, KeyedHash } from '../keyed-hash.ts';
import { StateHash } from '../state-hash.ts';
import { lots, ticks, ZERO } from '../units.ts';
import { NONE, OrderStore } from './order-store.ts';

test('two clOrdIds of one hash are two', () => {
  // Found by trying: all that is known of them in the index is the same.
  const names = ['47471', '53903'] as const;
  const keyed = new KeyedHash(FIXED_SEED);
  expect(keyed.text(3, names[0])).toBe(keyed.text(3, names[1]));
  const store = new OrderStore(new StateHash());
  const plain = { uid: 3, securityId: 1, side: Side.buy, price: ticks(1), orderQty: lots(5) };
  const slots = names.map((clOrdId, i) => {
    const terms = { ...plain, postOnly: false, clOrdId };
    const order = { terms, orderId: 7 + i, cumQty: lots(0), cumQuote: ZERO, details: null };
    return store.add(order, 0);
  });
  expect(names.map((name) => store.findByClOrdId(3, name))).toEqual(slots);
  store.remove(slots[0]!);
  expect(store.findByClOrdId(3, names[0])).toBe(NONE);
  expect(store.findByClOrdId(3, names[1])).toBe(slots[1]!);
});
