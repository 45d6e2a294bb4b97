// The pair that the tests of the form order in.
import { pairOf } from '../pair.ts';

export const PAIR = pairOf({
  symbol: 'BTC-USDT',
  securityId: 1,
  securityType: 'SPOT_PAIR',
  instrumentStatus: 'LIVE',
  baseAssetIncrement: '0.000001',
  quoteAssetIncrement: '0.01',
  baseAssetMinOrderSize: '0.00001',
  quoteAssetMinOrderSize: '5',
  open: true,
  fiat: false,
});
