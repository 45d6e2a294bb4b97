// Redemptions come out in order of their time, whatever the order in which they were asked for.
import { expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { StateHash } from '../state-hash.ts';
import { amount } from '../units.ts';
import { Redemptions } from './redemptions.ts';
import type { Redemption } from './subscription.ts';

const redemption = (redemptionId: number, dueTime: number): Redemption => ({
  redemptionId,
  applyId: 1,
  amount: amount(5),
  forfeited: amount(0),
  boosterAmount: amount(0),
  createTime: 0,
  redeemLockHours: 0,
  dueTime,
});

test('redemptions come out by due time, then by number, and leave nothing in the hash', () => {
  const random = new Prng(7);
  const hash = new StateHash();
  const empty = hash.digest();
  const redemptions = new Redemptions(hash);
  let kept: Redemption[] = [];
  for (let i = 1; i <= 3000; i++) {
    if (kept.length > 0 && random.percent(45)) {
      kept.sort((a, b) => a.dueTime - b.dueTime || a.redemptionId - b.redemptionId);
      expect(redemptions.first).toBe(kept[0]);
      expect(redemptions.takeFirst()).toBe(kept[0]);
      kept = kept.slice(1);
    } else {
      const added = redemption(i, random.below(200));
      redemptions.add(added);
      kept.push(added);
    }
    expect(redemptions.all().map((each) => each.redemptionId)).toEqual(
      kept.map((each) => each.redemptionId).sort((a, b) => a - b),
    );
  }
  while (redemptions.first !== undefined) redemptions.takeFirst();
  expect(hash.digest()).toBe(empty);
});
