// A table of entries of the audit log.
import { Fragment } from 'react';
import type { AuditEntry } from '../../../src/sdk/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty } from '../../components/states.tsx';
import { systemText as text } from '../../messages/operator-system.ts';
import { Cut, Mark } from '../parts/marks.tsx';
import { BEGUN, detailsText } from './audit-entries.ts';
import styles from './system.module.css';

const columns: readonly Column<AuditEntry>[] = [
  {
    title: text.time,
    render: ({ time }) => (
      <span className={styles.at}>
        <When at={time} />
      </span>
    ),
  },
  { title: text.action, render: ({ action }) => <Name name={action} /> },
  {
    title: text.result,
    render: ({ result }) => (
      <Mark tone={toneOf(result)}>
        <span>
          <Name name={result} />
        </span>
      </Mark>
    ),
  },
  {
    title: text.object,
    render: ({ object }) => (object === null ? '–' : <Cut text={object} />),
    from: 'sm',
  },
  {
    title: text.actor,
    render: ({ actor }) => <span className="nowrap">{actor}</span>,
    from: 'md',
  },
];

const allColumns: readonly Column<AuditEntry>[] = [
  { title: text.number, render: ({ id }) => id, align: 'right', from: 'md' },
  ...columns,
  {
    title: text.address,
    render: ({ ip }) => <span className="nowrap">{ip ?? '–'}</span>,
    from: 'lg',
  },
  {
    title: text.details,
    render: ({ details }) => <Cut text={detailsText(details)} />,
    from: 'lg',
  },
];

const toneOf = (result: string) => (result === 'ok' ? 'good' : result === BEGUN ? 'none' : 'bad');

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
  readonly entries: readonly AuditEntry[];
  /** Fewer columns, for narrow places. */
  readonly brief?: boolean;
  readonly onRow?: (entry: AuditEntry) => void;
}

export function AuditTable({ entries, brief = false, onRow }: AuditTableProps) {
  if (entries.length === 0) return <Empty title={text.noChanges}>{text.onlyReads}</Empty>;
  return (
    <DataTable
      label={text.auditEntries}
      rows={entries}
      columns={brief ? columns : allColumns}
      keyOf={({ id }) => id}
      {...(onRow === undefined ? {} : { onRow })}
    />
  );
}
