// Cells that the order tables have in common.

import { useMediaQuery } from '@mantine/hooks';
import { Link } from 'wouter';
import { OrdStatus, Side } from '../../../src/sdk/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { Amount, When } from '../../components/figures.tsx';
import type { Decimal } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { averageDecimals } from '../figures.ts';
import styles from './orders.module.css';
import { usePriceDecimals } from './price-decimals.ts';
import { filledPercent, sideWord, stateOf, typeWord } from './words.ts';

export function SideCell({ side }: { readonly side: Side }) {
  return <span className={side === Side.buy ? 'buy' : 'sell'}>{sideWord(side)}</span>;
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

interface PriceProps {
  readonly symbol: string;
  readonly price: Decimal;
}

/** A price with the digits of its pair, as the book has it. */
export function Price({ symbol, price }: PriceProps) {
  return <Amount value={price} decimals={usePriceDecimals(symbol)} />;
}

/** Empty before the first fill. */
export function AverageCell({ order }: { readonly order: Order }) {
  const priceDecimals = usePriceDecimals(order.symbol);
  const decimals = priceDecimals === undefined ? undefined : averageDecimals({ priceDecimals });
  return <Amount value={order.avgPx === '0' ? null : order.avgPx} decimals={decimals} />;
}

export function PriceCell({ order: { price, symbol } }: { readonly order: Order }) {
  return price === null ? (
    <span className="dim">Market</span>
  ) : (
    <Price symbol={symbol} price={price} />
  );
}

/** When it was placed; of an order that was filled in part only its last fill is known. */
export function PlacedCell({ order }: { readonly order: Order }) {
  const isFilled = order.ordStatus === OrdStatus.partiallyFilled;
  return (
    <>
      {isFilled ? <span className="dim">last fill </span> : null}
      <When at={order.transactTime} />
    </>
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
