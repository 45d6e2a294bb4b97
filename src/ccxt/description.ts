// The static description for ccxt: the calls, the supported parts of ccxt's unified interface, and
// the URLs. Many operators run agio; `hostname` (or `urls`) names one deployment.
import ccxt from 'ccxt';
import { EXCEPTIONS } from './generated/exceptions.ts';

/**
 * ccxt waits `rateLimit` ms × cost between requests: 20 reads and 50 writes/s, as in production.
 */
const RATE_LIMIT_MS = 50;
const READ = 1;
const WRITE = 0.4;

const costs = (cost: number, ...paths: string[]): Record<string, number> =>
  Object.fromEntries(paths.map((path) => [path, cost]));

const has = {
  spot: true,
  margin: false,
  swap: false,
  future: false,
  option: false,
  ws: true,
  cancelAllOrders: true,
  cancelAllOrdersAfter: true,
  cancelOrder: true,
  cancelOrderWithClientOrderId: true,
  createMarketBuyOrderWithCost: true,
  createMarketOrder: true,
  createMarketOrderWithCost: false,
  createMarketSellOrderWithCost: false,
  createOrder: true,
  createOrders: false,
  createPostOnlyOrder: true,
  createStopOrder: false,
  createTriggerOrder: false,
  editOrder: 'emulated',
  fetchBalance: true,
  fetchCanceledAndClosedOrders: true,
  fetchCanceledOrders: true,
  fetchClosedOrders: true,
  fetchCurrencies: true,
  fetchDepositAddress: false,
  fetchDeposits: false,
  fetchL2OrderBook: true,
  fetchL3OrderBook: true,
  fetchLedger: true,
  fetchMarkets: true,
  fetchMyTrades: true,
  fetchOHLCV: true,
  fetchOpenOrders: true,
  fetchOrder: true,
  fetchOrderBook: true,
  fetchOrders: true,
  fetchOrderTrades: true,
  fetchPositions: false,
  fetchStatus: true,
  fetchTicker: true,
  fetchTickers: true,
  fetchTime: true,
  fetchTrades: true,
  fetchTradingFee: true,
  fetchTradingFees: true,
  fetchWithdrawals: false,
  sandbox: true,
  watchBalance: true,
  watchMyTrades: true,
  watchOHLCV: true,
  watchOrderBook: true,
  watchOrders: true,
  watchTicker: true,
  watchTickers: true,
  watchTrades: true,
  unWatchOHLCV: true,
  unWatchOrderBook: true,
  unWatchTicker: true,
  unWatchTrades: true,
  withdraw: false,
};

/** Implicit methods: spotPrivatePostV1Order, marketPublicGetV1Candles and so on. */
const api = {
  spot: {
    public: { get: costs(READ, 'v1/assets', 'v1/instruments', 'v1/time', 'v2/instruments') },
    private: {
      get: costs(READ, 'v1/balances', 'v1/fees', 'v1/ledger', 'v1/orders', 'v1/trades'),
      post: {
        ...costs(READ, 'v1/testorder'),
        ...costs(
          WRITE,
          'v1/order',
          'v1/order/cancel',
          'v1/order/cancelallafter',
          'v1/order/masscancel',
        ),
      },
    },
  },
  market: {
    public: {
      get: costs(READ, 'v1/candles', 'v1/l3Orderbook', 'v1/orderbook', 'v1/tickers', 'v1/trades'),
    },
  },
  earn: {
    public: { get: costs(READ, 'plan/list') },
    private: {
      get: costs(
        READ,
        'apply/currentList',
        'apply/detail',
        'apply/interest',
        'apply/interest/explain',
        'apply/preview',
        'plan/detail',
        'redeem/preview',
      ),
      post: {
        ...costs(READ, 'earn/plans/list', 'yield/manage/list'),
        ...costs(WRITE, 'apply/redeem', 'edit/enterpriseMargin', 'plan/apply', 'plan/detail/edit'),
      },
    },
  },
  system: { public: { get: costs(READ, 'health', 'ready') } },
};

/** The folder of each group of calls. */
export const FOLDERS: Readonly<Record<string, string>> = {
  'spot/public': '/spot-api/api/public/',
  'spot/private': '/spot-api/api/private/',
  'market/public': '/market-data-server/api/public/',
  'earn/public': '/earn-api/v1/user/',
  'earn/private': '/earn-api/v1/user/',
  'system/public': '/',
};

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
      triggerPrice: false,
      triggerDirection: false,
      stopLossPrice: false,
      takeProfitPrice: false,
      attachedStopLossTakeProfit: undefined,
      timeInForce: { IOC: false, FOK: false, PO: true, GTD: false },
      hedged: false,
      trailing: false,
      leverage: false,
      marketBuyByCost: true,
      marketBuyRequiresPrice: false,
      selfTradePrevention: false,
      iceberg: false,
    },
    createOrders: undefined,
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
  has,
  timeframes: { '1m': '1m', '5m': '5m', '15m': '15m', '1h': '1h', '4h': '4h', '1d': '1d' },
  hostname: '127.0.0.1:8080',
  urls: {
    // A sandbox uses plain HTTP; production is behind TLS.
    test: { rest: 'http://{hostname}', ws: 'ws://{hostname}' },
    api: { rest: 'https://{hostname}', ws: 'wss://{hostname}' },
  },
  api,
  requiredCredentials: { apiKey: true, secret: true },
  fees: { trading: { tierBased: false, percentage: true } },
  precisionMode: ccxt.TICK_SIZE,
  exceptions: EXCEPTIONS,
  features,
  options: { adjustForTimeDifference: false, timeDifference: 0 },
};
