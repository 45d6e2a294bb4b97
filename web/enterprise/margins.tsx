// The plans with the enterprise's margins.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Margin } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Rate } from '../components/figures.tsx';
import { Pages } from '../components/pages.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { days, typeWord } from '../earn/words.ts';
import { isZero } from '../exact/decimal.ts';
import { useLive } from '../live/live.ts';
import { CoinChoice } from './coin-choice.tsx';
import styles from './enterprise.module.css';
import { enterpriseFeeds } from './feeds.ts';
import { effectOf } from './margin.ts';
import { MarginDialog } from './margin-dialog.tsx';
import { TYPE_OF } from './words.ts';

export function Margins() {
  const [coin, setCoin] = useState<string | undefined>(undefined);
  const [page, setPage] = useState(1);
  const [edited, setEdited] = useState<Margin | null>(null);
  const live = useLive(enterpriseFeeds.margins(coin, page));
  const plans = useLive(enterpriseFeeds.plans);
  const openPlan = (planId: string) => plans.data?.find((plan) => plan.planId === planId);
  const nameOf = ({ planId }: Margin) => openPlan(planId)?.planName ?? `Plan ${planId}`;
  return (
    <>
      <Panel
        title="Plans and margins"
        flush
        actions={
          <CoinChoice
            value={coin}
            onChange={(chosen) => {
              setCoin(chosen);
              setPage(1);
            }}
          />
        }
      >
        <Loaded
          live={live}
          isEmpty={({ items }) => items.length === 0}
          empty={<Empty title="No plans for this coin" />}
        >
          {({ items, totalPage, totalNum }) => (
            <>
              <DataTable
                label="Plans and margins"
                rows={items}
                columns={columns(nameOf, setEdited)}
                keyOf={({ planId }) => planId}
              />
              <Pages page={page} total={totalPage} count={totalNum} onChange={setPage} />
            </>
          )}
        </Loaded>
      </Panel>
      <p className={`dim ${styles.note}`}>
        A margin applies to new subscriptions and new terms. Running terms and existing flexible
        subscriptions keep theirs. Your enterprise receives its margin with each interest payment of
        a member.
      </p>
      {edited === null ? null : (
        <MarginDialog
          key={edited.planId}
          plan={edited}
          name={nameOf(edited)}
          highest={openPlan(edited.planId)?.maxApr ?? null}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

const columns = (
  nameOf: (plan: Margin) => string,
  edit: (plan: Margin) => void,
): readonly Column<Margin>[] => [
  {
    title: 'Plan',
    render: (plan) => (
      <div className={styles.plan}>
        <span>{nameOf(plan)}</span>
        <span className="dim">
          {typeWord(TYPE_OF[plan.planType])} · {plan.asset}
        </span>
      </div>
    ),
  },
  {
    title: 'Term',
    from: 'sm',
    render: ({ planType, planDuration }) =>
      planType === 'FLEXIBLE' ? (
        <span className="dim">none</span>
      ) : (
        `${planType === 'CUSTOMIZED' ? 'from ' : ''}${days(planDuration)}`
      ),
  },
  { title: 'Plan pays', align: 'right', from: 'sm', render: ({ apy }) => <Rate rate={apy} /> },
  {
    title: 'Your margin',
    align: 'right',
    render: ({ enterpriseMargin }) =>
      isZero(enterpriseMargin) ? (
        <span className="dim">nothing</span>
      ) : (
        <Rate rate={enterpriseMargin} />
      ),
  },
  {
    title: 'Members earn',
    align: 'right',
    from: 'sm',
    render: ({ apy, enterpriseMargin }) => (
      <Rate rate={effectOf(apy, enterpriseMargin, enterpriseMargin, '0').before} />
    ),
  },
  {
    title: 'Change',
    align: 'right',
    render: (plan) => (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => edit(plan)}
        aria-label={`Change the margin of ${nameOf(plan)}`}
      >
        Change
      </Button>
    ),
  },
];
