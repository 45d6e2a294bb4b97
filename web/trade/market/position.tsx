// The user's position of a pair and its profit at the last price, as a figure too.
import { useRef } from 'react';
import { Amount, Change } from '../../components/figures.tsx';
import { add, type Decimal, divideDown, isPositive } from '../../exact/decimal.ts';
import { useLive } from '../../live/live.ts';
import { ownedPart, type Position, profitAt } from '../../wallet/portfolio.ts';
import { useOwnFills } from '../chart/own/own-fills.ts';
import { positionFeed, useBalance, useLastPrice } from '../feeds.ts';
import type { Pair } from '../pair.ts';

/** null for a visitor, and without fills. It is read again after each fill. */
export function usePosition({ symbol, base }: Pair) {
  const until = useOwnFills(symbol).at(-1)?.transactTime;
  const { data } = useLive(until === undefined ? null : positionFeed(symbol, until));
  const shown = useRef<Position | undefined>(undefined);
  shown.current = data ?? shown.current;
  const last = useLastPrice(symbol);
  const balance = useBalance(base);
  if (until === undefined || shown.current === undefined || balance === undefined) return null;
  const position = ownedPart(shown.current, add(balance.available, balance.held));
  return { ...position, unrealized: last === null ? null : profitAt(position, last) };
}

interface ProfitProps {
  readonly value: Decimal;
  readonly cost: Decimal;
  readonly decimals: number;
  readonly asset?: string;
}

export const Profit = ({ value, cost, decimals, asset }: ProfitProps) => (
  <>
    <Amount value={value} asset={asset} decimals={decimals} signed />{' '}
    {isPositive(cost) ? <Change rate={divideDown(value, cost, 6)} /> : null}
  </>
);
