// The clients of this page, one each: who has logged in is known to the server by the browser's cookie. A call is attempted once:
// a page that reads asks again by itself, and a person who writes is told what nobody knows and decides.
import { AgioClient } from '../../src/sdk/client.ts';
import type { StreamState } from '../../src/sdk/stream-connection.ts';
import type { Endpoint } from '../../src/sdk/streams.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';

export type { CallOptions } from '../../src/sdk/transport.ts';
export type { Endpoint, StreamState };

/** A statement of a large account takes a while. */
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
