// The forms about assets and pairs as requests, checked against the listed assets, and previews.
import type {
  ListedAsset,
  ListedInstrument,
  OperatorCreateAssetRequest,
  OperatorCreateInstrumentRequest,
} from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { marketsText as text } from '../../messages/operator-markets.ts';
import {
  amountRule,
  changesIn,
  FormReader,
  type FormResult,
  parseAmount,
  parseInteger,
  parseRate,
  percentOf,
} from '../parts/parse.ts';

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

/** The terms as typed: fees and band in percent. */
export type TermsValues = Terms;

export interface ListingValues extends TermsValues {
  readonly base: string;
  readonly quote: string;
  readonly quoteAssetIncrement: string;
  readonly baseAssetIncrement: string;
  readonly instrumentStatus: ListedInstrument['instrumentStatus'];
}

/** A listing with decimal texts. */
export type Listing = OperatorCreateInstrumentRequest &
  Terms &
  Pick<ListedInstrument, 'baseAssetIncrement' | 'quoteAssetIncrement' | 'instrumentStatus'>;

export const EMPTY_LISTING: ListingValues = {
  base: '',
  quote: '',
  quoteAssetIncrement: '',
  baseAssetIncrement: '',
  baseAssetMinOrderSize: '',
  quoteAssetMinOrderSize: '1',
  makerFee: '0',
  takerFee: '0.1',
  selfTradePrevention: 'cancelNewest',
  priceBand: '10',
  instrumentStatus: 'LIVE',
};

const RATE = { maximum: '100', below: true } as const;
/** The core stores an increment with up to 15 digits. */
const MAX_DIGITS = 15;

interface TermsContext {
  /** undefined while the increment has a fault. */
  readonly lot: string | undefined;
  readonly quote: string;
  readonly assets: readonly ListedAsset[];
}

function parseTermsWith<F extends string>(
  reader: FormReader<F | keyof TermsValues>,
  values: TermsValues,
  { lot, quote, assets }: TermsContext,
): Terms {
  const rate = (field: 'makerFee' | 'takerFee' | 'priceBand') =>
    reader.read(field, parseRate(values[field], RATE));
  const minQuantity = reader.read(
    'baseAssetMinOrderSize',
    parseAmount(values.baseAssetMinOrderSize, {}),
  );
  if (lot !== undefined && reader.isValid('baseAssetMinOrderSize')) {
    const below = d.floorTo(minQuantity, lot);
    if (d.compare(below, minQuantity) !== 0) {
      const nearest = d.isZero(below) ? lot : below;
      reader.reject('baseAssetMinOrderSize', text.multipleOf(lot, nearest));
    }
  }
  const value = { ...amountRule(assets, quote), zero: true };
  return {
    baseAssetMinOrderSize: minQuantity,
    quoteAssetMinOrderSize: reader.read(
      'quoteAssetMinOrderSize',
      parseAmount(values.quoteAssetMinOrderSize, value),
    ),
    makerFee: rate('makerFee'),
    takerFee: rate('takerFee'),
    selfTradePrevention: values.selfTradePrevention,
    priceBand: rate('priceBand'),
  };
}

/** Decimals of the price increment that keep price × quantity exact in the quote asset. */
const tickDecimals = (lot: d.Decimal, quote: ListedAsset): number =>
  Math.max(0, quote.scale - d.decimalsOf(lot));

export function parseListing(
  values: ListingValues,
  assets: readonly ListedAsset[],
): FormResult<Listing, keyof ListingValues> {
  const reader = new FormReader<keyof ListingValues>();
  const base = assets.find(({ asset }) => asset === values.base);
  const quote = assets.find(({ asset }) => asset === values.quote);
  if (base === undefined) reader.reject('base', text.chooseBase);
  if (quote === undefined) reader.reject('quote', text.chooseQuote);
  else if (base === quote) reader.reject('quote', text.sameAsset);
  const increment = (field: 'baseAssetIncrement' | 'quoteAssetIncrement', asset: string) => {
    const value = reader.read(field, parseAmount(values[field], amountRule(assets, asset)));
    if (reader.isValid(field) && value.replace('.', '').length > MAX_DIGITS) {
      reader.reject(field, text.tooManyDigits(MAX_DIGITS));
    }
    return value;
  };
  const lot = increment('baseAssetIncrement', values.base);
  const tick = increment('quoteAssetIncrement', '');
  if (quote !== undefined && reader.isValid('baseAssetIncrement', 'quoteAssetIncrement')) {
    const maximum = tickDecimals(lot, quote);
    if (d.decimalsOf(tick) > maximum) {
      const fault = text.tickDecimals(maximum, d.decimalsOf(lot), quote.scale, quote.asset);
      reader.reject('quoteAssetIncrement', fault);
    }
  }
  const terms = parseTermsWith(reader, values, {
    lot: reader.isValid('baseAssetIncrement') ? lot : undefined,
    quote: values.quote,
    assets,
  });
  return reader.finish({
    symbol: `${values.base}-${values.quote}`,
    quoteAssetIncrement: tick,
    baseAssetIncrement: lot,
    ...terms,
    instrumentStatus: values.instrumentStatus,
  });
}

export const termsOf = (instrument: ListedInstrument): TermsValues => ({
  baseAssetMinOrderSize: instrument.baseAssetMinOrderSize,
  quoteAssetMinOrderSize: instrument.quoteAssetMinOrderSize,
  makerFee: percentOf(instrument.makerFee),
  takerFee: percentOf(instrument.takerFee),
  selfTradePrevention: instrument.selfTradePrevention,
  priceBand: percentOf(instrument.priceBand),
});

/** The terms that differ from the pair's; an empty body if none does. */
export function parseTerms(
  values: TermsValues,
  instrument: ListedInstrument,
  assets: readonly ListedAsset[],
): FormResult<Partial<Terms>, keyof TermsValues> {
  const reader = new FormReader<keyof TermsValues>();
  const { baseAssetIncrement: lot, quoteAsset: quote } = instrument;
  const next = parseTermsWith(reader, values, { lot, quote, assets });
  return reader.finish(changesIn(next, instrument));
}

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
export type AssetValues = typeof EMPTY_ASSET;

const SCALE = { minimum: 0, maximum: 18, unit: text.decimalsUnit } as const;

/** Accepts lower-case names. */
export function parseAsset(
  values: AssetValues,
  listed: readonly ListedAsset[],
): FormResult<Required<OperatorCreateAssetRequest>, 'asset' | 'scale'> {
  const reader = new FormReader<'asset' | 'scale'>();
  const asset = values.asset.trim().toUpperCase();
  if (!/^[A-Z0-9]{1,15}$/.test(asset)) reader.reject('asset', text.assetNameRule);
  if (listed.some((one) => one.asset === asset)) reader.reject('asset', text.alreadyListed(asset));
  const scale = reader.read('scale', parseInteger(values.scale, SCALE));
  return reader.finish({ asset, scale, fiat: values.fiat });
}
