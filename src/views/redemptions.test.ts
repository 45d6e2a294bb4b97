// The redemptions view: what a redemption looks like before and after its credit, and whose it is.
import { expect, test } from 'bun:test';
import {
  EARN_DAY,
  noonOf,
  storeOfEvents,
  TemporaryDirectory,
} from '../../test/support/view-files.ts';
import type { RedemptionChanged } from '../core/event.ts';
import { amount } from '../core/units.ts';
import { runQuery } from './views.ts';

const REQUESTED = noonOf(EARN_DAY);
const CREDITED = noonOf(EARN_DAY + 1);

const asked = (redemptionId: number, applyId = 1): RedemptionChanged => ({
  type: 'redemptionChanged',
  redemptionId,
  applyId,
  uid: 3,
  assetId: 2,
  amount: amount(10n ** 18n + BigInt(redemptionId)),
  forfeited: amount(redemptionId),
  redeemLockHours: 24,
  status: 1,
  createTime: REQUESTED,
  transactTime: REQUESTED,
});

const credited = (redemptionId: number, applyId = 1): RedemptionChanged => ({
  ...asked(redemptionId, applyId),
  status: 2,
  transactTime: CREDITED,
});

const factsOf = (redemptionId: number, creditTime: number | null) => ({
  redemptionId,
  applyId: 1,
  uid: 3,
  assetId: 2,
  amount: 10n ** 18n + BigInt(redemptionId),
  forfeited: redemptionId,
  redeemLockHours: 24,
  status: creditTime === null ? 1 : 2,
  createTime: REQUESTED,
  creditTime,
});

test.each([1, 2, 100])('are a subscription’s own, newest first, in batches of %d', (batch) => {
  using directory = new TemporaryDirectory();
  const store = storeOfEvents(
    [[asked(1)], [asked(2, 7)], [asked(3)], [credited(1)], [asked(4), credited(4)], [asked(5)]],
    directory.path,
    batch,
  );
  expect(runQuery(store, { type: 'redemptions', applyId: 1 }) as unknown[]).toEqual([
    factsOf(5, null),
    factsOf(4, CREDITED),
    factsOf(3, null),
    factsOf(1, CREDITED),
  ]);
  expect(store.redemptions.find({ type: 'redemptions', applyId: 7 })).toHaveLength(1);
  expect(store.redemptions.find({ type: 'redemptions', applyId: 2 })).toEqual([]);
  store.close();
});

test('are at most a thousand, the newest', () => {
  using directory = new TemporaryDirectory();
  const many = Array.from({ length: 1003 }, (_, i) => credited(i + 1));
  const store = storeOfEvents([many], directory.path);
  const ids = store.redemptions
    .find({ type: 'redemptions', applyId: 1 })
    .map(({ redemptionId }) => redemptionId);
  expect(ids).toEqual(Array.from({ length: 1000 }, (_, i) => 1003 - i));
  store.close();
});
