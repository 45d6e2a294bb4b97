// Cells that the order tables have in common.
import { useMediaQuery } from '@mantine/hooks';
import { Link } from 'wouter';
import type { Order, Side } from '../../api/trading.ts';
import { Amount } from '../../components/figures.tsx';
import { grouped } from '../../exact/format.ts';
import styles from './orders.module.css';
import { filledPercent, sideWord, stateOf, typeWord } from './words.ts';

export function SideCell({ side }: { readonly side: Side }) {
  return <span className={side === '1' ? 'buy' : 'sell'}>{sideWord(side)}</span>;
}

export function PairCell({ symbol }: { readonly symbol: string }) {
  return (
    <Link href={`/trade/${symbol}`} className={`${styles.link} nowrap`}>
      {symbol}
    </Link>
  );
}

export function StateCell({ order }: { readonly order: Order }) {
  const { label, tone, reason } = stateOf(order);
  return (
    <span className={styles.state} data-tone={tone} title={reason ?? undefined}>
      {label}
      {reason === null ? null : <span className={styles.reason}>{reason}</span>}
    </span>
  );
}

/** What was ordered: a quantity, or of a buy by total the budget. */
export function SizeCell({ order }: { readonly order: Order }) {
  const [base, quote] = order.symbol.split('-');
  return order.orderQty === null ? (
    <Amount value={order.quoteOrderQty} asset={quote} />
  ) : (
    <Amount value={order.orderQty} asset={base} />
  );
}

export function FilledCell({ order }: { readonly order: Order }) {
  const percent = filledPercent(order);
  return (
    <span className={styles.filled}>
      <span className="figures nowrap">
        {grouped(order.cumQty)} {percent === 0 ? null : <span className="dim">{percent}%</span>}
      </span>
      {percent === 0 || percent === 100 ? null : (
        <span className={styles.track} aria-hidden>
          <span className={styles.done} style={{ transform: `scaleX(${percent / 100})` }} />
        </span>
      )}
    </span>
  );
}

/** Empty before the first fill. */
export function AverageCell({ order }: { readonly order: Order }) {
  return <Amount value={order.avgPx === '0' ? null : order.avgPx} />;
}

export function PriceCell({ order }: { readonly order: Order }) {
  return order.price === null ? (
    <span className="dim">Market</span>
  ) : (
    <Amount value={order.price} />
  );
}

/** Whether rows are shown as cards: on telephones. */
export const useCards = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });

/** Sell ETH-USDT Limit */
export function CardHead({ order }: { readonly order: Order }) {
  return (
    <>
      <SideCell side={order.side} /> <PairCell symbol={order.symbol} />{' '}
      <span className="dim">{typeWord(order)}</span>
    </>
  );
}
