// A TCP proxy on loopback that breaks a network as a test says, while connections are open: it
// resets them, holds what one side or both send, as a network that loses every packet does, or
// delivers it later. In front of several nodes it is their load balancer.
import { connect, createServer, type Server, type Socket } from 'node:net';

/** `up` is from the side that connects, `down` is to it. */
export type Direction = 'up' | 'down';

const DIRECTIONS: readonly Direction[] = ['up', 'down'];

/** Chooses the port on loopback of a new connection; null where nothing listens. */
type Pick = () => number | null | Promise<number | null>;

export class TcpProxy {
  readonly port: number;
  /** The port on loopback that connections go to, unless the proxy was given a choice. */
  target = 0;
  readonly #pick: Pick;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  readonly #held = new Set<Direction>();
  #isCut = false;
  #delayMs = 0;

  private constructor(server: Server, port: number, target: number | Pick) {
    this.#server = server;
    this.port = port;
    if (typeof target === 'number') this.target = target;
    this.#pick = typeof target === 'number' ? () => this.target : target;
    server.on('connection', (socket) => void this.#accept(socket));
  }

  /** `port` 0 is any free port. */
  static open(target: number | Pick, port = 0): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true });
    const { promise, resolve, reject } = Promise.withResolvers<TcpProxy>();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address() as { port: number };
      resolve(new TcpProxy(server, address.port, target));
    });
    return promise;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get openConnections(): number {
    return this.#connections.size;
  }

  isHeld(direction: Direction): boolean {
    return this.#held.has(direction);
  }

  get delayMs(): number {
    return this.#delayMs;
  }

  /** Resets every connection, and each new one. */
  cut(): void {
    this.#isCut = true;
    this.reset();
  }

  /** Resets the connections that are open now. */
  reset(): void {
    for (const connection of this.#connections) connection.reset();
  }

  /** Delivers nothing in these directions, not even an end, until `heal` delivers it. */
  hold(directions: readonly Direction[] = DIRECTIONS): void {
    for (const direction of directions) this.#held.add(direction);
  }

  /** Delivers everything so much later. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Passes everything again, and first what was held. */
  heal(): void {
    this.#isCut = false;
    this.#held.clear();
    this.#delayMs = 0;
    for (const connection of this.#connections) connection.resume();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #accept(near: Socket): Promise<void> {
    near.on('error', () => {});
    const port = this.#isCut ? null : await this.#pick();
    if (port === null || this.#isCut || near.destroyed) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const connection = new Connection(this, near, far, () => this.#connections.delete(connection));
    this.#connections.add(connection);
  }
}

class Connection {
  readonly #pumps: readonly Pump[];
  readonly #sockets: readonly Socket[];

  constructor(proxy: TcpProxy, near: Socket, far: Socket, onClosed: () => void) {
    this.#sockets = [near, far];
    for (const socket of this.#sockets) socket.setNoDelay(true);
    this.#pumps = [new Pump(proxy, 'up', near, far), new Pump(proxy, 'down', far, near)];
    let open = this.#sockets.length;
    for (const socket of this.#sockets) {
      socket.on('close', () => {
        open--;
        if (open === 0) onClosed();
      });
    }
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  resume(): void {
    for (const pump of this.#pumps) pump.run();
  }
}

type Event = 'end' | 'reset' | Uint8Array;

/** One direction of a connection: what `from` sends, in order, and how it ends. */
class Pump {
  readonly #proxy: TcpProxy;
  readonly #direction: Direction;
  readonly #from: Socket;
  readonly #to: Socket;
  #waiting: { readonly event: Event; readonly due: number }[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(proxy: TcpProxy, direction: Direction, from: Socket, to: Socket) {
    this.#proxy = proxy;
    this.#direction = direction;
    this.#from = from;
    this.#to = to;
    from.on('data', (chunk) => this.#push(chunk as Uint8Array));
    from.on('end', () => this.#push('end'));
    from.on('error', () => this.#push('reset'));
    from.on('close', () => this.#push('reset'));
    to.on('drain', () => this.run());
  }

  #push(event: Event): void {
    this.#waiting.push({ event, due: performance.now() + this.#proxy.delayMs });
    // The sender's own buffers fill up, as they do where nothing is acknowledged.
    this.#from.pause();
    this.run();
  }

  /** Delivers what is due. */
  run(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#waiting.length > 0) {
      const { event, due } = this.#waiting[0]!;
      if (this.#proxy.isHeld(this.#direction) || this.#to.writableNeedDrain) return;
      const left = this.#proxy.delayMs === 0 ? 0 : due - performance.now();
      if (left > 0) {
        this.#timer = setTimeout(() => this.run(), left);
        return;
      }
      this.#waiting.shift();
      this.#deliver(event);
    }
    this.#from.resume();
  }

  #deliver(event: Event): void {
    if (this.#to.destroyed) return;
    if (event === 'end') this.#to.end();
    // After an orderly end on both sides, the close is no reset.
    else if (event !== 'reset') this.#to.write(event);
    else if (!this.#to.writableEnded) this.#to.resetAndDestroy();
  }
}
