// Says that the exchange cannot be reached while it cannot, since the figures on the page are then old.
import { useEffect, useState } from 'react';
import { isNotReached } from '../api/refusal.ts';
import { useOffline } from '../components/offline.ts';
import { queryClient } from '../live/live.ts';
import styles from './shell.module.css';

/** Whether the newest attempt to read anything has found nobody. */
function useUnreachable(): boolean {
  const [unreachable, setUnreachable] = useState(false);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        if (event.action.type === 'success') setUnreachable(false);
        if (event.action.type === 'error') setUnreachable(isNotReached(event.action.error));
        if (event.action.type === 'failed' && isNotReached(event.action.error))
          setUnreachable(true);
      }),
    [],
  );
  return unreachable;
}

export function OfflineNotice() {
  const isUnreachable = useUnreachable();
  const isOffline = useOffline();
  return (
    <div aria-live="polite" className={styles.contact}>
      {isUnreachable || isOffline ? (
        <div className={styles.offline}>
          The exchange cannot be reached. Figures are as of the last contact; trying again.
        </div>
      ) : null}
    </div>
  );
}
