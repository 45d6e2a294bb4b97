// The account's fills, each with its fee.

import { IconReceipt } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Fill } from '../../../src/sdk/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Amount, When } from '../../components/figures.tsx';
import { Pager } from '../../components/pager.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useLive } from '../../live/live.ts';
import { FILLS_PAGE, fillsFeed } from '../feeds.ts';
import { PairCell, Price, SideCell, useCards } from './cells.tsx';
import { RowCards } from './row-cards.tsx';

export function FillsTable({ symbol }: { readonly symbol: string | null }) {
  const [turned, setTurned] = useState<readonly number[]>([]);
  const cards = useCards();
  const live = useLive(fillsFeed(symbol, turned.at(-1) ?? null));
  return (
    <Loaded
      live={live}
      rows={3}
      isEmpty={(fills) => fills.length === 0 && turned.length === 0}
      empty={
        <Empty icon={<IconReceipt size={24} stroke={1.5} />} title="No fills yet">
          When an order trades, each part of it is a fill with its own price and fee.
        </Empty>
      }
    >
      {(fills) => (
        <>
          {cards ? (
            <RowCards
              label="Fills"
              rows={fills}
              keyOf={keyOf}
              head={({ side, symbol }) => (
                <>
                  <SideCell side={side} /> <PairCell symbol={symbol} />
                </>
              )}
              aside={({ maker }) => <span className="dim">{maker ? 'Maker' : 'Taker'}</span>}
              facts={factsOf}
            />
          ) : (
            <DataTable label="Fills" rows={fills} columns={COLUMNS} keyOf={keyOf} />
          )}
          <Pager
            label="fills"
            where={`Page ${turned.length + 1}`}
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

const factsOf = (fill: Fill): readonly (readonly [string, ReactNode])[] => {
  const [base, quote] = fill.symbol.split('-');
  return [
    ['Price', <Price key="price" symbol={fill.symbol} price={fill.price} />],
    ['Quantity', <Amount key="quantity" value={fill.quantity} asset={base} />],
    ['Total', <Amount key="total" value={fill.quoteAmount} asset={quote} />],
    ['Fee', <Amount key="fee" value={fill.fee} asset={fill.feeAsset} />],
    ['Time', <When key="time" at={fill.transactTime} />],
  ];
};

const COLUMNS: readonly Column<Fill>[] = [
  { title: 'Time', render: ({ transactTime }) => <When at={transactTime} /> },
  { title: 'Pair', render: ({ symbol }) => <PairCell symbol={symbol} /> },
  { title: 'Side', render: ({ side }) => <SideCell side={side} /> },
  {
    title: 'Price',
    align: 'right',
    render: ({ price, symbol }) => <Price symbol={symbol} price={price} />,
  },
  {
    title: 'Quantity',
    align: 'right',
    render: ({ quantity, symbol }) => <Amount value={quantity} asset={symbol.split('-')[0]} />,
  },
  {
    title: 'Total',
    align: 'right',
    from: 'sm',
    render: ({ quoteAmount, symbol }) => (
      <Amount value={quoteAmount} asset={symbol.split('-')[1]} />
    ),
  },
  {
    title: 'Fee',
    align: 'right',
    render: ({ fee, feeAsset }) => <Amount value={fee} asset={feeAsset} />,
  },
  { title: 'As', from: 'md', render: ({ maker }) => (maker ? 'Maker' : 'Taker') },
  {
    title: 'Order',
    from: 'lg',
    align: 'right',
    render: ({ orderId }) => <span className="dim">{orderId}</span>,
  },
];
