// The rate limits in force, and what each has refused.
import { Stack, Text } from '@mantine/core';
import type { Limit } from '../../api/operator.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { Loaded } from '../../components/states.tsx';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Mark } from '../parts/facts.tsx';

const MEANINGS: Readonly<Record<string, string>> = {
  public: 'public calls and the user centre',
  private: 'private reads',
  order: 'private writes: orders, cancels, earn',
  user: 'private reads, all keys and sessions of a user together',
  'user-order': 'private writes, all keys and sessions of a user together',
  account: 'changes in the user center',
  'failed-auth': 'failed signatures of one key',
  'failed-address': 'failed signatures of all keys together',
};

const columns: readonly Column<Limit>[] = [
  { title: 'Limit', render: ({ name }) => <span className="nowrap">{name}</span> },
  { title: 'For', render: ({ name }) => MEANINGS[name] ?? '', from: 'md' },
  { title: 'Counted by', render: ({ countedBy }) => countedBy, from: 'sm' },
  {
    title: 'Sustained',
    align: 'right',
    render: ({ quota, windowSeconds }) => (
      <span className="nowrap">
        {quota === null ? '–' : `${grouped(quota)} in ${windowSeconds} s`}
      </span>
    ),
  },
  {
    title: 'At once',
    align: 'right',
    render: ({ burst }) => (burst === null ? '–' : grouped(burst)),
  },
  {
    title: 'State',
    render: ({ status }) => (
      <Mark tone={status === 'on' ? 'good' : 'warn'}>{status === 'on' ? 'On' : 'Off'}</Mark>
    ),
  },
  { title: 'Refused', align: 'right', render: ({ refused }) => grouped(refused) },
];

export function Limits() {
  const limits = useLive(feeds.rateLimits);
  return (
    <Panel title="Rate limits" flush actions={<AsOf live={[limits]} />}>
      <Loaded live={limits}>
        {({ items }) => (
          <>
            <DataTable
              label="Rate limits"
              rows={items}
              columns={columns}
              keyOf={({ name }) => name}
            />
            <Stack p="sm" gap={4}>
              <Text size="xs" className="dim">
                Refused counts requests since the start. Limits are settings of the server
                (--rate-limits) and change with a restart.
              </Text>
            </Stack>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
