// How finely the prices of any pair are written: orders of all pairs stand in one table.
import { decimalsOf } from '../../exact/decimal.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';

/** Decimals of the pair's price step; undefined while pairs have not been read, which shows what digits there are. */
export function usePriceDecimals(symbol: string): number | undefined {
  const { data } = useLive(feeds.instruments);
  const step = data?.find((instrument) => instrument.symbol === symbol)?.quoteAssetIncrement;
  return step === undefined ? undefined : decimalsOf(step);
}
