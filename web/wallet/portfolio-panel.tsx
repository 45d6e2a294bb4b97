// The portfolio: average cost and profit by asset, and the value of the balances over time.
import { Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import type { Instrument, Ticker } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Amount, AssetAmount } from '../components/figures.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import {
  type Decimal,
  decimalsOf,
  divideDown,
  isPositive,
  multiply,
  subtract,
  toPixels,
} from '../exact/decimal.ts';
import { grouped, utcDay } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { portfolioTexts as t } from '../messages/portfolio.ts';
import type { EquityPoint } from './portfolio.ts';
import { type AssetPosition, portfolioFeed } from './portfolio-feed.ts';
import styles from './wallet.module.css';

export interface PortfolioPanelProps {
  readonly target: string;
  readonly decimals: number;
}

export function PortfolioPanel({ target, decimals }: PortfolioPanelProps) {
  const { data: instruments } = useLive(feeds.instruments);
  const { data: tickers = [] } = useLive(feeds.tickers);
  const isReady = instruments !== undefined && target !== '';
  const live = useLive(isReady ? portfolioFeed(target, decimals, instruments) : null);
  return (
    <Panel title={t.title} flush>
      <Loaded live={live} rows={6}>
        {({ positions, equity, isCut }) => (
          <>
            <Equity points={equity} target={target} decimals={decimals} />
            {positions.length === 0 ? (
              <Empty title={t.none}>{t.noneWhy}</Empty>
            ) : (
              <DataTable
                label={t.title}
                rows={positions}
                columns={columns(tickers, instruments ?? [])}
                keyOf={({ asset }) => asset}
              />
            )}
            <Text size="xs" className={`dim ${styles.note}`} mt="xs">
              {t.how} {isCut ? t.cut : ''}
            </Text>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const right = { align: 'right' } as const;

/** Amounts are in the quote asset of the main pair. */
function columns(
  tickers: readonly Ticker[],
  instruments: readonly Instrument[],
): readonly Column<AssetPosition>[] {
  const lastOf = (symbol: string) =>
    tickers.find((ticker) => ticker.symbol === symbol)?.lastPrice ?? null;
  const decimalsIn = (symbol: string) => {
    const pair = instruments.find((instrument) => instrument.symbol === symbol);
    return pair && Math.max(decimalsOf(pair.quoteAssetIncrement), 2);
  };
  const quoteOf = (symbol: string) => symbol.split('-')[1]!;
  const profit = ({ symbol, quantity, cost }: AssetPosition): Decimal | null => {
    const last = lastOf(symbol);
    return last === null ? null : subtract(multiply(quantity, last), cost);
  };
  return [
    { title: t.asset, render: ({ asset }) => <span className={styles.asset}>{asset}</span> },
    {
      title: t.quantity,
      ...right,
      from: 'sm',
      render: ({ asset, quantity }) => <AssetAmount asset={asset} value={quantity} />,
    },
    {
      title: t.average,
      ...right,
      render: ({ symbol, quantity, cost }) => (
        <Amount
          value={isPositive(quantity) ? divideDown(cost, quantity, 18) : null}
          decimals={decimalsIn(symbol)}
        />
      ),
    },
    {
      title: t.last,
      ...right,
      from: 'md',
      render: ({ symbol }) => <Amount value={lastOf(symbol)} decimals={decimalsIn(symbol)} />,
    },
    {
      title: t.unrealized,
      ...right,
      render: (position) => (
        <Amount
          value={profit(position)}
          decimals={decimalsIn(position.symbol)}
          asset={quoteOf(position.symbol)}
          signed
        />
      ),
    },
    {
      title: t.realized,
      ...right,
      from: 'sm',
      render: ({ symbol, realized }) => (
        <Amount value={realized} decimals={decimalsIn(symbol)} asset={quoteOf(symbol)} signed />
      ),
    },
  ];
}

const HEIGHT = 140;

interface EquityProps extends PortfolioPanelProps {
  readonly points: readonly EquityPoint[];
}

/** A point is the end of its day. */
const dayOf = ({ time }: EquityPoint): string => utcDay(time - 1);

function Equity({ points, target, decimals }: EquityProps) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const shown = points[pointed ?? points.length - 1]!;
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const place = Math.round(((event.clientX - left) / width) * (points.length - 1));
    setPointed(Math.min(Math.max(place, 0), points.length - 1));
  };
  const values = points.map(({ value }) => toPixels(value));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (i: number) => (i / Math.max(points.length - 1, 1)) * width;
  const y = ({ value }: EquityPoint) =>
    HEIGHT - 8 - ((toPixels(value) - low) / (high - low || 1)) * (HEIGHT - 16);
  const line = points.map((each, i) => `${x(i)},${y(each)}`).join(' ');
  const [first, last] = [dayOf(points[0]!), dayOf(points.at(-1)!)];
  return (
    <div className={styles.equity}>
      <div className={styles.equityHead}>
        <span className="dim">{t.equity}</span>
        <span className="figures">
          <b>{grouped(shown.value, decimals)}</b> <span className="dim">{target}</span>{' '}
          <span className="dim">{pointed === null ? t.now : t.on(dayOf(shown))}</span>
        </span>
      </div>
      <div ref={ref}>
        <svg
          className={styles.equityChart}
          viewBox={`0 0 ${Math.max(width, 1)} ${HEIGHT}`}
          role="img"
          aria-label={t.equityChart(points.length, first, last)}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          <polygon points={`0,${HEIGHT} ${line} ${width},${HEIGHT}`} className={styles.area} />
          <polyline points={line} className={styles.line} />
          {pointed === null ? null : (
            <circle cx={x(pointed)} cy={y(shown)} r="3.5" className={styles.dot} />
          )}
        </svg>
      </div>
      <div className={`dim ${styles.equityDays}`}>
        <span>{first}</span>
        <span>{last}</span>
      </div>
      <Text size="xs" className="dim">
        {t.equityNote}
      </Text>
    </div>
  );
}
