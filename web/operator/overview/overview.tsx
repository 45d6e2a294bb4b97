// The health of the installation at a glance, what needs attention, and the latest changes.
import { Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { Failed, Loaded, PageFrame, Panel } from '../../components/layout.tsx';
import { TextLink } from '../../components/texts.tsx';
import { Tile, Tiles } from '../../components/tiles.tsx';
import { grouped } from '../../exact/format.ts';
import { feeds as publicFeeds } from '../../live/feeds.ts';
import { refresh, useLive } from '../../live/live.ts';
import { operatorText as text } from '../../messages/operator.ts';
import { systemText } from '../../messages/operator-system.ts';
import { feedKey, feeds } from '../data.ts';
import { AsOf, Mark } from '../parts/marks.tsx';
import { changesOnly, runsOf } from '../system/audit-entries.ts';
import { AuditTable } from '../system/audit-table.tsx';
import { HeadFacts } from '../system/journal.tsx';
import {
  duration,
  type Installation,
  megabytes,
  noticesOf,
  planAlarmsOf,
  type Samples,
  samplesOf,
  unbalancedAssets,
} from './health.ts';
import styles from './overview.module.css';

/** Enough to find some changes among many reads. */
const AUDIT_ENTRIES = 100;
const SHOWN_CHANGES = 8;

export function Overview() {
  const metrics = useLive(feeds.metrics);
  const trialBalance = useLive(feeds.trialBalance);
  const plans = useLive(feeds.plans);
  // A stream updates these, without an entry in the audit log.
  const instruments = useLive(publicFeeds.instruments);
  const head = useLive(feeds.journalHead);
  const audit = useLive(feeds.audit(1, AUDIT_ENTRIES));
  const samples = metrics.data === undefined ? undefined : samplesOf(metrics.data);
  useFreshPlans(samples);
  const installation: Installation = {
    samples,
    trialBalance: trialBalance.data,
    plans: plans.data,
    instruments: instruments.data,
  };
  const all = [trialBalance, plans, instruments, head, audit];
  const failed = all.find(({ error, data }) => error !== null && data === undefined);
  return (
    <PageFrame title={text.overview} actions={<AsOf live={all} />}>
      {failed === undefined ? null : (
        <Panel>
          <Failed error={failed.error!} retry={failed.refetch} />
        </Panel>
      )}
      <Notices installation={installation} checkedAt={metrics.dataUpdatedAt} />
      <Cards installation={installation} />
      <div className={styles.columns}>
        <Panel
          title={text.latestChanges}
          flush
          actions={
            <TextLink href="/operator/system/audit" size="xs">
              {systemText.audit}
            </TextLink>
          }
        >
          <Loaded live={audit} rows={6}>
            {({ items }) => (
              <AuditTable brief runs={runsOf(changesOnly(items)).slice(0, SHOWN_CHANGES)} />
            )}
          </Loaded>
        </Panel>
        <Panel title={text.journalHead}>
          <Loaded live={head}>{(data) => <HeadFacts head={data} />}</Loaded>
        </Panel>
      </div>
    </PageFrame>
  );
}

/** Reads the plans again when an alarm begins or ends, which the metrics show every few seconds. */
function useFreshPlans(samples: Samples | undefined): void {
  const alarms = samples && planAlarmsOf(samples);
  const known = useRef(alarms);
  useEffect(() => {
    if (known.current !== undefined && alarms !== known.current) refresh(feedKey('plans'));
    known.current = alarms;
  }, [alarms]);
}

/** How old the alarms are, to the second. */
function Age({ at }: { readonly at: number }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: true });
  if (at === 0) return null;
  return (
    <Text size="xs" className="dim nowrap figures">
      {text.checked(duration(Math.max(0, Math.round((now - at) / 1000))))}
    </Text>
  );
}

interface NoticesProps {
  readonly installation: Installation;
  /** Wall clock, ms; 0 before the first reading. */
  readonly checkedAt: number;
}

/** Reports that nothing needs attention only when every figure is known. */
function Notices({ installation, checkedAt }: NoticesProps) {
  const notices = noticesOf(installation);
  const known = Object.values(installation).every((part) => part !== undefined);
  return (
    <Panel title={text.needsAttention} flush actions={<Age at={checkedAt} />}>
      <ul className={styles.notices} aria-live="polite">
        {notices.map(({ tone, text: notice, href }) => (
          <li key={notice}>
            <span className="breakable">
              <Mark tone={tone}>{tone === 'bad' ? text.actNow : text.look}</Mark> · {notice}
            </span>
            <TextLink href={href} aria-label={text.showNotice(notice)}>
              {text.show}
            </TextLink>
          </li>
        ))}
        {notices.length > 0 ? null : (
          <li>
            {known ? (
              <Mark tone="good">{text.allWell}</Mark>
            ) : (
              <Text size="sm">{text.looking}</Text>
            )}
          </li>
        )}
      </ul>
    </Panel>
  );
}

function Cards({ installation }: { readonly installation: Installation }) {
  const { samples, trialBalance, plans, instruments } = installation;
  const cards = text.cards;
  const sample = (name: string): string => samples?.get(name) ?? '';
  const figure = (name: string): string => (samples === undefined ? '…' : grouped(sample(name)));
  const wrong = trialBalance === undefined ? undefined : unbalancedAssets(trialBalance);
  const low = plans?.filter(({ reserve }) => reserve.alarm).length;
  const live = instruments?.filter(({ instrumentStatus }) => instrumentStatus === 'LIVE').length;
  return (
    <Tiles label={text.figures}>
      <Tile name={cards.journal} value={figure('agio_journal_seq')} note={cards.journalNote} />
      <Tile
        name={cards.syncs}
        value={figure('agio_journal_syncs_total')}
        note={cards.syncsNote(figure('agio_queue_length'))}
      />
      <Tile
        name={cards.history}
        value={samples === undefined ? '…' : systemText.commandCount(figure('agio_follower_lag'))}
        note={cards.historyNote}
      />
      <Tile name={cards.orders} value={figure('agio_open_orders')} note={cards.ordersNote} />
      <Tile
        name={cards.books}
        href="/operator/ledger"
        value={wrong === undefined ? '…' : wrong.length === 0 ? cards.balanced : cards.wrong}
        note={
          wrong?.length === 0 ? cards.booksNote(trialBalance!.assets.length) : wrong?.join(', ')
        }
      />
      <Tile
        name={cards.reserves}
        href="/operator/plans"
        value={low === undefined ? '…' : low === 0 ? cards.enough : cards.low(low)}
        note={plans === undefined ? '' : cards.reservesNote(plans.length)}
      />
      <Tile
        name={text.markets}
        href="/operator/markets"
        value={live === undefined ? '…' : cards.live(live)}
        note={instruments === undefined ? '' : cards.marketsNote(instruments.length)}
      />
      <Tile
        name={cards.server}
        value={samples === undefined ? '…' : duration(Number(sample('agio_uptime_seconds')))}
        note={
          samples === undefined ? '' : cards.serverNote(megabytes(sample('agio_resident_bytes')))
        }
      />
    </Tiles>
  );
}
