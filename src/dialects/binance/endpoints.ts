// Every endpoint of the dialect on one page: its method and path of REST, and its method of the
// websocket API.
import { orderCalls } from '../../contract/trading/calls.ts';
import * as account from './account.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { exchangeInfo } from './exchange-info.ts';
import * as market from './market-data.ts';
import * as entry from './order-entry.ts';
import * as orders from './order-queries.ts';

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

const KEY_ONLY = { keyOnly: true };
const { orders: reads } = orderCalls;

const startStream = endpoint(
  reads,
  '',
  ({ venue: { listenKeys }, key }) => ({ listenKey: listenKeys.start(key) }),
  KEY_ONLY,
);
const onStream = (act: 'keepAlive' | 'close') =>
  endpoint(
    reads,
    'listenKey',
    ({ venue: { listenKeys }, key }, { listenKey }) => {
      listenKeys[act](key, listenKey);
      return {};
    },
    KEY_ONLY,
  );

const API = '/binance/api/v3';
const SAPI = '/binance/sapi';

/** `method` is null where only REST has it; `message` is the endpoint of the websocket API. */
const listed = (verb: Verb, path: string, method: string | null, one: Endpoint, message = one) => ({
  verb,
  path: path.startsWith('/') ? path : `${API}/${path}`,
  method,
  endpoint: one,
  message,
});

export const ENDPOINTS: readonly ReturnType<typeof listed>[] = [
  listed('GET', 'ping', 'ping', market.ping),
  listed('GET', 'time', 'time', market.serverTime),
  listed('GET', 'exchangeInfo', 'exchangeInfo', exchangeInfo),
  listed('GET', 'depth', 'depth', market.depth),
  listed('GET', 'trades', 'trades.recent', market.recentTrades),
  listed('GET', 'historicalTrades', 'trades.historical', market.historicalTrades),
  listed('GET', 'aggTrades', 'trades.aggregate', market.aggTrades),
  listed('GET', 'klines', 'klines', market.klines),
  listed('GET', 'uiKlines', 'uiKlines', market.klines),
  listed('GET', 'avgPrice', 'avgPrice', market.avgPrice),
  listed('GET', 'ticker/24hr', 'ticker.24hr', market.ticker24h),
  listed('GET', 'ticker', 'ticker', market.rollingTicker),
  listed('GET', 'ticker/price', 'ticker.price', market.tickerPrice),
  listed('GET', 'ticker/bookTicker', 'ticker.book', market.bookTicker),
  listed('POST', 'order', 'order.place', entry.newOrder),
  listed('POST', 'order/test', 'order.test', entry.testOrder),
  // agio has one book, so the smart order routing of an order is the order.
  listed('POST', 'sor/order', 'sor.order.place', entry.newOrder, entry.sorOrder),
  listed('POST', 'sor/order/test', 'sor.order.test', entry.testOrder),
  listed('GET', 'order', 'order.status', orders.orderStatus),
  listed('DELETE', 'order', 'order.cancel', entry.cancelOrder),
  listed('POST', 'order/cancelReplace', 'order.cancelReplace', entry.cancelReplace),
  listed('PUT', 'order/amend/keepPriority', 'order.amend.keepPriority', entry.amendKeepPriority),
  listed('GET', 'openOrders', 'openOrders.status', orders.openOrders),
  listed('DELETE', 'openOrders', 'openOrders.cancelAll', entry.cancelAll),
  listed('GET', 'allOrders', 'allOrders', orders.allOrders),
  listed('POST', 'order/oco', 'orderList.place', orders.placeOldOco),
  listed('POST', 'orderList/oco', 'orderList.place.oco', orders.placeOco),
  listed('POST', 'orderList/oto', 'orderList.place.oto', orders.placeOto),
  listed('POST', 'orderList/otoco', 'orderList.place.otoco', orders.placeOtoco),
  listed('POST', 'orderList/opo', 'orderList.place.opo', orders.placeOpo),
  listed('POST', 'orderList/opoco', 'orderList.place.opoco', orders.placeOpoco),
  listed('GET', 'orderList', 'orderList.status', orders.listStatus),
  listed('DELETE', 'orderList', 'orderList.cancel', orders.cancelList),
  listed('GET', 'openOrderList', 'openOrderLists.status', orders.openLists),
  listed('GET', 'allOrderList', 'allOrderLists', orders.allLists),
  listed('GET', 'account', 'account.status', account.account),
  listed('GET', 'account/commission', 'account.commission', account.commission),
  listed('GET', 'myTrades', 'myTrades', account.myTrades),
  listed('GET', 'rateLimit/order', 'account.rateLimits.orders', account.orderLimits),
  listed('POST', 'userDataStream', 'userDataStream.start', startStream),
  listed('PUT', 'userDataStream', 'userDataStream.ping', onStream('keepAlive')),
  listed('DELETE', 'userDataStream', 'userDataStream.stop', onStream('close')),
  listed('GET', `${SAPI}/v1/system/status`, null, account.systemStatus),
  listed('GET', `${SAPI}/v1/capital/config/getall`, null, account.coins),
  listed('GET', `${SAPI}/v1/asset/tradeFee`, null, account.tradeFee),
  listed('POST', `${SAPI}/v3/asset/getUserAsset`, null, account.userAssets),
  listed('GET', `${SAPI}/v1/account/status`, null, account.accountStatus),
  listed('GET', `${SAPI}/v1/account/apiTradingStatus`, null, account.tradingStatus),
  listed('GET', `${SAPI}/v1/account/apiRestrictions`, null, account.restrictions),
  listed('GET', `${SAPI}/v1/margin/allPairs`, null, account.noMargin),
  listed('GET', `${SAPI}/v1/margin/isolated/allPairs`, null, account.noMargin),
  listed('GET', `${SAPI}/v1/margin/allAssets`, null, account.noMargin),
];

const byPath = new Map<string, Map<string, Endpoint>>();
export const byMethod = new Map<string, Endpoint>();
for (const { verb, path, method, endpoint: one, message } of ENDPOINTS) {
  byPath.set(path, (byPath.get(path) ?? new Map()).set(verb, one));
  if (method !== null) byMethod.set(method, message);
}

/** The endpoints of a path by verb. */
export const endpointsAt = (path: string): ReadonlyMap<string, Endpoint> | undefined =>
  byPath.get(path);
