// The statement: every change of the spot balance, also as a file.

import { Button, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Asset } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { Panel } from '../components/panel.tsx';
import { saveFile } from '../components/save-file.ts';
import { Loading, RefusalNote } from '../components/states.tsx';
import { utcDay } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import type { StatementQuery } from './feeds.ts';
import { StatementPages } from './statement-pages.tsx';
import { WINDOWS, type WindowChoice, type WindowDraft, windowOf } from './statement-window.ts';
import styles from './wallet.module.css';

export function StatementPanel({ assets }: { readonly assets: readonly Asset[] }) {
  const [asset, setAsset] = useState<string | null>(null);
  const [draft, setDraft] = useState<WindowDraft>({ choice: 'week', from: '', to: '' });
  const { data: clock } = useLive(feeds.serverTime);
  // “Now” is the time of the choice, so that the window does not move while the user reads.
  const isClockKnown = clock !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock ticks, the window stays
  const window = useMemo(
    () => (isClockKnown ? windowOf(draft, clock.businessTime) : undefined),
    [draft, isClockKnown],
  );
  const query: StatementQuery | null =
    window === undefined || window === null
      ? null
      : { ...window, ...(asset === null ? {} : { asset }) };
  return (
    <Panel title="Statement" flush>
      <div className={styles.filters}>
        <Select
          label="Asset"
          data={assets.map((one) => one.asset)}
          value={asset}
          onChange={setAsset}
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': 'All assets' }}
          className={styles.byAsset}
        />
        <SegmentedControl
          data={[...WINDOWS]}
          value={draft.choice}
          onChange={(choice) => setDraft({ ...draft, choice: choice as WindowChoice })}
          size="sm"
          aria-label="Time"
        />
        {draft.choice === 'custom' ? <Days draft={draft} onChange={setDraft} /> : null}
        {query === null || clock === undefined ? null : (
          <Csv query={query} now={clock.businessTime} />
        )}
      </div>
      {window === null ? (
        <Text size="sm" className={`warn ${styles.note}`} role="alert">
          Choose a last day after the first.
        </Text>
      ) : query === null ? (
        <Loading rows={5} />
      ) : (
        <StatementPages key={JSON.stringify(query)} query={query} />
      )}
    </Panel>
  );
}

interface DaysProps {
  readonly draft: WindowDraft;
  readonly onChange: (draft: WindowDraft) => void;
}

function Days({ draft, onChange }: DaysProps) {
  return (
    <>
      <TextInput
        type="date"
        label="First day"
        value={draft.from}
        onChange={(event) => onChange({ ...draft, from: event.currentTarget.value })}
        className={styles.day}
      />
      <TextInput
        type="date"
        label="Last day"
        value={draft.to}
        onChange={(event) => onChange({ ...draft, to: event.currentTarget.value })}
        className={styles.day}
      />
    </>
  );
}

interface CsvProps {
  readonly query: StatementQuery;
  /** Business time, ms, for the window and the file name. */
  readonly now: number;
}

function Csv({ query, now }: CsvProps) {
  const download = useAction(async () => {
    const name = `statement-${query.asset ?? 'all'}-${utcDay(now)}.csv`;
    saveFile(name, 'text/csv', await client.ledgerCsv(query));
  });
  return (
    <div className={styles.csv}>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={15} />}
        onClick={() => download.run()}
        loading={download.pending}
      >
        Download CSV
      </Button>
      <RefusalNote error={download.error} />
    </div>
  );
}
