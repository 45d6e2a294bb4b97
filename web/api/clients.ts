// The clients of the page; the browser's cookie carries the session. Each call is attempted once:
// feeds read again automatically, and after a write without an answer the user decides.
import { AgioClient } from '../../src/sdk/client.ts';
import type { AnswerInfo, Endpoint, StreamState } from '../../src/sdk/index.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';

/** A write of one client, such as the faucet's, shows in the reads of the other. */
function shareSeq({ seq }: AnswerInfo): void {
  if (seq === null) return;
  for (const { transport } of [client, userCenter]) transport.noteSeq(seq);
}

/**
 * The timeout leaves room for the statement of a large account. A load balancer may pass each call
 * to another node.
 */
export const ON_THIS_PAGE = {
  url: '',
  attempts: 1,
  timeoutMs: 30_000,
  readYourWrites: true,
  onAnswer: shareSeq,
} as const;

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
