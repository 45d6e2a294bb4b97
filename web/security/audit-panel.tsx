// The audit log of the account, newest first.
import { Text } from '@mantine/core';
import { useState } from 'react';
import type { OwnAuditEntry } from '../../src/sdk/index.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { When } from '../components/figures.tsx';
import { Pager } from '../components/paging.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import { security } from '../messages/security.ts';
import { auditFeed } from './feeds.ts';
import styles from './security.module.css';

const t = security.activity;

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
  { title: t.time, render: ({ entry }) => <When at={entry.time} /> },
  { title: t.action, render: (row) => <What row={row} /> },
  {
    title: t.result,
    from: 'sm',
    render: ({ words }) => <span className={TONES[words.outcome]}>{words.result}</span>,
  },
  { title: t.actor, from: 'sm', render: ({ words }) => words.who },
  {
    title: t.address,
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
        {t.whoFrom(who, entry.ip)}
      </Text>
    </>
  );
}

export function AuditPanel() {
  const [page, setPage] = useState(1);
  const live = useLive(auditFeed(page));
  const pages = Number(live.data?.totalPage ?? 1);
  return (
    <Panel title={t.title} flush>
      <Loaded
        live={live}
        rows={6}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty title={t.none} />}
      >
        {({ items }) => (
          <DataTable
            label={t.title}
            rows={items.map((entry) => ({ entry, words: auditWords(entry) }))}
            columns={COLUMNS}
            keyOf={({ entry }) => entry.id}
          />
        )}
      </Loaded>
      <Pager
        label={t.list}
        where={t.page(page, Math.max(pages, page))}
        onNewer={page > 1 ? () => setPage(page - 1) : null}
        onOlder={page < pages ? () => setPage(page + 1) : null}
      />
    </Panel>
  );
}

/** invalidField → invalid field, for names without a text. */
const spaced = (name: string): string =>
  name.replace(/[._]/g, ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

export interface AuditWords {
  readonly what: string;
  /** `asked`: the server asked for a code first, which is not a failure. */
  readonly outcome: 'done' | 'asked' | 'refused';
  readonly result: string;
  readonly who: string;
}

const ASKED: ReadonlySet<string> = new Set(['totpNeeded', 'emailCodeNeeded', 'stepUpNeeded']);

export function auditWords({ action, object, result, actor }: OwnAuditEntry): AuditWords {
  const done = result === 'ok';
  return {
    what: (t.actions[action] ?? spaced(action)) + keyOf(object),
    outcome: done ? 'done' : ASKED.has(result) ? 'asked' : 'refused',
    result: done ? t.done : t.notCompleted(t.reasons[result] ?? spaced(result)),
    who: t.actors[actor],
  };
}

/** The start of the API key in an object such as uid:7/key:ab12…. */
function keyOf(object: string | null): string {
  const key = /\/key:([0-9a-f]{8})/.exec(object ?? '')?.[1];
  return key === undefined ? '' : ` (${key}…)`;
}
