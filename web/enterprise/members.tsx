// All subscriptions of the enterprise's members, newest first.
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { MemberSubscription, PlanType } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Amount, Day } from '../components/figures.tsx';
import { Pages } from '../components/pages.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { ToneBadge } from '../earn/status-badge.tsx';
import { TYPE_OPTIONS, typeWord } from '../earn/words.ts';
import { useLive } from '../live/live.ts';
import { CoinChoice } from './coin-choice.tsx';
import styles from './enterprise.module.css';
import { enterpriseFeeds, PAGE_SIZE } from './feeds.ts';
import { STATUS_WORDS } from './words.ts';

export function Members() {
  const [coin, setCoin] = useState<string | undefined>(undefined);
  const [planType, setType] = useState<PlanType | undefined>(undefined);
  const [page, setPage] = useState(1);
  const plans = useLive(enterpriseFeeds.plans);
  const live = useLive(
    enterpriseFeeds.members({
      ...(planType === undefined ? {} : { planType }),
      ...(coin === undefined ? {} : { symbol: coin }),
      pageNum: page,
      pageSize: PAGE_SIZE,
    }),
  );
  const names = new Map(plans.data?.map(({ planId, planName }) => [planId, planName]));
  const isFiltered = coin !== undefined || planType !== undefined;
  return (
    <Panel
      title="Members’ subscriptions"
      flush
      actions={
        <div className={styles.chooser}>
          <SegmentedControl
            size="xs"
            aria-label="Plan type"
            value={String(planType ?? 'all')}
            onChange={(type) => {
              setType(type === 'all' ? undefined : (Number(type) as PlanType));
              setPage(1);
            }}
            data={[{ value: 'all', label: 'All' }, ...TYPE_OPTIONS]}
          />
          <CoinChoice
            value={coin}
            onChange={(chosen) => {
              setCoin(chosen);
              setPage(1);
            }}
          />
        </div>
      }
    >
      <Loaded
        live={live}
        isEmpty={({ items }) => items.length === 0}
        empty={
          isFiltered ? (
            <Empty title="No matching subscriptions" />
          ) : (
            <Empty title="No member subscriptions yet">
              Your members’ subscriptions appear here, with your margin.
            </Empty>
          )
        }
      >
        {({ items, totalPage, totalNum }) => (
          <>
            <DataTable
              label="Members’ subscriptions"
              rows={items}
              columns={columns(names)}
              keyOf={({ subscriptionId }) => subscriptionId}
            />
            <Pages page={page} total={totalPage} count={totalNum} onChange={setPage} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

type Row = MemberSubscription;

/** An enterprise sees the ids of its members, not their email addresses. */
const MemberName = ({ uid }: Pick<Row, 'uid'>) => (
  <span className="figures nowrap">
    <span className="dim">User</span> {uid}
  </span>
);

const columns = (names: ReadonlyMap<string, string>): readonly Column<Row>[] => [
  { title: 'Member', from: 'sm', render: ({ uid }) => <MemberName uid={uid} /> },
  { title: 'ID', from: 'md', render: ({ subscriptionId }) => subscriptionId },
  {
    title: 'Plan',
    render: ({ planId, planType, uid }) => (
      <div className={styles.plan}>
        <span>{names.get(planId) ?? `Plan ${planId}`}</span>
        <span className="dim">{typeWord(planType)}</span>
        <span className={styles.narrow}>
          <MemberName uid={uid} />
        </span>
      </div>
    ),
  },
  {
    title: 'Principal',
    align: 'right',
    render: ({ principal, asset, marginAllocation }) => (
      <>
        <Amount value={principal} asset={asset} />
        <div className={styles.narrow}>
          <Amount value={marginAllocation} signed /> <span className="dim">your margin</span>
        </div>
      </>
    ),
  },
  {
    title: 'Member earned',
    align: 'right',
    from: 'sm',
    render: ({ earnings }) => <Amount value={earnings} />,
  },
  {
    title: 'Your margin',
    align: 'right',
    from: 'sm',
    render: ({ marginAllocation }) => <Amount value={marginAllocation} signed />,
  },
  { title: 'First interest day', from: 'lg', render: ({ startTime }) => <Day at={startTime} /> },
  { title: 'Ends', from: 'md', render: ({ maturityTime }) => <Day at={maturityTime} /> },
  {
    title: 'At the end',
    align: 'right',
    from: 'lg',
    // A subscription without an end has no amount at its end.
    render: ({ maturityAmount, maturityTime }) => (
      <Amount value={maturityTime === null ? null : maturityAmount} />
    ),
  },
  {
    title: 'Status',
    from: 'sm',
    render: ({ redemptionStatus }) => <ToneBadge {...STATUS_WORDS[redemptionStatus]} />,
  },
];
