// The form of the fees by volume: one row of fields for each tier and one more, and the value of
// each other quote asset.
import { FEE_TIERS } from '../../../src/contract/generated/operator-fields.ts';
import type { FeeTierTable, OperatorSetFeeTiersRequest } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { marketsText } from '../../messages/operator-markets.ts';
import { type Field, type Layout, optionsOf } from '../parts/fields.ts';

const { feeTiers: text } = marketsText;
const MAX_TIERS = FEE_TIERS.tiers.max;

/** `volumeAsset`, `volume0`, `makerFee0`, `takerFee0` and so on, `rate BTC`. */
export type TierValues = Readonly<Record<string, string>>;
/** The values of the fields: percentages as rates, null where a field is empty. */
type TierFields = Readonly<Record<string, string | null>>;

const rateOf = (asset: string): string => `rate ${asset}`;

export function tierValues({ volumeAsset, tiers, rates }: FeeTierTable): TierValues {
  const rows = tiers.flatMap(({ volume, makerFee, takerFee }, i) => [
    [`volume${i}`, volume],
    [`makerFee${i}`, d.toPercent(makerFee)],
    [`takerFee${i}`, d.toPercent(takerFee)],
  ]);
  const values = rates.map(({ asset, rate }) => [rateOf(asset), rate]);
  return Object.fromEntries([['volumeAsset', volumeAsset ?? ''], ...rows, ...values]);
}

/** Every field that may be shown, empty. */
export function emptyValues(quotes: readonly string[]): TierValues {
  const rows = Array.from({ length: MAX_TIERS }, (_, i) => [
    ...[`volume${i}`, `makerFee${i}`, `takerFee${i}`].map((name) => [name, '']),
  ]).flat();
  return Object.fromEntries([...rows, ...quotes.map((asset) => [rateOf(asset), ''])]);
}

const isFilled = (values: TierValues, i: number): boolean =>
  ['volume', 'makerFee', 'takerFee'].some((name) => (values[`${name}${i}`] ?? '') !== '');

/** The filled rows and one empty one. */
function shownRows(values: TierValues): number {
  let shown = 1;
  for (let i = 0; i < MAX_TIERS; i++) if (isFilled(values, i)) shown = i + 2;
  return Math.min(shown, MAX_TIERS);
}

function rowOf(values: TierValues, i: number): readonly Field<TierValues>[] {
  // In an empty row nothing is required.
  const empty = isFilled(values, i) ? {} : { empty: text.noTier };
  const unit = values.volumeAsset;
  return [
    {
      ...{ kind: FEE_TIERS.tiersVolume.kind, name: `volume${i}`, label: text.volume(i + 1) },
      ...{ unit, ...empty },
    },
    {
      ...{ kind: FEE_TIERS.tiersMakerFee.kind, name: `makerFee${i}`, label: text.makerFee },
      ...empty,
    },
    {
      ...{ kind: FEE_TIERS.tiersTakerFee.kind, name: `takerFee${i}`, label: text.takerFee },
      ...empty,
    },
  ];
}

/** `quotes`: the assets that pairs are priced in. */
export const tierLayout =
  (assets: readonly string[], quotes: readonly string[]) =>
  (values: TierValues): Layout<TierValues> => {
    const { volumeAsset = '' } = values;
    const others = quotes.filter((asset) => asset !== volumeAsset);
    const { about: description } = FEE_TIERS.volumeAsset;
    const options = optionsOf(assets);
    return [
      { kind: 'select', name: 'volumeAsset', label: text.volumeAsset, description, options },
      ...Array.from({ length: shownRows(values) }, (_, i) => rowOf(values, i)),
      others.map((asset) => ({
        ...{ kind: FEE_TIERS.ratesRate.kind, above: FEE_TIERS.ratesRate.above },
        ...{ name: rateOf(asset), label: text.value(asset) },
        ...{ unit: volumeAsset, empty: text.notCounted },
      })),
    ];
  };

export function finishTiers(fields: TierFields): OperatorSetFeeTiersRequest {
  const tiers = Array.from({ length: MAX_TIERS }, (_, i) => ({
    volume: fields[`volume${i}`],
    makerFee: fields[`makerFee${i}`],
    takerFee: fields[`takerFee${i}`],
  })).filter(({ volume }) => volume !== null && volume !== undefined);
  const rates = Object.entries(fields).flatMap(([name, rate]) =>
    name.startsWith('rate ') && rate !== null ? [{ asset: name.slice('rate '.length), rate }] : [],
  );
  const body = { volumeAsset: fields.volumeAsset!, rates, tiers };
  return body as OperatorSetFeeTiersRequest;
}

/** The effect of a table, in sentences. */
export function tierSentences(body: OperatorSetFeeTiersRequest): readonly string[] {
  const { volumeAsset, tiers, rates = [] } = body;
  if (tiers.length === 0) return [text.removes];
  return [
    text.counts(volumeAsset!),
    ...rates!.map(({ asset, rate }) => text.countsAs(asset, grouped(String(rate)), volumeAsset!)),
    ...tiers.map(({ volume, makerFee, takerFee }) =>
      text.applies(
        `${grouped(String(volume))} ${volumeAsset}`,
        percent(String(makerFee)),
        percent(String(takerFee)),
      ),
    ),
    text.ownFirst,
  ];
}
