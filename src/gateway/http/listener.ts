// The address of a server. It is open from the first moment of a start: until the gateway takes it
// over, load balancers, monitoring and operators learn what the start waits for.
import { randomBytes } from 'node:crypto';
import type { Server } from 'bun';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { Problem } from '../../contract/problem.ts';
import { ANY_ADDRESS } from '../../identity/ip.ts';
import type { Connection } from '../../streams/connection.ts';
import { type ConnectionGuard, guardConnections } from '../limits/connection-guard.ts';
import { startMetrics, TEXT_FORMAT } from '../operations/metrics.ts';
import type { StartReason } from '../operations/readiness.ts';
import { Incoming, SERVER_TERMS, type ServerHandle } from './incoming.ts';
import { ok, problemReply, type Reply } from './reply.ts';
import { corsHeaders, respond } from './response.ts';

/** The id of a request that has none. */
const newId = (): string => randomBytes(16).toString('hex');

/** How long a stop waits for requests in progress. The whole stop may take ten seconds. */
const CLOSE_GRACE_MS = 2000;

const WAITS: Readonly<Record<StartReason, string>> = {
  starting: 'The service is starting. Try again shortly.',
  waitingForDatabase: 'The service is starting: it waits for its database. Try again shortly.',
};

type Settings = Pick<
  Config,
  | 'host'
  | 'port'
  | 'trustedProxies'
  | 'operatorNetworks'
  | 'corsOrigins'
  | 'databaseUrl'
  | 'maxConnections'
>;

export class HttpListener {
  /** Where it listens, such as http://127.0.0.1:8080. */
  readonly url: string;
  readonly server: Server<Connection>;
  /** null where the system does not count connections. */
  readonly guard: ConnectionGuard | null;
  /** The reason why the server does not serve yet. */
  reason: StartReason = 'starting';
  readonly #config: Settings;

  /** Throws where the address is taken or not of this machine. */
  constructor(config: Settings, log: Pick<Logger, 'warn'>) {
    const { host, port, maxConnections } = config;
    this.#config = config;
    this.server = Bun.serve<Connection>({
      hostname: host,
      port,
      ...SERVER_TERMS,
      fetch: (request, handle) => this.#answer(request, handle),
      websocket: { message() {} },
    });
    this.guard = guardConnections(this.server.port!, maxConnections, log);
    this.url = `http://${host.includes(':') ? `[${host}]` : host}:${this.server.port}`;
  }

  /** Its gateway answers the requests from now on, also those of open connections. */
  handTo(gateway: { takeOver(listener: HttpListener): void }): void {
    gateway.takeOver(this);
    this.guard?.rebase();
  }

  /** Sends answers in progress. A slow request body does not delay the stop. */
  async close(): Promise<void> {
    this.guard?.stop();
    await Promise.race([this.server.stop(), Bun.sleep(CLOSE_GRACE_MS)]);
    await this.server.stop(true);
  }

  #answer(request: Request, handle: ServerHandle): Response {
    const { trustedProxies, corsOrigins } = this.#config;
    const incoming = new Incoming(request, handle, newId, trustedProxies);
    const { headers, path, requestId } = incoming;
    const cors = corsHeaders(corsOrigins, headers, path);
    return respond({ reply: this.#reply(incoming), route: null, rate: null, cors, requestId });
  }

  #reply(incoming: Incoming): Reply {
    const { operatorNetworks, databaseUrl } = this.#config;
    const { reason } = this;
    const call = `${incoming.request.method} ${incoming.path}`;
    // Alive: a supervisor that ends the process here would not help.
    if (call === 'GET /health') return ok({ status: 'starting', ready: false, reason }, null);
    const isInside = operatorNetworks === ANY_ADDRESS || incoming.isFrom(operatorNetworks);
    if (call === 'GET /metrics' && isInside) {
      const headers = { 'Content-Type': TEXT_FORMAT };
      return { status: 200, body: startMetrics(databaseUrl !== null), seq: null, headers };
    }
    return problemReply(
      new Problem('notReady', {
        userMsg: WAITS[reason],
        details: { reason },
        headers: { 'Retry-After': '1' },
      }),
    );
  }
}
