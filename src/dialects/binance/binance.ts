// The dialect of Binance's Spot API: the same commands, state, views and streams in its wire form.
import { openSocket } from '../../gateway/auth/stream-gate.ts';
import type { Incoming } from '../../gateway/http/incoming.ts';
import { respond } from '../../gateway/http/response.ts';
import type { Dialect } from '../../gateway/http/server.ts';
import { requireAvailable } from '../../gateway/limits/load.ts';
import type { Services } from '../../gateway/services.ts';
import type { Connection } from '../../streams/connection.ts';
import type { Streams } from '../../streams/streams.ts';
import { ApiSocket } from './api-socket.ts';
import { Captures } from './captures.ts';
import type { Shared } from './endpoint.ts';
import { ListenKeys } from './listen-keys.ts';
import { MarketSocket, namesIn } from './market-socket.ts';
import { Rest } from './rest.ts';
import { StreamHub } from './stream-hub.ts';
import { Symbols } from './symbols.ts';

const STREAMS = /^\/binance\/(ws|stream)(?:$|\/(.*)$)/;
const API = '/binance/ws-api/v3';

export class BinanceDialect implements Dialect {
  readonly prefix = '/binance/';
  readonly #services: Services;
  readonly #streams: Streams;
  readonly #rest: Rest;
  readonly #market: MarketSocket;
  readonly #api: ApiSocket;
  readonly listenKeys: ListenKeys;
  readonly hub: StreamHub;

  constructor(services: Services, streams: Streams, listenKeys = new ListenKeys()) {
    this.#services = services;
    this.#streams = streams;
    this.listenKeys = listenKeys;
    const { engine } = services;
    const symbols = new Symbols(engine.exchange.state);
    const captures = new Captures(engine);
    const shared: Shared = { services, symbols, captures, listenKeys };
    const hub = new StreamHub({ services, symbols });
    this.hub = hub;
    const rest = new Rest(shared);
    this.#rest = rest;
    this.#market = new MarketSocket(hub, listenKeys, () => engine.now);
    this.#api = new ApiSocket(shared, { rest, hub, streams });
  }

  async serve(incoming: Incoming): Promise<Response | undefined> {
    const { path, query, requestId } = incoming;
    const isApi = path === API;
    const streams = isApi ? null : STREAMS.exec(path);
    if (!isApi && streams === null) return this.#rest.serve(incoming);
    try {
      if (isApi) await this.#open(incoming, (limitedAs) => this.#admitApi(incoming, limitedAs));
      else {
        const names = namesIn(streams![2] ?? '', query);
        const isCombined = streams![1] === 'stream';
        await this.#open(incoming, (limitedAs) =>
          this.#admitMarket(incoming, limitedAs, names, isCombined),
        );
      }
      return undefined;
    } catch (error) {
      const reply = this.#rest.failed(error, requestId);
      return respond({ reply, route: null, rate: null, cors: null, requestId });
    }
  }

  async #open({ server, request, ip }: Incoming, admit: (limitedAs: string) => Connection) {
    const services = this.#services;
    requireAvailable(services.availability());
    services.load.admit('public');
    const address = ip();
    await openSocket({ services, streams: this.#streams, server, request, address }, admit);
  }

  #admitApi({ ip }: Incoming, limitedAs: string): Connection {
    return this.#streams.admit('/ws/v1/public', ip(), limitedAs, null, this.#api);
  }

  #admitMarket(
    { ip }: Incoming,
    limitedAs: string,
    names: readonly string[],
    isCombined: boolean,
  ): Connection {
    const login = this.#market.loginOf(names, ip());
    const connection = this.#streams.admit('/ws/v1/public', ip(), limitedAs, login, this.#market);
    this.#market.begin(connection, names, isCombined);
    return connection;
  }
}
