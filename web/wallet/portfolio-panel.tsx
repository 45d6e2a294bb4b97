// The portfolio: average cost and profit by asset, and the value of the balances over time.
import { Text } from '@mantine/core';
import type { Instrument, Ticker } from '../../src/sdk/index.ts';
import { type Column, column, DataTable } from '../components/data-table.tsx';
import { Amount } from '../components/figures.tsx';
import { Empty, Loaded, Panel } from '../components/layout.tsx';
import { type Decimal, decimalsOf, divideDown, isPositive } from '../exact/decimal.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { portfolioTexts as t } from '../messages/portfolio.ts';
import { EquityChart } from './equity-chart.tsx';
import { profitAt } from './portfolio.ts';
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
            <EquityChart points={equity} target={target} decimals={decimals} />
            {positions.length === 0 ? (
              <Empty title={t.none} hint={t.noneWhy} />
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
  const profit = (position: AssetPosition): Decimal | null => {
    const last = lastOf(position.symbol);
    return last === null ? null : profitAt(position, last);
  };
  return [
    column.of(t.asset, ({ asset }) => <span className={styles.asset}>{asset}</span>),
    column.asset(t.quantity, ({ asset, quantity: value }) => ({ asset, value }), 'sm'),
    column.figure(t.average, ({ symbol, quantity, cost }) => (
      <Amount
        value={isPositive(quantity) ? divideDown(cost, quantity, 18) : null}
        decimals={decimalsIn(symbol)}
      />
    )),
    column.figure(
      t.last,
      ({ symbol }) => <Amount value={lastOf(symbol)} decimals={decimalsIn(symbol)} />,
      'md',
    ),
    column.figure(t.unrealized, (position) => (
      <Amount
        value={profit(position)}
        decimals={decimalsIn(position.symbol)}
        asset={quoteOf(position.symbol)}
        signed
      />
    )),
    column.figure(
      t.realized,
      ({ symbol, realized }) => (
        <Amount value={realized} decimals={decimalsIn(symbol)} asset={quoteOf(symbol)} signed />
      ),
      'sm',
    ),
  ];
}
