// A table of entries of the audit log.
import type { AuditEntry } from '../../../src/sdk/index.ts';
import { type Column, column, DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/figures.tsx';
import { Empty } from '../../components/layout.tsx';
import { systemText as text } from '../../messages/operator-system.ts';
import { Cut, Mark } from '../parts/marks.tsx';
import { actionText, BEGUN, detailsText, type Run, resultText } from './audit-entries.ts';
import styles from './system.module.css';

const columns: readonly Column<Run>[] = [
  column.of(text.time, ({ entry: { time } }) => (
    <span className={styles.at}>
      <When at={time} />
    </span>
  )),
  column.of(text.action, ({ entry, times }) => (
    <>
      {actionText(entry.action)}
      {times === 1 ? null : <span className="dim"> × {times}</span>}
    </>
  )),
  column.of(text.result, ({ entry: { result } }) => (
    <Mark tone={toneOf(result)}>{resultText(result)}</Mark>
  )),
  column.of(
    text.object,
    ({ entry: { object } }) => (object === null ? '–' : <Cut text={object} />),
    'sm',
  ),
  column.of(text.actor, ({ entry: { actor } }) => <span className="nowrap">{actor}</span>, 'md'),
];

const allColumns: readonly Column<Run>[] = [
  column.figure(text.number, ({ entry }) => entry.id, 'md'),
  ...columns,
  column.of(text.address, ({ entry: { ip } }) => <span className="nowrap">{ip ?? '–'}</span>, 'lg'),
  column.of(text.details, ({ entry: { details } }) => <Cut text={detailsText(details)} />, 'lg'),
];

const toneOf = (result: string) => (result === 'ok' ? 'good' : result === BEGUN ? 'none' : 'bad');

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
