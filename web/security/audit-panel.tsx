// The audit log of the account, newest first.
import { Text } from '@mantine/core';
import type { OwnAuditEntry } from '../../src/sdk/index.ts';
import { type Column, column, PagedPanel } from '../components/data-table.tsx';
import { When } from '../components/figures.tsx';
import { Empty } from '../components/layout.tsx';
import { security } from '../messages/security.ts';
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
  column.of(t.address, ({ ip }) => <span className="breakable">{ip ?? '–'}</span>, 'sm'),
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
      <Text component="span" hiddenFrom="sm" className={`dim breakable ${styles.under}`}>
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

/** invalidField → invalid field, for names without a text. */
const spaced = (name: string): string =>
  name.replace(/[._]/g, ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);

/** Why an act was not completed. */
export const reasonText = (result: string): string => t.reasons[result] ?? spaced(result);

export interface AuditWords {
  readonly what: string;
  /** `asked`: the server asked for a code first, which is not a failure. */
  readonly outcome: 'done' | 'asked' | 'rejected';
  readonly result: string;
  readonly who: string;
}

const ASKED: ReadonlySet<string> = new Set(['totpNeeded', 'emailCodeNeeded', 'stepUpNeeded']);

export function auditWords({ action, object, result, actor }: OwnAuditEntry): AuditWords {
  const done = result === 'ok';
  return {
    what: (t.actions[action] ?? spaced(action)) + keyOf(object),
    outcome: done ? 'done' : ASKED.has(result) ? 'asked' : 'rejected',
    result: done ? t.done : t.notCompleted(reasonText(result)),
    who: t.actors[actor],
  };
}

/** The start of the API key in an object such as uid:7/key:ab12…. */
function keyOf(object: string | null): string {
  const key = /\/key:([0-9a-f]{8})/.exec(object ?? '')?.[1];
  return key === undefined ? '' : ` (${key}…)`;
}
