// Entries of the audit log.
import { Fragment } from 'react';
import type { AuditEntry } from '../../api/operator.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty } from '../../components/states.tsx';
import { Cut, Mark } from '../parts/facts.tsx';
import { detailsText } from './audit-words.ts';

const columns: readonly Column<AuditEntry>[] = [
  { title: 'No', render: ({ id }) => id, align: 'right', from: 'md' },
  { title: 'Time', render: ({ time }) => <When at={time} /> },
  { title: 'Action', render: ({ action }) => <Action name={action} /> },
  {
    title: 'Result',
    render: ({ result }) => (
      <Mark tone={result === 'ok' ? 'good' : 'bad'}>
        <span className="breakable">{result}</span>
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

/** Where it has to be broken, rather behind a point than in a word. */
function Action({ name }: { readonly name: string }) {
  const [area, ...rest] = name.split('.');
  return (
    <span className="breakable">
      {area}
      {rest.map((part) => (
        <Fragment key={part}>
          .<wbr />
          {part}
        </Fragment>
      ))}
    </span>
  );
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
    return <Empty title="No changes among these entries">Only readings.</Empty>;
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
