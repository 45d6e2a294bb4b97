// The table of fees by volume: the operator's request, as core units and back.
import type { SetFeeTiers } from '../../core/command.ts';
import { byFeeRole } from '../../core/fee-rates.ts';
import type { Asset } from '../../core/instrument.ts';
import type { State } from '../../core/state.ts';
import { type Amount, RATE_DECIMALS } from '../../core/units.ts';
import { missingField } from '../absent.ts';
import { array, decimal, type Infer, optional, text } from '../fields.ts';
import { onScale, toRate } from '../grid.ts';
import { JsonNumber, jsonRate, jsonUnits } from '../json.ts';
import { object } from '../object.ts';
import { invalidField, type Problem } from '../problem.ts';
import { namedAsset } from '../trading/account.ts';
import { feeTierTable } from './answers.ts';

/** Together they fit into the members that a request may have. */
const MAX_TIERS = 12;
const MAX_RATES = 12;

const assetName = (about: string) => text({ max: 32, ascii: true, about });

export const feeTiersBody = object({
  volumeAsset: optional(assetName('Volumes are in it. Another asset starts with volumes of 0.')),
  rates: optional(
    array(
      object({
        asset: assetName('A quote asset.'),
        rate: decimal({ sign: 'positive', unit: 'volumeAsset', about: 'The value of one coin.' }),
      }),
      { max: MAX_RATES, about: 'Trades in a quote asset that is not listed do not count.' },
    ),
    [],
  ),
  tiers: array(
    object({
      volume: decimal({
        sign: 'notNegative',
        unit: 'volumeAsset',
        about: 'The volume of 30 days from which the tier applies.',
      }),
      ...byFeeRole(() => decimal({ sign: 'notNegative', unit: 'rate' })),
    }),
    { max: MAX_TIERS, about: 'In ascending order of volume; none: the table is removed.' },
  ),
});

/** Throws Problem for unknown assets, and for values off their grids. */
export function toSetFeeTiers(state: State, body: Infer<typeof feeTiersBody>): SetFeeTiers {
  if (body.tiers.length === 0) return { type: 'setFeeTiers', table: null };
  if (body.volumeAsset === undefined) throw missingField('volumeAsset', 'the name of an asset');
  const asset = namedAsset(state, body.volumeAsset, 'volumeAsset');
  const named = new Set([asset.assetId]);
  const rates = body.rates.map(({ asset: name, rate }, place) => {
    const { assetId } = namedAsset(state, name, `rates[${place}].asset`);
    if (named.has(assetId)) throw namedTwice(`rates[${place}].asset`, name);
    named.add(assetId);
    return { assetId, rate: toValue(`rates[${place}].rate`, rate) };
  });
  const tiers = body.tiers.map((tier, place) => ({
    volume: onScale(`tiers[${place}].volume`, tier.volume, asset.scale, asset.name),
    ...byFeeRole((role) => toRate(`tiers[${place}].${role}`, tier[role])),
  }));
  for (const [place, { volume }] of tiers.entries()) {
    const below = tiers[place - 1]?.volume;
    if (below !== undefined && volume <= below) throw notAscending(place, below, asset);
  }
  return { type: 'setFeeTiers', table: { volumeAssetId: asset.assetId, rates, tiers } };
}

const namedTwice = (field: string, value: string): Problem =>
  invalidField(field, 'be another asset than volumeAsset and those before', {
    rule: 'unique',
    value,
  });

function notAscending(place: number, below: Amount, { scale, name }: Asset): Problem {
  const limit = jsonUnits(below, scale);
  const must = `be above that of the tier before, ${limit.source} ${name}`;
  return invalidField(`tiers[${place}].volume`, must, { rule: 'ascending', limit, unit: name });
}

/** A value of one coin in 10^-8. Throws Problem. */
function toValue(field: string, value: string): number {
  const units = onScale(field, value, RATE_DECIMALS);
  if (typeof units === 'number') return units;
  const limit = jsonRate(Number.MAX_SAFE_INTEGER);
  const details = { rule: 'maximum', limit, value: new JsonNumber(value) };
  throw invalidField(field, `be at most ${limit.source}`, details);
}

export function writeFeeTiers({ assets, feeTiers }: State) {
  const { table } = feeTiers;
  const none = { volumeAsset: null, rates: [], tiers: [] };
  if (table === null) return feeTierTable.write(none, { scale: 0 });
  const asset = assets[table.volumeAssetId]!;
  const rates = table.rates.map(({ assetId, rate }) => ({ asset: assets[assetId]!.name, rate }));
  return feeTierTable.write({ volumeAsset: asset.name, rates, tiers: table.tiers }, asset);
}
