// An account's place in the table of fees by volume.
import { DAY_MS, dayOf } from '../../core/calendar.ts';
import type { Asset } from '../../core/instrument.ts';
import type { State } from '../../core/state.ts';
import { type FeeTier, TIER_DAYS } from '../../core/trading/fee-tiers.ts';
import { subtract } from '../../core/units.ts';
import { INSTRUMENT_FEE } from '../../core/user.ts';
import type { AnswerValue } from '../answer.ts';
import { jsonRate, jsonUnits } from '../json.ts';
import type * as answers from './answers.ts';

export const writeFeeTier = (
  { volume, makerFee, takerFee }: FeeTier,
  { scale }: Asset,
): AnswerValue<typeof answers.feeTier> => ({
  volume: jsonUnits(volume, scale),
  makerFee: jsonRate(makerFee),
  takerFee: jsonRate(takerFee),
});

/** `now` is business time, ms. */
export function writeTierOf(
  { assets, users, feeTiers }: State,
  uid: number,
  now: number,
): AnswerValue<typeof answers.accountTier> {
  const today = dayOf(now);
  const { table } = feeTiers;
  const { makerFee, takerFee } = users[uid]!;
  const window = {
    startTime: (today - TIER_DAYS) * DAY_MS,
    endTime: today * DAY_MS,
    ownFees: makerFee !== INSTRUMENT_FEE || takerFee !== INSTRUMENT_FEE,
  };
  if (table === null) {
    const none = { volumeAsset: null, volume: null, tier: null, nextTier: null };
    return { ...window, ...none, missingVolume: null, tiers: [] };
  }
  const asset = assets[table.volumeAssetId]!;
  const volume = feeTiers.volumeBefore(uid, today);
  const tier = feeTiers.tierOf(uid, today);
  const next = table.tiers.find((each) => each.volume > volume);
  return {
    ...window,
    volumeAsset: asset.name,
    volume: jsonUnits(volume, asset.scale),
    tier: tier === null ? null : writeFeeTier(tier, asset),
    nextTier: next === undefined ? null : writeFeeTier(next, asset),
    missingVolume:
      next === undefined ? null : jsonUnits(subtract(next.volume, volume), asset.scale),
    tiers: table.tiers.map((each) => writeFeeTier(each, asset)),
  };
}
