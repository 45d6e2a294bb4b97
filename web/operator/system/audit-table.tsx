// Entries of the audit log.
import { Fragment } from 'react';
import type { AuditEntry } from '../../api/operator.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty } from '../../components/states.tsx';
import { Cut, Mark } from '../parts/facts.tsx';
import { detailsText } from './audit-words.ts';
import styles from './system.module.css';

const columns: readonly Column<AuditEntry>[] = [
  { title: 'No', render: ({ id }) => id, align: 'right', from: 'md' },
  { title: 'Time', render: ({ time }) => <Time at={time} /> },
  { title: 'Action', render: ({ action }) => <Name name={action} /> },
  {
    title: 'Result',
    render: ({ result }) => (
      <Mark tone={result === 'ok' ? 'good' : 'bad'}>
        <span>
          <Name name={result} />
        </span>
      </Mark>
    ),
  },
  {
    title: 'Object',
    render: ({ object }) => (object === null ? '–' : <Cut text={object} />),
    from: 'sm',
  },
  {
    title: 'Who',
    render: ({ actor }) => <span className="nowrap">{actor}</span>,
    from: 'md',
  },
  { title: 'From', render: ({ ip }) => <span className="nowrap">{ip ?? '–'}</span>, from: 'lg' },
  { title: 'Details', render: ({ details }) => <Cut text={detailsText(details)} />, from: 'lg' },
];

/** On telephones in two lines, date and time: a name beside it needs the room more. */
function Time({ at }: { readonly at: AuditEntry['time'] }) {
  return (
    <span className={styles.at}>
      <When at={at} />
    </span>
  );
}

/** A name of the log. Where it has to be broken, behind a point or before a capital: a word in two halves is none. */
function Name({ name }: { readonly name: string }) {
  return name.split(/(?<=\.)|(?=[A-Z])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
    <Fragment key={i}>
      {i === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}

const LEFT_OUT: readonly string[] = ['No', 'From', 'Details'];

export interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  /** What was done to what by whom, and no more: for narrow places. */
  readonly brief?: boolean;
  readonly onRow?: (entry: AuditEntry) => void;
}

export function AuditTable({ entries, brief = false, onRow }: AuditTableProps) {
  if (entries.length === 0) {
    return <Empty title="No changes among these entries">They only read.</Empty>;
  }
  return (
    <DataTable
      label="Entries of the audit log"
      rows={entries}
      columns={brief ? columns.filter(({ title }) => !LEFT_OUT.includes(title)) : columns}
      keyOf={({ id }) => id}
      {...(onRow === undefined ? {} : { onRow })}
    />
  );
}
