// The last trades of a pair, newest first.
import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { type PublicTrade, Side } from '../../../src/sdk/index.ts';
import { Empty, Loaded, Panel, Scrollable } from '../../components/layout.tsx';
import { dateTime, grouped, time, utcFull } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { usePair } from '../context.ts';
import pageStyles from '../page.module.css';
import styles from './tape.module.css';

export const TapePanel = memo(function TapePanel() {
  return (
    <Panel title={t.page.trades} dense flush className={pageStyles.tape}>
      <Tape />
    </Panel>
  );
});

export const Tape = memo(function Tape() {
  const pair = usePair();
  const live = useLive(feeds.trades(pair.symbol));
  return (
    <Loaded
      live={live}
      rows={8}
      isEmpty={(trades) => trades.length === 0}
      empty={<Empty title={t.market.noTrades} hint={t.market.noTradesWhy} />}
    >
      {(trades) => (
        <Scrollable label={t.market.tape} className={styles.scroll}>
          <table className={styles.table} aria-label={t.market.tapeOf(pair.symbol)}>
            <thead>
              <tr>
                <th>{t.priceIn(pair.quote)}</th>
                <th>{t.quantityIn(pair.base)}</th>
                <th>{t.market.time}</th>
              </tr>
            </thead>
            <tbody>
              {trades.map((trade) => (
                <TapeRow key={trade.tradeId} {...trade} />
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </Loaded>
  );
});

const TapeRow = memo(function TapeRow(trade: PublicTrade) {
  const { price, quantity, takerSide, transactTime } = trade;
  const { priceDecimals, quantityDecimals } = usePair();
  const bought = takerSide === Side.buy;
  return (
    <tr>
      <td className={bought ? 'buy' : 'sell'}>
        <VisuallyHidden>{bought ? t.market.boughtAt : t.market.soldAt}</VisuallyHidden>
        {grouped(price, priceDecimals)}
      </td>
      <td>{grouped(quantity, quantityDecimals)}</td>
      <td className="dim" title={`${dateTime(transactTime)}, ${utcFull(transactTime)}`}>
        {time(transactTime)}
      </td>
    </tr>
  );
});
