// Plans: the list with what is subscribed and how long reserves last, a new one, and one of them.
import { Badge, Button, Group, Progress, Stack } from '@mantine/core';
import { IconPigMoney } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import type { Plan } from '../../api/operator.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Amount } from '../../components/figures.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { typeWord } from '../../earn/words.ts';
import { useLive } from '../../live/live.ts';
import { NotFound } from '../../shell/notices.tsx';
import type { AreaProps } from '../areas.ts';
import { feeds } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Cut, Mark } from '../parts/facts.tsx';
import { CreatePlan } from './create-plan.tsx';
import { PlanPage } from './plan-page.tsx';
import { rateWords, termWords } from './plan-words.ts';
import styles from './plans.module.css';
import { coverWords, filledPercent } from './reserve-words.ts';

export function Plans({ rest }: AreaProps) {
  if (rest === '') return <PlanList />;
  if (rest === 'new') return <CreatePlan />;
  return /^[1-9]\d{0,8}$/.test(rest) ? <PlanPage planId={rest} /> : <NotFound />;
}

const columns: readonly Column<Plan>[] = [
  { title: 'No', align: 'right', from: 'md', render: ({ planId }) => planId },
  {
    title: 'Plan',
    render: ({ planId, planName, label }) => (
      <Group gap={6} wrap="nowrap">
        <Link href={`/operator/plans/${planId}`}>
          <Cut text={planName} />
        </Link>
        {label === '' ? null : (
          <Badge size="xs" variant="default" visibleFrom="md">
            {label}
          </Badge>
        )}
      </Group>
    ),
  },
  { title: 'Type', from: 'sm', render: ({ planType }) => typeWord(planType) },
  {
    title: 'Term',
    from: 'md',
    render: (plan) => <span className="nowrap">{termWords(plan)}</span>,
  },
  {
    title: 'Rate',
    align: 'right',
    render: (plan) => <span className="nowrap">{rateWords(plan)}</span>,
  },
  { title: 'Subscribed', align: 'right', from: 'sm', render: (plan) => <Pool plan={plan} /> },
  {
    title: 'Reserve',
    align: 'right',
    from: 'lg',
    render: ({ reserve, coin }) => <Amount value={reserve.balance} asset={coin} />,
  },
  { title: 'Lasts for', render: ({ reserve }) => <Cover reserve={reserve} /> },
  {
    title: 'Status',
    render: ({ status }) => (
      <Mark tone={status === 'open' ? 'good' : 'none'}>
        {status === 'open' ? 'Open' : 'Closed'}
      </Mark>
    ),
  },
];

export function Cover({ reserve }: Pick<Plan, 'reserve'>) {
  const tone = reserve.overdue ? 'bad' : reserve.alarm ? 'warn' : 'good';
  if (reserve.daysOfCover === null && !reserve.alarm) {
    return <span className="dim">{coverWords(reserve)}</span>;
  }
  return <Mark tone={tone}>{coverWords(reserve)}</Mark>;
}

export function Pool({ plan }: { readonly plan: Plan }) {
  const filled = filledPercent(plan);
  return (
    <Stack gap={3} align="flex-end">
      <Amount value={plan.pool} asset={plan.coin} />
      {filled === null ? null : (
        <Progress
          value={filled}
          className={styles.filled}
          size="xs"
          aria-label={`${Math.floor(filled)} % of the capacity is subscribed`}
        />
      )}
    </Stack>
  );
}

function PlanList() {
  const [, navigate] = useLocation();
  const plans = useLive(feeds.plans);
  return (
    <PageFrame
      title="Plans"
      lead="What savers are offered. Interest is paid from a plan’s reserve, and from nowhere else."
      actions={
        <Group gap="sm">
          <AsOf live={[plans]} />
          <Button component={Link} href="/operator/plans/new">
            New plan
          </Button>
        </Group>
      }
    >
      <Panel flush>
        <Loaded
          live={plans}
          rows={8}
          isEmpty={(all) => all.length === 0}
          empty={
            <Empty icon={<IconPigMoney size={26} stroke={1.5} />} title="No plans yet">
              Make one that is closed, fund its reserve, then open it.
            </Empty>
          }
        >
          {(all) => (
            <DataTable
              label="Plans"
              rows={all}
              columns={columns}
              keyOf={({ planId }) => planId}
              onRow={({ planId }) => navigate(`/operator/plans/${planId}`)}
            />
          )}
        </Loaded>
      </Panel>
    </PageFrame>
  );
}
