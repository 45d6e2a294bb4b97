// The account's fees by volume in one line, with the next tier. Nothing where there are no tiers.
import type { AccountTier } from '../../src/sdk/index.ts';
import { Dim } from '../components/texts.tsx';
import { grouped, percent } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { walletText } from '../messages/wallet.ts';

const t = walletText.feeTier;

export function FeeTierLine() {
  const tier = useLive(feeds.feeTier).data;
  if (tier === undefined || tier.volumeAsset === null) return null;
  return <Dim>{tierText(tier)}</Dim>;
}

/** The sentences of the line; the account has a table. */
export function tierText({ volumeAsset, volume, ...state }: AccountTier): string {
  const { tier, nextTier, missingVolume, ownFees } = state;
  const rates = (of: { readonly makerFee: string; readonly takerFee: string }) =>
    t.rates(percent(of.makerFee), percent(of.takerFee));
  const inAsset = (value: string) => `${grouped(value)} ${volumeAsset}`;
  return [
    ownFees ? t.own : tier === null ? t.ofPairs : t.current(rates(tier)),
    t.volume(inAsset(volume!)),
    nextTier === null ? t.highest : t.next(inAsset(missingVolume!), rates(nextTier)),
  ].join(' ');
}
