// The chart of a pair: interval, legend with exact figures, candles and volume.
import { SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Candle } from '../../../src/sdk/index.ts';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { isNegative, subtract } from '../../exact/decimal.ts';
import { dateTime, grouped, utcDay, utcFull } from '../../exact/format.ts';
import { readOnce, useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { stored } from '../../session/stored.ts';
import { usePair } from '../context.ts';
import { candlesBeforeFeed, candlesFeed, useOpenOrders } from '../feeds.ts';
import pageStyles from '../page.module.css';
import styles from './chart.module.css';
import {
  type CandleInterval,
  INTERVALS,
  joinCandles,
  marksOf,
  type OutOfView,
} from './chart-data.ts';
import { ChartView } from './chart-view.ts';

const storedInterval = stored(localStorage, 'agio.chartInterval');
const isInterval = (text: string | null): text is CandleInterval =>
  INTERVALS.some((interval) => interval === text);

export default function ChartPanel() {
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
      <Candles key={interval} interval={interval} />
    </Panel>
  );
}

function Candles({ interval }: { readonly interval: CandleInterval }) {
  const { symbol } = usePair();
  const live = useLive(candlesFeed(symbol, interval));
  return (
    <Loaded
      live={live}
      rows={6}
      isEmpty={(candles) => candles.length === 0}
      empty={
        <Empty icon={<IconChartCandle size={28} stroke={1.5} />} title={t.chart.noTrades}>
          {t.chart.noTradesWhy(symbol)}
        </Empty>
      }
    >
      {(candles) => <Drawing interval={interval} newest={candles} />}
    </Loaded>
  );
}

interface DrawingProps {
  readonly interval: CandleInterval;
  readonly newest: readonly Candle[];
}

function Drawing({ interval, newest }: DrawingProps) {
  const { symbol, priceDecimals } = usePair();
  const [older, readOlder] = useOlder(symbol, interval, newest[0]!);
  const candles = useMemo(() => joinCandles(older, newest), [older, newest]);
  const open = useOpenOrders();
  const marks = useMemo(() => marksOf(open ?? [], symbol), [open, symbol]);
  const [hovered, setHovered] = useState<number | null>(null);
  const [outside, setOutside] = useState<OutOfView>({ above: 0, below: 0 });
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<ChartView | null>(null);
  const nearStart = useRef(readOlder);
  nearStart.current = readOlder;
  useEffect(() => {
    const chart = new ChartView(container.current!, {
      priceDecimals,
      interval,
      onHover: setHovered,
      onNearStart: () => nearStart.current(),
      // The chart calls this while it draws.
      onOutside: (marks) => queueMicrotask(() => setOutside(marks)),
    });
    view.current = chart;
    return () => chart.destroy();
  }, [priceDecimals, interval]);
  useEffect(() => view.current?.show(candles), [candles]);
  useEffect(() => view.current?.mark(marks), [marks]);
  useRecolor(view);
  const candle = candles[hovered ?? candles.length - 1] ?? candles.at(-1)!;
  return (
    <div className={styles.frame}>
      <Legend interval={interval} candle={candle} outside={outside} />
      <div
        ref={container}
        className={styles.canvas}
        role="img"
        aria-label={t.chart.label(symbol, t.chart.intervals[interval])}
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

/** Gives the chart the colors of a new color scheme. */
function useRecolor(view: RefObject<ChartView | null>): void {
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scheme means new colors
  useEffect(() => {
    // The page has its new colors in the next frame.
    const frame = requestAnimationFrame(() => view.current?.recolor());
    return () => cancelAnimationFrame(frame);
  }, [scheme]);
}

interface LegendProps {
  readonly interval: CandleInterval;
  readonly candle: Candle;
  readonly outside: OutOfView;
}

function Legend({ interval, candle, outside: { above, below } }: LegendProps) {
  const pair = usePair();
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
      {above + below === 0 ? null : <span className="dim">{t.chart.outOfView(above, below)}</span>}
    </div>
  );
}
