// The rate limits in force, and how many requests each rejected.
import type { RateLimit } from '../../../src/sdk/index.ts';
import { type Column, ListPanel } from '../../components/data-table.tsx';
import { Fine } from '../../components/texts.tsx';
import { count } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { systemText as text } from '../../messages/operator-system.ts';
import { feeds } from '../data.ts';
import { AsOf, Mark } from '../parts/marks.tsx';

const columns: readonly Column<RateLimit>[] = [
  { title: text.limit, render: ({ name }) => <span className="nowrap">{name}</span> },
  { title: text.appliesTo, render: ({ name }) => text.limitMeanings[name] ?? '', from: 'md' },
  { title: text.countedBy, render: ({ countedBy }) => countedBy, from: 'sm' },
  {
    title: text.sustained,
    align: 'right',
    render: ({ quota, windowSeconds }) => (
      <span className="nowrap">
        {quota === null ? '–' : text.quota(count(quota), windowSeconds ?? 0)}
      </span>
    ),
  },
  {
    title: text.burst,
    align: 'right',
    render: ({ burst }) => (burst === null ? '–' : count(burst)),
  },
  {
    title: text.state,
    render: ({ status }) => <Mark tone={status === 'on' ? 'good' : 'warn'}>{text[status]}</Mark>,
  },
  { title: text.rejected, align: 'right', render: ({ refused }) => count(refused) },
];

export function Limits() {
  const limits = useLive(feeds.rateLimits);
  return (
    <ListPanel
      title={text.limits}
      live={limits}
      rows={({ items }) => items}
      columns={columns}
      keyOf={({ name }) => name}
      actions={<AsOf live={[limits]} />}
      footer={() => <Fine p="sm">{text.limitsUse}</Fine>}
    />
  );
}
