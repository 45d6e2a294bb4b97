// The depth chart: running totals of bids and asks from the live book. A pointer or the arrow keys
// choose a level and show its exact figures.
import { ActionIcon } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Orderbook } from '../../../../src/sdk/index.ts';
import { Empty, Loaded } from '../../../components/layout.tsx';
import { toPixels } from '../../../exact/decimal.ts';
import { grouped, percent, signedPercent } from '../../../exact/format.ts';
import { feeds } from '../../../live/feeds.ts';
import { useLive } from '../../../live/live.ts';
import { chart as t } from '../../../messages/chart.ts';
import { BOOK_DEPTH, spreadOf } from '../../book/rows.ts';
import { usePair } from '../../context.ts';
import { useOpenOrders } from '../../feeds.ts';
import { totalDecimals } from '../../figures.ts';
import styles from '../chart.module.css';
import { useRecolor } from '../colors.ts';
import { orderMarks } from '../own/marks.ts';
import {
  type DepthFigures,
  type DepthPlace,
  depthFigures,
  moveLevel,
  positionOf,
} from './depth-data.ts';
import { DepthView } from './depth-view.ts';

export default function DepthChart() {
  const { symbol } = usePair();
  const live = useLive(feeds.book(symbol, BOOK_DEPTH));
  return (
    <Loaded
      live={live}
      rows={6}
      isEmpty={({ bids, asks }) => bids.length + asks.length === 0}
      empty={<Empty title={t.emptyBook} hint={t.emptyBookWhy} />}
    >
      {(book) => <Drawing book={book} />}
    </Loaded>
  );
}

const [MIN_ZOOM, MAX_ZOOM] = [1 / 4, 64];

function Drawing({ book }: { readonly book: Orderbook }) {
  const { symbol } = usePair();
  const [zoom, setZoom] = useState(1);
  const [chosen, setChosen] = useState<DepthPlace | null>(null);
  const tip = useRef<HTMLDivElement>(null);
  const { canvas, view } = useDepthView(tip);
  const open = useOpenOrders();
  const orders = useMemo(
    () =>
      orderMarks(open ?? [], symbol)
        // A stop that waits is not in the book.
        .filter(({ field }) => field === 'price')
        .map(({ price }) => toPixels(price)),
    [open, symbol],
  );
  useEffect(() => view.current?.show(book), [view, book]);
  useEffect(() => view.current?.set({ zoom, chosen, orders }), [view, zoom, chosen, orders]);
  const figures = chosen === null ? null : depthFigures(book, chosen);
  const keys = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setChosen(moveLevel(book, figures === null ? null : chosen, step));
  };
  const point = (event: PointerEvent) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    setChosen(view.current?.levelAt(event.clientX - left) ?? null);
  };
  const zoomBy = (factor: number) =>
    setZoom((shown) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, shown * factor)));
  return (
    <div className={styles.frame}>
      <DepthHead book={book} onZoom={zoomBy} />
      <div className={styles.plot}>
        <canvas
          ref={canvas}
          className={styles.depth}
          role="slider"
          tabIndex={0}
          aria-label={`${t.depthOf(symbol)}. ${t.depthKeys}`}
          aria-valuemin={0}
          aria-valuemax={book.bids.length + book.asks.length - 1}
          aria-valuenow={chosen === null ? 0 : positionOf(book.bids.length, chosen)}
          aria-valuetext={useFiguresText(figures)}
          onKeyDown={keys}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setChosen(null)}
          onBlur={() => setChosen(null)}
        />
        <div ref={tip} className={`${styles.tip} figures`} hidden={figures === null}>
          {figures === null || chosen === null ? null : (
            <Figures figures={figures} isBid={chosen.side === 'bids'} />
          )}
        </div>
      </div>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 10,
  PageDown: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The drawing, with a tip that follows the chosen level. */
function useDepthView(tip: React.RefObject<HTMLDivElement | null>) {
  const { priceDecimals } = usePair();
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<DepthView | null>(null);
  useEffect(() => {
    const drawing = new DepthView(canvas.current!, {
      format: (price) => grouped(price.toFixed(priceDecimals)),
      onPlace(place) {
        if (tip.current === null) return;
        const room = place.width - tip.current.offsetWidth - 12;
        const side = place.x > room ? place.x - tip.current.offsetWidth - 12 : place.x + 12;
        tip.current.style.transform = `translateX(${Math.max(0, side)}px)`;
      },
    });
    view.current = drawing;
    return () => drawing.destroy();
  }, [priceDecimals, tip]);
  useRecolor(() => view.current?.recolor());
  return { canvas, view };
}

interface DepthHeadProps {
  readonly book: Orderbook;
  readonly onZoom: (factor: number) => void;
}

/** Mid and spread, between the buttons of the zoom. */
function DepthHead({ book, onZoom }: DepthHeadProps) {
  const { priceDecimals } = usePair();
  const spread = spreadOf(book.bids[0]?.[0], book.asks[0]?.[0]);
  const zoom = (label: string, factor: number, Icon: typeof IconPlus) => (
    <ActionIcon
      variant="default"
      size="sm"
      aria-label={label}
      title={label}
      onClick={() => onZoom(factor)}
    >
      <Icon size={13} />
    </ActionIcon>
  );
  return (
    <div className={`${styles.depthHead} figures`}>
      {zoom(t.zoomOut, 1 / 2, IconMinus)}
      {spread === null ? (
        <span className="dim">{t.oneSide}</span>
      ) : (
        <span>
          <b>{grouped(spread.mid, priceDecimals)}</b> <span className="dim">{t.mid}</span>
          <span className={styles.spread}>
            {percent(spread.rate, 3)} <span className="dim">{t.spread}</span>
          </span>
        </span>
      )}
      {zoom(t.zoomIn, 2, IconPlus)}
    </div>
  );
}

interface FiguresProps {
  readonly figures: DepthFigures;
  readonly isBid: boolean;
}

function Figures({ figures: { price, quantity, cost, distance }, isBid }: FiguresProps) {
  const pair = usePair();
  const rows = [
    [t.price, `${grouped(price, pair.priceDecimals)} ${pair.quote}`],
    [t.quantity, `${grouped(quantity)} ${pair.base}`],
    [t.cost, `${grouped(cost, totalDecimals(cost, pair))} ${pair.quote}`],
    ...(distance === null ? [] : [[t.distance, signedPercent(distance)]]),
  ] as const;
  return (
    <dl className={styles.figures} data-side={isBid ? 'buy' : 'sell'}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The figures of the chosen level as a sentence; the keys without one. */
function useFiguresText(figures: DepthFigures | null): string {
  const { base, quote, priceDecimals } = usePair();
  if (figures === null) return t.nothingChosen;
  const { price, quantity, cost } = figures;
  return t.upTo(
    grouped(price, priceDecimals),
    `${grouped(quantity)} ${base}`,
    `${grouped(cost)} ${quote}`,
  );
}
