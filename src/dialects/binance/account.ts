// The account: balances, commissions, trades and rate limits, and the reads of the wallet that
// clients call at their start.
import { formatSteps, formatUnits } from '../../contract/decimal.ts';
import { boolean, integer, optional, text } from '../../contract/fields.ts';
import type { JsonOut } from '../../contract/json.ts';
import { marketDataCalls } from '../../contract/market-data/calls.ts';
import { object } from '../../contract/object.ts';
import { readWindow } from '../../contract/time-window.ts';
import { accountCalls, orderCalls } from '../../contract/trading/calls.ts';
import { FEE_ROLES } from '../../core/fee-rates.ts';
import { Side } from '../../core/fix.ts';
import type { Asset, Instrument } from '../../core/instrument.ts';
import { AccountCode } from '../../core/ledger/account-code.ts';
import { amount, RATE_DECIMALS, RATE_ONE } from '../../core/units.ts';
import { Module } from '../../identity/live-key.ts';
import { type Context, endpoint, NO_PARAMETERS } from './endpoint.ts';
import { rateLimitsOf } from './exchange-info.ts';
import { orderIdField, symbolField } from './order-commands.ts';

const rateText = (hundredMillionths: number): string =>
  formatUnits(amount(hundredMillionths), RATE_DECIMALS);

function rates({ state, uid, now }: Context, instrument: Instrument) {
  const [maker, taker] = FEE_ROLES.map((role) =>
    state.feeTiers.rateOf(state.users[uid]!, instrument, role, now),
  ) as [number, number];
  return { maker, taker };
}

/** Both sides pay the fee of their role. */
function rateTexts(context: Context, instrument: Instrument) {
  const { maker, taker } = rates(context, instrument);
  return { maker: rateText(maker), taker: rateText(taker), buyer: '0', seller: '0' };
}

const NO_RATES = { maker: '0', taker: '0', buyer: '0', seller: '0' };

/** The commissions of a pair; `suffix` is that of the fields' names. */
export function commissionOf(
  context: Context,
  instrument: Instrument,
  suffix: '' | 'ForOrder' = '',
): JsonOut {
  return {
    [`standardCommission${suffix}`]: rateTexts(context, instrument),
    [`specialCommission${suffix}`]: NO_RATES,
    [`taxCommission${suffix}`]: NO_RATES,
    discount: {
      enabledForAccount: false,
      enabledForSymbol: false,
      discountAsset: '',
      discount: '0',
    },
  };
}

const commission = endpoint(
  accountCalls.fees,
  object({ symbol: symbolField }),
  (context, { symbol }) => {
    const instrument = context.instrument(symbol);
    const name = context.symbols.nameOf(instrument);
    return { symbol: name, ...(commissionOf(context, instrument) as object) };
  },
);

const owned = ({ state, uid }: Context, { assetId, scale }: Asset, code: AccountCode): string =>
  formatUnits(state.ledger.balanceOf(uid, assetId, code), scale);

/** The spot balances of an account. */
const balancesOf = (context: Context) =>
  context.state.assets.map((asset) => ({
    asset: asset.name,
    free: owned(context, asset, AccountCode.available),
    locked: owned(context, asset, AccountCode.held),
  }));

const BASIS_POINTS = 10_000;

const account = endpoint(
  accountCalls.balances,
  object({ omitZeroBalances: optional(boolean(), false) }),
  (context, { omitZeroBalances }) => {
    const { state, uid, key } = context;
    const [first] = context.symbols.all;
    const { maker, taker } = first === undefined ? { maker: 0, taker: 0 } : rates(context, first);
    const points = (rate: number): number => Math.floor((rate * BASIS_POINTS) / RATE_ONE);
    const balances = balancesOf(context);
    return {
      makerCommission: points(maker),
      takerCommission: points(taker),
      buyerCommission: 0,
      sellerCommission: 0,
      commissionRates: { ...NO_RATES, maker: rateText(maker), taker: rateText(taker) },
      canTrade: key.allows(Module.tradingWrite) && !state.users[uid]!.suspended,
      canWithdraw: false,
      canDeposit: false,
      brokered: false,
      requireSelfTradePrevention: false,
      preventSor: false,
      updateTime: state.time,
      accountType: 'SPOT',
      balances: omitZeroBalances
        ? balances.filter(({ free, locked }) => free !== '0' || locked !== '0')
        : balances,
      permissions: ['SPOT'],
      uid,
    };
  },
);

const myTrades = endpoint(
  accountCalls.fills,
  object({
    symbol: symbolField,
    orderId: optional(orderIdField),
    startTime: optional(integer({ min: 0 })),
    endTime: optional(integer({ min: 0 })),
    fromId: optional(integer({ min: 0 })),
    limit: optional(integer({ min: 1, max: 1000 }), 500),
  }),
  async (context, { symbol, orderId, startTime, endTime, fromId, limit }) => {
    const { services, state, uid } = context;
    const instrument = context.instrument(symbol);
    // From an id or a time on, the oldest come first; else the newest ones.
    const isUpward = fromId !== undefined || startTime !== undefined;
    const query = {
      type: 'fills',
      uid,
      size: limit,
      securityId: instrument.securityId,
      ...readWindow({ startTime, endTime }),
      ...(orderId === undefined ? {} : { orderId }),
      ...(isUpward ? { fromTradeId: fromId ?? 0 } : {}),
    } as const;
    const found = await services.views.query(query, services.engine.seq);
    const written = found.map((fill) => {
      const feeAsset = state.assets[fill.feeAssetId]!;
      return {
        symbol: context.symbols.nameOf(instrument),
        id: fill.tradeId,
        orderId: fill.orderId,
        orderListId: -1,
        price: formatSteps(fill.price, instrument.tick),
        qty: formatSteps(fill.quantity, instrument.lot),
        quoteQty: formatUnits(fill.quoteAmount, instrument.quote.scale),
        commission: formatUnits(fill.fee, feeAsset.scale),
        commissionAsset: feeAsset.name,
        time: fill.transactTime,
        isBuyer: fill.side === Side.buy,
        isMaker: fill.maker,
        isBestMatch: true,
      };
    });
    return isUpward ? written : written.reverse();
  },
);

const orderLimits = endpoint(orderCalls.orders, NO_PARAMETERS, (context) => {
  const { services, key } = context;
  const count = services.limits.used('order', key.apiKey);
  return rateLimitsOf(services)
    .filter(({ rateLimitType }) => rateLimitType === 'ORDERS')
    .map((limit) => ({ ...limit, count }));
});

/** Coins: agio moves none to or from a network. */
const coins = endpoint(accountCalls.balances, NO_PARAMETERS, (context) =>
  context.state.assets.map((asset) => ({
    coin: asset.name,
    name: asset.name,
    depositAllEnable: false,
    withdrawAllEnable: false,
    trading: true,
    isLegalMoney: asset.fiat,
    free: owned(context, asset, AccountCode.available),
    locked: owned(context, asset, AccountCode.held),
    freeze: '0',
    ipoable: '0',
    ipoing: '0',
    storage: '0',
    withdrawing: '0',
    networkList: [],
  })),
);

const tradeFee = endpoint(
  accountCalls.fees,
  object({ symbol: optional(symbolField) }),
  (context, { symbol }) => {
    const named = symbol === undefined ? context.symbols.all : [context.instrument(symbol)];
    return named.map((instrument) => {
      const { maker, taker } = rateTexts(context, instrument);
      return {
        symbol: context.symbols.nameOf(instrument),
        makerCommission: maker,
        takerCommission: taker,
      };
    });
  },
);

const userAssets = endpoint(
  accountCalls.balances,
  object({
    asset: optional(text({ max: 32, ascii: true })),
    needBtcValuation: optional(boolean()),
  }),
  (context, { asset }) =>
    balancesOf(context)
      .filter(({ asset: name, free, locked }) =>
        asset === undefined ? free !== '0' || locked !== '0' : name === asset,
      )
      .map((row) => ({ ...row, freeze: '0', withdrawing: '0', ipoable: '0', btcValuation: '0' })),
);

const systemStatus = endpoint(marketDataCalls.time, NO_PARAMETERS, () => ({
  status: 0,
  msg: 'normal',
}));

const accountStatus = endpoint(accountCalls.balances, NO_PARAMETERS, ({ state, uid }) => ({
  data: state.users[uid]!.suspended ? 'Suspended' : 'Normal',
}));

const tradingStatus = endpoint(accountCalls.balances, NO_PARAMETERS, ({ state, uid }) => ({
  data: { isLocked: state.users[uid]!.suspended, plannedRecoverTime: 0, updateTime: state.time },
}));

const restrictions = endpoint(accountCalls.balances, NO_PARAMETERS, ({ key }) => ({
  ipRestrict: key.ipAllowList !== null,
  enableReading: key.allows(Module.tradingRead),
  enableSpotAndMarginTrading: key.allows(Module.tradingWrite),
  enableWithdrawals: false,
  enableInternalTransfer: false,
  enableMargin: false,
  enableFutures: false,
  permitsUniversalTransfer: false,
}));

/** agio lends nothing, so no pair and no asset has margin. */
const noMargin = endpoint(
  accountCalls.balances,
  object({ symbol: optional(symbolField), asset: optional(text({ max: 32, ascii: true })) }),
  () => [],
);

export const accountEndpoints = {
  noMargin,
  commission,
  account,
  myTrades,
  orderLimits,
  coins,
  tradeFee,
  userAssets,
  systemStatus,
  accountStatus,
  tradingStatus,
  restrictions,
};
