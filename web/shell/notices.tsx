// Notices in place of a page (it does not exist, or it needs a login), and the notice that the
// exchange cannot be reached.
import { Group } from '@mantine/core';
import { IconLock, IconMapOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { withSearch } from '../account/address.ts';
import { isNotReached } from '../api/rejection.ts';
import { Empty } from '../components/layout.tsx';
import { LinkButton } from '../components/texts.tsx';
import { queryClient, useOffline } from '../live/live.ts';
import { shell as t } from '../messages/shell.ts';
import { useSession, useSessionEnd } from '../session/session.ts';
import styles from './shell.module.css';
import { useTitle } from './title.ts';

export function NotFound() {
  const isOperators = useLocation()[0].startsWith('/operator');
  useTitle(t.notFound);
  return (
    <Empty
      icon={IconMapOff}
      title={t.notFound}
      isPage
      action={
        <LinkButton href={isOperators ? '/operator' : '/trade'} variant="default">
          {isOperators ? t.goToOverview : t.goToTrading}
        </LinkButton>
      }
    />
  );
}

export function LoginNeeded({ title }: { readonly title: string }) {
  const [path] = useLocation();
  const next = `?next=${encodeURIComponent(withSearch(path, useSearch()))}`;
  return (
    <Empty
      icon={IconLock}
      title={t.logInToSee(title)}
      hint={useSessionEnd()}
      isPage
      action={
        <Group gap="xs" mt={6}>
          <LinkButton href={`/login${next}`}>{t.logIn}</LinkButton>
          <LinkButton href={`/register${next}`} variant="default">
            {t.createAccount}
          </LinkButton>
        </Group>
      }
    />
  );
}

/** Shown while the exchange cannot be reached, because the figures on the page are then old. */
export function OfflineNotice() {
  const isUnreachable = useUnreachable();
  const isOffline = useOffline();
  return (
    <div aria-live="polite" className={styles.contact}>
      {isUnreachable || isOffline ? <div className={styles.offline}>{t.unreachable}</div> : null}
    </div>
  );
}

/** Shown on every page of a suspended customer. */
export function SuspendedNotice() {
  const { me } = useSession();
  return me?.status === 'suspended' ? (
    <div role="status" className={styles.suspended}>
      {t.suspended}
    </div>
  ) : null;
}

/** True if the latest read got no answer. */
function useUnreachable(): boolean {
  const [unreachable, setUnreachable] = useState(false);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'success') setUnreachable(false);
        if (action.type === 'error') setUnreachable(isNotReached(action.error));
        if (action.type === 'failed' && isNotReached(action.error)) setUnreachable(true);
      }),
    [],
  );
  return unreachable;
}
