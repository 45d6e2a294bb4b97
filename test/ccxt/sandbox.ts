// A sandbox in its own process, and ccxt instances for its users.
import type { Dict } from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { Place, readSandbox, Server } from '../support/cli.ts';

export class CcxtSandbox implements AsyncDisposable {
  readonly place: Place;
  readonly info: ReturnType<typeof readSandbox>;
  readonly #server: Server;
  readonly #opened: agio[] = [];

  private constructor(place: Place, server: Server) {
    this.place = place;
    this.#server = server;
    this.info = readSandbox(place.path('data'));
  }

  /** `demo`: with the demo market, which has quotes a moment after the server. */
  static async start({ demo = false } = {}): Promise<CcxtSandbox> {
    const place = new Place();
    const server = await Server.start(['--data', place.path('data')], {}, { demo });
    await server.caughtUp();
    return new CcxtSandbox(place, server);
  }

  get hostname(): string {
    return new URL(this.info.url).host;
  }

  /** Each instance has its own clock. */
  customer({ apiKey, secretKey }: { apiKey: string; secretKey: string }, config: Dict = {}): agio {
    const { hostname } = this;
    const terms = { apiKey, secret: secretKey, hostname, sandbox: true, rateLimit: 1, ...config };
    const exchange = new agio(terms);
    this.#opened.push(exchange);
    return exchange;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const exchange of this.#opened) await exchange.close();
    await this.#server[Symbol.asyncDispose]();
    this.place[Symbol.dispose]();
  }
}
