// The interest of a subscription: a chart with a bar for each day and the running total, and a
// table with the computation of each day.
import { Modal, SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import type { InterestEntry } from '../../src/sdk/index.ts';
import { type Column, column, PagedPanel } from '../components/data-table.tsx';
import { Amount, Day } from '../components/figures.tsx';
import { Empty, Loaded } from '../components/layout.tsx';
import { TextButton } from '../components/texts.tsx';
import { add, compare, type Decimal, toPixels } from '../exact/decimal.ts';
import { grouped, utcDay } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { earnText } from '../messages/earn.ts';
import { Explained } from './explanation.tsx';
import { earnFeeds, useScale } from './feeds.ts';
import styles from './subscription.module.css';
import { amountIn } from './words.ts';

const t = earnText.interest;

const HEIGHT = 190;
/** Space above the line, and below the bars for the days. */
const TOP = 8;
const BOTTOM = 20;

const RANGES = Object.entries(t.ranges).map(([value, label]) => ({ value, label }));

export interface InterestProps {
  readonly applyId: string;
  readonly coin: string;
  /** The first day of forfeited interest, if the term ended early. */
  readonly forfeitedFrom: number | null;
}

export function InterestChart({ applyId, coin, forfeitedFrom }: InterestProps) {
  const [count, setCount] = useState('30');
  const live = useLive(earnFeeds.history(applyId, Number(count)));
  const { ref, width } = useElementSize();
  return (
    <div ref={ref}>
      <Loaded
        live={live}
        rows={6}
        isEmpty={(entries) => entries.length === 0}
        empty={<Empty title={t.none} hint={t.noneWhy} />}
      >
        {(entries) => (
          <Chart
            bars={barsOf(entries, { width, height: HEIGHT - TOP - BOTTOM }, forfeitedFrom)}
            width={width}
            coin={coin}
            count={count}
            onCount={setCount}
          />
        )}
      </Loaded>
    </div>
  );
}

interface ChartProps {
  readonly bars: readonly Bar[];
  readonly width: number;
  readonly coin: string;
  readonly count: string;
  readonly onCount: (count: string) => void;
}

function Chart({ bars, width, coin, count, onCount }: ChartProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const last = bars.at(-1)!;
  const [firstDay, lastDay] = [utcDay(bars[0]!.date), utcDay(last.date)];
  const shown = (pointed === null ? undefined : bars[pointed]) ?? last;
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * bars.length);
    setPointed(Math.min(Math.max(index, 0), bars.length - 1));
  };
  const line = bars.map(({ x, width: wide, lineY }) => `${x + wide / 2},${lineY + TOP}`);
  return (
    <>
      <div className={styles.chartHead}>
        <span className="figures">
          {utcDay(shown.date)}: {shown.isForfeited ? '' : '+'}
          <b className={shown.isForfeited ? 'dim' : undefined}>{grouped(shown.earned)}</b> {coin}
          <span className="dim">
            {shown.isForfeited ? t.forfeitedMark : ''}
            {t.running(grouped(shown.running))}
          </span>
        </span>
        <SegmentedControl
          size="xs"
          aria-label={t.daysShown}
          value={count}
          onChange={onCount}
          data={RANGES}
        />
      </div>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${Math.max(width, 1)} ${HEIGHT}`}
        role="img"
        aria-label={t.chart(bars.length, firstDay, lastDay, amountIn(coin, last.running))}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        {bars.map(({ date, x, y, width: wide, height, isForfeited }, i) => (
          <rect
            key={date}
            x={x}
            y={y + TOP}
            width={wide}
            height={Math.max(height, 1)}
            rx={Math.min(2, wide / 3)}
            className={[
              isForfeited ? styles.barForfeited : styles.bar,
              pointed === null || pointed === i ? '' : styles.quiet,
            ].join(' ')}
          />
        ))}
        <line x1={0} x2={width} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} className={styles.axis} />
        {bars.length > 1 ? <polyline points={line.join(' ')} className={styles.running} /> : null}
        <text x={0} y={HEIGHT - 5} className={styles.tick}>
          {firstDay}
        </text>
        {bars.length > 1 ? (
          <text x={width} y={HEIGHT - 5} textAnchor="end" className={styles.tick}>
            {lastDay}
          </text>
        ) : null}
      </svg>
      <Legend hasForfeited={bars.some(({ isForfeited }) => isForfeited)} />
    </>
  );
}

const Legend = ({ hasForfeited }: { readonly hasForfeited: boolean }) => (
  <div className={`dim ${styles.legend}`} aria-hidden>
    <span>
      <span className={styles.swatchBar} />
      {t.daily}
    </span>
    {hasForfeited ? (
      <span>
        <span className={styles.swatchForfeited} />
        {t.forfeited}
      </span>
    ) : null}
    <span>
      <span className={styles.swatchLine} />
      {t.runningLegend}
    </span>
  </div>
);

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Bar {
  /** 00:00 UTC of the day, epoch ms. */
  readonly date: number;
  readonly earned: Decimal;
  /** True if the interest was forfeited. */
  readonly isForfeited: boolean;
  /** The total of the shown days up to this one, without forfeited interest. */
  readonly running: Decimal;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The height of the running total at this day. */
  readonly lineY: number;
}

/** True if the interest of a day was forfeited. `from`: the first such day. */
const isForfeited = (date: number, from: number | null): boolean => from !== null && date >= from;

/** The maximum width of a bar in pixels. */
const MAX_BAR = 40;

/**
 * `entries`: newest first; bars: oldest first. Both scales start at zero. `forfeitedFrom`: the
 * first day of forfeited interest, null if there is none.
 */
export function barsOf(
  entries: readonly InterestEntry[],
  { width, height }: Size,
  forfeitedFrom: number | null = null,
): readonly Bar[] {
  const days = entries.toReversed();
  let running: Decimal = '0';
  const totals = days.map(({ date, earnedAmount }) => {
    if (!isForfeited(date, forfeitedFrom)) running = add(running, earnedAmount);
    return running;
  });
  const tallest = days.reduce(
    (most, { earnedAmount }) => (compare(earnedAmount, most) > 0 ? earnedAmount : most),
    '0',
  );
  const share = (value: Decimal, of: Decimal): number =>
    compare(of, '0') === 0 ? 0 : toPixels(value) / toPixels(of);
  const step = width / Math.max(days.length, 1);
  const wide = Math.min(step * 0.76, MAX_BAR);
  return days.map(({ date, earnedAmount }, i) => {
    // Bars leave the upper part of the chart to the line.
    const tall = share(earnedAmount, tallest) * height * 0.6;
    return {
      date,
      earned: earnedAmount,
      isForfeited: isForfeited(date, forfeitedFrom),
      running: totals[i]!,
      x: i * step + (step - wide) / 2,
      y: height - tall,
      width: wide,
      height: tall,
      lineY: height - share(totals[i]!, running) * height,
    };
  });
}

export function InterestTable({ applyId, coin, forfeitedFrom }: InterestProps) {
  const [explained, setExplained] = useState<number | null>(null);
  const scale = useScale(coin) ?? undefined;
  return (
    <>
      <PagedPanel
        title={earnText.subscription.days}
        label={t.table}
        feed={(page) => earnFeeds.interest(applyId, page)}
        empty={<Empty title={t.none} />}
        columns={columns(coin, scale, forfeitedFrom, setExplained)}
        keyOf={({ date }) => date}
        loadingRows={4}
      />
      <Modal
        opened={explained !== null}
        onClose={() => setExplained(null)}
        title={explained === null ? '' : t.ofDay(utcDay(explained))}
        size="lg"
      >
        {explained === null ? null : <Explained applyId={applyId} date={explained} />}
      </Modal>
    </>
  );
}

const columns = (
  coin: string,
  /** The coin's decimals, so that decimal points line up. */
  decimals: number | undefined,
  forfeitedFrom: number | null,
  explain: (date: number) => void,
): readonly Column<InterestEntry>[] => [
  column.of(t.day, ({ date }) => <Day at={date} />),
  column.figure(t.interestIn(coin), ({ date, earnedAmount }) =>
    isForfeited(date, forfeitedFrom) ? (
      <span className="dim">
        {t.forfeited} <Amount value={earnedAmount} decimals={decimals} />
      </span>
    ) : (
      <Amount value={earnedAmount} decimals={decimals} signed />
    ),
  ),
  column.figure(t.computation, ({ date }) => (
    <TextButton onClick={() => explain(date)} aria-label={t.explainDay(utcDay(date))}>
      {t.explain}
    </TextButton>
  )),
];
