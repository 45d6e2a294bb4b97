// The last 24 hours of a pair as a small line, or a larger one above an area. It reads its candles
// when it is first in view.
import { useInViewport } from '@mantine/hooks';
import { useRef } from 'react';
import type { Ticker } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { toneOf } from '../components/figures.tsx';
import type { Decimal } from '../exact/decimal.ts';
import { DAY_MS } from '../exact/format.ts';
import { feed, useLive } from '../live/live.ts';
import { dayPoints, HOUR_MS, linePoints } from './day-line.ts';
import styles from './markets.module.css';

/** The hours of a day, and those that its window cuts at both ends. */
const CANDLES = DAY_MS / HOUR_MS + 2;

const dayFeed = (symbol: string) =>
  feed(['candles', symbol, 'day'], 120_000, (options) =>
    client.candles({ symbol, interval: '1h', limit: CANDLES }, options),
  );

interface SparklineProps {
  readonly ticker: Ticker | undefined;
  /** The change of the same 24 hours, which gives the line its color. */
  readonly change: Decimal | null;
  readonly size?: readonly [width: number, height: number];
  readonly hasArea?: boolean;
}

export function Sparkline({ ticker, change, size = [96, 28], hasArea = false }: SparklineProps) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const wasSeen = useRef(false);
  if (inViewport) wasSeen.current = true;
  const { data: candles } = useLive(
    wasSeen.current && ticker !== undefined ? dayFeed(ticker.symbol) : null,
  );
  const [width, height] = size;
  const points =
    ticker === undefined || candles === undefined
      ? ''
      : linePoints(dayPoints(ticker, candles), width, height);
  return (
    <span ref={ref} className={`${styles.line} ${toneOf(change)}`} aria-hidden="true">
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
        {hasArea && points !== '' ? (
          <polygon points={`0,${height} ${points} ${width},${height}`} />
        ) : null}
        <polyline points={points} />
      </svg>
    </span>
  );
}
