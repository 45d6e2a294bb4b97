// The last 24 hours of a pair as a small line, or a larger one above an area. It reads its candles
// when it is first in view.
import { useInViewport } from '@mantine/hooks';
import { useRef } from 'react';
import { client } from '../api/clients.ts';
import { toPixels } from '../exact/decimal.ts';
import { feed, useLive } from '../live/live.ts';
import styles from './markets.module.css';

const HOURS = 24;

const dayFeed = (symbol: string) =>
  feed(['candles', symbol, 'day'], 120_000, (options) =>
    client.candles({ symbol, interval: '1h', limit: HOURS }, options),
  );

interface SparklineProps {
  readonly symbol: string;
  readonly size?: readonly [width: number, height: number];
  readonly hasArea?: boolean;
}

export function Sparkline({ symbol, size = [96, 28], hasArea = false }: SparklineProps) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const wasSeen = useRef(false);
  if (inViewport) wasSeen.current = true;
  const { data: candles = [] } = useLive(wasSeen.current ? dayFeed(symbol) : null);
  const closes = candles.map(({ close }) => toPixels(close));
  const [first = 0, last = 0] = [candles[0] && toPixels(candles[0].open), closes.at(-1)];
  const [width, height] = size;
  const points = linePoints([first, ...closes], width, height);
  return (
    <span
      ref={ref}
      className={styles.line}
      data-tone={last === first ? 'flat' : last > first ? 'up' : 'down'}
      aria-hidden="true"
    >
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
        {hasArea && points !== '' ? (
          <polygon points={`0,${height} ${points} ${width},${height}`} />
        ) : null}
        <polyline points={points} />
      </svg>
    </span>
  );
}

/** Between the line and the edges of its box, in pixels. */
const EDGE = 2;

/** Empty for fewer than two values; equal values are in the middle. */
export function linePoints(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return '';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = height - 2 * EDGE;
  return values
    .map((value, i) => {
      const part = high === low ? 0.5 : (high - value) / (high - low);
      const x = (i / (values.length - 1)) * width;
      return `${x.toFixed(1)},${(EDGE + part * room).toFixed(1)}`;
    })
    .join(' ');
}
