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
import { stored } from '../../session/stored.ts';
import { candlesBeforeFeed, candlesFeed } from '../feeds.ts';
import { useOpenOrders } from '../orders/open.ts';
import pageStyles from '../page.module.css';
import type { Pair } from '../pair.ts';
import { axisShift, type CandleInterval, INTERVAL_WORDS, INTERVALS, joined } from './candles.ts';
import styles from './chart.module.css';
import { ChartView, type PriceMark } from './chart-view.ts';
import { marksOf } from './own-orders.ts';
import { outsideWords } from './scale.ts';

const chosen = stored(localStorage, 'agio.chartInterval');
const isInterval = (text: string | null): text is CandleInterval =>
  INTERVALS.some((interval) => interval === text);

export default function ChartPanel({ pair }: { readonly pair: Pair }) {
  const noted = chosen.use();
  const interval = isInterval(noted) ? noted : '15m';
  return (
    <Panel
      title="Chart"
      dense
      flush
      className={pageStyles.chart}
      actions={
        <SegmentedControl
          size="xs"
          data={INTERVALS.map((value) => ({ value, label: value }))}
          value={interval}
          onChange={(value) => chosen.set(value)}
          aria-label="Time of one candle"
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
        <Empty icon={<IconChartCandle size={28} stroke={1.5} />} title="No trades yet">
          Candles are drawn from trades. The first trade of {pair.symbol} begins the first candle.
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
  const candles = useMemo(() => joined(older, newest), [older, newest]);
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
        aria-label={`Candles of ${pair.symbol}, ${INTERVAL_WORDS[interval]} each`}
      />
      <a
        className={styles.credit}
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noreferrer"
      >
        Charts by TradingView
      </a>
    </div>
  );
}

/** Where own open orders stand. */
function useOwnMarks(symbol: string): readonly PriceMark[] {
  const open = useOpenOrders();
  return useMemo(() => marksOf(open ?? [], symbol), [open, symbol]);
}

/** The candles before those that are kept alive, and what reads more of them. */
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
      if (page.length > 0) setOlder((known) => joined(page, known));
    } catch {
      // Whoever scrolls on asks again.
    } finally {
      busy.current = false;
    }
  }, [symbol, interval, first.openTime]);
  return [older, readOlder] as const;
}

interface ChartListeners {
  readonly onHover: (index: number | null) => void;
  /** What is said of own orders out of sight. */
  readonly onOutside: (words: string | null) => void;
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
      // The chart is drawing while it tells.
      onOutside: (marks) => queueMicrotask(() => onOutside(outsideWords(marks))),
    });
    view.current = chart;
    return () => chart.destroy();
  }, [priceDecimals, interval, onHover, onOutside]);
  useEffect(() => view.current?.show(candles), [candles]);
  useEffect(() => view.current?.mark(marks), [marks]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme is what the colours are read anew for
  useEffect(() => {
    // The page takes its colours over in this very moment; a frame later they are there.
    const frame = requestAnimationFrame(() => view.current?.recolour());
    return () => cancelAnimationFrame(frame);
  }, [scheme]);
  return container;
}

interface LegendProps extends CandlesProps {
  readonly candle: Candle;
  /** What is said of own orders out of sight. */
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
      {price('O', candle.open)}
      {price('H', candle.high)}
      {price('L', candle.low)}
      {price('C', candle.close)}
      <span>
        <span className="dim">Vol </span>
        {grouped(candle.baseVolume)} <span className="dim">{pair.base}</span>
      </span>
      {outside === null ? null : <span className="dim">{outside}</span>}
    </div>
  );
}
