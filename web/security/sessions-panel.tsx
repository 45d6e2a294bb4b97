// The sessions of the account, with a button to end each.
import { Badge, Button, Group, Text } from '@mantine/core';
import type { Session as OpenSession } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { useAction } from '../components/action.ts';
import { When } from '../components/figures.tsx';
import { Panel } from '../components/panel.tsx';
import { Loaded, RefusalNote } from '../components/states.tsx';
import { useLive } from '../live/live.ts';
import { browserWords } from './browser-words.ts';
import { AFTER_AN_ACT, sessionsFeed } from './feeds.ts';
import styles from './security.module.css';

export function SessionsPanel() {
  const live = useLive(sessionsFeed);
  const hasOthers = (live.data ?? []).some(({ current }) => !current);
  const endOthers = useAction(() => userCenter.revokeSession({ all: true }), {
    done: 'Ended all other sessions',
    refreshes: AFTER_AN_ACT,
  });
  return (
    <Panel
      title="Sessions"
      flush
      actions={
        hasOthers ? (
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => endOthers.run()}
            loading={endOthers.pending}
          >
            End all other sessions
          </Button>
        ) : null
      }
    >
      <RefusalNote error={endOthers.error} />
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
  const words = browserWords(userAgent);
  const end = useAction((id: number) => userCenter.revokeSession({ sessionId: id }), {
    done: 'Ended the session',
    refreshes: AFTER_AN_ACT,
  });
  return (
    <li className={styles.session}>
      <div>
        <Group gap="xs">
          <Text size="sm" fw={500} title={userAgent ?? undefined} className="breakable">
            {words}
          </Text>
          {current ? (
            <Badge size="sm" radius="sm" variant="transparent" className={styles.good}>
              This session
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" className="dim breakable">
          {ip === null ? 'Unknown address' : `From ${ip}`} · since <When at={createdAt} />
          {current ? null : (
            <>
              {' '}
              · last used <When at={lastUsedAt} />
            </>
          )}
        </Text>
        <RefusalNote error={end.error} />
      </div>
      {current ? null : (
        <Button
          variant="default"
          size="xs"
          onClick={() => end.run(sessionId)}
          loading={end.pending}
          aria-label={`End the session with ${words}`}
        >
          End
        </Button>
      )}
    </li>
  );
}
