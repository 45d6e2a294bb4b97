// The journal's head, and a snapshot on demand.
import { Button, Group, Stack, Text } from '@mantine/core';
import { snapshot } from '../../api/operator.ts';
import { useAction } from '../../components/action.ts';
import { Panel } from '../../components/panel.tsx';
import { Loaded, RefusalNote } from '../../components/states.tsx';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds, keys } from '../feeds.ts';
import { duration, megabytes, samplesOf } from '../overview/health.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Facts } from '../parts/facts.tsx';
import { HeadFacts } from './head-facts.tsx';

export function Journal() {
  const head = useLive(feeds.journalHead);
  return (
    <>
      <Panel title="Head of the journal" actions={<AsOf live={[head]} />}>
        <Loaded live={head}>{(data) => <HeadFacts head={data} />}</Loaded>
      </Panel>
      <Pace />
      <Snapshot />
    </>
  );
}

function Pace() {
  const metrics = useLive(feeds.metrics);
  return (
    <Panel title="Pace">
      <Loaded live={metrics}>
        {(text) => {
          const samples = samplesOf(text);
          const of = (name: string) => samples.get(name) ?? '0';
          return (
            <Facts
              facts={[
                ['Commands', grouped(of('agio_journal_seq'))],
                ['Syncs to disk since the start', grouped(of('agio_journal_syncs_total'))],
                ['Commands that wait', grouped(of('agio_queue_length'))],
                ['History is behind by', `${grouped(of('agio_follower_lag'))} commands`],
                ['Open orders', grouped(of('agio_open_orders'))],
                ['Runs since', duration(Number(of('agio_uptime_seconds')))],
                ['Memory', megabytes(of('agio_resident_bytes'))],
              ]}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Snapshot() {
  const take = useAction(snapshot, {
    done: ({ seq }) => `A snapshot of the state after command ${grouped(seq)} is on disk.`,
    refreshes: [keys.journalHead],
  });
  return (
    <Panel title="Snapshot">
      <Stack gap="sm">
        <Text size="sm" maw="70ch">
          A snapshot is the whole state at one command; a start reads the newest one and replays
          what follows. They are taken by themselves. Take one before a planned restart to make it
          quicker. Trading goes on meanwhile.
        </Text>
        <RefusalNote error={take.error} />
        <Group>
          <Button variant="default" loading={take.pending} onClick={() => take.run()}>
            Take a snapshot now
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}
