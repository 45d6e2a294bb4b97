// The HTTP server of the main thread, where there are no gateway threads.
import type { Server } from 'bun';
import type { Connection, SocketHandlers } from '../../streams/connection.ts';
import type { Publisher } from '../../streams/hub.ts';
import { SOCKET_TERMS } from '../../streams/limits.ts';
import { SERVER_TERMS, type ServerHandle } from './incoming.ts';

/** Where requests come from: this thread, or gateway threads. */
export interface Listener extends Publisher {
  /** Returns the port, which it chooses for 0. Rejects where the address is taken. */
  listen(host: string, port: number): Promise<number>;
  /** Stops listening; resolves when all requests are answered. */
  stop(): Promise<void>;
  /** Ends all connections. */
  end(): void | Promise<void>;
}

/** Answers a request; resolves to undefined where it became a websocket. */
export type Serve = (request: Request, server: ServerHandle) => Promise<Response | undefined>;

export class OwnServer implements Listener {
  readonly #serve: Serve;
  readonly #sockets: SocketHandlers;
  #server: Server<Connection> | null = null;

  constructor(serve: Serve, sockets: SocketHandlers) {
    this.#serve = serve;
    this.#sockets = sockets;
  }

  async listen(hostname: string, port: number): Promise<number> {
    this.#server = Bun.serve<Connection>({
      hostname,
      port,
      ...SERVER_TERMS,
      fetch: this.#serve,
      websocket: { ...SOCKET_TERMS, ...this.#sockets },
    });
    return this.#server.port!;
  }

  publish(topic: string, text: string): void {
    this.#server?.publish(topic, text);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  async end(): Promise<void> {
    await this.#server?.stop(true);
  }
}
