// The headline of a pair: its name, last price, status and the last 24 hours.

import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { memo, type ReactNode, useEffect, useState } from 'react';
import type { InstrumentStatus, Ticker } from '../../../src/sdk/index.ts';
import { Change } from '../../components/figures.tsx';
import { compare, type Decimal } from '../../exact/decimal.ts';
import { compact, grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import pageStyles from '../page.module.css';
import type { Pair } from '../pair.ts';
import styles from './headline.module.css';
import { PairList } from './pair-list.tsx';
import { changeOf } from './pair-rows.ts';

export interface HeadlineProps {
  readonly pair: Pair;
  /** The name opens the list of pairs; a wide screen shows the list permanently instead. */
  readonly withList: boolean;
}

export const Headline = memo(function Headline({ pair, withList }: HeadlineProps) {
  const { data } = useLive(feeds.tickers);
  const ticker = data?.find(({ symbol }) => symbol === pair.symbol);
  const last = ticker?.lastPrice ?? null;
  const price = (value: Decimal | null | undefined): string =>
    value == null ? '–' : grouped(value, pair.priceDecimals);
  useTitle(last === null ? pair.symbol : `${price(last)} ${pair.symbol}`);
  return (
    <header className={`${pageStyles.head} ${styles.head}`}>
      <div className={styles.name}>
        <h1 className={styles.title}>
          {withList ? <PairPicker pair={pair} /> : pair.symbol.replace('-', ' / ')}
        </h1>
        <StatusBadge status={pair.status} />
      </div>
      <LastPrice value={last} text={price(last)} />
      <dl className={styles.stats}>
        <Stat name={t.market.change}>
          <Change rate={changeOf(ticker)} />
        </Stat>
        <Stat name={t.market.high}>{price(ticker?.highPrice)}</Stat>
        <Stat name={t.market.low}>{price(ticker?.lowPrice)}</Stat>
        <Volume pair={pair} ticker={ticker} />
      </dl>
    </header>
  );
});

function Volume({ pair, ticker }: { readonly pair: Pair; readonly ticker: Ticker | undefined }) {
  const { baseVolume, quoteVolume } = ticker ?? { baseVolume: '0', quoteVolume: '0' };
  return (
    <>
      <Stat name={t.market.volumeIn(pair.base)}>
        <span title={grouped(baseVolume)}>{compact(baseVolume)}</span>
      </Stat>
      <Stat name={t.market.volumeIn(pair.quote)}>
        <span title={grouped(quoteVolume)}>{compact(quoteVolume)}</span>
      </Stat>
    </>
  );
}

function Stat({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figures">{children}</dd>
    </div>
  );
}

/** Colored by its last move. */
function LastPrice({ value, text }: { readonly value: Decimal | null; readonly text: string }) {
  const [seen, setSeen] = useState({ value, tone: '' });
  if (value !== seen.value) {
    const up = value !== null && seen.value !== null ? compare(value, seen.value) : 0;
    setSeen({ value, tone: up === 0 ? '' : up > 0 ? 'buy' : 'sell' });
  }
  return (
    <div className={`${styles.last} figures ${seen.tone}`}>
      <VisuallyHidden>{t.market.lastPrice}</VisuallyHidden>
      {text}
    </div>
  );
}

function PairPicker({ pair }: { readonly pair: Pair }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      middlewares={{ shift: { padding: 8 } }}
    >
      <Popover.Target>
        <UnstyledButton
          className={styles.picker}
          onClick={() => setOpened(!opened)}
          aria-label={t.market.choosePair(pair.symbol)}
        >
          {pair.symbol.replace('-', ' / ')}
          <IconChevronDown size={18} stroke={2} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} className={styles.dropdown}>
        <PairList current={pair.symbol} onPicked={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Shown unless the pair accepts everything. */
function StatusBadge({ status }: { readonly status: InstrumentStatus }) {
  return (
    <span aria-live="polite">
      {status === 'LIVE' ? null : (
        <span className={styles.badge} data-status={status}>
          {t.status[status].short}
        </span>
      )}
    </span>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · agio`;
  }, [title]);
}
