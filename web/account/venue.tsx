// The exchange beside the forms of login and registration: three points, live prices, and the best
// Earn rate.
import { Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { earnFeeds } from '../earn/feeds.ts';
import { compare, type Decimal } from '../exact/decimal.ts';
import { percent } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { PairLine } from '../markets/asset-line.tsx';
import { markets } from '../messages/markets.ts';
import { isSandbox } from '../session/session.ts';
import { foundPairs, pairRows } from '../trade/market/pair-rows.ts';
import styles from './entry.module.css';

const t = markets.home;
const SHOWN = 4;

export function Venue() {
  return (
    <aside className={styles.venue} aria-label={t.title}>
      <Title order={2} size={28} className={styles.claim}>
        {t.title}
      </Title>
      <ul className={styles.points}>
        {t.reasons.map(([title, text]) => (
          <li key={title}>
            <IconCheck size={18} aria-hidden />
            <span>
              <b>{title}</b>
              <br />
              <span className="dim">{text}</span>
            </span>
          </li>
        ))}
      </ul>
      <Prices />
      <BestRate />
      {isSandbox ? <p className="dim">{t.sandbox}</p> : null}
    </aside>
  );
}

function Prices() {
  const { data: instruments = [] } = useLive(feeds.instruments);
  const { data: tickers } = useLive(feeds.tickers);
  const rows = foundPairs(pairRows(instruments, tickers), '', 'volume', true).slice(0, SHOWN);
  if (rows.length === 0) return null;
  return (
    <ul className={styles.prices}>
      {rows.map((row) => (
        <PairLine key={row.symbol} row={row} name={row.symbol.replace('-', ' / ')} />
      ))}
    </ul>
  );
}

function BestRate() {
  const { data: offers = [] } = useLive(earnFeeds.offers(false));
  const best = offers
    .map(({ rate }) => rate.ofLongest)
    .reduce<Decimal | null>((a, b) => (a === null || compare(b, a) > 0 ? b : a), null);
  return best === null ? null : <p>{t.earnUpTo(percent(best))}</p>;
}
