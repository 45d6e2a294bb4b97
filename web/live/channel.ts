// A channel of the exchange's streams as this page listens to it: what is kept of its messages, and which feeds that makes
// news of. A message that follows the one before is folded into what is kept; a snapshot begins anew.
import type { DataMessage } from '../../src/sdk/stream-messages.ts';
import type { Endpoint, Streams } from '../../src/sdk/streams.ts';
import type { Subscription } from '../../src/sdk/subscription.ts';

/** Something that is listened to. */
export interface Listened {
  /** Fulfilled when it was closed; rejected where it cannot go on. */
  readonly done: Promise<void>;
  close(): void;
}

/** `state`: what is known after a message; `seq`: its place in the journal. */
export type Tell<S> = (state: S, seq: number) => void;

export interface Channel<S> {
  /** Channels of the same name are one. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly listen: (streams: Streams, tell: Tell<S>) => Listened;
}

/** How a feed gets its news without asking. */
export interface News<T> {
  readonly channel: Channel<unknown>;
  /**
   * What the feed shows now, from what the channel knows and what it showed; undefined where that is not enough. Without it, the
   * channel says only that something has changed, and the feed is read again.
   */
  show?(state: unknown, shown: T | undefined): T | undefined;
}

export const news = <T, S>(
  channel: Channel<S>,
  show: (state: S, shown: T | undefined) => T | undefined,
): News<T> => ({
  channel: channel as Channel<unknown>,
  show: (state, shown) => show(state as S, shown),
});

/** For a feed that is read again when something happens in a channel. */
export const readAgainOn = <S>(channel: Channel<S>): News<never> => ({
  channel: channel as Channel<unknown>,
});

/** A channel whose messages are folded; the state before a snapshot is undefined. */
export const folded = <M extends DataMessage, S>(
  name: string,
  endpoint: Endpoint,
  subscribe: (streams: Streams) => Subscription<M>,
  fold: (state: S | undefined, message: M) => S,
): Channel<S> => ({
  name,
  endpoint,
  listen(streams, tell) {
    let state: S | undefined;
    const subscription = subscribe(streams);
    subscription.on((message) => {
      state = fold(message.type === 'snapshot' ? undefined : state, message);
      tell(state, message.seq);
    });
    return subscription;
  },
});
