// The balances of a user by asset and part.
import { Text } from '@mantine/core';
import { IconWallet } from '@tabler/icons-react';
import type { Balance } from '../../../src/sdk/index.ts';
import { type Column, column, DataTable } from '../../components/data-table.tsx';
import { Amount } from '../../components/figures.tsx';
import { Empty } from '../../components/states.tsx';
import { isZero } from '../../exact/decimal.ts';
import { common } from '../../messages/common.ts';
import { usersText as text } from '../../messages/operator-users.ts';
import parts from '../parts/parts.module.css';

/** Each part, and the screen width from which it has a column; below it, the total lists it. */
const PARTS = [
  ['available', 'sm'],
  ['held', 'sm'],
  ['earn', 'md'],
  ['redeeming', 'md'],
  ['booster', 'md'],
] as const;

const columns: readonly Column<Balance>[] = [
  column.of(text.asset, ({ asset }) => asset),
  ...PARTS.map(
    ([part, from]): Column<Balance> =>
      column.figure(common.balanceParts[part], (balance) => <Amount value={balance[part]} />, from),
  ),
  column.figure(text.total, (balance) => <Total balance={balance} />),
];

/** The total with the parts that have no column on this screen. */
function Total({ balance }: { readonly balance: Balance }) {
  const { available, total } = balance;
  const shown = available === total ? [] : PARTS.filter(([part]) => !isZero(balance[part]));
  return (
    <>
      <Amount value={total} />
      {shown.map(([part, from]) => (
        <Text key={part} component="span" hiddenFrom={from} className={`dim ${parts.below}`}>
          <Amount value={balance[part]} /> {common.amountParts[part]}
        </Text>
      ))}
    </>
  );
}

export function UserBalances({ balances }: { readonly balances: readonly Balance[] }) {
  const rows = balances.filter(({ total }) => !isZero(total));
  if (rows.length === 0) {
    return <Empty icon={IconWallet} title={text.noMoney} hint={text.noMoneyHint} />;
  }
  return (
    <DataTable label={text.balances} rows={rows} columns={columns} keyOf={({ asset }) => asset} />
  );
}
