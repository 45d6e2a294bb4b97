// A table of entries of the audit log.
import { Fragment } from 'react';
import type { AuditEntry } from '../../../src/sdk/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty } from '../../components/states.tsx';
import { systemText as text } from '../../messages/operator-system.ts';
import { reasonText } from '../../security/audit-panel.tsx';
import { Cut, Mark } from '../parts/marks.tsx';
import { BEGUN, detailsText, type Run } from './audit-entries.ts';
import styles from './system.module.css';

const columns: readonly Column<Run>[] = [
  {
    title: text.time,
    render: ({ entry: { time } }) => (
      <span className={styles.at}>
        <When at={time} />
      </span>
    ),
  },
  {
    title: text.action,
    render: ({ entry, times }) => (
      <>
        <Name name={entry.action} />
        {times === 1 ? null : <span className="dim"> × {times}</span>}
      </>
    ),
  },
  {
    title: text.result,
    render: ({ entry: { result } }) => <Mark tone={toneOf(result)}>{resultText(result)}</Mark>,
  },
  {
    title: text.object,
    render: ({ entry: { object } }) => (object === null ? '–' : <Cut text={object} />),
    from: 'sm',
  },
  {
    title: text.actor,
    render: ({ entry: { actor } }) => <span className="nowrap">{actor}</span>,
    from: 'md',
  },
];

const allColumns: readonly Column<Run>[] = [
  { title: text.number, render: ({ entry }) => entry.id, align: 'right', from: 'md' },
  ...columns,
  {
    title: text.address,
    render: ({ entry: { ip } }) => <span className="nowrap">{ip ?? '–'}</span>,
    from: 'lg',
  },
  {
    title: text.details,
    render: ({ entry: { details } }) => <Cut text={detailsText(details)} />,
    from: 'lg',
  },
];

const toneOf = (result: string) => (result === 'ok' ? 'good' : result === BEGUN ? 'none' : 'bad');

export const resultText = (result: string): string =>
  result === 'ok' ? text.done : result === BEGUN ? text.begun : reasonText(result);

/** A name of the log, which breaks only after a point or before a capital. */
function Name({ name }: { readonly name: string }) {
  const parts = name.split(/(?<=\.)|(?=[A-Z])/).map((part, at) => ({ part, key: `${at} ${part}` }));
  return parts.map(({ part, key }, at) => (
    <Fragment key={key}>
      {at === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}

export interface AuditTableProps {
  readonly runs: readonly Run[];
  /** Fewer columns, for narrow places. */
  readonly brief?: boolean;
  readonly onRow?: (entry: AuditEntry) => void;
}

export function AuditTable({ runs, brief = false, onRow }: AuditTableProps) {
  if (runs.length === 0) return <Empty title={text.noChanges} hint={text.onlyReads} />;
  return (
    <DataTable
      label={text.auditEntries}
      rows={runs}
      columns={brief ? columns : allColumns}
      keyOf={({ entry }) => entry.id}
      {...(onRow === undefined ? {} : { onRow: ({ entry }: Run) => onRow(entry) })}
    />
  );
}
