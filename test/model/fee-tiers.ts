// The model's fees by volume: the volume of every day is kept, and a tier is the sum of 30 days
// whenever it is needed.
import type { SetFeeTiers } from '../../src/core/command.ts';
import { type ExpectedOutcome, no, yes } from './expectation.ts';
import type { ModelOrder, VenueState } from './state.ts';

const RATE_ONE = 100_000_000;
const DAY_MS = 86_400_000;

interface ModelTier {
  readonly volume: bigint;
  readonly makerFee: bigint;
  readonly takerFee: bigint;
}

export class ModelFeeTiers {
  volumeAssetId: number | null = null;
  /** The value of one coin in the volume asset, in 10^-8, by assetId. */
  rates = new Map<number, bigint>();
  tiers: readonly ModelTier[] = [];
  /** The volume by `uid/day`. */
  traded = new Map<string, bigint>();
}

export function setFeeTiers(venue: VenueState, { table }: SetFeeTiers): ExpectedOutcome {
  const { feeTiers, assets } = venue;
  if (table === null) {
    Object.assign(feeTiers, new ModelFeeTiers());
    return yes({ tiers: 0 });
  }
  const { volumeAssetId, rates, tiers } = table;
  const named = [volumeAssetId, ...rates.map(({ assetId }) => assetId)];
  if (named.some((assetId) => assets[assetId] === undefined)) return no('assetUnknown');
  const isRate = (n: number, least: number, below: number) =>
    Number.isSafeInteger(n) && n >= least && n < below;
  const fits =
    new Set(named).size === named.length &&
    rates.length <= 1000 &&
    rates.every(({ rate }) => isRate(rate, 1, Number.POSITIVE_INFINITY)) &&
    tiers.length >= 1 &&
    tiers.length <= 50 &&
    tiers.every(
      (tier, place) =>
        tier.volume >= 0 &&
        tiers.slice(0, place).every(({ volume }) => volume < tier.volume) &&
        isRate(tier.makerFee, 0, RATE_ONE) &&
        isRate(tier.takerFee, 0, RATE_ONE),
    );
  if (!fits) return no('invalidTerms');
  if (feeTiers.volumeAssetId !== volumeAssetId) feeTiers.traded = new Map();
  feeTiers.volumeAssetId = volumeAssetId;
  feeTiers.rates = new Map(rates.map(({ assetId, rate }) => [assetId, BigInt(rate)]));
  feeTiers.rates.set(volumeAssetId, BigInt(RATE_ONE));
  feeTiers.tiers = tiers.map(({ volume, makerFee, takerFee }) => ({
    volume: BigInt(volume),
    makerFee: BigInt(makerFee),
    takerFee: BigInt(takerFee),
  }));
  return yes({ tiers: tiers.length });
}

const today = ({ time }: VenueState): number => Math.floor(time / DAY_MS);

/** Counts a fill for both of its sides. */
export function countVolume(
  venue: VenueState,
  uids: readonly number[],
  assetId: number,
  quote: bigint,
): void {
  const { feeTiers, assets } = venue;
  const rate = feeTiers.rates.get(assetId);
  if (rate === undefined) return;
  const coin = 10n ** BigInt(assets[assetId].scale);
  const volumeCoin = 10n ** BigInt(assets[feeTiers.volumeAssetId!].scale);
  const volume = (quote * rate * volumeCoin) / (coin * BigInt(RATE_ONE));
  for (const uid of uids) {
    const key = `${uid}/${today(venue)}`;
    feeTiers.traded.set(key, (feeTiers.traded.get(key) ?? 0n) + volume);
  }
}

/** The highest tier that the volume of the 30 full days before today reaches. */
function tierOf(venue: VenueState, uid: number): ModelTier | undefined {
  const { tiers, traded } = venue.feeTiers;
  if (tiers.length === 0) return undefined;
  const now = today(venue);
  let volume = 0n;
  for (let day = now - 30; day < now; day++) volume += traded.get(`${uid}/${day}`) ?? 0n;
  return tiers.filter((tier) => tier.volume <= volume).at(-1);
}

/** The rate of an order: its owner's own, else that of the tier, else that of the market. */
export function feeRate(
  venue: VenueState,
  { uid, market }: Pick<ModelOrder, 'uid' | 'market'>,
  role: 'makerFee' | 'takerFee',
): bigint {
  const own = venue.users.get(uid)![role];
  if (own !== null) return own;
  const tier = tierOf(venue, uid);
  venue.meet('fees: a tier has the rate', tier !== undefined);
  return tier?.[role] ?? market[role];
}
