// Texts of the operator console about fees by volume.
import { inLanguage } from './catalog.ts';

const en = {
  title: 'Fee tiers',
  none: 'No fee tiers',
  noneHint: 'Every pair has its own fees. Tiers lower them for customers who trade more.',
  edit: 'Edit fee tiers',
  from: '30-day volume',
  maker: 'Maker',
  taker: 'Taker',
  save: 'Set fee tiers',
  saved: 'The fee tiers are set.',
  lead:
    'A customer’s tier follows from the 30 full days (UTC) before today. Leave all rows empty to ' +
    'remove the table.',
  volumeAsset: 'Volumes in',
  volume: (tier: number) => `Tier ${tier}: volume from`,
  makerFee: 'Maker fee',
  takerFee: 'Taker fee',
  noTier: 'No tier',
  value: (asset: string) => `Value of 1 ${asset}`,
  notCounted: 'Not counted',
  removes: 'Removes the table and the volumes: every pair has its own fees again.',
  counts: (asset: string) => `Counts the ${asset} that makers and takers trade, from now on.`,
  countsAs: (asset: string, value: string, volumeAsset: string) =>
    `1 ${asset} counts as ${value} ${volumeAsset}.`,
  applies: (volume: string, maker: string, taker: string) =>
    `From ${volume} on, makers pay ${maker} and takers ${taker}.`,
  ownFirst: 'A user’s own fees precede those of a tier.',
};

export const feeTierText = inLanguage({ en });
