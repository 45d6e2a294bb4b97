// The page of all orders and fills of the account, with every filter.
import { useState } from 'react';
import { PageFrame } from '../../components/layout.tsx';
import { feeds } from '../../live/feeds.ts';
import { useLive } from '../../live/live.ts';
import { trade as t } from '../../messages/trade.ts';
import { FilterSelect } from './history.tsx';
import { OrderLists } from './order-lists.tsx';

export default function OrdersPage() {
  const { data: instruments = [] } = useLive(feeds.instruments);
  const [symbol, setSymbol] = useState<string | null>(null);
  return (
    <PageFrame title={t.orders.pageTitle} width="full">
      <OrderLists
        isPage
        symbol={symbol}
        next="/orders"
        filters={
          <FilterSelect
            label={t.orders.pair}
            value={symbol}
            options={[
              [null, t.orders.anyPair],
              ...instruments.map(({ symbol }) => [symbol, symbol] as const),
            ]}
            onChange={setSymbol}
          />
        }
      />
    </PageFrame>
  );
}
