// The operator's calls about assets and instruments: requests, grids and terms in core units, and
// the operator's view of an instrument.

import type { AmendInstrument, CreateInstrument } from '../../core/command.ts';
import { byFeeRole, type FeeRole } from '../../core/fee-rates.ts';
import { InstrumentStatus, SelfTradePrevention } from '../../core/fix.ts';
import {
  type Asset,
  gridFault,
  INSTRUMENT_TERMS,
  type Increment,
  type Instrument,
  type InstrumentTerms,
  MAX_SCALE,
} from '../../core/instrument.ts';
import { lots, ZERO } from '../../core/units.ts';
import { parseIncrement } from '../decimal.ts';
import type { Infer, Unit } from '../fields.ts';
import { boolean, decimal, integer, oneOf, optional, text } from '../fields.ts';
import { onScale, onSteps, toRate } from '../grid.ts';
import { JsonNumber } from '../json.ts';
import { object } from '../object.ts';
import { invalidField } from '../problem.ts';

/** Two names and a dash fit into the 32 characters of a symbol. */
const ASSET_NAME = /^[A-Z0-9]{1,15}$/;
const SYMBOL = /^[A-Z0-9]{1,15}-[A-Z0-9]{1,15}$/;

type StatusWord = keyof typeof InstrumentStatus;
type SelfTradeWord = keyof typeof SelfTradePrevention;
const STATUS_WORDS = Object.keys(InstrumentStatus) as StatusWord[];
const SELF_TRADE_WORDS = Object.keys(SelfTradePrevention) as SelfTradeWord[];

const scale = integer({
  min: 0,
  max: MAX_SCALE,
  about:
    'How finely an amount divides: 8 for BTC. In each pair that the asset quotes, the decimals ' +
    'of both increments together are at most this. Immutable once something uses the asset.',
});

export const createAssetBody = object({
  asset: text({
    max: 15,
    pattern: ASSET_NAME,
    expected: '1 to 15 capital letters and digits, such as BTC',
    about: 'Capital letters and digits, such as BTC. Immutable.',
  }),
  scale,
  fiat: optional(boolean({ about: 'A state issues it.' }), false),
});

export const amendAssetBody = object({ scale });

const rate = (about: string) => optional(decimal({ sign: 'notNegative', unit: 'rate', about }));

/** Terms that may change after the listing. */
const terms = {
  makerFee: rate('A resting order pays this share of what it receives.'),
  takerFee: rate('An order that trades on arrival pays this share of what it receives.'),
  selfTradePrevention: optional(
    oneOf(SELF_TRADE_WORDS, {
      about: 'The order that is canceled when an account would trade with itself.',
    }),
  ),
  priceBand: rate('Maximum distance from the last price, against mistyped prices. 0: no band.'),
  instrumentStatus: optional(
    oneOf(STATUS_WORDS, { about: 'The orders and cancels that are accepted.' }),
  ),
} as const;

const increment = (about: string, unit: Unit) => decimal({ sign: 'positive', unit, about });
const minQuantity = decimal({
  sign: 'positive',
  unit: 'base',
  about: 'An order has at least this quantity, a multiple of the quantity increment.',
});
const minValue = decimal({
  sign: 'notNegative',
  unit: 'quote',
  about: 'An order has at least this price × quantity. 0: no minimum.',
});

export const createInstrumentBody = object({
  symbol: text({
    max: 31,
    pattern: SYMBOL,
    expected: 'two asset names with a dash between them, such as BTC-USDT',
    about: 'Such as BTC-USDT.',
  }),
  baseAssetIncrement: increment('Quantities are multiples of it. Immutable.', 'base'),
  quoteAssetIncrement: increment('Prices are multiples of it. Immutable.', 'quote'),
  baseAssetMinOrderSize: minQuantity,
  quoteAssetMinOrderSize: minValue,
  ...terms,
});

export const amendInstrumentBody = object({
  baseAssetMinOrderSize: optional(minQuantity),
  quoteAssetMinOrderSize: optional(minValue),
  ...terms,
});
type TermsBody = Infer<typeof amendInstrumentBody>;
type ChangedTerms = Omit<AmendInstrument, 'type' | 'securityId'>;

/** The asset names of a symbol, base first. */
export function assetsOfSymbol(symbol: string): readonly [string, string] {
  const [base = '', quote = ''] = symbol.split('-');
  return [base, quote];
}

/**
 * Throws Problem for increments that do not divide their assets, and for sizes and rates that do
 * not fit.
 */
export function toCreateInstrument(
  body: Infer<typeof createInstrumentBody>,
  base: Asset,
  quote: Asset,
): CreateInstrument {
  const tick = toIncrement('quoteAssetIncrement', body.quoteAssetIncrement);
  const lot = toIncrement('baseAssetIncrement', body.baseAssetIncrement);
  checkGrid(tick, lot, base, quote);
  return {
    type: 'createInstrument',
    symbol: body.symbol,
    baseAsset: base.name,
    quoteAsset: quote.name,
    tick,
    lot,
    ...INSTRUMENT_TERMS.merge(DEFAULT_TERMS, readTerms(body, lot, quote)),
  };
}

/** The terms of a listing that names none; it has to name the sizes. */
const DEFAULT_TERMS: InstrumentTerms = {
  minQuantity: lots(0),
  minNotional: ZERO,
  ...byFeeRole(() => 0),
  selfTradePrevention: SelfTradePrevention.cancelNewest,
  priceBand: 0,
  status: InstrumentStatus.LIVE,
};

/** Throws Problem for sizes and rates that do not fit. */
export const toAmendInstrument = (
  body: TermsBody,
  { securityId, lot, quote }: Instrument,
): AmendInstrument => ({ type: 'amendInstrument', securityId, ...readTerms(body, lot, quote) });

/** The terms in core units; null where the body leaves one out. Throws Problem. */
function readTerms(body: TermsBody, lot: Increment, quote: Asset): ChangedTerms {
  const rate = (field: FeeRole | 'priceBand') => ifSent(body[field], (sent) => toRate(field, sent));
  return {
    minQuantity: ifSent(body.baseAssetMinOrderSize, (sent) =>
      lots(onSteps('baseAssetMinOrderSize', sent, { increment: lot })),
    ),
    minNotional: ifSent(body.quoteAssetMinOrderSize, (sent) =>
      onScale('quoteAssetMinOrderSize', sent, quote.scale),
    ),
    ...byFeeRole(rate),
    selfTradePrevention: ifSent(body.selfTradePrevention, (word) => SelfTradePrevention[word]),
    priceBand: rate('priceBand'),
    status: ifSent(body.instrumentStatus, (word) => InstrumentStatus[word]),
  };
}

const ifSent = <S, T>(sent: S | undefined, read: (sent: S) => T): T | null =>
  sent === undefined ? null : read(sent);

function toIncrement(field: string, value: string): Increment {
  const increment = parseIncrement(value);
  if (typeof increment !== 'string') return increment;
  throw invalidField(field, 'be a decimal number above 0 of at most 15 digits', {
    rule: 'increment',
    value: new JsonNumber(value),
  });
}

/** The core rejects the same; here the message can offer a valid value. */
function checkGrid(tick: Increment, lot: Increment, base: Asset, quote: Asset): void {
  const fault = gridFault(tick, lot, base, quote);
  if (fault === null) return;
  const ofTick = fault === 'quoteAssetIncrement';
  const limit = ofTick ? Math.max(0, quote.scale - lot.decimals) : base.scale;
  const s = limit === 1 ? '' : 's';
  const must = ofTick
    ? `have at most ${limit} decimal${s}: with the ${lot.decimals} of baseAssetIncrement they ` +
      `must fit into the ${quote.scale} of ${quote.name}, so that price × quantity is exact`
    : `have at most the ${limit} decimals of ${base.name}`;
  const value = ofTick ? tick.decimals : lot.decimals;
  throw invalidField(fault, must, { rule: 'decimals', limit, value });
}
