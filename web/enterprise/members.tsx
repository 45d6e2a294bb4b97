// All subscriptions of the enterprise's members, newest first.
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { MemberSubscription, PlanType } from '../../src/sdk/index.ts';
import { type Column, column, PagedPanel } from '../components/data-table.tsx';
import { Amount, Day } from '../components/figures.tsx';
import { Empty } from '../components/layout.tsx';
import { ToneBadge } from '../earn/parts.tsx';
import { TYPE_OPTIONS, typeWord } from '../earn/words.ts';
import { useLive } from '../live/live.ts';
import { enterprise as text } from '../messages/enterprise.ts';
import { CoinChoice } from './coin-choice.tsx';
import styles from './enterprise.module.css';
import { enterpriseFeeds, PAGE_SIZE } from './feeds.ts';

export function Members() {
  const [coin, setCoin] = useState<string | undefined>(undefined);
  const [planType, setType] = useState<PlanType | undefined>(undefined);
  const plans = useLive(enterpriseFeeds.plans);
  const query = {
    ...(planType === undefined ? {} : { planType }),
    ...(coin === undefined ? {} : { symbol: coin }),
    pageSize: PAGE_SIZE,
  };
  const names = new Map(plans.data?.map(({ planId, planName }) => [planId, planName]));
  const isFiltered = coin !== undefined || planType !== undefined;
  return (
    <PagedPanel
      title={text.subscriptions}
      feed={(pageNum) => enterpriseFeeds.members({ ...query, pageNum })}
      filter={JSON.stringify(query)}
      counts
      columns={columns(names)}
      keyOf={({ subscriptionId }) => subscriptionId}
      empty={
        isFiltered ? (
          <Empty title={text.noMatch} />
        ) : (
          <Empty title={text.noSubscriptions} hint={text.noSubscriptionsHint} />
        )
      }
      actions={
        <div className={styles.chooser}>
          <SegmentedControl
            size="xs"
            aria-label={text.planType}
            value={String(planType ?? 'all')}
            onChange={(type) => setType(type === 'all' ? undefined : (Number(type) as PlanType))}
            data={[{ value: 'all', label: text.all }, ...TYPE_OPTIONS]}
          />
          <CoinChoice value={coin} onChange={setCoin} />
        </div>
      }
    />
  );
}

const TONES = { ACTIVE: 'good', REDEEMING: 'waiting', REDEEMED: 'over' } as const;

type Row = MemberSubscription;

/** An enterprise sees the ids of its members, not their email addresses. */
const MemberName = ({ uid }: Pick<Row, 'uid'>) => (
  <span className="figures nowrap">
    <span className="dim">{text.user}</span> {uid}
  </span>
);

const columns = (names: ReadonlyMap<string, string>): readonly Column<Row>[] => [
  column.of(text.member, ({ uid }) => <MemberName uid={uid} />, 'sm'),
  column.of(text.id, ({ subscriptionId }) => subscriptionId, 'md'),
  column.of(text.plan, ({ planId, planType, uid }) => (
    <div className={styles.plan}>
      <span className="clamped">{names.get(planId) ?? text.planName(planId)}</span>
      <span className="dim">{typeWord(planType)}</span>
      <span className={styles.narrow}>
        <MemberName uid={uid} />
      </span>
    </div>
  )),
  column.figure(text.principal, ({ principal, asset, marginAllocation }) => (
    <>
      <Amount value={principal} asset={asset} />
      <div className={styles.narrow}>
        <Amount value={marginAllocation} signed /> <span className="dim">{text.marginNote}</span>
      </div>
    </>
  )),
  column.amount(text.memberEarned, ({ earnings }) => ({ value: earnings }), 'sm'),
  column.amount(
    text.yourMargin,
    ({ marginAllocation }) => ({ value: marginAllocation, signed: true }),
    'sm',
  ),
  column.of(text.firstDay, ({ startTime }) => <Day at={startTime} />, 'lg'),
  column.of(text.ends, ({ maturityTime }) => <Day at={maturityTime} />, 'md'),
  {
    title: text.atEnd,
    align: 'right',
    from: 'lg',
    // A subscription without an end has no amount at its end.
    render: ({ maturityAmount, maturityTime }) => (
      <Amount value={maturityTime === null ? null : maturityAmount} />
    ),
  },
  column.of(
    text.status,
    ({ redemptionStatus }) => (
      <ToneBadge text={text.statuses[redemptionStatus]} tone={TONES[redemptionStatus]} />
    ),
    'sm',
  ),
];
