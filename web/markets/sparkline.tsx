// The last 24 hours of a pair as a small line. It reads its candles when it is first in view.
import { useInViewport } from '@mantine/hooks';
import { useRef } from 'react';
import type { Candle } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { toPixels } from '../exact/decimal.ts';
import { type Feed, useLive } from '../live/live.ts';
import { linePoints } from './line-points.ts';
import styles from './markets.module.css';

const HOURS = 24;
const [WIDTH, HEIGHT] = [96, 28];

const dayFeed = (symbol: string): Feed<readonly Candle[]> => ({
  key: ['candles', symbol, 'day'],
  every: 120_000,
  read: (options) => client.candles({ symbol, interval: '1h', limit: HOURS }, options),
});

export function Sparkline({ symbol }: { readonly symbol: string }) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const wasSeen = useRef(false);
  if (inViewport) wasSeen.current = true;
  const { data: candles = [] } = useLive(wasSeen.current ? dayFeed(symbol) : null);
  const closes = candles.map(({ close }) => toPixels(close));
  const [first = 0, last = 0] = [candles[0] && toPixels(candles[0].open), closes.at(-1)];
  return (
    <span
      ref={ref}
      className={styles.line}
      data-tone={last === first ? 'flat' : last > first ? 'up' : 'down'}
      aria-hidden="true"
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
        <polyline points={linePoints([first, ...closes], WIDTH, HEIGHT)} />
      </svg>
    </span>
  );
}
