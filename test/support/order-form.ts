// The pair and its orders that the tests of the form use.
import { OrdType, type Side } from '../../src/sdk/index.ts';
import type { NewOrder } from '../../web/trade/form/draft.ts';
import { pairOf } from '../../web/trade/pair.ts';

export const PAIR = pairOf(
  {
    symbol: 'BTC-USDT',
    securityId: 1,
    securityType: 'SPOT_PAIR',
    instrumentStatus: 'LIVE',
    baseAssetIncrement: '0.000001',
    quoteAssetIncrement: '0.01',
    baseAssetMinOrderSize: '0.00001',
    quoteAssetMinOrderSize: '5',
    selfTradePrevention: 'cancelNewest',
    open: true,
    fiat: false,
  },
  [],
);

const { symbol } = PAIR;

export const marketOrder = (side: Side, orderQty: string): NewOrder => ({
  symbol,
  side,
  ordType: OrdType.market,
  orderQty,
});

export const limitOrder = (side: Side, price: string, orderQty: string): NewOrder => ({
  symbol,
  side,
  ordType: OrdType.limit,
  price,
  orderQty,
});
