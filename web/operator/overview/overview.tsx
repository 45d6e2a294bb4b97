// The health of the installation at a glance, what wants attention, and what was done last.
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PageFrame } from '../../components/page-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Failed, Loaded } from '../../components/states.tsx';
import { grouped } from '../../exact/format.ts';
import { useLive } from '../../live/live.ts';
import { feeds } from '../feeds.ts';
import { AsOf } from '../parts/as-of.tsx';
import { Mark } from '../parts/facts.tsx';
import { AuditTable } from '../system/audit-table.tsx';
import { changesOnly } from '../system/audit-words.ts';
import { HeadFacts } from '../system/head-facts.tsx';
import {
  duration,
  type Installation,
  megabytes,
  noticesOf,
  samplesOf,
  unbalanced,
} from './health.ts';
import styles from './overview.module.css';

/** Enough to find some changes among all that is only read. */
const AUDIT_ENTRIES = 100;
const SHOWN_CHANGES = 8;

export function Overview() {
  const metrics = useLive(feeds.metrics);
  const trialBalance = useLive(feeds.trialBalance);
  const plans = useLive(feeds.plans);
  const instruments = useLive(feeds.instruments);
  const head = useLive(feeds.journalHead);
  const audit = useLive(feeds.audit(1, AUDIT_ENTRIES));
  const installation: Installation = {
    samples: metrics.data === undefined ? undefined : samplesOf(metrics.data),
    trialBalance: trialBalance.data,
    plans: plans.data,
    instruments: instruments.data,
  };
  const all = [trialBalance, plans, instruments, head, audit];
  const failed = all.find(({ error, data }) => error !== null && data === undefined);
  return (
    <PageFrame title="Overview" actions={<AsOf live={all} />}>
      {failed === undefined ? null : (
        <Panel>
          <Failed error={failed.error!} retry={failed.refetch} />
        </Panel>
      )}
      <Notices installation={installation} />
      <Cards installation={installation} />
      <div className={styles.columns}>
        <Panel
          title="Latest changes"
          flush
          actions={
            <Anchor component={Link} href="/operator/system/audit" size="xs">
              Audit log
            </Anchor>
          }
        >
          <Loaded live={audit} rows={6}>
            {({ items }) => (
              <AuditTable brief entries={changesOnly(items).slice(0, SHOWN_CHANGES)} />
            )}
          </Loaded>
        </Panel>
        <Panel title="Head of the journal">
          <Loaded live={head}>{(data) => <HeadFacts head={data} />}</Loaded>
        </Panel>
      </div>
    </PageFrame>
  );
}

/** All is well only when everything has been looked at. */
function Notices({ installation }: { readonly installation: Installation }) {
  const notices = noticesOf(installation);
  const known = Object.values(installation).every((part) => part !== undefined);
  return (
    <Panel title="Wants attention" flush>
      <ul className={styles.notices} aria-live="polite">
        {notices.map(({ tone, text, href }) => (
          <li key={text}>
            <span className="breakable">
              <Mark tone={tone}>{tone === 'bad' ? 'Act now' : 'Look'}</Mark> · {text}
            </span>
            <Anchor component={Link} href={href} size="sm" aria-label={`Show: ${text}`}>
              Show
            </Anchor>
          </li>
        ))}
        {notices.length > 0 ? null : (
          <li>
            {known ? (
              <Mark tone="good">Nothing. All is well.</Mark>
            ) : (
              <Text size="sm">Looking…</Text>
            )}
          </li>
        )}
      </ul>
    </Panel>
  );
}

function Cards({ installation }: { readonly installation: Installation }) {
  const { samples, trialBalance, plans, instruments } = installation;
  const of = (name: string): string => samples?.get(name) ?? '';
  const count = (name: string): ReactNode => (samples === undefined ? '…' : grouped(of(name)));
  const wrong = trialBalance === undefined ? undefined : unbalanced(trialBalance);
  const alarms = plans?.filter(({ reserve }) => reserve.alarm).length;
  const live = instruments?.filter(({ instrumentStatus }) => instrumentStatus === 'LIVE').length;
  return (
    <div className={styles.cards}>
      <Card name="Journal" figure={count('agio_journal_seq')} note="commands, all durable" />
      <Card
        name="Syncs to disk"
        figure={count('agio_journal_syncs_total')}
        note={`since the start; ${count('agio_queue_length')} commands wait`}
      />
      <Card name="History behind" figure={count('agio_follower_lag')} note="commands to catch up" />
      <Card name="Open orders" figure={count('agio_open_orders')} note="in all books" />
      <Card
        name="Books"
        href="/operator/ledger"
        figure={wrong === undefined ? '…' : wrong.length === 0 ? 'Balanced' : 'Wrong'}
        note={
          wrong === undefined || wrong.length > 0
            ? (wrong?.join(', ') ?? '')
            : `${trialBalance!.assets.length} assets, each adds up to 0`
        }
      />
      <Card
        name="Reserves of plans"
        href="/operator/plans"
        figure={alarms === undefined ? '…' : alarms === 0 ? 'Enough' : `${alarms} low`}
        note={plans === undefined ? '' : `${plans.length} plans`}
      />
      <Card
        name="Markets"
        href="/operator/markets"
        figure={instruments === undefined ? '…' : `${live} live`}
        note={instruments === undefined ? '' : `of ${instruments.length} listed`}
      />
      <Card
        name="Server"
        figure={samples === undefined ? '…' : duration(Number(of('agio_uptime_seconds')))}
        note={
          samples === undefined ? '' : `since its start, ${megabytes(of('agio_resident_bytes'))}`
        }
      />
    </div>
  );
}

interface CardProps {
  readonly name: string;
  readonly figure: ReactNode;
  readonly note: ReactNode;
  readonly href?: string;
}

function Card({ name, figure, note, href }: CardProps) {
  const content = (
    <>
      <span className={styles.name}>{name}</span>
      <span className={`${styles.figure} figures`}>{figure}</span>
      <span className={styles.note}>{note}</span>
    </>
  );
  if (href === undefined) return <div className={styles.card}>{content}</div>;
  return (
    <Link href={href} className={styles.card}>
      {content}
    </Link>
  );
}
