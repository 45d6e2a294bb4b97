// Who has logged in, and what kind of venue this is. The session itself is a cookie that no script can read; what is noted
// here is only that there should be one, so that visitors are not asked who they are with every page.
import { useCallback, useEffect } from 'react';
import type { Me, UserCenterLoginRequest } from '../../src/sdk/index.ts';
import { userCenter } from '../api/clients.ts';
import { ForPeople, isLoggedOut } from '../api/refusal.ts';
import { feeds } from '../live/feeds.ts';
import { forgetPerson, hangUp, latest, listenAgain, queryClient, useLive } from '../live/live.ts';
import { stored } from './stored.ts';

/** What the server says about itself in the page. */
export const isSandbox = document.documentElement.dataset.mode === 'sandbox';

/** The uid of who has logged in, in any tab. */
const expected = stored(localStorage, 'agio.session');

/** Set where the server has ended the session, so that the login can say why it is shown. */
const ended = stored(sessionStorage, 'agio.sessionEnded');

export const hasSessionEnded = (): boolean => ended.get() !== null;
export const useSessionEnded = (): boolean => ended.use() !== null;

export type SessionState = 'unknown' | 'loggedIn' | 'loggedOut';

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
    // Several components see it; only the first one finds somebody logged in.
    if (expected.get() !== null) ended.set('yes');
    expected.set(null);
    hangUp();
  }, [isOver]);
  const found = data?.uid ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two say when to look
  useEffect(keepToPerson, [uid, found]);
  if (uid === null || isOver) return { state: 'loggedOut', me: null };
  if (data !== undefined) return { state: 'loggedIn', me: data };
  return { state: 'unknown', me: null };
}

/** In another tab, with the same cookie, somebody has logged out, or somebody else in: what is here is not theirs. */
function keepToPerson(): void {
  const known = latest(feeds.me)?.uid ?? null;
  const uid = expected.get();
  if (known === null || String(known) === uid) return;
  if (uid === null) forgetPerson();
  else location.reload();
}

/** Throws Refused, with totpNeeded or emailCodeNeeded where a code has to be asked for. */
export async function logIn(login: UserCenterLoginRequest): Promise<void> {
  await userCenter.login(login);
  forgetPerson();
  try {
    const { uid } = await queryClient.fetchQuery({
      queryKey: feeds.me.key,
      queryFn: () => userCenter.me(),
    });
    ended.set(null);
    expected.set(String(uid));
  } catch (error) {
    throw isLoggedOut(error) ? new ForPeople(COOKIE_NOT_KEPT) : error;
  }
}

/** The server gives its cookie over TLS, or to the very machine that it runs on. */
const COOKIE_NOT_KEPT =
  'Your password is right, but this browser does not keep the login. Open the exchange by https; without it, logging in works only on the machine that it runs on, as http://localhost.';

/** Logs out here, and on the server where it can be reached. */
export function useLogOut(): () => Promise<void> {
  return useCallback(async () => {
    // The server would close the connections, and they would be missed.
    hangUp();
    await userCenter.logout().catch((error) => {
      if (isLoggedOut(error)) return;
      listenAgain();
      throw error;
    });
    ended.set(null);
    expected.set(null);
    forgetPerson();
  }, []);
}
