// The area System: journal and snapshots, audit log, emails, rate limits, the nodes of a cluster,
// and a sandbox's clock.
import type { ComponentType } from 'react';
import type { RateLimit } from '../../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { PageFrame } from '../../components/layout.tsx';
import { Fine } from '../../components/texts.tsx';
import { count } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { systemText as text } from '../../messages/operator-system.ts';
import { isSandbox } from '../../session/session.ts';
import { NotFound } from '../../shell/notices.tsx';
import { feeds } from '../data.ts';
import { samplesOf } from '../overview/health.ts';
import { AsOf, Mark, SubNav } from '../parts/marks.tsx';
import { Audit } from './audit.tsx';
import { ClockPanel } from './clock.tsx';
import { ClusterPanel } from './cluster.tsx';
import { Journal } from './journal.tsx';
import { Outbox } from './outbox.tsx';

interface Part {
  /** The end of its address. */
  readonly rest: string;
  readonly title: string;
  readonly component: ComponentType;
}

/** The part that a single machine does not have. */
const CLUSTER = 'cluster';

const parts: readonly Part[] = [
  { rest: '', title: text.journal, component: Journal },
  { rest: 'audit', title: text.audit, component: Audit },
  { rest: 'outbox', title: text.outbox, component: Outbox },
  { rest: 'limits', title: text.limits, component: Limits },
  { rest: CLUSTER, title: text.cluster.cluster, component: ClusterPanel },
  ...(isSandbox ? [{ rest: 'clock', title: text.clock, component: ClockPanel }] : []),
];

export function System({ rest }: { readonly rest: string }) {
  const { data: metrics } = useLive(feeds.metrics);
  const isNode = metrics !== undefined && samplesOf(metrics).has('agio_cluster_epoch');
  const items = parts
    .filter((one) => isNode || one.rest !== CLUSTER)
    .map((one) => ({
      path: one.rest === '' ? '/operator/system' : `/operator/system/${one.rest}`,
      title: one.title,
    }));
  const part = parts.find((one) => one.rest === rest);
  if (part === undefined) return <NotFound />;
  return (
    <PageFrame title={text.system}>
      <SubNav label={text.parts} items={items} />
      <part.component />
    </PageFrame>
  );
}

const columns: readonly Column<RateLimit>[] = [
  column.of(text.limit, ({ name }) => <span className="nowrap">{name}</span>),
  column.of(text.appliesTo, ({ name }) => text.limitMeanings[name] ?? '', 'md'),
  column.of(text.countedBy, ({ countedBy }) => countedBy, 'sm'),
  column.figure(text.sustained, ({ quota, windowSeconds }) => (
    <span className="nowrap">
      {quota === null ? '–' : text.quota(count(quota), windowSeconds ?? 0)}
    </span>
  )),
  column.figure(text.burst, ({ burst }) => (burst === null ? '–' : count(burst))),
  column.of(text.state, ({ status }) => (
    <Mark tone={status === 'on' ? 'good' : 'warn'}>{text[status]}</Mark>
  )),
  column.figure(text.rejected, ({ refused }) => count(refused)),
];

function Limits() {
  const limits = useLive(feeds.rateLimits);
  return (
    <ListPanel
      title={text.limits}
      live={limits}
      columns={columns}
      keyOf={({ name }) => name}
      actions={<AsOf live={[limits]} />}
      footer={() => <Fine p="sm">{text.limitsUse}</Fine>}
    />
  );
}
