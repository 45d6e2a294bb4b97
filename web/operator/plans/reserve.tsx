// The reserve of one plan: how long it lasts, and putting money in.
import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as operator from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { DecimalInput } from '../../components/decimal-input.tsx';
import { Amount } from '../../components/figures.tsx';
import { Panel } from '../../components/panel.tsx';
import { RefusalNote } from '../../components/states.tsx';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { isRepeat } from '../ledger/transfer.ts';
import { amountOf, Reading, referenceOf } from '../parts/check.ts';
import { Facts, Mark } from '../parts/facts.tsx';
import { fieldOf, textFieldOf, useForm } from '../parts/form.ts';
import { FormFrame } from '../parts/form-frame.tsx';
import parts from '../parts/parts.module.css';
import { Cover } from './plans.tsx';
import { daysWith, lasting, reserveSentence, toFund } from './reserve-words.ts';

interface PlanProps {
  readonly plan: operator.Plan;
}

export function Reserve({ plan }: PlanProps) {
  const { coin, reserve } = plan;
  const { alarm, overdue } = reserve;
  const figure = (value: string) => <Amount value={value} asset={coin} />;
  return (
    <Panel
      title="Reserve"
      actions={
        alarm ? (
          <Mark tone={overdue ? 'bad' : 'warn'}>Fund it</Mark>
        ) : (
          <Mark tone="good">Enough</Mark>
        )
      }
    >
      <Stack gap="lg">
        <Text size="sm" maw="80ch">
          {reserveSentence(plan)}
        </Text>
        <Facts
          facts={[
            ['In the reserve', figure(reserve.balance)],
            ['Earned, not paid yet', figure(reserve.payable)],
            ['A day of interest costs', figure(reserve.dailyCost)],
            ['A year of interest costs', figure(reserve.yearlyCost)],
            ['Lasts for', <Cover key="cover" reserve={reserve} />],
          ]}
        />
        <Fund plan={plan} />
      </Stack>
    </Panel>
  );
}

interface Outcome extends operator.Booked {
  readonly repeat: boolean;
}

async function fund(
  planId: string,
  body: Pick<operator.Transfer, 'amount' | 'reference'>,
): Promise<Outcome> {
  const { seq } = await operator.ready();
  const booked = await operator.fundReserve(planId, body);
  return { ...booked, repeat: isRepeat(seq, booked) };
}

const COVERS = [30, 90, 365] as const;

function Fund({ plan }: PlanProps) {
  const { planId, coin, reserve } = plan;
  const scale = useLive(feeds.assets).data?.find(({ asset }) => asset === coin)?.scale;
  const form = useForm({ amount: '', reference: '' });
  const reading = new Reading<'amount' | 'reference'>();
  const rule = { decimals: scale === undefined ? undefined : Number(scale), asset: coin };
  const amount = reading.take('amount', amountOf(form.values.amount, rule));
  const reference = reading.take('reference', referenceOf(form.values.reference));
  const checked = reading.finish({ amount, reference });
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const action = useAction(fund, {
    refreshes: [keys.plans, keys.trialBalance],
    onDone: (done) => {
      setOutcome(done);
      form.reset();
    },
  });
  const submit = () => {
    form.tryIt();
    setOutcome(null);
    if (checked.ok) action.run(planId, checked.body);
  };
  const after = reading.isFine('amount') ? daysWith(reserve, amount) : null;
  return (
    <FormFrame onSubmit={submit}>
      <div className={parts.fields}>
        <DecimalInput
          label="Put into the reserve"
          description="Money of the exchange, from outside."
          unit={coin}
          {...fieldOf(form, 'amount', checked)}
        />
        <TextInput
          label="Reference"
          description="Names this transfer for ever; sent again, it moves nothing."
          autoComplete="off"
          {...textFieldOf(form, 'reference', checked)}
        />
      </div>
      {scale === undefined ? null : (
        <Suggestions
          reserve={reserve}
          decimals={Number(scale)}
          coin={coin}
          onChoose={(chosen) => form.set('amount', chosen)}
        />
      )}
      {!reading.isFine('amount') ? null : (
        <Text size="sm">
          Afterwards the reserve has {grouped(d.add(reserve.balance, amount))} {coin}
          {after === null ? '.' : `, and lasts for ${lasting(after)}.`}
        </Text>
      )}
      <RefusalNote error={action.error} onUse={(nearest) => form.set('amount', nearest)} />
      {outcome === null ? null : (
        <Alert color={outcome.repeat ? 'yellow' : 'teal'} variant="light" p="xs" role="status">
          {outcome.repeat
            ? `This reference was booked before, as transfer ${grouped(outcome.transferId)}. Nothing has moved now.`
            : `Booked as transfer ${grouped(outcome.transferId)}, command ${grouped(outcome.seq)} of the journal.`}
        </Alert>
      )}
      <Group>
        <Button type="submit" loading={action.pending}>
          Fund the reserve
        </Button>
      </Group>
    </FormFrame>
  );
}

interface SuggestionsProps {
  readonly reserve: operator.PlanReserve;
  readonly decimals: number;
  readonly coin: string;
  readonly onChoose: (amount: string) => void;
}

/** What it takes for the reserve to last for a month, a quarter, a year. */
function Suggestions({ reserve, decimals, coin, onChoose }: SuggestionsProps) {
  const offers = COVERS.map((days) => [days, toFund(reserve, days, decimals)] as const).filter(
    ([, amount]) => !d.isZero(amount),
  );
  if (offers.length === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm" className="dim">
        To last for
      </Text>
      {offers.map(([days, amount]) => (
        <Anchor
          key={days}
          component="button"
          type="button"
          size="sm"
          onClick={() => onChoose(amount)}
        >
          {days} days: {grouped(amount)} {coin}
        </Anchor>
      ))}
    </Group>
  );
}
