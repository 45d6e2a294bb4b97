// The forms about assets and pairs: their fields, and the effects of a listing in sentences.
import { ASSET, INSTRUMENT } from '../../../src/contract/generated/operator-fields.ts';
import type {
  ListedInstrument,
  OperatorCreateAssetRequest,
  OperatorCreateInstrumentRequest,
} from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import { describer, emptyValues, type Layout, optionsOf } from '../parts/fields.ts';

/** The terms of a pair that an operator can change, without its status. */
export type Terms = Pick<
  ListedInstrument,
  | 'baseAssetMinOrderSize'
  | 'quoteAssetMinOrderSize'
  | 'makerFee'
  | 'takerFee'
  | 'selfTradePrevention'
  | 'priceBand'
>;

/** A listing with decimal texts. */
export type Listing = OperatorCreateInstrumentRequest &
  Terms &
  Pick<ListedInstrument, 'baseAssetIncrement' | 'quoteAssetIncrement' | 'instrumentStatus'>;

/** The console makes the symbol of two choices. */
const FIELDS = {
  ...INSTRUMENT,
  base: { kind: 'select', only: 'create' },
  quote: { kind: 'select', only: 'create' },
} as const;

export const EMPTY_LISTING = emptyValues(FIELDS, {
  quoteAssetMinOrderSize: '1',
  makerFee: '0',
  takerFee: '0.1',
  selfTradePrevention: 'cancelNewest',
  priceBand: '10',
  instrumentStatus: 'LIVE',
});
export type ListingValues = typeof EMPTY_LISTING;

const { fields } = describer(FIELDS, text.fields);

/** A choice among words, with the meaning of the chosen one below it. */
function choiceOf(
  texts: Readonly<Record<string, readonly [name: string, meaning: string]>>,
  chosen: string,
  say: (meaning: string) => string = (meaning) => meaning,
) {
  const options = Object.entries(texts).map(([value, [label]]) => ({ value, label }));
  return { options, description: say(texts[chosen]![1]) };
}

function fieldsIn(form: 'create' | 'edit', values: ListingValues, assets: readonly string[]) {
  const options = optionsOf(assets);
  const { selfTradePrevention, instrumentStatus } = values;
  const chosen = {
    base: { options },
    quote: { options },
    baseAssetIncrement: { placeholder: '0.0001' },
    quoteAssetIncrement: { placeholder: '0.01' },
    selfTradePrevention: choiceOf(text.selfTrades, selfTradePrevention, text.selfTradeUse),
    instrumentStatus: choiceOf(text.statuses, instrumentStatus),
  };
  // The page of a pair has buttons for its status.
  return fields(form, values, chosen, (name) => form === 'create' || name !== 'instrumentStatus');
}

export const termsLayout = (values: ListingValues): Layout<ListingValues> => [
  fieldsIn('edit', values, []),
];

export const listingLayout =
  (assets: readonly string[]) =>
  (values: ListingValues): Layout<ListingValues> => [fieldsIn('create', values, assets)];

type ListingFields = Omit<Listing, 'symbol'> & { readonly base: string; readonly quote: string };

export const finishListing = ({ base, quote, ...terms }: ListingFields): Listing => ({
  symbol: `${base}-${quote}`,
  ...terms,
});

/** The effect of a listing, in sentences. */
export function listingSentences(body: Listing): string[] {
  const [base = '', quote = ''] = body.symbol.split('-');
  const { quoteAssetIncrement: tick, baseAssetIncrement: lot, quoteAssetMinOrderSize } = body;
  const minValue = d.isZero(quoteAssetMinOrderSize) ? null : `${quoteAssetMinOrderSize} ${quote}`;
  const fee = `${grouped(d.multiply('1000', body.takerFee))} ${quote}`;
  const [status, effect] = text.statuses[body.instrumentStatus];
  return [
    text.createsPair(body.symbol, base, quote),
    text.createsGrid(tick, quote, lot, base, d.multiply(tick, lot)),
    text.createsMinimum(`${body.baseAssetMinOrderSize} ${base}`, minValue),
    text.createsFees(percent(body.makerFee), percent(body.takerFee), `1,000 ${quote}`, fee),
    d.isZero(body.priceBand) ? text.createsNoBand : text.createsBand(percent(body.priceBand)),
    text.selfTradeUse(text.selfTrades[body.selfTradePrevention][1]),
    text.createsStatus(status.toLowerCase(), effect),
  ];
}

export const EMPTY_ASSET = emptyValues(ASSET, { scale: '8' });
type AssetValues = typeof EMPTY_ASSET;

const { fields: assetFields } = describer(ASSET, text.assetFields);

export const assetLayout = (values: AssetValues): Layout<AssetValues> =>
  assetFields('create', values);

export const assetEditLayout = (values: AssetValues): Layout<AssetValues> =>
  assetFields('edit', values, {}, (name) => name === 'scale');

/** Accepts lower-case names. */
export const finishAsset = (fields: Required<OperatorCreateAssetRequest>) => ({
  ...fields,
  asset: fields.asset.toUpperCase(),
});

export const assetSentences = ({ asset, scale, fiat }: Required<OperatorCreateAssetRequest>) => [
  text.createsAsset(asset, scale),
  fiat ? text.createsFiat : text.createsCrypto,
  text.createsNothing,
];
