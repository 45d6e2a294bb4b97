// The cells that the order lists share.
import { Link } from 'wouter';
import { OrdStatus, Side } from '../../../src/sdk/generated/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { Amount, When } from '../../components/figures.tsx';
import { type Decimal, decimalsOf } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { useSession } from '../../session/session.ts';
import { averageDecimals } from '../figures.ts';
import styles from './orders.module.css';
import { filledPercent, sideText, stateOf, typeText } from './words.ts';

/** The user's open orders, newest first; undefined for a visitor, and until they are read. */
export function useOpenOrders(): readonly Order[] | undefined {
  const { state } = useSession();
  return useLive(state === 'loggedIn' ? feeds.openOrders : null).data?.data;
}

/**
 * Decimals of the pair's price step; undefined until the pairs are read, which shows all digits.
 */
export function usePriceDecimals(symbol: string): number | undefined {
  const { data } = useLive(feeds.instruments);
  const step = data?.find((instrument) => instrument.symbol === symbol)?.quoteAssetIncrement;
  return step === undefined ? undefined : decimalsOf(step);
}

export function SideCell({ side }: { readonly side: Side }) {
  return <span className={side === Side.buy ? 'buy' : 'sell'}>{sideText(side)}</span>;
}

export function PairCell({ symbol }: { readonly symbol: string }) {
  return (
    <Link href={`/trade/${symbol}`} className={`${styles.link} nowrap`}>
      {symbol}
    </Link>
  );
}

interface OrderProps {
  readonly order: Order;
}

export function StateCell({ order }: OrderProps) {
  const { label, tone, reason } = stateOf(order);
  return (
    <span className={styles.state} data-tone={tone} title={reason ?? undefined}>
      {label}
      {reason === null ? null : <span className={styles.reason}>{reason}</span>}
    </span>
  );
}

/** The ordered quantity, or the budget of a buy by total. */
export function SizeCell({ order }: OrderProps) {
  const [base, quote] = order.symbol.split('-');
  return order.orderQty === null ? (
    <Amount value={order.quoteOrderQty} asset={quote} />
  ) : (
    <Amount value={order.orderQty} asset={base} />
  );
}

export function FilledCell({ order }: OrderProps) {
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

export interface PriceProps {
  readonly symbol: string;
  readonly price: Decimal;
}

/** A price with the digits of its pair. */
export function Price({ symbol, price }: PriceProps) {
  return <Amount value={price} decimals={usePriceDecimals(symbol)} />;
}

/** Empty before the first fill. */
export function AverageCell({ order }: OrderProps) {
  const priceDecimals = usePriceDecimals(order.symbol);
  const decimals = priceDecimals === undefined ? undefined : averageDecimals({ priceDecimals });
  return <Amount value={order.avgPx === '0' ? null : order.avgPx} decimals={decimals} />;
}

export function PriceCell({ order: { price, symbol } }: OrderProps) {
  return price === null ? (
    <span className="dim">{t.orders.types.market}</span>
  ) : (
    <Price symbol={symbol} price={price} />
  );
}

export const TypeCell = ({ order }: OrderProps) => (
  <span className="nowrap">{typeText(order)}</span>
);

/** The time of placing; a partially filled order has only the time of its last fill. */
export function PlacedCell({ order }: OrderProps) {
  const isPart = order.ordStatus === OrdStatus.partiallyFilled;
  return (
    <>
      {isPart ? <span className="dim">{t.orders.lastFill}</span> : null}
      <When at={order.transactTime} />
    </>
  );
}

/** Sell ETH-USDT Limit */
export function CardHead({ order }: OrderProps) {
  return (
    <>
      <SideCell side={order.side} /> <PairCell symbol={order.symbol} />{' '}
      <span className="dim">{typeText(order)}</span>
    </>
  );
}
