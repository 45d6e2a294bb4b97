// What a user has of each asset, and where it is.

import { Text } from '@mantine/core';
import { IconWallet } from '@tabler/icons-react';
import type { Balance } from '../../../src/sdk/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Amount } from '../../components/figures.tsx';
import { Empty } from '../../components/states.tsx';
import { type Decimal, isZero } from '../../exact/decimal.ts';
import parts from '../parts/parts.module.css';

interface Part {
  readonly title: string;
  readonly pick: (balance: Balance) => Decimal;
  /** On screens narrower than this it stands below the total. */
  readonly from: 'sm' | 'md';
}

const PARTS: readonly Part[] = [
  { title: 'Available', pick: ({ available }) => available, from: 'sm' },
  { title: 'In orders', pick: ({ held }) => held, from: 'sm' },
  { title: 'In plans', pick: ({ earn }) => earn, from: 'md' },
  { title: 'Redeeming', pick: ({ redeeming }) => redeeming, from: 'md' },
  { title: 'Booster', pick: ({ booster }) => booster, from: 'md' },
];

const columns: readonly Column<Balance>[] = [
  { title: 'Asset', render: ({ asset }) => asset },
  ...PARTS.map(
    ({ title, pick, from }): Column<Balance> => ({
      title,
      from,
      align: 'right',
      render: (balance) => <Amount value={pick(balance)} />,
    }),
  ),
  { title: 'Total', align: 'right', render: (balance) => <Total balance={balance} /> },
];

/** With the parts that have no column of their own on this screen. */
function Total({ balance }: { readonly balance: Balance }) {
  const { available, total } = balance;
  return (
    <>
      <Amount value={total} />
      {available === total
        ? null
        : PARTS.filter(({ pick }) => !isZero(pick(balance))).map(({ title, pick, from }) => (
            <Text key={title} component="span" hiddenFrom={from} className={`dim ${parts.below}`}>
              <Amount value={pick(balance)} /> {title.toLowerCase()}
            </Text>
          ))}
    </>
  );
}

export function UserBalances({ balances }: { readonly balances: readonly Balance[] }) {
  const rows = balances.filter(({ total }) => !isZero(total));
  if (rows.length === 0) {
    return (
      <Empty icon={<IconWallet size={26} stroke={1.5} />} title="No money yet">
        Credit what has arrived for this customer.
      </Empty>
    );
  }
  return <DataTable label="Balances" rows={rows} columns={columns} keyOf={({ asset }) => asset} />;
}
