// The fees of a new account, and an account's place in the table of fees by volume.
import { DAY_MS, dayOf } from '../../core/calendar.ts';
import { byFeeRole, FEE_ROLES } from '../../core/fee-rates.ts';
import type { State } from '../../core/state.ts';
import { TIER_DAYS } from '../../core/trading/fee-tiers.ts';
import { subtract } from '../../core/units.ts';
import { INSTRUMENT_FEE, newUser } from '../../core/user.ts';
import { accountTier, feeSchedule } from './answers.ts';

/** The rates of a new account, and the table; `now` is business time, ms. */
export function writeFeeSchedule({ assets, instruments, feeTiers }: State, now: number) {
  const visitor = newUser(0, false);
  const pairs = instruments
    .filter((instrument) => instrument !== undefined)
    .map((instrument) => ({
      symbol: instrument.symbol,
      securityId: instrument.securityId,
      ...byFeeRole((role) => feeTiers.rateOf(visitor, instrument, role, now)),
    }));
  const { table } = feeTiers;
  if (table === null)
    return feeSchedule.write({ pairs, volumeAsset: null, tiers: [] }, { scale: 0 });
  const asset = assets[table.volumeAssetId]!;
  return feeSchedule.write({ pairs, volumeAsset: asset.name, tiers: table.tiers }, asset);
}

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
