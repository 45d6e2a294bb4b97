// The account: balances, commissions, trades and rate limits, and the reads of the wallet that
// clients call at their start.
import { formatUnits } from '../../contract/decimal.ts';
import type { JsonOut } from '../../contract/json.ts';
import { marketDataCalls } from '../../contract/market-data/calls.ts';
import { readWindow } from '../../contract/time-window.ts';
import { accountCalls, orderCalls } from '../../contract/trading/calls.ts';
import { FEE_ROLES } from '../../core/fee-rates.ts';
import type { Instrument } from '../../core/instrument.ts';
import { AccountCode } from '../../core/ledger/account-code.ts';
import { amount, RATE_DECIMALS, RATE_ONE } from '../../core/units.ts';
import { Module } from '../../identity/live-key.ts';
import { same } from './columns.ts';
import { type Context, endpoint } from './endpoint.ts';
import { rateLimitsOf } from './exchange-info.ts';
import { defined } from './parameters.ts';
import { writeOwnTrade } from './trades.ts';

const { balances, fees, fills } = accountCalls;

function rates({ venue: { state, now }, uid }: Context, instrument: Instrument) {
  const [maker, taker] = FEE_ROLES.map((role) =>
    state.feeTiers.rateOf(state.users[uid]!, instrument, role, now),
  ) as [number, number];
  return { maker, taker };
}

const NO_RATES = same('maker taker buyer seller', '0');

/** Both sides pay the fee of their role. */
function rateTexts(context: Context, instrument: Instrument) {
  const { maker, taker } = rates(context, instrument);
  const rateText = (rate: number): string => formatUnits(amount(rate), RATE_DECIMALS);
  return { ...NO_RATES, maker: rateText(maker), taker: rateText(taker) };
}

const NO_DISCOUNT = {
  ...same('enabledForAccount enabledForSymbol', false),
  ...{ discountAsset: '', discount: '0' },
};

/** The commissions of a pair; `suffix` is that of the fields' names. */
export const commissionOf = (context: Context, instrument: Instrument, suffix = '') => ({
  [`standardCommission${suffix}`]: rateTexts(context, instrument),
  [`specialCommission${suffix}`]: NO_RATES,
  [`taxCommission${suffix}`]: NO_RATES,
  discount: NO_DISCOUNT,
});

export const commission = endpoint(fees, 'symbol', (context, { symbol }) => {
  const instrument = context.venue.instrument(symbol);
  const name = context.venue.symbols.nameOf(instrument);
  return { symbol: name, ...commissionOf(context, instrument) };
});

/** The spot balances of an account. */
const balancesOf = ({ venue: { state }, uid }: Context) =>
  state.listedAssets.map(({ name, assetId, scale, fiat }) => {
    const owned = (code: AccountCode): string =>
      formatUnits(state.ledger.balanceOf(uid, assetId, code), scale);
    return {
      asset: name,
      free: owned(AccountCode.available),
      locked: owned(AccountCode.held),
      fiat,
    };
  });

type Balance = ReturnType<typeof balancesOf>[number];
const isOwned = ({ free, locked }: Balance): boolean => free !== '0' || locked !== '0';
const BASIS_POINTS = 10_000;

export const account = endpoint(balances, 'omitZeroBalances?', (context, { omitZeroBalances }) => {
  const { key, uid, venue } = context;
  const [first] = venue.symbols.all;
  const { maker, taker } = first === undefined ? { maker: 0, taker: 0 } : rates(context, first);
  const points = (rate: number): number => Math.floor((rate * BASIS_POINTS) / RATE_ONE);
  const owned = balancesOf(context).filter((each) => !omitZeroBalances || isOwned(each));
  return {
    makerCommission: points(maker),
    takerCommission: points(taker),
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: first === undefined ? NO_RATES : rateTexts(context, first),
    canTrade: key.allows(Module.tradingWrite) && !isSuspended(context),
    ...same('canWithdraw canDeposit brokered requireSelfTradePrevention preventSor', false),
    updateTime: venue.state.time,
    accountType: 'SPOT',
    balances: owned.map(({ asset, free, locked }) => ({ asset, free, locked })),
    permissions: ['SPOT'],
    uid,
  };
});

const isSuspended = ({ venue: { state }, uid }: Context): boolean => state.users[uid]!.suspended;

export const myTrades = endpoint(
  fills,
  'symbol orderId? startTime? endTime? fromId? limit?',
  async ({ venue, uid }, { symbol, orderId, startTime, endTime, fromId, limit = 500 }) => {
    const instrument = venue.instrument(symbol);
    // From an id or a time on, the oldest come first; else the newest ones.
    const isUpward = fromId !== undefined || startTime !== undefined;
    const found = await venue.read({
      type: 'fills',
      uid,
      size: limit,
      securityId: instrument.securityId,
      ...readWindow({ startTime, endTime }),
      ...defined({ orderId }),
      ...(isUpward ? { fromTradeId: fromId ?? 0 } : {}),
    });
    const written = found.map((fill) => writeOwnTrade({ trade: fill, instrument, venue }));
    return isUpward ? written : written.reverse();
  },
);

export const orderLimits = endpoint(orderCalls.orders, '', ({ services, key }) => {
  const count = services.limits.used('order', key.apiKey);
  return rateLimitsOf(services)
    .filter(({ rateLimitType }) => rateLimitType === 'ORDERS')
    .map((limit) => ({ ...limit, count }));
});

/** agio moves no coin to or from a network. */
export const coins = endpoint(balances, '', (context) =>
  balancesOf(context).map(({ asset, free, locked, fiat }) => ({
    coin: asset,
    name: asset,
    ...same('depositAllEnable withdrawAllEnable', false),
    trading: true,
    isLegalMoney: fiat,
    free,
    locked,
    ...same('freeze ipoable ipoing storage withdrawing', '0'),
    networkList: [],
  })),
);

export const tradeFee = endpoint(fees, 'symbol?', (context, { symbol }) => {
  const { venue } = context;
  const named = symbol === undefined ? venue.symbols.all : [venue.instrument(symbol)];
  return named.map((instrument) => {
    const { maker, taker } = rateTexts(context, instrument);
    const name = venue.symbols.nameOf(instrument);
    return { symbol: name, makerCommission: maker, takerCommission: taker };
  });
});

const UNUSED = same('freeze withdrawing ipoable btcValuation', '0');

export const userAssets = endpoint(
  balances,
  'asset? needBtcValuation?',
  (context, { asset: name }) =>
    balancesOf(context)
      .filter((each) => (name === undefined ? isOwned(each) : each.asset === name))
      .map(({ asset, free, locked }) => ({ asset, free, locked, ...UNUSED })),
);

export const systemStatus = endpoint(marketDataCalls.time, '', () => ({
  status: 0,
  msg: 'normal',
}));

export const accountStatus = endpoint(balances, '', (context) => ({
  data: isSuspended(context) ? 'Suspended' : 'Normal',
}));

export const tradingStatus = endpoint(balances, '', (context) => {
  const updateTime = context.venue.state.time;
  return { data: { isLocked: isSuspended(context), plannedRecoverTime: 0, updateTime } };
});

export const restrictions = endpoint(balances, '', ({ key }) => ({
  ipRestrict: key.ipAllowList !== null,
  enableReading: key.allows(Module.tradingRead),
  enableSpotAndMarginTrading: key.allows(Module.tradingWrite),
  ...same('enableWithdrawals enableInternalTransfer enableMargin enableFutures', false),
  permitsUniversalTransfer: false,
}));

/** agio lends nothing, so no pair and no asset has margin. */
export const noMargin = endpoint(balances, 'symbol? asset?', (): JsonOut => []);
