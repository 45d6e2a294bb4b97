// Fees, margins and reserves: balances, withdrawals, and the statement of both.
import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { Income, VenueTransfer } from '../../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty, Panel } from '../../components/layout.tsx';
import { Dim, PlainButton } from '../../components/texts.tsx';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { ledgerText as text } from '../../messages/operator-ledger.ts';
import { feedKey, feeds, operator } from '../data.ts';
import {
  BookingNote,
  EMPTY_TRANSFER,
  type TransferValues,
  transferLayout,
  useBooking,
} from '../parts/booking.tsx';
import { AsOf } from '../parts/marks.tsx';
import { RequestFields, useCreateForm } from '../parts/request-form.tsx';
import { claimText, type Names, ownerText } from './ledger-texts.ts';

const STATEMENT_ROWS = 50;

const keyOf = ({ account, planId, enterpriseId, asset }: Income): string =>
  [account, planId, enterpriseId, asset].join('/');

function useNames(): Names {
  const plans = useLive(feeds.plans).data ?? [];
  const enterprises = useLive(feeds.enterprises).data ?? [];
  return {
    plans: new Map(plans.map(({ planId, planName }) => [planId, planName])),
    enterprises: new Map(enterprises.map(({ enterpriseId, name }) => [enterpriseId, name])),
  };
}

export function IncomePanel() {
  const income = useLive(feeds.income);
  const statement = useLive(feeds.venueStatement(STATEMENT_ROWS));
  const names = useNames();
  const [chosen, setChosen] = useState<string | null>(null);
  const row = income.data?.items.find((one) => keyOf(one) === chosen);
  return (
    <Stack gap="lg">
      <ListPanel
        title={text.incomeTitle}
        live={income}
        columns={incomeColumns(names, (one) => setChosen(keyOf(one)))}
        keyOf={keyOf}
        empty={<Empty title={text.noIncome} />}
        actions={<AsOf live={[income, statement]} />}
      />
      {row === undefined ? null : <Withdraw key={chosen} income={row} names={names} />}
      <ListPanel
        title={text.statement}
        live={statement}
        columns={statementColumns(names)}
        keyOf={({ transferId }) => transferId}
        empty={<Empty title={text.noStatement} />}
      />
    </Stack>
  );
}

const incomeColumns = (names: Names, choose: (row: Income) => void): readonly Column<Income>[] => [
  column.of(text.account, (row) => ownerText(row, names)),
  column.amount(text.balance, ({ balance, asset }) => ({ value: balance, asset }), 'sm'),
  column.amount(text.withdrawable, ({ withdrawable, asset }) => ({ value: withdrawable, asset })),
  column.figure(text.action, (row) => (
    <PlainButton
      size="compact-xs"
      disabled={row.withdrawable === '0'}
      aria-label={text.withdrawName(ownerText(row, names), row.asset)}
      onClick={() => choose(row)}
    >
      {text.withdraw}
    </PlainButton>
  )),
];

const statementColumns = (names: Names): readonly Column<VenueTransfer>[] => [
  column.of(text.time, ({ time }) => <When at={time} />),
  column.of(text.account, (row) => ownerText(row, names)),
  column.amount(text.amount, ({ amount, asset }) => ({ value: amount, asset })),
  column.of(forms.fields.reference[0], ({ reference }) => reference, 'sm'),
];

interface WithdrawProps {
  readonly income: Income;
  readonly names: Names;
}

function Withdraw({ income, names }: WithdrawProps) {
  const { account, planId, enterpriseId, asset, withdrawable } = income;
  const { book, booking } = useBooking((body: TransferValues) =>
    operator.withdrawIncome({
      ...body,
      account,
      asset,
      ...(planId === null ? {} : { planId }),
      ...(enterpriseId === null ? {} : { enterpriseId }),
    }),
  );
  const request = useCreateForm({
    initial: EMPTY_TRANSFER,
    layout: () => transferLayout(asset),
    send: book,
    refreshes: [
      feedKey('income'),
      feedKey('venueStatement'),
      feedKey('trialBalance'),
      feedKey('plans'),
    ],
    onDone: (_, form) => form.reset(),
  });
  const owner = ownerText(income, names);
  const inAsset = (amount: string) => `${grouped(amount)} ${asset}`;
  return (
    <Panel title={text.withdrawFrom(owner)}>
      <Dim mb="md">
        {text.canWithdraw(inAsset(withdrawable))} {claimText(income)}
      </Dim>
      <RequestFields
        request={request}
        submit={text.withdraw}
        question={({ amount, reference }) => ({
          title: text.withdrawQuestion(inAsset(amount), owner),
          consequences: [
            text.leavesBooks(inAsset(amount)),
            forms.permanentReference(reference),
            forms.sendMoneyYourself,
          ],
          confirm: text.withdrawConfirm,
          danger: true,
        })}
      >
        <BookingNote booking={booking} what={({ amount }) => inAsset(amount)} />
      </RequestFields>
    </Panel>
  );
}
