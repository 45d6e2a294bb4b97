// exchangeInfo: the pairs with Binance's filters, from the terms of the instruments, and the rate
// limits as they are.
import { formatSteps, formatUnits, MAX_STEPS } from '../../contract/decimal.ts';
import { marketDataCalls } from '../../contract/market-data/calls.ts';
import type { Instrument } from '../../core/instrument.ts';
import { MAX_ICEBERG_PARTS, MAX_TRAILING_DELTA } from '../../core/order-rules.ts';
import { type Amount, amount, RATE_DECIMALS, RATE_ONE } from '../../core/units.ts';
import { newUser } from '../../core/user.ts';
import type { LimitReport } from '../../gateway/limits/limits.ts';
import type { Services } from '../../gateway/services.ts';
import { same } from './columns.ts';
import { endpoint, type Venue } from './endpoint.ts';
import { pairsOf } from './market-data.ts';
import { PREVENTION_NAMES, preventionName, statusOf, TYPE_NAMES } from './words.ts';

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
  // The band is around the last price.
  const [up, down] = [rate(RATE_ONE + priceBand), rate(RATE_ONE - priceBand)];
  const band = {
    filterType: 'PERCENT_PRICE_BY_SIDE',
    ...same('bidMultiplierUp askMultiplierUp', up),
    ...same('bidMultiplierDown askMultiplierDown', down),
    avgPriceMins: 0,
  };
  const maxPrice = formatSteps(MAX_SHOWN, tick);
  return [
    { filterType: 'PRICE_FILTER', minPrice: tickSize, maxPrice, tickSize },
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
    {
      filterType: 'TRAILING_DELTA',
      ...same('minTrailingAboveDelta minTrailingBelowDelta', 1),
      ...same('maxTrailingAboveDelta maxTrailingBelowDelta', MAX_TRAILING_DELTA),
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: MAX_OPEN_ORDERS },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: MAX_OPEN_ORDERS },
  ];
}

const ALLOWED = {
  ...same('icebergAllowed ocoAllowed otoAllowed opoAllowed quoteOrderQtyMarketAllowed', true),
  ...same('allowTrailingStop cancelReplaceAllowed amendAllowed isSpotTradingAllowed', true),
  ...same('pegInstructionsAllowed isMarginTradingAllowed', false),
};

function writeSymbol({ symbols }: Venue, instrument: Instrument) {
  const { base, quote } = instrument;
  return {
    symbol: symbols.nameOf(instrument),
    status: statusOf(instrument.status),
    baseAsset: base.name,
    baseAssetPrecision: base.scale,
    quoteAsset: quote.name,
    baseCommissionPrecision: base.scale,
    ...same('quotePrecision quoteAssetPrecision quoteCommissionPrecision', quote.scale),
    orderTypes: TYPE_NAMES,
    ...ALLOWED,
    filters: filtersOf(instrument),
    permissions: ['SPOT'],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: preventionName(instrument.selfTradePrevention),
    allowedSelfTradePreventionModes: PREVENTION_NAMES,
  };
}

const WEIGHT = { type: 'REQUEST_WEIGHT', header: 'X-MBX-USED-WEIGHT-' };
const KINDS: Partial<Record<LimitReport['name'], typeof WEIGHT>> = {
  public: WEIGHT,
  private: WEIGHT,
  order: { type: 'ORDERS', header: 'X-MBX-ORDER-COUNT-' },
};

/** The limits in Binance's form. The interval is the time in which an empty allowance refills. */
export const limitsOf = ({ limits }: Services) =>
  limits.report().flatMap(({ name, quota, windowSeconds, burst }) => {
    const kind = KINDS[name];
    if (kind === undefined || burst === null) return [];
    const seconds = Math.max(1, Math.ceil(((windowSeconds ?? 0) * burst) / (quota ?? 1)));
    const isMinutes = seconds % 60 === 0;
    const interval = isMinutes ? 'MINUTE' : 'SECOND';
    const intervalNum = isMinutes ? seconds / 60 : seconds;
    const header = `${kind.header}${intervalNum}${interval[0]}`;
    const shown = { rateLimitType: kind.type, interval, intervalNum, limit: burst };
    return [{ name: name as 'public' | 'private' | 'order', header, shown }];
  });

/** The limits of a key: requests, of which each weighs 1, and orders. */
export const rateLimitsOf = (services: Services) =>
  limitsOf(services).flatMap(({ name, shown }) => (name === 'public' ? [] : [shown]));

const LISTED = 'symbol? symbols? permissions? showPermissionSets? symbolStatus?';

export const exchangeInfo = endpoint(marketDataCalls.instruments, LISTED, ({ venue }, query) => ({
  timezone: 'UTC',
  serverTime: venue.services.engine.wall(),
  rateLimits: rateLimitsOf(venue.services),
  exchangeFilters: [
    { filterType: 'EXCHANGE_MAX_NUM_ORDERS', maxNumOrders: MAX_OPEN_ORDERS },
    { filterType: 'EXCHANGE_MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: MAX_OPEN_ORDERS },
  ],
  symbols: pairsOf(venue, query).map((instrument) => writeSymbol(venue, instrument)),
}));
