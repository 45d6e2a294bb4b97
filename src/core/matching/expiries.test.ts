// Expiry times in random order, added, changed and removed, against a sorted list.
import { expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { Side } from '../fix.ts';
import { StateHash } from '../state-hash.ts';
import { lots, ticks, ZERO } from '../units.ts';
import { Expiries } from './expiries.ts';
import { detailsWith } from './order-details.ts';
import { OrderStore } from './order-store.ts';

test('the order that expires first comes first, and of one time the oldest', () => {
  const random = new Prng(6);
  const orders = new OrderStore(new StateHash());
  const expiries = new Expiries(orders);
  const terms = { uid: 1, securityId: 1, side: Side.buy, price: ticks(1), orderQty: lots(5) };
  const filled = { cumQty: lots(0), cumQuote: ZERO };
  const open: number[] = [];
  const timeOf = (slot: number): number => orders.details(slot)!.expireTime;
  for (let orderId = 1; orderId <= 3_000; orderId++) {
    const details = detailsWith({ expireTime: 1 + random.below(200) });
    const plain = { postOnly: false, clOrdId: '' };
    const slot = orders.add({ terms: { ...terms, ...plain }, orderId, ...filled, details }, 0);
    expiries.add(slot);
    open.push(slot);
    if (random.oneIn(2)) {
      const [gone] = open.splice(random.below(open.length), 1);
      expiries.remove(gone!);
      orders.remove(gone!);
    }
    const byTime = [...open].sort(
      (a, b) => timeOf(a) - timeOf(b) || orders.orderId(a) - orders.orderId(b),
    );
    expect(expiries.size).toBe(open.length);
    if (open.length === 0) expect(expiries.earliest).toBe(Number.POSITIVE_INFINITY);
    else expect([expiries.first, expiries.earliest]).toEqual([byTime[0]!, timeOf(byTime[0]!)]);
  }
});
