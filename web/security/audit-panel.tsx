// The audit log of the account, newest first.
import { Text } from '@mantine/core';
import type { OwnAuditEntry } from '../../src/sdk/index.ts';
import { type Column, column, PagedPanel } from '../components/data-table.tsx';
import { When } from '../components/figures.tsx';
import { Empty } from '../components/layout.tsx';
import { security } from '../messages/security.ts';
import { type AuditWords, auditWords } from './audit-words.ts';
import { auditFeed } from './feeds.ts';
import styles from './security.module.css';

const t = security.activity;

const TONES: Readonly<Record<AuditWords['outcome'], string>> = {
  done: '',
  asked: 'dim',
  rejected: 'warn',
};

const COLUMNS: readonly Column<OwnAuditEntry>[] = [
  column.of(t.time, ({ time }) => <When at={time} />),
  column.of(t.action, (entry) => <What entry={entry} />),
  column.of(
    t.result,
    (entry) => {
      const { outcome, result } = auditWords(entry);
      return <span className={TONES[outcome]}>{result}</span>;
    },
    'sm',
  ),
  column.of(t.actor, (entry) => auditWords(entry).who, 'sm'),
  column.of(t.address, ({ ip }) => <span className="nowrap">{ip ?? '–'}</span>, 'sm'),
];

/** On narrow screens, the result, the actor and the IP address stand below the action. */
function What({ entry }: { readonly entry: OwnAuditEntry }) {
  const { what, outcome, result, who } = auditWords(entry);
  return (
    <>
      {what}
      {outcome === 'done' ? null : (
        <Text component="span" hiddenFrom="sm" className={`${styles.under} ${TONES[outcome]}`}>
          {result}
        </Text>
      )}
      <Text component="span" hiddenFrom="sm" className={`dim ${styles.under}`}>
        {t.whoFrom(who, entry.ip)}
      </Text>
    </>
  );
}

export const AuditPanel = () => (
  <PagedPanel
    title={t.title}
    feed={auditFeed}
    empty={<Empty title={t.none} />}
    columns={COLUMNS}
    keyOf={({ id }) => id}
  />
);
