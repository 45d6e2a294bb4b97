// The reserve of one plan: how long it lasts, and funding it; and a plan's figures in lists.
import { Group, Progress, Stack, Text } from '@mantine/core';
import type { OfferedPlan, OperatorFundReserveRequest } from '../../../src/sdk/index.ts';
import { Amount } from '../../components/figures.tsx';
import { Panel } from '../../components/layout.tsx';
import { Dim, TextButton } from '../../components/texts.tsx';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { BookingNote, EMPTY_TRANSFER, transferLayout, useBooking } from '../parts/booking.tsx';
import { Facts, Mark } from '../parts/marks.tsx';
import { RequestFields, useCreateForm } from '../parts/request-form.tsx';
import styles from './plans.module.css';
import {
  coverText,
  daysWith,
  filledPercent,
  lasting,
  reserveSentence,
  toFund,
} from './reserve-cover.ts';

export function Cover({ reserve }: Pick<OfferedPlan, 'reserve'>) {
  if (reserve.daysOfCover === null && !reserve.alarm) {
    return <span className="dim">{coverText(reserve)}</span>;
  }
  const tone = reserve.overdue ? 'bad' : reserve.alarm ? 'warn' : 'good';
  return <Mark tone={tone}>{coverText(reserve)}</Mark>;
}

/** The subscribed amount, with a bar if the capacity is limited. */
export function Pool({ plan }: { readonly plan: OfferedPlan }) {
  const filled = filledPercent(plan);
  return (
    <Stack gap={3} align="flex-end">
      <Amount value={plan.pool} asset={plan.coin} />
      {filled === null ? null : (
        <Progress
          value={filled}
          className={styles.filled}
          size="xs"
          aria-label={text.filled(Math.floor(filled))}
        />
      )}
    </Stack>
  );
}

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

const COVERS = [30, 90, 365] as const;

function Fund({ plan }: PlanProps) {
  const { planId, coin, reserve } = plan;
  const decimals = useLive(feeds.assets).data?.find(({ asset }) => asset === coin)?.scale;
  const { book, booking } = useBooking((body: OperatorFundReserveRequest) =>
    operator.fundReserve(planId, body),
  );
  const request = useCreateForm({
    initial: EMPTY_TRANSFER,
    layout: () => transferLayout(coin, text.fundAmount),
    send: book,
    refreshes: [feedKey('plans'), feedKey('trialBalance')],
    onDone: (_, filled) => filled.reset(),
  });
  const { form } = request;
  const amount = d.fromInput(form.values.amount);
  const days = amount === null ? null : daysWith(reserve, amount);
  const inCoin = (value: string) => `${grouped(value)} ${coin}`;
  return (
    <RequestFields request={request} submit={text.fund}>
      <Suggestions
        plan={plan}
        decimals={decimals}
        onChoose={(missing) => form.setFieldValue('amount', missing)}
      />
      {amount === null ? null : (
        <Text size="sm">
          {text.afterwards(
            inCoin(d.add(reserve.balance, amount)),
            days === null ? null : lasting(days),
          )}
        </Text>
      )}
      <BookingNote booking={booking} what={(body) => inCoin(String(body.amount))} />
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
      <Dim>{text.suggestions}</Dim>
      {missing.map(([days, amount]) => (
        <TextButton key={days} onClick={() => onChoose(amount)}>
          {text.suggestion(days, `${grouped(amount)} ${coin}`)}
        </TextButton>
      ))}
    </Group>
  );
}
