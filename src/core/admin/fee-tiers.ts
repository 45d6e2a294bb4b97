// The table of fees by volume: the operator's command.
import type { SetFeeTiers } from '../command.ts';
import { FEE_ROLES, isFeeRate } from '../fee-rates.ts';
import { accepted, type OutcomeOf, rejectedAs } from '../outcome.ts';
import type { State } from '../state.ts';
import type { FeeTierTable } from '../trading/fee-tiers.ts';
import type { Amount } from '../units.ts';

/** Bounds of a table: far above those of any venue, and short work for one command. */
const MAX_TIERS = 50;
const MAX_TIER_RATES = 1_000;

/** Sets the table, whole; null: there are no tiers. */
export function setFeeTiers(
  { assets, feeTiers }: State,
  { table }: SetFeeTiers,
): OutcomeOf<'setFeeTiers'> {
  if (table !== null) {
    const unknown = unknownAsset(table, assets);
    if (unknown !== null) return rejectedAs('assetUnknown', unknown);
    const fault = tableFault(table);
    if (fault !== null) return rejectedAs('invalidTerms', fault);
  }
  feeTiers.set(table, assets);
  return accepted({ tiers: table?.tiers.length ?? 0 });
}

function unknownAsset({ volumeAssetId, rates }: FeeTierTable, assets: State['assets']) {
  if (assets[volumeAssetId] === undefined) return 'volumeAsset';
  const place = rates.findIndex(({ assetId }) => assets[assetId] === undefined);
  return place < 0 ? null : `rates[${place}].asset`;
}

/** The field that breaks a rule, or null. */
function tableFault({ volumeAssetId, rates, tiers }: FeeTierTable): string | null {
  if (rates.length > MAX_TIER_RATES) return 'rates';
  const named = new Set([volumeAssetId]);
  for (const [place, { assetId, rate }] of rates.entries()) {
    if (named.has(assetId)) return `rates[${place}].asset`;
    if (!(Number.isSafeInteger(rate) && rate > 0)) return `rates[${place}].rate`;
    named.add(assetId);
  }
  if (tiers.length === 0 || tiers.length > MAX_TIERS) return 'tiers';
  let below: Amount | null = null;
  for (const [place, tier] of tiers.entries()) {
    if (tier.volume < 0 || (below !== null && tier.volume <= below))
      return `tiers[${place}].volume`;
    below = tier.volume;
    const role = FEE_ROLES.find((each) => !isFeeRate(tier[each]));
    if (role !== undefined) return `tiers[${place}].${role}`;
  }
  return null;
}
