// The columns of the order lists, and the heads of their cards.
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Fill, type Order, Side } from '../../../src/sdk/index.ts';
import { column, type Width } from '../../components/data-table.tsx';
import { Amount, AssetAmount, When } from '../../components/figures.tsx';
import { type Decimal, decimalsOf, multiply } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';
import { useOpenOrders, usePairOf, useTriggers } from '../feeds.ts';
import { averageDecimals, columnDecimals } from '../figures.ts';
import { assetsOf } from '../pair.ts';
import { EditCell } from './edit-cell.tsx';
import type { EditField, OpenRow } from './legs.ts';
import styles from './orders.module.css';
import type { RowColumn } from './row-list.tsx';
import { triggerPxOf } from './trailing.ts';
import { filledPercent, sideText, stateOf, termsText, typeText } from './words.ts';

const baseOf = (symbol: string): string => assetsOf(symbol)[0];
const quoteOf = (symbol: string): string => assetsOf(symbol)[1];

const pair = ({ symbol }: Pick<Order, 'symbol'>) => (
  <Link href={`/trade/${symbol}`} className={`${styles.link} nowrap`}>
    {symbol}
  </Link>
);

const side = ({ side }: Pick<Order, 'side'>) => (
  <span className={side === Side.buy ? 'buy' : 'sell'}>{sideText(side)}</span>
);

const time = ({ transactTime }: Pick<Fill, 'transactTime'>) => <When at={transactTime} short />;

const placed = ({ createTime }: Order) => <When at={createTime} short />;

type OrderPrice = Pick<Order, 'symbol' | 'price'>;

function Price({ symbol, price }: OrderPrice) {
  const decimals = usePairOf(symbol)?.priceDecimals;
  if (price === null) return <span className="dim">{t.orders.types.market}</span>;
  return <Amount value={price} decimals={decimals} />;
}

interface InPair {
  readonly symbol: string;
  readonly value: Decimal | null;
  readonly named?: boolean;
}

/** A quantity with the decimals of the pair. */
function Quantity({ symbol, value, named = true }: InPair) {
  const decimals = usePairOf(symbol)?.quantityDecimals;
  return <Amount value={value} asset={named ? baseOf(symbol) : undefined} decimals={decimals} />;
}

/** A total with the decimals of prices; the tooltip has digits that this cuts. */
function Total({ symbol, value }: InPair) {
  const pair = usePairOf(symbol);
  const decimals = pair && columnDecimals(pair);
  const isCut = value !== null && decimals !== undefined && decimalsOf(value) > decimals;
  return (
    <span title={isCut ? grouped(value) : undefined}>
      <Amount value={value} asset={quoteOf(symbol)} decimals={decimals} />
    </span>
  );
}

/** Empty before the first fill. */
function Average({ symbol, avgPx }: Pick<Order, 'symbol' | 'avgPx'>) {
  const pair = usePairOf(symbol);
  const decimals = pair && averageDecimals(pair);
  return <Amount value={avgPx === '0' ? null : avgPx} decimals={decimals} />;
}

interface OfOrder {
  readonly order: Order;
}

/** The terms that differ from the usual ones. */
function Terms({ order }: OfOrder) {
  const partner = useOpenOrders()?.find(({ orderId }) => orderId === order.ocoOrderId);
  const terms = termsText(order, partner);
  return terms === null ? null : <span className={styles.below}>{terms}</span>;
}

/** The type, and below it its terms. */
function Type({ order }: { readonly order: OpenRow }) {
  return (
    <span className="nowrap">
      {order.planned === undefined ? null : <span aria-hidden>↳ </span>}
      {typeText(order)}
      <Terms order={order} />
    </span>
  );
}

/** ≤ 58,000.00; a dash for an order that is no stop. */
function Trigger({ order }: OfOrder) {
  const { symbol, side, triggerPriceDirection, triggerPx } = order;
  const pair = usePairOf(symbol);
  const price = triggerPxOf(order, useTriggers([order]));
  if (price === null) return <span className="dim">–</span>;
  const isUp = triggerPx == null ? triggerPriceDirection === 'U' : side === Side.buy;
  return (
    <span className="nowrap">
      <span className="dim">{isUp ? '≥' : '≤'}</span>{' '}
      <Amount value={price} decimals={pair?.priceDecimals} />
    </span>
  );
}

/** The quantity, and below it the part that an iceberg shows. */
function Size({ order }: OfOrder) {
  const { symbol, displayQty } = order;
  const decimals = usePairOf(symbol)?.quantityDecimals;
  return (
    <>
      {size(order)}
      {displayQty === null ? null : (
        <span className={styles.below}>{t.orders.shows(grouped(displayQty, decimals))}</span>
      )}
    </>
  );
}

/** The ordered quantity, or the budget of a buy by total. */
const size = ({ symbol, orderQty, quoteOrderQty }: Order) =>
  orderQty === null ? (
    <Total symbol={symbol} value={quoteOrderQty} />
  ) : (
    <Quantity symbol={symbol} value={orderQty} />
  );

function filled(order: Order) {
  const percent = filledPercent(order);
  return (
    <span className={styles.filled}>
      <span className="figures nowrap">
        <Quantity symbol={order.symbol} value={order.cumQty} named={false} />{' '}
        {percent === 0 ? null : <span className="dim">{percent}%</span>}
      </span>
      {percent === 0 || percent === 100 ? null : (
        <span className={styles.track} aria-hidden>
          <span className={styles.done} style={{ transform: `scaleX(${percent / 100})` }} />
        </span>
      )}
    </span>
  );
}

export function state(order: Order) {
  const { label, tone, reason } = stateOf(order);
  return (
    <span className={styles.state} data-tone={tone} title={reason ?? undefined}>
      {label}
      {reason === null ? null : <span className={styles.reason}>{reason}</span>}
    </span>
  );
}

export const role = ({ maker }: Fill): string => (maker ? t.orders.maker : t.orders.taker);

/** Sell ETH-USDT */
export const head = (row: Pick<Order, 'side' | 'symbol'>) => (
  <>
    {side(row)} {pair(row)}
  </>
);

/** Sell ETH-USDT Limit */
export const orderHead = (order: Order) => (
  <>
    {head(order)} <span className="dim">{typeText(order)}</span>
    <Terms order={order} />
  </>
);

/** A column that is also a line of a card. */
const line = <T,>(title: string, render: (row: T) => ReactNode, from?: Width): RowColumn<T> => ({
  ...column.of(title, render, from),
  onCard: true,
});

const figure = <T,>(...terms: Parameters<typeof line<T>>): RowColumn<T> => ({
  ...line(...terms),
  align: 'right',
});

const pairColumn = column.of(t.orders.pair, pair);
const sideColumn = column.of(t.orders.side, side);
const price = ({ symbol, price }: OrderPrice) => <Price symbol={symbol} price={price} />;
const priceColumn = figure(t.orders.price, price);
const typeOf = (order: OpenRow) => <Type order={order} />;
const triggerOf = (order: Order) => <Trigger order={order} />;
const typeColumn = column.of(t.orders.type, typeOf, 'md');
const filledColumn = figure(t.orders.filled, filled, 'sm');

const editable = (order: OpenRow, field: EditField, value: ReactNode) => (
  <EditCell order={order} field={field}>
    {value}
  </EditCell>
);

export const OPEN_COLUMNS: readonly RowColumn<OpenRow>[] = [
  line(t.orders.placed, placed, 'sm'),
  pairColumn,
  sideColumn,
  typeColumn,
  figure(
    t.orders.trigger,
    (order) =>
      order.triggerPx == null ? editable(order, 'stopPx', triggerOf(order)) : triggerOf(order),
    'sm',
  ),
  figure(t.orders.price, (order) => editable(order, 'price', price(order))),
  figure(t.orders.quantity, (order) => editable(order, 'orderQty', <Size order={order} />)),
  filledColumn,
  column.figure(
    t.orders.total,
    ({ price, orderQty, symbol }) =>
      price === null || orderQty === null ? null : (
        <Total symbol={symbol} value={multiply(price, orderQty)} />
      ),
    'xl',
  ),
];

/** The exits of a bracket, below its entry. */
export const EXIT_COLUMNS: readonly RowColumn<OpenRow>[] = [
  column.of(t.orders.type, typeOf),
  sideColumn,
  figure(t.orders.trigger, triggerOf),
  priceColumn,
];

export const HISTORY_COLUMNS: readonly RowColumn<Order>[] = [
  line(t.orders.placed, placed),
  pairColumn,
  sideColumn,
  typeColumn,
  figure(t.orders.trigger, triggerOf, 'lg'),
  figure(t.orders.price, price, 'sm'),
  figure(t.orders.ordered, (order) => <Size order={order} />),
  filledColumn,
  figure(t.orders.average, (order) => <Average {...order} />, 'md'),
  column.of(t.orders.status, state),
];

/** The columns that every fill of an order has alike. */
const OF_ORDER: readonly string[] = [t.orders.pair, t.orders.side, t.orders.order];

export const FILL_COLUMNS: readonly RowColumn<Fill>[] = [
  line(t.orders.time, time),
  pairColumn,
  sideColumn,
  priceColumn,
  figure(t.orders.quantity, ({ quantity, symbol }) => (
    <Quantity symbol={symbol} value={quantity} />
  )),
  figure(
    t.orders.total,
    ({ quoteAmount, symbol }) => <Total symbol={symbol} value={quoteAmount} />,
    'sm',
  ),
  figure(t.orders.fee, ({ fee, feeAsset }) => <AssetAmount value={fee} asset={feeAsset} named />),
  column.of(t.orders.role, role, 'md'),
  column.figure(t.orders.order, ({ orderId }) => <span className="dim">{orderId}</span>, 'lg'),
];

/** The fills of one order, below it. */
export const ORDER_FILL_COLUMNS: readonly RowColumn<Fill>[] = FILL_COLUMNS.filter(
  ({ title }) => !OF_ORDER.includes(title),
);
