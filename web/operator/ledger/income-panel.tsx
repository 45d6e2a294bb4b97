// Fees, margins and reserves: what there is, withdrawing it, and what was funded and withdrawn.
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { Amount, When } from '../../components/figures.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../../components/states.tsx';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { fieldOf, textFieldOf, useForm } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { claimWords, type Names, ownerWords, toWithdrawal } from './income.ts';
import { isRepeat } from './transfer.ts';

/** What is shown of the statement. */
const SHOWN = 50;

const keyOf = ({ account, planId, enterpriseId, asset }: operator.Income): string =>
  [account, planId, enterpriseId, asset].join('/');

/** Names of plans and enterprises, as far as they are known. */
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
  const statement = useLive(feeds.venueStatement(SHOWN));
  const names = useNames();
  const [chosen, setChosen] = useState<string | null>(null);
  const columns = incomeColumns(names, (row) => setChosen(keyOf(row)));
  const row = income.data?.items.find((one) => keyOf(one) === chosen);
  return (
    <Stack gap="lg">
      <Panel title="Income and reserves" flush actions={<AsOf live={[income, statement]} />}>
        <Loaded
          live={income}
          isEmpty={({ items }) => items.length === 0}
          empty={<Empty title="No fees, margins or reserves yet" />}
        >
          {({ items }) => (
            <DataTable label="Income and reserves" rows={items} columns={columns} keyOf={keyOf} />
          )}
        </Loaded>
      </Panel>
      {row === undefined ? null : <Withdraw key={chosen} income={row} names={names} />}
      <Panel title="Funded and withdrawn" flush>
        <Loaded
          live={statement}
          isEmpty={({ items }) => items.length === 0}
          empty={<Empty title="Nothing was funded or withdrawn yet" />}
        >
          {({ items }) => (
            <DataTable
              label="Funded and withdrawn"
              rows={items}
              columns={statementColumns(names)}
              keyOf={({ transferId }) => transferId}
            />
          )}
        </Loaded>
      </Panel>
    </Stack>
  );
}

const incomeColumns = (
  names: Names,
  choose: (row: operator.Income) => void,
): readonly Column<operator.Income>[] => [
  { title: 'Account', render: (row) => ownerWords(row, names) },
  {
    title: 'Balance',
    align: 'right',
    from: 'sm',
    render: ({ balance, asset }) => <Amount value={balance} asset={asset} />,
  },
  {
    title: 'Can be withdrawn',
    align: 'right',
    render: ({ withdrawable, asset }) => <Amount value={withdrawable} asset={asset} />,
  },
  {
    title: '',
    align: 'right',
    render: (row) => (
      <Button
        size="compact-xs"
        variant="default"
        disabled={row.withdrawable === '0'}
        aria-label={`Withdraw: ${ownerWords(row, names)}, ${row.asset}`}
        onClick={() => choose(row)}
      >
        Withdraw…
      </Button>
    ),
  },
];

const statementColumns = (names: Names): readonly Column<operator.VenueTransfer>[] => [
  { title: 'When (local time)', render: ({ time }) => <When at={time} /> },
  { title: 'Account', render: (row) => ownerWords(row, names) },
  {
    title: 'Amount',
    align: 'right',
    render: ({ amount, asset }) => <Amount value={amount} asset={asset} />,
  },
  { title: 'Reference', from: 'sm', render: ({ reference }) => reference },
];

interface Outcome extends operator.Booked {
  readonly repeat: boolean;
  readonly body: operator.Withdrawal;
}

async function withdraw(body: operator.Withdrawal): Promise<Outcome> {
  const { seq } = await operator.ready();
  const booked = await operator.withdrawIncome(body);
  return { ...booked, repeat: isRepeat(seq, booked), body };
}

interface WithdrawProps {
  readonly income: operator.Income;
  readonly names: Names;
}

function Withdraw({ income, names }: WithdrawProps) {
  const { asset, withdrawable } = income;
  const assets = useLive(feeds.assets).data ?? [];
  const form = useForm({ amount: '', reference: '' });
  const checked = toWithdrawal(form.values, income, assets);
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const booking = useAction(withdraw, {
    refreshes: [keys.income, keys.venueStatement, keys.trialBalance, keys.plans],
    onDone: (done) => {
      setOutcome(done);
      setAsking(false);
      form.reset();
    },
  });
  const claimed = claimWords(income);
  const whose = ownerWords(income, names);
  return (
    <Panel title={`Withdraw: ${whose}`}>
      <FormFrame
        onSubmit={() => {
          form.tryIt();
          setOutcome(null);
          if (checked.ok) setAsking(true);
        }}
      >
        <Text size="sm" className="dim">
          {grouped(withdrawable)} {asset} can be withdrawn. {claimed}
        </Text>
        <div className={parts.fields}>
          <DecimalInput label="Amount" unit={asset} {...fieldOf(form, 'amount', checked)} />
          <TextInput
            label="Reference"
            description="Names this transfer for ever; sent again, it moves nothing."
            autoComplete="off"
            {...textFieldOf(form, 'reference', checked)}
          />
        </div>
        {outcome === null ? null : <OutcomeNote outcome={outcome} />}
        <Group>
          <Button type="submit">Withdraw…</Button>
        </Group>
      </FormFrame>
      <Confirm
        opened={asking}
        title={`Withdraw from: ${whose}`}
        consequences={
          checked.ok
            ? [
                `${grouped(checked.body.amount)} ${asset} leaves the books.`,
                `The transfer is named ${checked.body.reference} for ever.`,
                'The money itself has to be sent by you: this only books that it leaves.',
              ]
            : []
        }
        confirm="Withdraw"
        danger
        pending={booking.pending}
        error={booking.error}
        onConfirm={() => checked.ok && booking.run(checked.body)}
        onClose={() => setAsking(false)}
      />
      <RefusalNote error={asking ? null : booking.error} />
    </Panel>
  );
}

function OutcomeNote({ outcome }: { readonly outcome: Outcome }) {
  const { repeat, transferId, seq, body } = outcome;
  const what = `${grouped(body.amount)} ${body.asset}`;
  return (
    <Alert color={repeat ? 'yellow' : 'teal'} variant="light" p="xs" role="status">
      <Text size="sm" className="breakable">
        {repeat
          ? `This reference was booked before, as transfer ${grouped(transferId)} (${what}). Nothing has moved now.`
          : `Withdrawn: ${what}, as transfer ${grouped(transferId)}, command ${grouped(seq)} of the journal, reference ${body.reference}.`}
      </Text>
    </Alert>
  );
}
