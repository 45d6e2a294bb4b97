// The audit log of the account, newest first.
import { Text } from '@mantine/core';
import { useState } from 'react';
import type { OwnAuditEntry } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { When } from '../components/figures.tsx';
import { Pager } from '../components/pager.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import { type AuditWords, auditWords } from './audit-words.ts';
import { auditFeed } from './feeds.ts';
import styles from './security.module.css';

interface Row {
  readonly entry: OwnAuditEntry;
  readonly words: AuditWords;
}

const TONES: Readonly<Record<AuditWords['outcome'], string>> = {
  done: '',
  asked: 'dim',
  refused: 'warn',
};

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Time (local)', render: ({ entry }) => <When at={entry.time} /> },
  { title: 'Action', render: (row) => <What row={row} /> },
  {
    title: 'Result',
    from: 'sm',
    render: ({ words }) => <span className={TONES[words.outcome]}>{words.result}</span>,
  },
  { title: 'Actor', from: 'sm', render: ({ words }) => words.who },
  {
    title: 'IP address',
    from: 'sm',
    render: ({ entry }) => <span className="breakable">{entry.ip ?? '–'}</span>,
  },
];

/** On narrow screens, the result, the actor and the IP address stand below the action. */
function What({ row: { entry, words } }: { readonly row: Row }) {
  const { what, outcome, result, who } = words;
  return (
    <>
      {what}
      {outcome === 'done' ? null : (
        <Text component="span" hiddenFrom="sm" className={`${styles.under} ${TONES[outcome]}`}>
          {result}
        </Text>
      )}
      <Text component="span" hiddenFrom="sm" className={`dim breakable ${styles.under}`}>
        {entry.ip === null ? who : `${who}, from ${entry.ip}`}
      </Text>
    </>
  );
}

export function AuditPanel() {
  const [page, setPage] = useState(1);
  const live = useLive(auditFeed(page));
  const pages = Number(live.data?.totalPage ?? 1);
  return (
    <Panel title="Account activity" flush>
      <Loaded
        live={live}
        rows={6}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty title="No activity yet" />}
      >
        {({ items }) => (
          <DataTable
            label="Account activity"
            rows={items.map((entry) => ({ entry, words: auditWords(entry) }))}
            columns={COLUMNS}
            keyOf={({ entry }) => entry.id}
          />
        )}
      </Loaded>
      <Pager
        label="list"
        where={`Page ${page} of ${Math.max(pages, page)}`}
        onNewer={page > 1 ? () => setPage(page - 1) : null}
        onOlder={page < pages ? () => setPage(page + 1) : null}
      />
    </Panel>
  );
}
