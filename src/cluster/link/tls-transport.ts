// The link on TCP with TLS 1.3, where both sides prove that they have the master key. A peer
// without it learns nothing and sends nothing: its connection ends before it is a channel.
import type { Socket, SocketHandler } from 'bun';
import { LINK_NAME, type LinkCredentials } from './credentials.ts';
import { FramedChannel } from './framed-channel.ts';
import { type Channel, LinkError, type Listener, type Transport } from './transport.ts';

/** Until a connection and its handshake must be done. */
const HANDSHAKE_MS = 2000;
/** Until the peer must have closed its side, too. */
const END_MS = 1000;
/** Connections in their handshake. Peers of a cluster are few; the rest are rejected. */
const MAX_HANDSHAKES = 64;
/** In the form that TLS writes. */
const TLS_1_3 = 0x0304;

export interface TlsTransportOptions {
  readonly credentials: LinkCredentials;
  /** A connection to the listener became no channel. */
  readonly onRejected: (peer: string, reason: string) => void;
}

export class TlsTransport implements Transport {
  readonly #tls;
  readonly #onRejected: TlsTransportOptions['onRejected'];

  constructor({ credentials: { cert, key, ca }, onRejected }: TlsTransportOptions) {
    this.#onRejected = onRejected;
    this.#tls = {
      cert,
      key,
      ca: [...ca],
      requestCert: true,
      rejectUnauthorized: true,
      serverName: LINK_NAME,
      minVersion: TLS_1_3,
    };
  }

  dial(address: string): Promise<Channel> {
    const { promise, resolve, reject } = Promise.withResolvers<Channel>();
    const connection = new Connection(resolve, (reason) =>
      reject(new LinkError(`The link to ${address} was not opened: ${reason}.`)),
    );
    Bun.connect<Connection>({
      ...hostAndPort(address),
      tls: this.#tls,
      data: connection,
      socket: HANDLERS,
    }).catch((error: Error) => connection.fail(error.message));
    return promise;
  }

  listen(address: string, onChannel: (channel: Channel) => void): Listener {
    const pending = new Set<Connection>();
    const accept = (socket: Socket<Connection>): void => {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`;
      const connection = new Connection(
        (channel) => {
          pending.delete(connection);
          onChannel(channel);
        },
        (reason) => {
          pending.delete(connection);
          this.#onRejected(peer, reason);
        },
      );
      socket.data = connection;
      connection.open(socket);
      pending.add(connection);
      if (pending.size > MAX_HANDSHAKES) connection.fail('too many connections are being opened');
    };
    try {
      const server = Bun.listen<Connection>({
        ...hostAndPort(address),
        tls: this.#tls,
        socket: { ...HANDLERS, open: accept },
      });
      const { hostname, port } = server;
      const host = hostname.includes(':') ? `[${hostname}]` : hostname;
      return { address: `${host}:${port}`, close: () => server.stop() };
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      throw new LinkError(
        isTaken
          ? `The link address ${address} is in use: choose another with --link or --link-listen.`
          : `The link cannot listen on ${address} (${(error as Error).message}): name an address ` +
              'of this machine with --link-listen.',
      );
    }
  }
}

/** One connection, which becomes a channel once both sides have proved that they may. */
class Connection {
  readonly #opened: (channel: Channel) => void;
  readonly #failed: (reason: string) => void;
  #timeout: ReturnType<typeof setTimeout>;
  #socket: Socket<Connection> | null = null;
  #isSettled = false;
  channel: FramedChannel | null = null;
  /** Why the connection ends, where TLS has said it. */
  fault: string | null = null;

  /** Exactly one of both is called. */
  constructor(opened: (channel: Channel) => void, failed: (reason: string) => void) {
    this.#opened = opened;
    this.#failed = failed;
    this.#timeout = setTimeout(
      () => this.fail(`it took longer than ${HANDSHAKE_MS / 1000} s`),
      HANDSHAKE_MS,
    );
  }

  open(socket: Socket<Connection>): void {
    this.#socket = socket;
    if (this.#isSettled) socket.terminate();
  }

  secured(socket: Socket<Connection>): void {
    if (!this.#settle()) return;
    socket.setNoDelay(true);
    this.channel = new FramedChannel({
      peer: `${socket.remoteAddress}:${socket.remotePort}`,
      write: (bytes) => socket.write(bytes),
      end: () => this.#end(socket),
    });
    this.#opened(this.channel);
  }

  fail(reason: string): void {
    if (!this.#settle()) return;
    this.#socket?.terminate();
    this.#failed(reason);
  }

  /** A peer that does not answer the end loses the connection without it. */
  #end(socket: Socket<Connection>): void {
    socket.shutdown();
    this.#timeout = setTimeout(() => socket.terminate(), END_MS);
    this.#timeout.unref();
  }

  /** The connection is gone. */
  close(reason: string): void {
    this.fail(reason);
    clearTimeout(this.#timeout);
    this.channel?.ended(reason);
  }

  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    clearTimeout(this.#timeout);
    return true;
  }
}

const HANDLERS: SocketHandler<Connection> = {
  binaryType: 'uint8array',
  open: (socket) => socket.data.open(socket),
  handshake(socket, _success, error) {
    const { data: connection } = socket;
    if (error === null && socket.authorized) connection.secured(socket);
    else connection.fail(`the peer does not prove that it has the master key (${nameOf(error)})`);
  },
  data: ({ data: { channel } }, bytes) => channel?.received(bytes),
  drain: ({ data: { channel } }) => channel?.drained(),
  error({ data: connection }, error) {
    // The runtime passes faults of TLS here, and errors of these handlers, which are ours.
    if ('code' in error) connection.fault = error.message;
    else throw error;
  },
  close({ data: connection }, error) {
    connection.close(connection.fault ?? error?.message ?? 'the peer closed the connection');
  },
};

const nameOf = (error: Error | null): string =>
  error !== null && 'code' in error ? String(error.code) : 'no certificate';

/** The two parts of host:port; an IPv6 address is in brackets. */
function hostAndPort(address: string): { hostname: string; port: number } {
  const colon = address.lastIndexOf(':');
  const hostname = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return { hostname, port: Number(address.slice(colon + 1)) };
}
