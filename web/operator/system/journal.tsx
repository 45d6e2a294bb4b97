// The journal: its head, its load, and a snapshot on demand.
import { Group, Stack, Text } from '@mantine/core';
import type { JournalHead } from '../../../src/sdk/index.ts';
import { useAction } from '../../components/action.ts';
import { CopyText } from '../../components/copy-text.tsx';
import { When } from '../../components/figures.tsx';
import { Loaded, Panel, RejectionNote } from '../../components/layout.tsx';
import { Fine, PlainButton } from '../../components/texts.tsx';
import { count, grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { systemText as text } from '../../messages/operator-system.ts';
import { feedKey, feeds, operator } from '../data.ts';
import { duration, megabytes, samplesOf, serverErrorsOf } from '../overview/health.ts';
import { AsOf, Facts } from '../parts/marks.tsx';

export function Journal() {
  const head = useLive(feeds.journalHead);
  return (
    <>
      <ServerErrors />
      <Panel title={text.head} actions={<AsOf live={[head]} />}>
        <Loaded live={head}>{(data) => <HeadFacts head={data} />}</Loaded>
      </Panel>
      <Load />
      <Snapshot />
    </>
  );
}

/** The end of the journal, in a form to note elsewhere. */
export function HeadFacts({ head }: { readonly head: JournalHead }) {
  const { seq, time, chainHash, stateHash } = head;
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          [text.commands, count(seq)],
          [text.businessTime, <When key="time" at={time} />],
          [text.stateHash, <code key="state">{stateHash}</code>],
        ]}
      />
      <CopyText value={`${seq}:${chainHash}`} label={text.headLabel} />
      <Fine>{text.headUse}</Fine>
    </Stack>
  );
}

/** The statuses of failed requests; the log has each failure with its cause. */
function ServerErrors() {
  const { data } = useLive(feeds.metrics);
  const errors = data === undefined ? [] : serverErrorsOf(samplesOf(data));
  if (errors.length === 0) return null;
  return (
    <Panel title={text.serverErrors}>
      <Stack gap="sm">
        <Facts
          facts={errors.map(([status, times]) => [
            text.status(status),
            `${text.requests(times)}: ${text.statusMeanings[status] ?? text.statusOther}`,
          ])}
        />
        <Fine>{text.serverErrorsUse}</Fine>
      </Stack>
    </Panel>
  );
}

function Load() {
  const metrics = useLive(feeds.metrics);
  return (
    <Panel title={text.pace}>
      <Loaded live={metrics}>
        {(data) => {
          const samples = samplesOf(data);
          const sample = (name: string) => samples.get(name) ?? '0';
          return (
            <Facts
              facts={[
                [text.commands, grouped(sample('agio_journal_seq'))],
                [text.syncs, grouped(sample('agio_journal_syncs_total'))],
                [text.queued, grouped(sample('agio_queue_length'))],
                [text.historyLag, text.commandCount(grouped(sample('agio_follower_lag')))],
                [text.openOrders, grouped(sample('agio_open_orders'))],
                [text.uptime, duration(Number(sample('agio_uptime_seconds')))],
                [text.memory, megabytes(sample('agio_resident_bytes'))],
              ]}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Snapshot() {
  const take = useAction(() => operator.snapshot(), {
    done: ({ seq }) => text.snapshotTaken(count(seq)),
    refreshes: [feedKey('journalHead')],
  });
  return (
    <Panel title={text.snapshot}>
      <Stack gap="sm">
        <Text size="sm" maw="70ch">
          {text.snapshotUse}
        </Text>
        <RejectionNote error={take.error} />
        <Group>
          <PlainButton loading={take.pending} onClick={() => take.run()}>
            {text.takeSnapshot}
          </PlainButton>
        </Group>
      </Stack>
    </Panel>
  );
}
