// An account's place in the table of fees by volume.
import { DAY_MS, dayOf } from '../../core/calendar.ts';
import { FEE_ROLES } from '../../core/fee-rates.ts';
import type { State } from '../../core/state.ts';
import { TIER_DAYS } from '../../core/trading/fee-tiers.ts';
import { subtract } from '../../core/units.ts';
import { INSTRUMENT_FEE } from '../../core/user.ts';
import { accountTier } from './answers.ts';

/** `now` is business time, ms. */
export function writeTierOf({ assets, users, feeTiers }: State, uid: number, now: number) {
  const today = dayOf(now);
  const { table } = feeTiers;
  const user = users[uid]!;
  const window = {
    startTime: (today - TIER_DAYS) * DAY_MS,
    endTime: today * DAY_MS,
    ownFees: FEE_ROLES.some((role) => user[role] !== INSTRUMENT_FEE),
  };
  if (table === null) {
    const none = { volumeAsset: null, volume: null, tier: null, nextTier: null };
    return accountTier.write({ ...window, ...none, missingVolume: null, tiers: [] }, { scale: 0 });
  }
  const { tiers } = table;
  const asset = assets[table.volumeAssetId]!;
  const volume = feeTiers.volumeBefore(uid, today);
  const tier = feeTiers.tierOf(uid, today);
  const nextTier = tiers.find((each) => each.volume > volume) ?? null;
  const missingVolume = nextTier === null ? null : subtract(nextTier.volume, volume);
  return accountTier.write(
    { ...window, volumeAsset: asset.name, volume, tier, nextTier, missingVolume, tiers },
    asset,
  );
}
