// The static description for ccxt: the supported parts of its unified interface, the URLs, and the
// generated calls. Many operators run agio; `hostname` (or `urls`) names one deployment.
import ccxt from 'ccxt';
import { API, TIMEFRAMES } from './generated/calls.ts';
import { EXCEPTIONS } from './generated/exceptions.ts';

/** Between two calls of cost 1: 20 reads and 50 writes a second, as in production. */
const RATE_LIMIT_MS = 50;

/** The names of ccxt's unified interface that agio supports. */
const SUPPORTED = `
  spot ws sandbox
  cancelAllOrders cancelAllOrdersAfter cancelAllOrdersWs cancelOrder cancelOrders
  cancelOrdersWithClientOrderId cancelOrderWithClientOrderId cancelOrderWs cancelOrdersWs
  createMarketBuyOrderWithCost createMarketOrder createMarketOrderWithCost
  createMarketSellOrderWithCost createOrder createOrders createOrdersWs
  createOrderWithTakeProfitAndStopLoss createOrderWithTakeProfitAndStopLossWs createOrderWs
  createPostOnlyOrder createPostOnlyOrderWs createStopLimitOrder createStopLimitOrderWs
  createStopLossOrder createStopLossOrderWs createStopMarketOrder createStopMarketOrderWs
  createStopOrder createStopOrderWs createTakeProfitOrder createTakeProfitOrderWs
  createTrailingAmountOrder createTrailingAmountOrderWs createTrailingPercentOrder
  createTrailingPercentOrderWs createTriggerOrder createTriggerOrderWs
  editOrder editOrderWithClientOrderId editOrderWs
  fetchBalance fetchBidsAsks fetchCanceledAndClosedOrders fetchCanceledOrders fetchClosedOrders
  fetchCurrencies fetchL2OrderBook fetchL3OrderBook fetchLastPrices fetchLedger fetchMarkets
  fetchMyTrades fetchOHLCV fetchOpenOrders fetchOrder fetchOrderBook fetchOrders
  fetchOrderTrades fetchOrderWithClientOrderId fetchStatus fetchTicker fetchTickers fetchTime
  fetchTrades fetchTradingFee fetchTradingFees
  watchBalance watchBidsAsks watchMyTrades watchOHLCV watchOHLCVForSymbols watchOrderBook
  watchOrderBookForSymbols watchOrders watchTicker watchTickers watchTrades
  watchTradesForSymbols
  unWatchBidsAsks unWatchOHLCV unWatchOHLCVForSymbols unWatchOrderBook
  unWatchOrderBookForSymbols unWatchTicker unWatchTickers unWatchTrades unWatchTradesForSymbols
`;
const UNSUPPORTED = `
  margin swap future option createReduceOnlyOrder fetchDepositAddress fetchDeposits
  fetchPositions fetchWithdrawals withdraw
`;

const marked = (names: string, has: boolean) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, has]),
  );

const pages = (limit: number | undefined, daysBack: number | undefined) => ({
  marginMode: false,
  limit,
  daysBack,
  untilDays: daysBack,
  trigger: false,
  trailing: false,
  symbolRequired: false,
});

const features = {
  spot: {
    sandbox: true,
    createOrder: {
      marginMode: false,
      triggerPrice: true,
      triggerPriceType: { last: true, mark: false, index: false },
      triggerDirection: true,
      stopLossPrice: true,
      takeProfitPrice: true,
      attachedStopLossTakeProfit: {
        triggerPriceType: { last: true, mark: false, index: false },
        price: true,
      },
      timeInForce: { IOC: true, FOK: true, PO: true, GTD: true },
      hedged: false,
      trailing: true,
      leverage: false,
      marketBuyByCost: true,
      marketBuyRequiresPrice: false,
      selfTradePrevention: {
        EXPIRE_MAKER: true,
        EXPIRE_TAKER: true,
        EXPIRE_BOTH: true,
        NONE: true,
      },
      iceberg: true,
    },
    createOrders: { max: 50 },
    fetchMyTrades: pages(1000, undefined),
    fetchOrder: { marginMode: false, trigger: false, trailing: false, symbolRequired: false },
    fetchOpenOrders: pages(1000, undefined),
    fetchOrders: pages(1000, 30),
    fetchClosedOrders: { ...pages(1000, 30), daysBackCanceled: 30 },
    fetchOHLCV: { limit: 1000 },
  },
};

/** ccxt merges this with the description of the base class. */
export const DESCRIPTION = {
  id: 'agio',
  name: 'agio',
  countries: [],
  version: 'v1',
  rateLimit: RATE_LIMIT_MS,
  certified: false,
  pro: true,
  has: { ...marked(SUPPORTED, true), ...marked(UNSUPPORTED, false) },
  timeframes: TIMEFRAMES,
  hostname: '127.0.0.1:8080',
  urls: {
    // A sandbox uses plain HTTP; production is behind TLS.
    test: { rest: 'http://{hostname}', ws: 'ws://{hostname}' },
    api: { rest: 'https://{hostname}', ws: 'wss://{hostname}' },
  },
  api: API,
  requiredCredentials: { apiKey: true, secret: true },
  fees: { trading: { tierBased: true, percentage: true } },
  precisionMode: ccxt.TICK_SIZE,
  exceptions: EXCEPTIONS,
  features,
  options: { adjustForTimeDifference: false, timeDifference: 0 },
};
