// A TCP proxy on loopback in front of a node, or of several as a load balancer: a test breaks its
// connections, as those of a process that was killed.
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The port that a new connection goes to; null where nothing listens. */
type Pick = () => number | null | Promise<number | null>;

export class TcpProxy {
  readonly #pick: Pick;
  readonly #server: Server;
  /** Each connection of a client, with the one to the target. */
  readonly #pairs = new Map<Socket, Socket | null>();

  private constructor(pick: Pick) {
    this.#pick = pick;
    this.#server = createServer((client) => void this.#accept(client));
  }

  static async open(pick: Pick): Promise<TcpProxy> {
    const proxy = new TcpProxy(pick);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { readonly port: number }).port}`;
  }

  async #accept(client: Socket): Promise<void> {
    this.#pairs.set(client, null);
    client.on('error', () => client.destroy());
    client.on('close', () => this.#drop(client));
    const port = await this.#pick();
    if (port === null || client.destroyed) {
      client.destroy();
      return;
    }
    const target = connect(port, '127.0.0.1');
    this.#pairs.set(client, target);
    target.on('error', () => target.destroy());
    target.on('close', () => this.#drop(client));
    client.pipe(target);
    target.pipe(client);
  }

  #drop(client: Socket): void {
    const target = this.#pairs.get(client);
    this.#pairs.delete(client);
    client.destroy();
    target?.destroy();
  }

  /** Breaks every connection and takes no more of them. */
  close(): void {
    this.#server.close();
    for (const client of [...this.#pairs.keys()]) this.#drop(client);
  }
}
