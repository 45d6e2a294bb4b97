// The value of the account over time, beside what was deposited: the gap is the profit.
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { Amount } from '../components/figures.tsx';
import { Fine } from '../components/texts.tsx';
import { subtract, toPixels } from '../exact/decimal.ts';
import { grouped, utcDay } from '../exact/format.ts';
import { portfolioTexts as t } from '../messages/portfolio.ts';
import type { EquityPoint } from './portfolio.ts';
import styles from './wallet.module.css';

const HEIGHT = 190;
const TOP = 10;
/** Space below the line for the days. */
const BOTTOM = 22;
/** Space at the left for the figures of the axis. */
const LEFT = 74;
const MAX_TICKS = 4;
/** Less room has no third day. */
const DAYS_WIDTH = 260;

/** A point is the end of its day. */
const dayOf = ({ time }: EquityPoint): string => utcDay(time - 1);

interface Tick {
  readonly at: number;
  readonly label: string;
}

/** At most `most` round values of an axis. They are places on the screen, not money. */
export function ticksOf(low: number, high: number, most = MAX_TICKS): readonly Tick[] {
  if (high <= low) return [{ at: low, label: grouped(String(low)) }];
  const power = Math.floor(Math.log10((high - low) / most));
  const countOf = (step: number) => Math.floor(high / step) - Math.ceil(low / step) + 1;
  const step = [1, 2, 5, 10, 20].map((part) => part * 10 ** power).find((s) => countOf(s) <= most)!;
  const first = Math.ceil(low / step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: countOf(step) }, (_, i) => {
    const at = (first + i) * step;
    return { at, label: grouped(at.toFixed(decimals)) };
  });
}

interface EquityChartProps {
  readonly points: readonly EquityPoint[];
  readonly target: string;
  readonly decimals: number;
}

export function EquityChart({ points, target, decimals }: EquityChartProps) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = points[pointed ?? points.length - 1]!;
  const plot = Math.max(width - LEFT, 1);
  const values = points.flatMap(({ value, deposited }) => [toPixels(value), toPixels(deposited)]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (i: number) => LEFT + (i / Math.max(points.length - 1, 1)) * plot;
  const y = (value: number) =>
    TOP + (1 - (value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const lineOf = (part: 'value' | 'deposited') =>
    points.map((each, i) => `${x(i)},${y(toPixels(each[part]))}`).join(' ');
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const place = Math.round(((event.clientX - left - LEFT) / plot) * (points.length - 1));
    setPointed(Math.min(Math.max(place, 0), points.length - 1));
  };
  const line = lineOf('value');
  const [first, last] = [dayOf(points[0]!), dayOf(points.at(-1)!)];
  return (
    <div className={styles.equity}>
      <EquityFigures
        point={shown}
        day={pointed === null ? null : dayOf(shown)}
        target={target}
        decimals={decimals}
      />
      <div ref={ref}>
        <svg
          className={styles.equityChart}
          viewBox={`0 0 ${Math.max(width, 1)} ${HEIGHT}`}
          role="img"
          aria-label={t.equityChart(points.length, first, last)}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          {ticksOf(low, high).map(({ at, label }) => (
            <g key={label}>
              <line x1={LEFT} x2={width} y1={y(at)} y2={y(at)} className={styles.grid} />
              <text x={LEFT - 8} y={y(at) + 4} textAnchor="end">
                {label}
              </text>
            </g>
          ))}
          <Days points={points} x={x} hasMiddle={plot > DAYS_WIDTH} />
          <polygon
            points={`${LEFT},${HEIGHT - BOTTOM} ${line} ${x(points.length - 1)},${HEIGHT - BOTTOM}`}
            className={styles.area}
          />
          <polyline points={lineOf('deposited')} className={styles.deposits} />
          <polyline points={line} className={styles.line} />
          {pointed === null ? null : (
            <circle cx={x(pointed)} cy={y(toPixels(shown.value))} r="3.5" className={styles.dot} />
          )}
        </svg>
      </div>
      <Fine>{t.equityNote}</Fine>
    </div>
  );
}

interface DaysProps {
  readonly points: readonly EquityPoint[];
  readonly x: (i: number) => number;
  readonly hasMiddle: boolean;
}

/** The first day, the last and, where there is room, the middle one. */
function Days({ points, x, hasMiddle }: DaysProps) {
  const last = points.length - 1;
  return [...new Set(hasMiddle ? [0, Math.floor(last / 2), last] : [0, last])].map((i) => (
    <text
      key={i}
      x={x(i)}
      y={HEIGHT - 5}
      textAnchor={i === 0 ? 'start' : i === last ? 'end' : 'middle'}
    >
      {dayOf(points[i]!)}
    </text>
  ));
}

interface EquityFiguresProps extends Omit<EquityChartProps, 'points'> {
  readonly point: EquityPoint;
  /** null: now. */
  readonly day: string | null;
}

function EquityFigures({ point, day, target, decimals }: EquityFiguresProps) {
  const { value, deposited } = point;
  const figures = [
    { name: t.equity, value, mark: styles.line },
    { name: t.deposited, value: deposited, mark: styles.deposits },
    { name: t.profit, value: subtract(value, deposited), signed: true },
  ];
  return (
    <div className={styles.equityHead}>
      <dl>
        {figures.map(({ name, mark, ...amount }) => (
          <div key={name}>
            <dt className="dim">
              {mark === undefined ? null : (
                <svg viewBox="0 0 16 4" width="16" height="4" aria-hidden="true">
                  <line x1="0" y1="2" x2="16" y2="2" className={mark} />
                </svg>
              )}
              {name}
            </dt>
            <dd>
              <Amount {...amount} decimals={decimals} asset={target} />
            </dd>
          </div>
        ))}
      </dl>
      <span className="dim">{day === null ? t.now : t.on(day)}</span>
    </div>
  );
}
