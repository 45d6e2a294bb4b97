// The line about the account's fees by volume.
import { expect, test } from 'bun:test';
import type { AccountTier } from '../../src/sdk/index.ts';
import { tierText } from './fee-tier.tsx';

const TIERS = [
  { volume: '100', makerFee: '0.0005', takerFee: '0.001' },
  { volume: '1000.5', makerFee: '0', takerFee: '0.00025' },
];
const TIER: AccountTier = {
  volumeAsset: 'USDT',
  volume: '250',
  startTime: 0,
  endTime: 1,
  tier: TIERS[0]!,
  nextTier: TIERS[1]!,
  missingVolume: '750.5',
  ownFees: false,
  tiers: TIERS,
};

test('the line has the rates, the volume, and the distance to the next tier', () => {
  expect(tierText(TIER)).toBe(
    'Your fees: maker 0.05%, taker 0.10%. 30-day volume: 250 USDT. ' +
      'Trade 750.5 USDT more for maker 0.00%, taker 0.025%.',
  );
});

test('below the first tier, in the highest one, and with own fees', () => {
  expect(tierText({ ...TIER, tier: null })).toStartWith('Each pair has its own fees.');
  const highest = { tier: TIERS[1]!, nextTier: null, missingVolume: null };
  expect(tierText({ ...TIER, ...highest })).toEndWith('This is the highest tier.');
  expect(tierText({ ...TIER, ownFees: true })).toStartWith('Your account has its own fees.');
});
