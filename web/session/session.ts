// The session of the page. The session itself is a cookie that no script can read; this file only
// stores that there should be one, so that the page does not ask for every visitor.
import { useCallback, useEffect } from 'react';
import type { Me, UserCenterLoginRequest } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { endReasonOf, isLoggedOut, UserError } from '../api/rejection.ts';
import { feeds } from '../live/feeds.ts';
import {
  closePrivate,
  forgetUser,
  latest,
  queryClient,
  reopenPrivate,
  useLive,
} from '../live/live.ts';
import { sessionEndText } from '../messages/account.ts';
import { common } from '../messages/common.ts';
import { stored } from './stored.ts';

/** The server writes its mode into the page. */
export const isSandbox = document.documentElement.dataset.mode === 'sandbox';

/** The uid of the logged-in user, shared by all tabs. */
const expected = stored(localStorage, 'agio.session');

/** Why the server ended the session, for the login page. */
const ended = stored(sessionStorage, 'agio.sessionEnded');

export const hasSessionEnded = (): boolean => ended.get() !== null;

/** Why the session ended, as a sentence; null if it did not. */
export function useSessionEnd(): string | null {
  const reason = ended.use();
  return reason === null ? null : sessionEndText(reason);
}

type SessionState = 'unknown' | 'loggedIn' | 'loggedOut';

export interface Session {
  readonly state: SessionState;
  /** null unless logged in. */
  readonly me: Me | null;
}

export function useSession(): Session {
  const uid = expected.use();
  const { data, error } = useLive(uid === null ? null : feeds.me);
  const isOver = isLoggedOut(error);
  useEffect(() => {
    if (!isOver) return;
    // Several components run this; only the first one finds a logged-in user.
    if (expected.get() !== null) ended.set(endReasonOf(error));
    expected.set(null);
    closePrivate();
  }, [isOver, error]);
  const found = data?.uid ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two trigger the check
  useEffect(keepToUser, [uid, found]);
  if (uid === null || isOver) return { state: 'loggedOut', me: null };
  if (data !== undefined) return { state: 'loggedIn', me: data };
  return { state: 'unknown', me: null };
}

/** Drops the data of this tab if another tab has logged out, or has logged in as another user. */
function keepToUser(): void {
  const known = latest(feeds.me)?.uid ?? null;
  const uid = expected.get();
  if (known === null || String(known) === uid) return;
  if (uid === null) forgetUser();
  else location.reload();
}

/** Throws Rejected; its code is totpNeeded or emailCodeNeeded if the user must enter a code. */
export async function logIn(login: UserCenterLoginRequest): Promise<void> {
  await userCenter.login(login);
  forgetUser();
  try {
    const { uid } = await queryClient.fetchQuery({
      queryKey: feeds.me.key,
      queryFn: () => userCenter.me(),
    });
    ended.set(null);
    expected.set(String(uid));
  } catch (error) {
    // The browser keeps the cookie only over TLS, or on the machine of the server.
    throw isLoggedOut(error) ? new UserError(common.cookieNotKept) : error;
  }
}

/** Logs out on the server and here. */
export function useLogOut(): () => Promise<void> {
  return useCallback(async () => {
    // The server is about to close these connections.
    closePrivate();
    await userCenter.logout().catch((error) => {
      if (isLoggedOut(error)) return;
      reopenPrivate();
      throw error;
    });
    ended.set(null);
    expected.set(null);
    forgetUser();
  }, []);
}
