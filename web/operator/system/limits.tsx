// The rate limits in force, and how many requests each rejected.
import type { RateLimit } from '../../../src/sdk/index.ts';
import { type Column, column, ListPanel } from '../../components/data-table.tsx';
import { Fine } from '../../components/texts.tsx';
import { count } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { systemText as text } from '../../messages/operator-system.ts';
import { feeds } from '../data.ts';
import { AsOf, Mark } from '../parts/marks.tsx';

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
