// An instrument on paper: the form of a listing and of a change as requests, checked against the assets, and what they mean.

import type { InstrumentStatus } from '../../../src/sdk/index.ts';
import type {
  Asset,
  Instrument,
  InstrumentTerms,
  NewAsset,
  NewInstrument,
  SelfTradePrevention,
} from '../../api/operator.ts';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { amountOf, type Checked, percentOf, Reading, rateOf, wholeOf } from '../parts/check.ts';

export interface TermsValues {
  readonly baseAssetMinOrderSize: string;
  readonly quoteAssetMinOrderSize: string;
  /** In percent, as the band. */
  readonly makerFee: string;
  readonly takerFee: string;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly priceBand: string;
}

export interface ListingValues extends TermsValues {
  readonly base: string;
  readonly quote: string;
  readonly quoteAssetIncrement: string;
  readonly baseAssetIncrement: string;
  readonly instrumentStatus: InstrumentStatus;
}

export type TermsField =
  | 'baseAssetMinOrderSize'
  | 'quoteAssetMinOrderSize'
  | 'makerFee'
  | 'takerFee'
  | 'priceBand';
export type ListingField =
  | TermsField
  | 'base'
  | 'quote'
  | 'quoteAssetIncrement'
  | 'baseAssetIncrement';

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

const RATE = { most: '100', below: true } as const;
/** What the core can hold of an increment. */
const MAX_DIGITS = 15;

/** The terms that a change may have; `lot` and `quote` say what they must fit. */
function readTerms<F extends string>(
  reading: Reading<F | TermsField>,
  values: TermsValues,
  lot: string | undefined,
  quote: Asset | undefined,
): Omit<InstrumentTerms, 'instrumentStatus'> {
  const least = reading.take('baseAssetMinOrderSize', amountOf(values.baseAssetMinOrderSize, {}));
  if (lot !== undefined && reading.isFine('baseAssetMinOrderSize')) {
    const below = d.floorTo(least, lot);
    if (d.compare(below, least) !== 0) {
      const nearest = d.isZero(below) ? lot : below;
      reading.fault('baseAssetMinOrderSize', `A multiple of ${lot}: ${nearest}, for instance.`);
    }
  }
  const scale = quote === undefined ? undefined : Number(quote.scale);
  const rule = { decimals: scale, asset: quote?.asset, zero: true };
  return {
    baseAssetMinOrderSize: least,
    quoteAssetMinOrderSize: reading.take(
      'quoteAssetMinOrderSize',
      amountOf(values.quoteAssetMinOrderSize, rule),
    ),
    makerFee: reading.take('makerFee', rateOf(values.makerFee, RATE)),
    takerFee: reading.take('takerFee', rateOf(values.takerFee, RATE)),
    selfTradePrevention: values.selfTradePrevention,
    priceBand: reading.take('priceBand', rateOf(values.priceBand, RATE)),
  };
}

/** How fine prices may be, so that price × quantity is exact in the quote asset: the digits that the lot leaves. */
export const tickDecimals = (lot: d.Decimal, quote: Asset): number =>
  Math.max(0, Number(quote.scale) - d.decimalsOf(lot));

export function toListing(
  values: ListingValues,
  assets: readonly Asset[],
): Checked<NewInstrument, ListingField> {
  const reading = new Reading<ListingField>();
  const base = assets.find(({ asset }) => asset === values.base);
  const quote = assets.find(({ asset }) => asset === values.quote);
  if (base === undefined) reading.fault('base', 'Choose what is traded.');
  if (quote === undefined) reading.fault('quote', 'Choose what is paid with.');
  else if (base === quote) reading.fault('quote', 'Another asset than the one that is traded.');
  const lotRule = base === undefined ? {} : { decimals: Number(base.scale), asset: base.asset };
  const lot = reading.take('baseAssetIncrement', amountOf(values.baseAssetIncrement, lotRule));
  checkDigits(reading, 'baseAssetIncrement', lot);
  const tick = reading.take('quoteAssetIncrement', amountOf(values.quoteAssetIncrement, {}));
  checkDigits(reading, 'quoteAssetIncrement', tick);
  if (quote !== undefined && reading.isFine('baseAssetIncrement', 'quoteAssetIncrement')) {
    const most = tickDecimals(lot, quote);
    if (d.decimalsOf(tick) > most) {
      reading.fault(
        'quoteAssetIncrement',
        `At most ${most} decimals: with the ${d.decimalsOf(lot)} of the quantity step they must fit into the ${quote.scale} of ${quote.asset}.`,
      );
    }
  }
  const terms = readTerms(
    reading,
    values,
    reading.isFine('baseAssetIncrement') ? lot : undefined,
    quote,
  );
  return reading.finish({
    symbol: `${values.base}-${values.quote}`,
    quoteAssetIncrement: tick,
    baseAssetIncrement: lot,
    ...terms,
    instrumentStatus: values.instrumentStatus,
  });
}

function checkDigits(
  reading: Reading<ListingField>,
  field: 'baseAssetIncrement' | 'quoteAssetIncrement',
  value: string,
): void {
  if (reading.isFine(field) && value.replace('.', '').length > MAX_DIGITS) {
    reading.fault(field, `At most ${MAX_DIGITS} digits.`);
  }
}

export const termsOf = (instrument: Instrument): TermsValues => ({
  baseAssetMinOrderSize: instrument.baseAssetMinOrderSize,
  quoteAssetMinOrderSize: instrument.quoteAssetMinOrderSize,
  makerFee: percentOf(instrument.makerFee),
  takerFee: percentOf(instrument.takerFee),
  selfTradePrevention: instrument.selfTradePrevention,
  priceBand: percentOf(instrument.priceBand),
});

/** Only what differs from now; an empty body where nothing does. */
export function toTermsChange(
  values: TermsValues,
  now: Instrument,
  assets: readonly Asset[],
): Checked<Partial<InstrumentTerms>, TermsField> {
  const reading = new Reading<TermsField>();
  const quote = assets.find(({ asset }) => asset === now.quoteAsset);
  const next = readTerms(reading, values, now.baseAssetIncrement, quote);
  const changed = Object.entries(next).filter(
    ([field, value]) => value !== now[field as keyof typeof next],
  );
  return reading.finish(Object.fromEntries(changed) as Partial<InstrumentTerms>);
}

export const SELF_TRADE: readonly {
  readonly value: SelfTradePrevention;
  readonly label: string;
  readonly what: string;
}[] = [
  {
    value: 'cancelNewest',
    label: 'Cancel the newest',
    what: 'the order that comes is canceled, the resting one stays',
  },
  {
    value: 'cancelOldest',
    label: 'Cancel the oldest',
    what: 'the resting order is canceled, the one that comes goes on',
  },
  { value: 'cancelBoth', label: 'Cancel both', what: 'both are canceled' },
  { value: 'none', label: 'None', what: 'an account may trade with itself' },
];

export const STATUSES: readonly {
  readonly value: InstrumentStatus;
  readonly label: string;
  readonly what: string;
}[] = [
  { value: 'LIVE', label: 'Live', what: 'Orders and cancels; everything trades.' },
  {
    value: 'POST_ONLY',
    label: 'Post only',
    what: 'Orders that rest, and cancels; nothing that would trade on arrival.',
  },
  { value: 'CANCEL_ONLY', label: 'Cancel only', what: 'Cancels, and no new orders.' },
  { value: 'HALTED', label: 'Halted', what: 'No orders; owners can cancel.' },
];

/** What a change of status does, to whom. `resting`: how many orders are in the book, null where not known. */
export function statusConsequences(
  symbol: string,
  to: InstrumentStatus,
  resting: number | null,
): string[] {
  const orders = resting === null ? 'Orders in the book' : countOf(resting);
  const stay = `${orders} ${resting === 1 ? 'stays' : 'stay'} where ${resting === 1 ? 'it is' : 'they are'}, with the money held for ${resting === 1 ? 'it' : 'them'}.`;
  switch (to) {
    case 'HALTED':
      return [
        `Trading in ${symbol} stops immediately, for everyone: no new orders.`,
        `${stay} Their owners can cancel them; so can you.`,
        'It can be taken back at any time.',
      ];
    case 'CANCEL_ONLY':
      return [
        `No new orders in ${symbol}, for everyone; nothing trades any more.`,
        `${stay} Their owners can cancel them.`,
        'It can be taken back at any time.',
      ];
    case 'POST_ONLY':
      return [
        `In ${symbol} only orders that are marked post-only are taken: they rest, and nothing trades on arrival.`,
        `${stay} Their owners can cancel them.`,
      ];
    case 'LIVE':
      return [
        `${symbol} trades again, for everyone, from this moment.`,
        `${stay} New orders trade against ${resting === 1 ? 'it' : 'them'}.`,
      ];
  }
}

const countOf = (orders: number): string =>
  orders === 1 ? 'The 1 order in the book' : `The ${grouped(String(orders))} orders in the book`;

/** What a listing comes to, in sentences. */
export function listingSentences(body: NewInstrument): string[] {
  const [base = '', quote = ''] = body.symbol.split('-');
  const least = d.multiply(body.quoteAssetIncrement, body.baseAssetIncrement);
  const band = d.isZero(body.priceBand)
    ? 'There is no price band, so every price is taken, also one that was mistyped.'
    : `After the first trade, orders trade at most ${percent(body.priceBand)} away from the last price.`;
  const selfTrade = SELF_TRADE.find(({ value }) => value === body.selfTradePrevention)!.what;
  const status = STATUSES.find(({ value }) => value === body.instrumentStatus)!;
  return [
    `${base} is traded against ${quote} as ${body.symbol}.`,
    `Prices go in steps of ${body.quoteAssetIncrement} ${quote}, quantities in steps of ${body.baseAssetIncrement} ${base}; the smallest step of value is ${least} ${quote}. These never change.`,
    `An order is for at least ${body.baseAssetMinOrderSize} ${base}${d.isZero(body.quoteAssetMinOrderSize) ? '' : `, and worth at least ${body.quoteAssetMinOrderSize} ${quote}`}.`,
    `Who rests pays ${percent(body.makerFee)}, who takes ${percent(body.takerFee)} of what they receive: of 1,000 ${quote} the taker pays ${grouped(d.multiply('1000', body.takerFee))} ${quote}.`,
    band,
    `Where an order would trade with one of the same account: ${selfTrade}.`,
    `It begins ${status.label.toLowerCase()}: ${status.what.toLowerCase()}`,
  ];
}

export interface AssetValues {
  readonly asset: string;
  readonly scale: string;
  readonly fiat: boolean;
}

const SCALE = { least: 0, most: 18, unit: 'decimals' } as const;

/** Small letters are taken for capitals. */
export function toAsset(
  values: AssetValues,
  listed: readonly Asset[],
): Checked<NewAsset, 'asset' | 'scale'> {
  const reading = new Reading<'asset' | 'scale'>();
  const asset = values.asset.trim().toUpperCase();
  if (!/^[A-Z0-9]{1,15}$/.test(asset)) {
    reading.fault('asset', '1 to 15 letters and digits, such as BTC.');
  }
  if (listed.some((one) => one.asset === asset))
    reading.fault('asset', `${asset} is listed already.`);
  const scale = reading.take('scale', wholeOf(values.scale, SCALE));
  return reading.finish({ asset, scale, fiat: values.fiat });
}
