// The account's fills, each with its fee.
import { IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import type { Fill } from '../../../src/sdk/index.ts';
import { Amount, When } from '../../components/figures.tsx';
import { Pager } from '../../components/pager.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { common } from '../../messages/common.ts';
import { trade as t } from '../../messages/trade.ts';
import { FILLS_PAGE, fillsFeed } from '../feeds.ts';
import { PairCell, Price, SideCell } from './cells.tsx';
import { type RowColumn, RowList } from './row-list.tsx';

export function FillsTable({ symbol }: { readonly symbol: string | null }) {
  /** The last fill of each page before this one. */
  const [turned, setTurned] = useState<readonly number[]>([]);
  const live = useLive(fillsFeed(symbol, turned.at(-1) ?? null));
  return (
    <Loaded
      live={live}
      rows={3}
      isEmpty={(fills) => fills.length === 0 && turned.length === 0}
      empty={
        <Empty icon={<IconReceipt size={24} stroke={1.5} />} title={t.orders.noFills}>
          {t.orders.noFillsWhy}
        </Empty>
      }
    >
      {(fills) => (
        <>
          <RowList
            label={t.orders.fills}
            rows={fills}
            keyOf={keyOf}
            columns={COLUMNS}
            head={({ side, symbol }) => (
              <>
                <SideCell side={side} /> <PairCell symbol={symbol} />
              </>
            )}
            aside={(fill) => <span className="dim">{roleText(fill)}</span>}
          />
          <Pager
            label={t.orders.fillsList}
            where={common.page(turned.length + 1)}
            onNewer={turned.length === 0 ? null : () => setTurned(turned.slice(0, -1))}
            onOlder={
              fills.length < FILLS_PAGE ? null : () => setTurned([...turned, fills.at(-1)!.tradeId])
            }
          />
        </>
      )}
    </Loaded>
  );
}

/** A trade of an account with itself is two fills. */
const keyOf = ({ tradeId, orderId }: Fill): string => `${tradeId} ${orderId}`;

const roleText = ({ maker }: Fill): string => (maker ? t.orders.maker : t.orders.taker);

const COLUMNS: readonly RowColumn<Fill>[] = [
  { title: t.orders.time, onCard: true, render: ({ transactTime }) => <When at={transactTime} /> },
  { title: t.orders.pair, render: ({ symbol }) => <PairCell symbol={symbol} /> },
  { title: t.orders.side, render: ({ side }) => <SideCell side={side} /> },
  {
    title: t.orders.price,
    onCard: true,
    align: 'right',
    render: ({ price, symbol }) => <Price symbol={symbol} price={price} />,
  },
  {
    title: t.orders.quantity,
    onCard: true,
    align: 'right',
    render: ({ quantity, symbol }) => <Amount value={quantity} asset={symbol.split('-')[0]} />,
  },
  {
    title: t.orders.total,
    onCard: true,
    align: 'right',
    from: 'sm',
    render: ({ quoteAmount, symbol }) => (
      <Amount value={quoteAmount} asset={symbol.split('-')[1]} />
    ),
  },
  {
    title: t.orders.fee,
    onCard: true,
    align: 'right',
    render: ({ fee, feeAsset }) => <Amount value={fee} asset={feeAsset} />,
  },
  { title: t.orders.role, from: 'md', render: roleText },
  {
    title: t.orders.order,
    from: 'lg',
    align: 'right',
    render: ({ orderId }) => <span className="dim">{orderId}</span>,
  },
];
