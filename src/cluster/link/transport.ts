// The link between two nodes as its users see it: channels of frames, which arrive whole and in
// order or not at all. tls-transport.ts makes them of sockets; tests have a network in memory.

/** The largest frame: the largest record of a journal, and what a message says beside it. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024 + 64 * 1024;

/** A channel could not be made. The message says why, in words for the operator. */
export class LinkError extends Error {
  override readonly name: string = 'LinkError';
}

/** Another process with the name of this node is in the cluster. */
export class NameTakenError extends LinkError {
  override readonly name = 'NameTakenError';

  static of({ node, address }: { readonly node: string; readonly address: string }) {
    return new NameTakenError(
      `Another node named ${node} runs, with the link ${address}: give each node its own name ` +
        'with --node.',
    );
  }
}

export interface ChannelHandlers {
  /**
   * A frame that the peer sent. The bytes are a view that is never overwritten. A throw closes the
   * channel: the frame was malformed.
   */
  onFrame(frame: Uint8Array): void;
  /** The channel is closed, by either side or a fault. Called once; no frame comes after it. */
  onClose(reason: string): void;
  /** All that waited has been sent. Called after `bufferedBytes` was above 0 for longer. */
  onDrain?(): void;
}

export interface Channel {
  /** The address of the peer, for logs. */
  readonly peer: string;
  /** Bytes that wait for the peer to take them. */
  readonly bufferedBytes: number;
  /** Why it is closed; null while it is open. */
  readonly closed: string | null;
  /**
   * Sends a copy of a frame, which has at least one byte; nothing on a closed channel. A peer that
   * leaves too much of it unread loses the channel.
   */
  send(frame: Uint8Array): void;
  /** Directs the frames, first those that came while nobody received them; null: to nobody. */
  attach(handlers: ChannelHandlers | null): void;
  /** Ends the channel after the frames that the peer has room for. */
  close(reason: string): void;
}

export interface Listener {
  /** Where it listens, as host:port. */
  readonly address: string;
  /** Accepts no more channels. The ones that are open stay. */
  close(): void;
}

export interface Transport {
  /** Opens a channel to host:port. Rejects with a LinkError. */
  dial(address: string): Promise<Channel>;
  /** Throws a LinkError where the address cannot be used. */
  listen(address: string, onChannel: (channel: Channel) => void): Listener;
}

/**
 * The next frame; those after it wait for the next receiver. Rejects with the reason where the
 * channel closes first, and with `late` after `ms`.
 */
export function firstFrame(channel: Channel, ms: number, late: string): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const fail = (reason: string): void => {
    clearTimeout(timeout);
    reject(new Error(reason));
  };
  const timeout = setTimeout(() => fail(late), ms);
  channel.attach({
    onFrame(frame) {
      clearTimeout(timeout);
      channel.attach(null);
      resolve(frame);
    },
    onClose: fail,
  });
  return promise;
}
