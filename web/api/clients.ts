// The clients of the page; the browser's cookie carries the session. Each call is attempted once:
// feeds read again automatically, and after a write without an answer the user decides.
import { AgioClient } from '../../src/sdk/client.ts';
import type { Endpoint, StreamState } from '../../src/sdk/index.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';

/** The timeout leaves room for the statement of a large account. */
export const ON_THIS_PAGE = { url: '', attempts: 1, timeoutMs: 30_000 } as const;

type StateListener = (endpoint: Endpoint, state: StreamState) => void;
const listeners = new Set<StateListener>();

/** Calls `listener` with every change of a websocket. */
export function onStreamState(listener: StateListener): void {
  listeners.add(listener);
}

export const client = new AgioClient({
  ...ON_THIS_PAGE,
  cookie: true,
  streams: {
    onState(endpoint, state) {
      for (const listener of listeners) listener(endpoint, state);
    },
  },
});

export const userCenter = new UserCenterClient({ ...ON_THIS_PAGE, cookie: true });
