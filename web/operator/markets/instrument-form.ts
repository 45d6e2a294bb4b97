// The forms about assets and pairs: their fields, and the effects of a listing in sentences.
import type {
  InstrumentStatus,
  ListedInstrument,
  OperatorCreateAssetRequest,
  OperatorCreateInstrumentRequest,
} from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import { describer, type Field, type Layout, optionsOf } from '../parts/fields.ts';

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

export const EMPTY_LISTING = {
  base: '',
  quote: '',
  quoteAssetIncrement: '',
  baseAssetIncrement: '',
  baseAssetMinOrderSize: '',
  quoteAssetMinOrderSize: '1',
  makerFee: '0',
  takerFee: '0.1',
  selfTradePrevention: 'cancelNewest' as ListedInstrument['selfTradePrevention'],
  priceBand: '10',
  instrumentStatus: 'LIVE' as InstrumentStatus,
};
export type ListingValues = typeof EMPTY_LISTING;

const field = describer<ListingValues>(text.fields);

const namesIn = (texts: Readonly<Record<string, readonly [name: string, meaning: string]>>) =>
  Object.entries(texts).map(([value, [label]]) => ({ value, label }));

function termsFields(values: ListingValues): readonly Field<ListingValues>[] {
  const selfTrade = field('select', 'selfTradePrevention', { options: namesIn(text.selfTrades) });
  return [
    field('decimal', 'baseAssetMinOrderSize', { unit: values.base }),
    field('decimal', 'quoteAssetMinOrderSize', { unit: values.quote }),
    field('percent', 'makerFee'),
    field('percent', 'takerFee'),
    field('percent', 'priceBand'),
    {
      ...selfTrade,
      description: text.selfTradeUse(text.selfTrades[values.selfTradePrevention][1]),
    },
  ];
}

export const termsLayout = (values: ListingValues): Layout<ListingValues> => [termsFields(values)];

export const listingLayout =
  (assets: readonly string[]) =>
  (values: ListingValues): Layout<ListingValues> => {
    const { base, quote, instrumentStatus } = values;
    const options = optionsOf(assets);
    const status = field('select', 'instrumentStatus', { options: namesIn(text.statuses) });
    return [
      [
        field('select', 'base', { options }),
        field('select', 'quote', { options }),
        field('decimal', 'baseAssetIncrement', { placeholder: '0.0001', unit: base }),
        field('decimal', 'quoteAssetIncrement', { placeholder: '0.01', unit: quote }),
        ...termsFields(values),
        { ...status, description: text.statuses[instrumentStatus][1] },
      ],
    ];
  };

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

export const EMPTY_ASSET = { asset: '', scale: '8', fiat: false };
type AssetValues = typeof EMPTY_ASSET;

const assetField = describer<AssetValues>(text.assetFields);

export const assetLayout = (): Layout<AssetValues> => [
  assetField('text', 'asset'),
  assetField('integer', 'scale'),
  assetField('checkbox', 'fiat'),
];

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
