// The reserve of one plan: how long it lasts, and funding it.
import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { OfferedPlan } from '../../../src/sdk/index.ts';
import { Amount } from '../../components/figures.tsx';
import { Panel } from '../../components/panel.tsx';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { forms } from '../../messages/operator-forms.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import { feeds, keys, operator } from '../data.ts';
import { BookingNote, useBooking } from '../parts/booking.tsx';
import { Facts, Mark } from '../parts/marks.tsx';
import { amountRule, FormReader, parseAmount, parseReference } from '../parts/parse.ts';
import { RequestFields, useRequestForm } from '../parts/request-form.tsx';
import { Cover } from './plan-parts.tsx';
import { daysWith, lasting, reserveSentence, toFund } from './reserve-cover.ts';

interface PlanProps {
  readonly plan: OfferedPlan;
}

export function Reserve({ plan }: PlanProps) {
  const { coin, reserve } = plan;
  const { alarm, overdue } = reserve;
  const figure = (value: string) => <Amount value={value} asset={coin} />;
  return (
    <Panel
      title={text.reserve}
      actions={
        <Mark tone={!alarm ? 'good' : overdue ? 'bad' : 'warn'}>
          {alarm ? text.fundIt : text.enough}
        </Mark>
      }
    >
      <Stack gap="lg">
        <Text size="sm" maw="80ch">
          {reserveSentence(plan)}
        </Text>
        <Facts
          facts={[
            [text.inReserve, figure(reserve.balance)],
            [text.payable, figure(reserve.payable)],
            [text.dailyCost, figure(reserve.dailyCost)],
            [text.yearlyCost, figure(reserve.yearlyCost)],
            [text.cover, <Cover key="cover" reserve={reserve} />],
          ]}
        />
        <Fund plan={plan} />
      </Stack>
    </Panel>
  );
}

interface Funds {
  readonly amount: string;
  readonly reference: string;
}

const COVERS = [30, 90, 365] as const;

function Fund({ plan }: PlanProps) {
  const { planId, coin, reserve } = plan;
  const assets = useLive(feeds.assets).data ?? [];
  const rule = amountRule(assets, coin);
  const request = useRequestForm({ amount: '', reference: '' }, (values) => {
    const reader = new FormReader<keyof Funds>();
    const amount = reader.read('amount', parseAmount(values.amount, rule));
    return reader.finish({
      amount,
      reference: reader.read('reference', parseReference(values.reference)),
    });
  });
  const { form } = request;
  const { action, booking } = useBooking((body: Funds) => operator.fundReserve(planId, body), {
    refreshes: [keys.plans, keys.trialBalance],
    onDone: () => form.reset(),
  });
  const amount = parseAmount(form.values.amount, rule);
  const days = 'value' in amount ? daysWith(reserve, amount.value) : null;
  const inCoin = (value: string) => `${grouped(value)} ${coin}`;
  const choose = (missing: string) => form.setFieldValue('amount', missing);
  return (
    <RequestFields
      request={request}
      layout={[
        [
          {
            kind: 'decimal',
            name: 'amount',
            label: text.fundAmount,
            description: text.fundAmountUse,
            unit: coin,
          },
          {
            kind: 'text',
            name: 'reference',
            label: forms.reference,
            description: forms.referenceUse,
          },
        ],
      ]}
      action={action}
      submit={text.fund}
    >
      <Suggestions plan={plan} decimals={rule.decimals} onChoose={choose} />
      {'value' in amount ? (
        <Text size="sm">
          {text.afterwards(
            inCoin(d.add(reserve.balance, amount.value)),
            days === null ? null : lasting(days),
          )}
        </Text>
      ) : null}
      <BookingNote booking={booking} what={(body) => inCoin(body.amount)} />
    </RequestFields>
  );
}

interface SuggestionsProps extends PlanProps {
  /** undefined while the coin's scale is unknown. */
  readonly decimals: number | undefined;
  readonly onChoose: (amount: string) => void;
}

/** The amounts that make the reserve last for a month, a quarter, a year. */
function Suggestions({ plan: { coin, reserve }, decimals, onChoose }: SuggestionsProps) {
  const offers =
    decimals === undefined
      ? []
      : COVERS.map((days) => [days, toFund(reserve, days, decimals)] as const);
  const missing = offers.filter(([, amount]) => !d.isZero(amount));
  if (missing.length === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm" className="dim">
        {text.suggestions}
      </Text>
      {missing.map(([days, amount]) => (
        <Anchor
          key={days}
          component="button"
          type="button"
          size="sm"
          onClick={() => onChoose(amount)}
        >
          {text.suggestion(days, `${grouped(amount)} ${coin}`)}
        </Anchor>
      ))}
    </Group>
  );
}
