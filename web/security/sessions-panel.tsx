// The sessions of the account, with a button to end each.
import { Badge, Group, Text } from '@mantine/core';
import type { Session as OpenSession } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { When } from '../components/figures.tsx';
import { Loaded, Panel, RejectionNote } from '../components/layout.tsx';
import { PlainButton } from '../components/texts.tsx';
import { useLive } from '../live/live.ts';
import { security } from '../messages/security.ts';
import { AFTER_AN_ACT, sessionsFeed } from './feeds.ts';
import styles from './security.module.css';

const t = security.sessions;

export function SessionsPanel() {
  const live = useLive(sessionsFeed);
  const hasOthers = (live.data ?? []).some(({ current }) => !current);
  const endOthers = useAction(() => userCenter.revokeSession({ all: true }), {
    done: t.endedOthers,
    refreshes: AFTER_AN_ACT,
  });
  return (
    <Panel
      title={t.title}
      flush
      actions={
        hasOthers ? (
          <PlainButton
            size="compact-xs"
            onClick={() => endOthers.run()}
            loading={endOthers.pending}
          >
            {t.endOthers}
          </PlainButton>
        ) : null
      }
    >
      <RejectionNote error={endOthers.error} />
      <Loaded live={live} rows={2}>
        {(sessions) => (
          <ul className={styles.sessions}>
            {sessions.map((session) => (
              <Session key={session.sessionId} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function Session({ session }: { readonly session: OpenSession }) {
  const { sessionId, current, ip, userAgent, createdAt, lastUsedAt } = session;
  const browser = browserName(userAgent);
  const end = useAction(() => userCenter.revokeSession({ sessionId }), {
    done: t.ended,
    refreshes: AFTER_AN_ACT,
  });
  return (
    <li className={styles.session}>
      <div>
        <Group gap="xs">
          <Text size="sm" fw={500} title={userAgent ?? undefined} className="breakable">
            {browser}
          </Text>
          {current ? (
            <Badge size="sm" radius="sm" variant="transparent" className={styles.good}>
              {t.current}
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" className="dim breakable">
          {t.from(ip)} · {t.since} <When at={createdAt} />
          {current ? null : (
            <>
              {' '}
              · {t.lastUsed} <When at={lastUsedAt} />
            </>
          )}
        </Text>
        <RejectionNote error={end.error} />
      </div>
      {current ? null : (
        <PlainButton
          size="xs"
          onClick={() => end.run()}
          loading={end.pending}
          aria-label={t.endOf(browser)}
        >
          {t.end}
        </PlainButton>
      )}
    </li>
  );
}

/** Specific names first: Edge and Opera also claim Chrome, and Chrome claims Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome, headless'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^Bun\//, t.program('Bun')],
  [/^(?:node|undici)\b/, t.program('Node.js')],
  [/^(?:python-|Python\/|aiohttp)/, t.program('Python')],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (known: typeof BROWSERS, text: string): string | null =>
  known.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/**
 * The browser and system of a User-Agent. It helps users to recognize their own devices and proves
 * nothing, because any program can send any User-Agent.
 */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return t.unknownProgram;
  const browser = firstOf(BROWSERS, userAgent);
  const system = firstOf(SYSTEMS, userAgent);
  if (browser === null) return system === null ? userAgent.slice(0, 40) : t.programOn(system);
  return system === null ? browser : t.browserOn(browser, system);
}
