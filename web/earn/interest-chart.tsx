// A chart of a subscription's interest: a bar for each day, and the running total.
import { SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { Empty, Loaded } from '../components/states.tsx';
import { grouped, utcDay } from '../exact/format.ts';
import { useLive } from '../live/live.ts';
import { earnFeeds } from './feeds.ts';
import { type Bar, barsOf } from './series.ts';
import styles from './subscription.module.css';

const HEIGHT = 190;
/** Space above the line, and below the bars for the days. */
const TOP = 8;
const BOTTOM = 20;

interface ChartProps {
  readonly applyId: string;
  readonly coin: string;
  /** The first day of forfeited interest, if the term ended early. */
  readonly givenUpFrom: number | null;
}

export function InterestChart({ applyId, coin, givenUpFrom }: ChartProps) {
  const [count, setCount] = useState('30');
  const live = useLive(earnFeeds.history(applyId, Number(count)));
  const { ref, width } = useElementSize();
  return (
    <div ref={ref}>
      <Loaded
        live={live}
        rows={6}
        isEmpty={(entries) => entries.length === 0}
        empty={
          <Empty title="No interest yet">
            The first day that earns is the UTC day after the subscription. Its interest appears
            after that day.
          </Empty>
        }
      >
        {(entries) => (
          <Drawn
            bars={barsOf(entries, { width, height: HEIGHT - TOP - BOTTOM }, givenUpFrom)}
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

interface DrawnProps {
  readonly bars: readonly Bar[];
  readonly width: number;
  readonly coin: string;
  readonly count: string;
  readonly onCount: (count: string) => void;
}

function Drawn({ bars, width, coin, count, onCount }: DrawnProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const last = bars.at(-1)!;
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
          {utcDay(shown.date)}: {shown.isGivenUp ? '' : '+'}
          <b className={shown.isGivenUp ? 'dim' : undefined}>{grouped(shown.earned)}</b> {coin}
          <span className="dim">
            {shown.isGivenUp ? ', forfeited' : ''} · these days together +{grouped(shown.running)}
          </span>
        </span>
        <SegmentedControl
          size="xs"
          aria-label="Days shown"
          value={count}
          onChange={onCount}
          data={[
            { value: '30', label: '30 days' },
            { value: '90', label: '90 days' },
            { value: '365', label: '1 year' },
          ]}
        />
      </div>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${Math.max(width, 1)} ${HEIGHT}`}
        role="img"
        aria-label={`Interest of ${bars.length} days, from ${utcDay(bars[0]!.date)} to ${utcDay(last.date)}: ${grouped(last.running)} ${coin} together. The table “Days” has every figure.`}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        {bars.map(({ date, x, y, width: wide, height, isGivenUp }, i) => (
          <rect
            key={date}
            x={x}
            y={y + TOP}
            width={wide}
            height={Math.max(height, 1)}
            rx={Math.min(2, wide / 3)}
            className={`${isGivenUp ? styles.barGivenUp : styles.bar} ${pointed === null || pointed === i ? '' : styles.quiet}`}
          />
        ))}
        <line x1={0} x2={width} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} className={styles.axis} />
        {bars.length > 1 ? <polyline points={line.join(' ')} className={styles.running} /> : null}
        <text x={0} y={HEIGHT - 5} className={styles.tick}>
          {utcDay(bars[0]!.date)}
        </text>
        {bars.length > 1 ? (
          <text x={width} y={HEIGHT - 5} textAnchor="end" className={styles.tick}>
            {utcDay(last.date)}
          </text>
        ) : null}
      </svg>
      <Legend hasGivenUp={bars.some(({ isGivenUp }) => isGivenUp)} />
    </>
  );
}

const Legend = ({ hasGivenUp }: { readonly hasGivenUp: boolean }) => (
  <div className={`dim ${styles.legend}`} aria-hidden>
    <span>
      <span className={styles.swatchBar} />
      daily interest
    </span>
    {hasGivenUp ? (
      <span>
        <span className={styles.swatchGivenUp} />
        forfeited
      </span>
    ) : null}
    <span>
      <span className={styles.swatchLine} />
      running total of these days, on its own scale
    </span>
  </div>
);
