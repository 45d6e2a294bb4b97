// The statement: every change of the spot balance, also as a file.
import { SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDownload } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Asset } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { saveFile } from '../components/copy-text.tsx';
import { Loading, Panel, RejectionNote } from '../components/layout.tsx';
import { PlainButton } from '../components/texts.tsx';
import { utcDay } from '../exact/format.ts';
import { feeds } from '../live/feeds.ts';
import { useLive } from '../live/live.ts';
import { walletText } from '../messages/wallet.ts';
import { StatementPages, type StatementQuery } from './statement-pages.tsx';
import { type WindowDraft, windowOf } from './statement-window.ts';
import styles from './wallet.module.css';

const t = walletText.statement;
const PERIODS = Object.entries(t.periods).map(([value, label]) => ({ value, label }));

export function StatementPanel({ assets }: { readonly assets: readonly Asset[] }) {
  const form = useForm<WindowDraft & { asset: string | null }>({
    initialValues: { asset: null, choice: 'week', from: '', to: '' },
  });
  const { asset, ...draft } = form.values;
  const { data: clock } = useLive(feeds.serverTime);
  // “Now” is the time of the choice, so that the window does not move while the user reads.
  const isClockKnown = clock !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock ticks, the window stays
  const window = useMemo(
    () => (isClockKnown ? windowOf(draft, clock.businessTime) : undefined),
    [form.values, isClockKnown],
  );
  const query: StatementQuery | null =
    window === undefined || window === null
      ? null
      : { ...window, ...(asset === null ? {} : { asset }) };
  return (
    <Panel title={t.title} flush>
      <div className={styles.filters}>
        <Select
          label={t.asset}
          data={assets.map((one) => one.asset)}
          {...form.getInputProps('asset')}
          placeholder={t.all}
          clearable
          clearButtonProps={{ 'aria-label': t.allAssets }}
          className={styles.byAsset}
        />
        <SegmentedControl
          data={PERIODS}
          {...form.getInputProps('choice')}
          size="sm"
          aria-label={t.period}
        />
        {draft.choice === 'custom' ? (
          <>
            <TextInput
              type="date"
              label={t.firstDay}
              {...form.getInputProps('from')}
              className={styles.day}
            />
            <TextInput
              type="date"
              label={t.lastDay}
              {...form.getInputProps('to')}
              className={styles.day}
            />
          </>
        ) : null}
        {query === null || clock === undefined ? null : (
          <Csv query={query} now={clock.businessTime} />
        )}
      </div>
      {window === null ? (
        <Text size="sm" className={`warn ${styles.note}`} role="alert">
          {t.wrongOrder}
        </Text>
      ) : query === null ? (
        <Loading rows={5} />
      ) : (
        <StatementPages key={JSON.stringify(query)} query={query} />
      )}
    </Panel>
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
      <PlainButton
        size="xs"
        leftSection={<IconDownload size={15} />}
        onClick={() => download.run()}
        loading={download.pending}
      >
        {t.download}
      </PlainButton>
      <RejectionNote error={download.error} />
    </div>
  );
}
