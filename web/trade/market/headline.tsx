// The headline of a pair: its name, last price, status and the last 24 hours.
import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { memo, type ReactNode, useState } from 'react';
import { Change } from '../../components/figures.tsx';
import { compare, type Decimal, isPositive } from '../../exact/decimal.ts';
import { compact, grouped } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import { useTitle } from '../../shell/title.ts';
import { usePair } from '../context.ts';
import { useLastPrice, useTicker } from '../feeds.ts';
import { columnDecimals } from '../figures.ts';
import styles from './headline.module.css';
import { PairList } from './pair-list.tsx';
import { changeOf } from './pair-rows.ts';
import { Profit, usePosition } from './position.tsx';

/** `withList`: the name opens the list of pairs, which a wide screen shows permanently. */
export const Headline = memo(function Headline({ withList }: { readonly withList: boolean }) {
  const pair = usePair();
  const ticker = useTicker(pair.symbol);
  const last = useLastPrice(pair.symbol);
  const { baseVolume = '0', quoteVolume = '0' } = ticker ?? {};
  const price = (value: Decimal | null | undefined): string =>
    value == null ? '–' : grouped(value, pair.priceDecimals);
  useTitle(last === null ? pair.symbol : `${price(last)} ${pair.symbol}`);
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <h1 className={styles.title}>
          {withList ? <PairPicker symbol={pair.symbol} /> : pair.symbol.replace('-', ' / ')}
        </h1>
        {/* A pair that accepts everything has no badge. */}
        <span aria-live="polite">
          {pair.status === 'LIVE' ? null : (
            <span className={styles.badge} data-status={pair.status}>
              {t.status[pair.status].short}
            </span>
          )}
        </span>
      </div>
      <LastPrice value={last} text={price(last)} />
      <dl className={styles.stats}>
        <Stat name={t.market.change}>
          <Change rate={changeOf(ticker)} />
        </Stat>
        <Stat name={t.market.high}>{price(ticker?.highPrice)}</Stat>
        <Stat name={t.market.low}>{price(ticker?.lowPrice)}</Stat>
        <Stat name={t.market.volumeIn(pair.base)}>
          <span title={grouped(baseVolume)}>{compact(baseVolume)}</span>
        </Stat>
        <Stat name={t.market.volumeIn(pair.quote)}>
          <span title={grouped(quoteVolume)}>{compact(quoteVolume)}</span>
        </Stat>
        <OwnProfit />
      </dl>
    </header>
  );
});

/** The unrealized profit of the user's position, if there is one. */
function OwnProfit() {
  const pair = usePair();
  const position = usePosition(pair);
  if (position === null || position.unrealized === null || !isPositive(position.quantity)) {
    return null;
  }
  return (
    <Stat name={`${t.form.profit}, ${pair.quote}`}>
      <Profit value={position.unrealized} cost={position.cost} decimals={columnDecimals(pair)} />
    </Stat>
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

function PairPicker({ symbol }: { readonly symbol: string }) {
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
          aria-label={t.market.choosePair(symbol)}
          data-pair-picker
        >
          {symbol.replace('-', ' / ')}
          <IconChevronDown size={18} stroke={2} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} className={styles.dropdown}>
        <PairList current={symbol} onPicked={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
