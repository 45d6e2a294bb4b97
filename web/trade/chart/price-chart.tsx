// The price chart of a pair: candles from the server, indicators, and the user's own orders and
// fills.
import { VisuallyHidden } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Candle } from '../../../src/sdk/index.ts';
import { Empty, Loaded } from '../../components/layout.tsx';
import { readOnce, useLive } from '../../live/live.ts';
import { type CandleInterval, chart as t } from '../../messages/chart.ts';
import { pageCode } from '../../shell/page-code.ts';
import { usePair } from '../context.ts';
import { candlesBeforeFeed, candlesFeed, useOpenOrders, useTriggers } from '../feeds.ts';
import styles from './chart.module.css';
import { joinCandles, stepOf } from './chart-data.ts';
import {
  drawingsOf,
  indicatorsSetting,
  intervalSetting,
  scaleSetting,
  styleSetting,
} from './chart-settings.ts';
import { ChartView } from './chart-view.ts';
import { useRecolor } from './colors.ts';
import type { DrawingKind } from './drawings/drawings.ts';
import { parseIndicators } from './indicators/indicators.ts';
import { type IndicatorValues, Legend, Overlays } from './legend.tsx';
import { EdgeMarks } from './own/edge-marks.tsx';
import { type Edges, fillMarks, NO_EDGES, orderMarks, sameEdges } from './own/marks.ts';
import { OrderTags, type PlaceTags } from './own/order-tags.tsx';
import { useOwnFills } from './own/own-fills.ts';
import { useMove } from './own/use-move.ts';

// Loaded with the first drawing or tool.
const Drawings = lazy(pageCode(() => import('./drawings/drawings.tsx')));

export interface DrawingTool {
  /** The kind of drawing that the next points make; null for none. */
  readonly tool: DrawingKind | null;
  readonly onTool: (tool: DrawingKind | null) => void;
}

export default function PriceChart(tools: DrawingTool) {
  const interval = intervalSetting.use();
  return <Candles key={interval} interval={interval} {...tools} />;
}

interface CandlesProps extends DrawingTool {
  readonly interval: CandleInterval;
}

function Candles({ interval, ...tools }: CandlesProps) {
  const { symbol } = usePair();
  const live = useLive(candlesFeed(symbol, interval));
  return (
    <Loaded
      live={live}
      rows={6}
      isEmpty={(candles) => candles.length === 0}
      empty={<Empty icon={IconChartCandle} title={t.noTrades} hint={t.noTradesWhy(symbol)} />}
    >
      {(candles) => <Drawing interval={interval} newest={candles} {...tools} />}
    </Loaded>
  );
}

interface DrawingProps extends CandlesProps {
  readonly newest: readonly Candle[];
}

function Drawing({ interval, newest, tool, onTool }: DrawingProps) {
  const { symbol } = usePair();
  const [older, readOlder] = useOlder(symbol, interval, newest[0]!);
  const candles = useMemo(() => joinCandles(older, newest), [older, newest]);
  const { container, plot, view, chart, placeTags, hovered, edges } = useChartView(
    interval,
    readOlder,
  );
  const hasDrawings = drawingsOf(symbol).use() !== null || tool !== null;
  useEffect(() => view.current?.show(candles), [view, candles]);
  useAppearance(view);
  const indicators = useIndicators(view);
  const { orders, fills } = useOwnMarks(view, candles);
  const index = hovered !== null && candles[hovered] !== undefined ? hovered : candles.length - 1;
  const moveBy = useKeys(view, { index, count: candles.length });
  const control = useMove(view, container, orders);
  const keys = useId();
  return (
    <div className={styles.frame}>
      <Legend interval={interval} candle={candles[index]!} />
      <div ref={plot} className={styles.plot}>
        <div
          ref={container}
          className={styles.canvas}
          role="img"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys lead through the candles
          tabIndex={0}
          onKeyDown={moveBy}
          onMouseDownCapture={control.onMouseDownCapture}
          onBlur={() => view.current?.clearPointer()}
          aria-label={t.label(symbol, t.intervals[interval])}
          aria-describedby={keys}
        />
        <VisuallyHidden id={keys}>{t.keys}</VisuallyHidden>
        <Overlays
          {...indicators}
          rows={indicators.rows.map((rows) => rows?.[index])}
          fills={fills.filter((fill) => fill.index === index)}
        />
        <OrderTags orders={orders} place={placeTags} control={control} />
        {chart !== null && hasDrawings ? (
          <Suspense>
            <Drawings {...{ chart, candles, tool, onTool }} stepMs={stepOf(interval)} />
          </Suspense>
        ) : null}
        <EdgeMarks edges={edges} onFit={(isOn) => view.current?.fitAll(isOn)} />
        <Credit />
      </div>
    </div>
  );
}

/** The license of the chart library asks for this link. */
const Credit = () => (
  <a className={styles.credit} href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
    {t.credit}
  </a>
);

/** The drawing in its container, and what it reports: the hovered candle, and marks out of view. */
function useChartView(interval: CandleInterval, readOlder: () => void) {
  const { symbol, priceDecimals } = usePair();
  const [chart, setChart] = useState<ChartView | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [edges, setEdges] = useState<Edges>(NO_EDGES);
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const view = useRef<ChartView | null>(null);
  const placeTags = useRef<PlaceTags | null>(null);
  const nearStart = useRef(readOlder);
  nearStart.current = readOlder;
  useEffect(() => {
    const chart = new ChartView(container.current!, {
      symbol,
      priceDecimals,
      interval,
      onHover: setHovered,
      onNearStart: () => nearStart.current(),
      onLayout: (layout) => {
        placeTags.current?.(layout);
        // The marks at the edges are inside the pane of the prices.
        plot.current?.style.setProperty('--prices-width', `${layout.width}px`);
        plot.current?.style.setProperty('--prices-height', `${layout.height}px`);
        // The chart calls this while it draws.
        queueMicrotask(() =>
          setEdges((shown) => (sameEdges(shown, layout.edges) ? shown : layout.edges)),
        );
      },
    });
    view.current = chart;
    setChart(chart);
    return () => chart.destroy();
  }, [symbol, priceDecimals, interval]);
  return { container, plot, view, chart, placeTags, hovered, edges };
}

type View = RefObject<ChartView | null>;

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

/** Gives the chart its style and scale, and the colors of a new color scheme. */
function useAppearance(view: View): void {
  const style = styleSetting.use();
  const scale = scaleSetting.use();
  useEffect(() => view.current?.setStyle(style), [view, style]);
  useEffect(() => view.current?.setLogarithmic(scale === 'logarithmic'), [view, scale]);
  useRecolor(() => view.current?.recolor());
}

type ComputedRows = Pick<IndicatorValues, 'panes'> & {
  readonly rows: readonly (readonly (readonly number[])[] | undefined)[];
};

/** The chosen indicators with their rows. */
function useIndicators(view: View) {
  const text = indicatorsSetting.use() ?? '';
  const indicators = useMemo(() => parseIndicators(text), [text]);
  const [computed, setComputed] = useState<ComputedRows>({ rows: [], panes: [] });
  useEffect(() => {
    view.current?.setIndicators({
      indicators,
      onRows: (rows, panes) =>
        setComputed((last) => ({ rows, panes: samePanes(last.panes, panes) ? last.panes : panes })),
    });
  }, [view, indicators]);
  return { indicators, ...computed };
}

type Panes = IndicatorValues['panes'];

const samePanes = (a: Panes, b: Panes): boolean =>
  a.length === b.length &&
  a.every(({ indicator, element }, i) => {
    const other = b[i]!;
    return other.indicator === indicator && other.element === element;
  });

/** Draws the user's orders and fills. */
function useOwnMarks(view: View, candles: readonly Candle[]) {
  const { symbol } = usePair();
  const open = useOpenOrders();
  const triggers = useTriggers(open);
  const known = useOwnFills(symbol);
  const orders = useMemo(() => orderMarks(open ?? [], symbol, triggers), [open, symbol, triggers]);
  const fills = useMemo(() => fillMarks(known, candles), [known, candles]);
  useEffect(() => view.current?.setOwn({ orders }), [view, orders]);
  useEffect(() => view.current?.setOwn({ fills }), [view, fills]);
  return { orders, fills };
}

interface Position {
  readonly index: number;
  readonly count: number;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
const ZOOMS: Readonly<Record<string, number>> = { '+': 0.8, '=': 0.8, '-': 1.25 };

/** Keys that move from candle to candle, and zoom. */
function useKeys(view: View, { index, count }: Position) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [step, zoom] = [STEPS[event.key], ZOOMS[event.key]];
    if (step === undefined && zoom === undefined) return;
    event.preventDefault();
    if (zoom !== undefined) view.current?.zoom(zoom);
    else view.current?.pointAt(Math.min(count - 1, Math.max(0, index + step!)));
  };
}
