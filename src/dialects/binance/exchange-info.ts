// exchangeInfo: the pairs with Binance's filters, from the terms of the instruments, and the rate
// limits as they are.
import { formatSteps, formatUnits, MAX_STEPS } from '../../contract/decimal.ts';
import { boolean, optional, text } from '../../contract/fields.ts';
import { marketDataCalls } from '../../contract/market-data/calls.ts';
import { object } from '../../contract/object.ts';
import { InstrumentStatus } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { MAX_ICEBERG_PARTS } from '../../core/order-rules.ts';
import { type Amount, amount, RATE_DECIMALS, RATE_ONE } from '../../core/units.ts';
import { newUser } from '../../core/user.ts';
import type { LimitReport } from '../../gateway/limits/limits.ts';
import type { Services } from '../../gateway/services.ts';
import { type Context, endpoint } from './endpoint.ts';
import { namedInstruments } from './market-data.ts';
import { symbolField } from './order-commands.ts';
import { PREVENTION_NAMES, preventionName, TYPE_NAMES } from './words.ts';

const STATUSES: Readonly<Record<InstrumentStatus, string>> = {
  [InstrumentStatus.LIVE]: 'TRADING',
  [InstrumentStatus.POST_ONLY]: 'TRADING',
  [InstrumentStatus.CANCEL_ONLY]: 'HALT',
  [InstrumentStatus.HALTED]: 'HALT',
};

/** The open orders of an account, unless the operator has set another number. */
const MAX_OPEN_ORDERS = newUser(0, false).maxOpenOrders;
/** Prices and quantities have more digits than any pair needs. */
const MAX_SHOWN = Math.min(MAX_STEPS, 10 ** 15 - 1);

const rate = (hundredMillionths: number): string =>
  formatUnits(amount(hundredMillionths), RATE_DECIMALS);

function filtersOf({ tick, lot, quote, minQuantity, minNotional, priceBand }: Instrument) {
  const [tickSize, stepSize] = [formatSteps(1, tick), formatSteps(1, lot)];
  const minQty = formatSteps(minQuantity, lot);
  const maxQty = formatSteps(MAX_SHOWN, lot);
  const multipliers = { Up: rate(RATE_ONE + priceBand), Down: rate(RATE_ONE - priceBand) };
  const band = {
    filterType: 'PERCENT_PRICE_BY_SIDE',
    bidMultiplierUp: multipliers.Up,
    bidMultiplierDown: multipliers.Down,
    askMultiplierUp: multipliers.Up,
    askMultiplierDown: multipliers.Down,
    // The distance is from the last price.
    avgPriceMins: 0,
  };
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: tickSize,
      maxPrice: formatSteps(MAX_SHOWN, tick),
      tickSize,
    },
    { filterType: 'LOT_SIZE', minQty, maxQty, stepSize },
    { filterType: 'MARKET_LOT_SIZE', minQty, maxQty, stepSize },
    {
      filterType: 'NOTIONAL',
      minNotional: formatUnits(minNotional, quote.scale),
      applyMinToMarket: true,
      maxNotional: formatUnits(MAX_SHOWN as Amount, 0),
      applyMaxToMarket: false,
      avgPriceMins: 0,
    },
    ...(priceBand === 0 ? [] : [band]),
    { filterType: 'ICEBERG_PARTS', limit: MAX_ICEBERG_PARTS },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: MAX_OPEN_ORDERS },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: MAX_OPEN_ORDERS },
  ];
}

function writeSymbol({ symbols }: Context, instrument: Instrument) {
  const { base, quote } = instrument;
  return {
    symbol: symbols.nameOf(instrument),
    status: STATUSES[instrument.status],
    baseAsset: base.name,
    baseAssetPrecision: base.scale,
    quoteAsset: quote.name,
    quotePrecision: quote.scale,
    quoteAssetPrecision: quote.scale,
    baseCommissionPrecision: base.scale,
    quoteCommissionPrecision: quote.scale,
    orderTypes: TYPE_NAMES,
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: false,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: filtersOf(instrument),
    permissions: ['SPOT'],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: preventionName(instrument.selfTradePrevention),
    allowedSelfTradePreventionModes: PREVENTION_NAMES,
  };
}

/** An interval of whole minutes or seconds, and its letter in headers. */
export function intervalOf(seconds: number) {
  const minutes = seconds / 60;
  return Number.isInteger(minutes)
    ? { interval: 'MINUTE', intervalNum: minutes, letter: 'M' }
    : { interval: 'SECOND', intervalNum: seconds, letter: 'S' };
}

/** The seconds in which an empty allowance is full again. */
export const refillSeconds = ({ quota, windowSeconds, burst }: LimitReport): number =>
  Math.max(1, Math.ceil(((windowSeconds ?? 0) * (burst ?? 0)) / (quota ?? 1)));

const KINDS = { private: 'REQUEST_WEIGHT', order: 'ORDERS' } as const;

/** The limits of a key: requests, of which each weighs 1, and orders. */
export function rateLimitsOf({ limits }: Services) {
  return limits.report().flatMap((report) => {
    const { name, burst } = report;
    if (burst === null || (name !== 'private' && name !== 'order')) return [];
    const { interval, intervalNum } = intervalOf(refillSeconds(report));
    return [{ rateLimitType: KINDS[name], interval, intervalNum, limit: burst }];
  });
}

const query = object({
  symbol: optional(symbolField),
  symbols: optional(text({ max: 8192, ascii: true })),
  permissions: optional(text({ max: 1024, ascii: true })),
  showPermissionSets: optional(boolean()),
  symbolStatus: optional(text({ max: 20, ascii: true })),
});

export const exchangeInfo = endpoint(marketDataCalls.instruments, query, (context, sent) => {
  const { instruments } = namedInstruments(context, sent);
  const { symbolStatus } = sent;
  const symbols = instruments
    .map((instrument) => writeSymbol(context, instrument))
    .filter(({ status }) => symbolStatus === undefined || status === symbolStatus);
  return {
    timezone: 'UTC',
    serverTime: context.services.engine.wall(),
    rateLimits: rateLimitsOf(context.services),
    exchangeFilters: [
      { filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: MAX_OPEN_ORDERS },
      { filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: MAX_OPEN_ORDERS },
    ],
    symbols,
  };
});
