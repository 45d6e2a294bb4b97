// The detail of an order in the history: its ids, the cause of its end, its exits and its fills.
import type { Fill, Order } from '../../../src/sdk/index.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/layout.tsx';
import { isZero } from '../../exact/decimal.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { MAX_ORDER_FILLS, orderFillsFeed, useOpenOrders } from '../feeds.ts';
import { EXIT_COLUMNS, ORDER_FILL_COLUMNS } from './columns.tsx';
import { exitsOf } from './legs.ts';
import styles from './orders.module.css';
import { stateOf } from './words.ts';

export const orderDetail = {
  label: ({ orderId }: Order) => t.orders.fillsOf(orderId),
  render: (order: Order) => <OrderDetail order={order} />,
};

function OrderDetail({ order }: { readonly order: Order }) {
  const live = useLive(isZero(order.cumQty) ? null : orderFillsFeed(order));
  const { label, reason } = stateOf(order);
  // Exits that the entry has placed may be amended, and the trigger of one may trail.
  const placed = useOpenOrders()?.filter(({ parentOrderId }) => parentOrderId === order.orderId);
  return (
    <div className={styles.detail}>
      {reason === null ? null : <p className={styles.cause}>{t.orders.cause(label, reason)}</p>}
      <p className={`dim ${styles.ids}`}>
        {t.orders.ids(order.orderId, order.clOrdId)}
        {order.ocoOrderId === null ? '' : ` · ${t.orders.pairedWith(order.ocoOrderId)}`}
        {order.parentOrderId === null ? '' : ` · ${t.orders.entry(order.parentOrderId)}`}
        {isZero(order.cumQty) ? ` ${t.orders.withoutFills}` : ''}
      </p>
      {order.bracket === undefined ? null : (
        <DataTable
          label={t.orders.exitsOf(order.orderId)}
          rows={placed?.length ? placed : exitsOf(order)}
          columns={EXIT_COLUMNS}
          keyOf={({ orderId }) => orderId}
        />
      )}
      {isZero(order.cumQty) ? null : (
        <Loaded live={live} rows={2}>
          {(fills: readonly Fill[]) => (
            <>
              <DataTable
                label={t.orders.fillsOf(order.orderId)}
                rows={fills}
                columns={ORDER_FILL_COLUMNS}
                keyOf={({ tradeId }) => tradeId}
              />
              {fills.length < MAX_ORDER_FILLS ? null : (
                <p className="dim">{t.orders.newestFills(MAX_ORDER_FILLS)}</p>
              )}
            </>
          )}
        </Loaded>
      )}
    </div>
  );
}
