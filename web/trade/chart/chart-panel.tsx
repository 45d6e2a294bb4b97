// The chart of a pair: interval, legend with exact figures, candles and volume.

import { SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Candle } from '../../../src/sdk/index.ts';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { isNegative, subtract } from '../../exact/decimal.ts';
import { dateTime, grouped, utcDay, utcFull } from '../../exact/format.ts';
import { readOnce, useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { stored } from '../../session/stored.ts';
import { candlesBeforeFeed, candlesFeed } from '../feeds.ts';
import { useOpenOrders } from '../orders/cells.tsx';
import pageStyles from '../page.module.css';
import type { Pair } from '../pair.ts';
import styles from './chart.module.css';
import {
  axisShift,
  type CandleInterval,
  INTERVALS,
  joinCandles,
  marksOf,
  outOfViewText,
  type PriceMark,
} from './chart-data.ts';
import { ChartView } from './chart-view.ts';

const storedInterval = stored(localStorage, 'agio.chartInterval');
const isInterval = (text: string | null): text is CandleInterval =>
  INTERVALS.some((interval) => interval === text);

export default function ChartPanel({ pair }: { readonly pair: Pair }) {
  const chosen = storedInterval.use();
  const interval = isInterval(chosen) ? chosen : '15m';
  return (
    <Panel
      title={t.chart.title}
      dense
      flush
      className={pageStyles.chart}
      actions={
        <SegmentedControl
          size="xs"
          data={INTERVALS.map((value) => ({ value, label: value }))}
          value={interval}
          onChange={(value) => storedInterval.set(value)}
          aria-label={t.chart.interval}
        />
      }
    >
      <Candles key={interval} pair={pair} interval={interval} />
    </Panel>
  );
}

interface CandlesProps {
  readonly pair: Pair;
  readonly interval: CandleInterval;
}

function Candles({ pair, interval }: CandlesProps) {
  const live = useLive(candlesFeed(pair.symbol, interval));
  return (
    <Loaded
      live={live}
      rows={6}
      isEmpty={(candles) => candles.length === 0}
      empty={
        <Empty icon={<IconChartCandle size={28} stroke={1.5} />} title={t.chart.noTrades}>
          {t.chart.noTradesWhy(pair.symbol)}
        </Empty>
      }
    >
      {(candles) => <Drawing pair={pair} interval={interval} newest={candles} />}
    </Loaded>
  );
}

interface DrawingProps extends CandlesProps {
  readonly newest: readonly Candle[];
}

function Drawing({ pair, interval, newest }: DrawingProps) {
  const [older, readOlder] = useOlder(pair.symbol, interval, newest[0]!);
  const candles = useMemo(() => joinCandles(older, newest), [older, newest]);
  const [hovered, setHovered] = useState<number | null>(null);
  const marks = useOwnMarks(pair.symbol);
  const [outside, setOutside] = useState<string | null>(null);
  const listeners = { onHover: setHovered, onOutside: setOutside, readOlder };
  const container = useChart(pair, interval, { candles, marks }, listeners);
  const candle = candles[hovered ?? candles.length - 1] ?? candles.at(-1)!;
  return (
    <div className={styles.frame}>
      <Legend pair={pair} interval={interval} candle={candle} outside={outside} />
      <div
        ref={container}
        className={styles.canvas}
        role="img"
        aria-label={t.chart.label(pair.symbol, t.chart.intervals[interval])}
      />
      <a
        className={styles.credit}
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noreferrer"
      >
        {t.chart.credit}
      </a>
    </div>
  );
}

/** The marks of the user's open orders. */
function useOwnMarks(symbol: string): readonly PriceMark[] {
  const open = useOpenOrders();
  return useMemo(() => marksOf(open ?? [], symbol), [open, symbol]);
}

/** The candles before the live ones, and a function that reads more of them. */
function useOlder(symbol: string, interval: CandleInterval, firstOfNewest: Candle) {
  const [older, setOlder] = useState<readonly Candle[]>([]);
  const busy = useRef(false);
  const atStart = useRef(false);
  const first = older[0] ?? firstOfNewest;
  const readOlder = useCallback(async () => {
    if (busy.current || atStart.current) return;
    busy.current = true;
    try {
      const page = await readOnce(candlesBeforeFeed(symbol, interval, first.openTime));
      atStart.current = page.length === 0;
      if (page.length > 0) setOlder((known) => joinCandles(page, known));
    } catch {
      // The next scroll tries again.
    } finally {
      busy.current = false;
    }
  }, [symbol, interval, first.openTime]);
  return [older, readOlder] as const;
}

interface ChartListeners {
  readonly onHover: (index: number | null) => void;
  /** Gets a sentence about own orders out of view. */
  readonly onOutside: (text: string | null) => void;
  readonly readOlder: () => void;
}

function useChart(
  pair: Pair,
  interval: CandleInterval,
  { candles, marks }: { readonly candles: readonly Candle[]; readonly marks: readonly PriceMark[] },
  { onHover, onOutside, readOlder }: ChartListeners,
) {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<ChartView | null>(null);
  const nearStart = useRef(readOlder);
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  nearStart.current = readOlder;
  const { priceDecimals } = pair;
  useEffect(() => {
    const shift = axisShift(interval, new Date().getTimezoneOffset());
    const chart = new ChartView(container.current!, {
      priceDecimals,
      shift,
      withTime: interval !== '1d',
      onHover,
      onNearStart: () => nearStart.current(),
      // The chart calls this while it draws.
      onOutside: (marks) => queueMicrotask(() => onOutside(outOfViewText(marks))),
    });
    view.current = chart;
    return () => chart.destroy();
  }, [priceDecimals, interval, onHover, onOutside]);
  useEffect(() => view.current?.show(candles), [candles]);
  useEffect(() => view.current?.mark(marks), [marks]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scheme means new colors
  useEffect(() => {
    // The page has its new colors in the next frame.
    const frame = requestAnimationFrame(() => view.current?.recolor());
    return () => cancelAnimationFrame(frame);
  }, [scheme]);
  return container;
}

interface LegendProps extends CandlesProps {
  readonly candle: Candle;
  /** A sentence about own orders out of view. */
  readonly outside: string | null;
}

function Legend({ pair, interval, candle, outside }: LegendProps) {
  const change = subtract(candle.close, candle.open);
  const tone = isNegative(change) ? 'sell' : 'buy';
  const price = (name: string, value: string) => (
    <span>
      <span className="dim">{name} </span>
      <span className={tone}>{grouped(value, pair.priceDecimals)}</span>
    </span>
  );
  return (
    <div className={`${styles.legend} figures`}>
      <span className="dim" title={utcFull(candle.openTime)}>
        {interval === '1d'
          ? `${utcDay(candle.openTime)} UTC`
          : dateTime(candle.openTime).slice(0, 16)}
      </span>
      {price(t.chart.open, candle.open)}
      {price(t.chart.high, candle.high)}
      {price(t.chart.low, candle.low)}
      {price(t.chart.close, candle.close)}
      <span>
        <span className="dim">{t.chart.volume} </span>
        {grouped(candle.baseVolume)} <span className="dim">{pair.base}</span>
      </span>
      {outside === null ? null : <span className="dim">{outside}</span>}
    </div>
  );
}
