// The tape: what was traded last, newest first.

import { memo } from 'react';
import { Side } from '../../../src/sdk/codes.ts';
import type { PublicTrade } from '../../../src/sdk/index.ts';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { dateTime, grouped, time, utcFull } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import pageStyles from '../page.module.css';
import type { Pair } from '../pair.ts';
import styles from './tape.module.css';

/** The tape in a panel of its own. */
export const TapePanel = memo(function TapePanel({ pair }: { readonly pair: Pair }) {
  return (
    <Panel title="Trades" dense flush className={pageStyles.tape}>
      <Tape pair={pair} />
    </Panel>
  );
});

export const Tape = memo(function Tape({ pair }: { readonly pair: Pair }) {
  const live = useLive(feeds.trades(pair.symbol));
  return (
    <Loaded
      live={live}
      rows={8}
      isEmpty={(trades) => trades.length === 0}
      empty={<Empty title="No trades yet">The first one will be shown here.</Empty>}
    >
      {(trades) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label="Last trades">
          <table className={styles.table} aria-label={`Last trades of ${pair.symbol}`}>
            <thead>
              <tr>
                <th>Price ({pair.quote})</th>
                <th>Quantity ({pair.base})</th>
                <th>Time</th>
              </tr>
            </thead>
            <tbody>
              {trades.map((trade) => (
                <TapeRow key={trade.tradeId} trade={trade} pair={pair} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Loaded>
  );
});

const TapeRow = memo(function TapeRow({
  trade,
  pair,
}: {
  readonly trade: PublicTrade;
  readonly pair: Pair;
}) {
  const { price, quantity, takerSide, transactTime } = trade;
  const bought = takerSide === Side.buy;
  return (
    <tr>
      <td className={bought ? 'buy' : 'sell'}>
        <span className={styles.hidden}>{bought ? 'bought at ' : 'sold at '}</span>
        {grouped(price, pair.priceDecimals)}
      </td>
      <td>{grouped(quantity, pair.quantityDecimals)}</td>
      <td className="dim" title={`${dateTime(transactTime)}, ${utcFull(transactTime)}`}>
        {time(transactTime)}
      </td>
    </tr>
  );
});
