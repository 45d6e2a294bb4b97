// The legend of the chart: the exact figures of a candle, the values of the indicators, and the
// user's fills within the candle.
import { useEffect, useState } from 'react';
import type { Candle } from '../../../src/sdk/index.ts';
import { divideDown, isNegative, isPositive, subtract } from '../../exact/decimal.ts';
import { compact, dateTime, grouped, signedPercent, utcDay, utcFull } from '../../exact/format.ts';
import { type CandleInterval, chart as t } from '../../messages/chart.ts';
import { usePair } from '../context.ts';
import { averageDecimals } from '../figures.ts';
import styles from './chart.module.css';
import { isDaily } from './chart-data.ts';
import type { Row } from './indicators/formulas.ts';
import type { PaneOf } from './indicators/indicator-lines.ts';
import { type Indicator, kindOf } from './indicators/indicators.ts';
import type { FillMark } from './own/marks.ts';

interface LegendProps {
  readonly interval: CandleInterval;
  readonly candle: Candle;
}

export function Legend({ interval, candle }: LegendProps) {
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
        {isDaily(interval)
          ? `${utcDay(candle.openTime)} UTC`
          : dateTime(candle.openTime).slice(0, 16)}
      </span>
      {price(t.open, candle.open)}
      {price(t.high, candle.high)}
      {price(t.low, candle.low)}
      {price(t.close, candle.close)}
      {isPositive(candle.open) ? (
        <span className={tone}>{signedPercent(divideDown(change, candle.open, 6))}</span>
      ) : null}
      <span>
        <span className="dim">{t.volume} </span>
        {grouped(candle.baseVolume)} <span className="dim">{pair.base}</span>
      </span>
    </div>
  );
}

/** The values of the indicators at a candle. */
export interface IndicatorValues {
  readonly indicators: readonly Indicator[];
  /** null while an indicator has not been computed. */
  readonly rows: readonly (Row | undefined)[];
  readonly panes: readonly PaneOf[];
}

interface OverlayProps extends IndicatorValues {
  /** The user's fills within the candle. */
  readonly fills: readonly FillMark[];
}

/** Indicators over the prices are below each other; each of the others is in its own pane. */
export function Overlays({ indicators, rows, panes, fills }: OverlayProps) {
  const tops = useTops(panes);
  const over = indicators.flatMap((indicator, i) =>
    kindOf(indicator.kind).place === 'pane' ? [] : { indicator, i },
  );
  return (
    <>
      <div className={`${styles.values} figures`}>
        {over.map(({ indicator, i }) => (
          <Values key={`${i} ${indicator.kind}`} indicator={indicator} row={rows[i]} at={i} />
        ))}
        {fills.map((fill) => (
          <OwnFills key={fill.side} fill={fill} />
        ))}
      </div>
      {panes.map(({ indicator: i }, at) => {
        const indicator = indicators[i];
        if (indicator === undefined || tops[at] === undefined) return null;
        return (
          <div
            key={`${i} ${indicator.kind}`}
            className={`${styles.paneValues} figures`}
            style={{ top: tops[at] }}
          >
            <Values indicator={indicator} row={rows[i]} at={i} />
          </div>
        );
      })}
    </>
  );
}

function OwnFills({ fill: { side, quantity, total, count } }: { readonly fill: FillMark }) {
  const pair = usePair();
  const average = divideDown(total, quantity, averageDecimals(pair));
  return (
    <span className={side}>
      {t.ownFills(
        side === 'buy',
        `${grouped(quantity)} ${pair.base}`,
        grouped(average, count === 1 ? pair.priceDecimals : averageDecimals(pair)),
        count,
      )}
    </span>
  );
}

/** Where the panes begin, in pixels; the user may move their borders. */
function useTops(panes: readonly PaneOf[]): readonly number[] {
  const [tops, setTops] = useState<readonly number[]>([]);
  useEffect(() => {
    const measure = () => setTops(panes.map(({ element }) => element.offsetTop));
    const observer = new ResizeObserver(measure);
    for (const { element } of panes) observer.observe(element);
    return () => observer.disconnect();
  }, [panes]);
  return tops;
}

interface ValuesProps {
  readonly indicator: Indicator;
  readonly row: Row | undefined;
  /** Its place in the list, which decides its color. */
  readonly at: number;
}

function Values({ indicator: { kind, parameters }, row, at }: ValuesProps) {
  const { priceDecimals } = usePair();
  const { unit, lines } = kindOf(kind);
  const write = (value: number): string =>
    unit === 'quantity'
      ? compact(value.toFixed(4))
      : grouped(value.toFixed(unit === 'percent' ? 2 : priceDecimals));
  return (
    <span title={t.kinds[kind].long}>
      <span className="dim">
        {t.kinds[kind].short} {parameters.join(' ')}{' '}
      </span>
      {lines.map((line, i) => {
        const value = row?.[i] ?? Number.NaN;
        const color = line === 'signal' ? 'var(--text-dim)' : `var(--chart-${at + 1})`;
        return (
          <span key={line} style={{ color }} className={styles.value}>
            {Number.isNaN(value) ? '–' : write(value)}{' '}
          </span>
        );
      })}
    </span>
  );
}
