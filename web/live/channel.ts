// A channel of the exchange's streams: it folds messages into a state, and updates the feeds that
// show that state. A snapshot starts a new state.
import type { DataMessage } from '../../src/sdk/generated/types.ts';
import type { Endpoint, Streams } from '../../src/sdk/streams.ts';
import type { StreamSubscription } from '../../src/sdk/subscription.ts';

export interface OpenChannel {
  /** Fulfilled when it is closed; rejected when it cannot continue. */
  readonly done: Promise<void>;
  close(): void;
}

/** Called with the state after a message, and the journal position of the message. */
export type Emit<S> = (state: S, seq: number) => void;

export interface Channel<S> {
  /** Channels of the same name are the same channel. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly open: (streams: Streams, emit: Emit<S>) => OpenChannel;
}

/** How a channel updates a feed. */
export interface FeedUpdates<T> {
  readonly channel: Channel<unknown>;
  /**
   * The feed's next data, from the channel's state and the current data; undefined to keep it.
   * Without this function, a message makes the feed read again.
   */
  derive?(state: unknown, current: T | undefined): T | undefined;
}

export const updatesFrom = <T, S>(
  channel: Channel<S>,
  derive: (state: S, current: T | undefined) => T | undefined,
): FeedUpdates<T> => ({
  channel: channel as Channel<unknown>,
  derive: (state, current) => derive(state as S, current),
});

/** For a feed that reads again after each message of a channel. */
export const rereadOn = <S>(channel: Channel<S>): FeedUpdates<never> => ({
  channel: channel as Channel<unknown>,
});

/** A channel that folds its messages; the state before a snapshot is undefined. */
export const foldChannel = <M extends DataMessage, S>(
  name: string,
  endpoint: Endpoint,
  subscribe: (streams: Streams) => StreamSubscription<M>,
  fold: (state: S | undefined, message: M) => S,
): Channel<S> => ({
  name,
  endpoint,
  open(streams, emit) {
    let state: S | undefined;
    const subscription = subscribe(streams);
    subscription.on((message) => {
      state = fold(message.type === 'snapshot' ? undefined : state, message);
      emit(state, message.seq);
    });
    return subscription;
  },
});
