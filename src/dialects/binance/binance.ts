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
import { Venue } from './endpoint.ts';
import { Entrance } from './entrance.ts';
import { ListenKeys } from './listen-keys.ts';
import { MarketSocket, namesIn } from './market-socket.ts';
import { Rest } from './rest.ts';
import { StreamHub } from './stream-hub.ts';

const STREAMS = /^\/binance\/(ws|stream)(?:$|\/(.*)$)/;
const API = '/binance/ws-api/v3';
/** Most requests begin so. */
const REST = '/binance/api/';

export class BinanceDialect implements Dialect {
  readonly prefix = '/binance/';
  readonly #services: Services;
  readonly #entrance: Entrance;
  readonly #streams: Streams;
  readonly #rest: Rest;
  readonly #market: MarketSocket;
  readonly #api: ApiSocket;

  constructor(services: Services, streams: Streams, listenKeys = new ListenKeys()) {
    this.#services = services;
    this.#streams = streams;
    const venue = new Venue(services, listenKeys);
    const entrance = new Entrance(venue);
    const hub = new StreamHub(venue);
    this.#entrance = entrance;
    this.#rest = new Rest(venue, entrance);
    this.#market = new MarketSocket(venue, hub, streams);
    this.#api = new ApiSocket(venue, entrance, hub, streams);
  }

  serve(incoming: Incoming): Promise<Response | undefined> {
    const { path, query } = incoming;
    this.#entrance.rejectLoginIn(query, '');
    if (path.startsWith(REST)) return this.#rest.serve(incoming);
    const streams = STREAMS.exec(path);
    if (path !== API && streams === null) return this.#rest.serve(incoming);
    return this.#upgrade(incoming, streams);
  }

  /** Opens a websocket: of market streams, or of the websocket API. */
  async #upgrade(
    incoming: Incoming,
    streams: RegExpExecArray | null,
  ): Promise<undefined | Response> {
    const { query, requestId } = incoming;
    try {
      await this.#open(incoming, (address, limitedAs) => {
        const dialect = streams === null ? this.#api : this.#market;
        const connection = this.#streams.admit('/ws/v1/public', address, limitedAs, null, dialect);
        if (streams === null) return connection;
        const names = namesIn(streams[2] ?? '', query);
        this.#market.begin(connection, names, streams[1] === 'stream');
        return connection;
      });
      return undefined;
    } catch (error) {
      const reply = this.#rest.failed(error, requestId);
      return respond({ reply, route: null, rate: null, cors: null, requestId });
    }
  }

  async #open(
    { server, request, ip }: Incoming,
    admit: (address: string, limitedAs: string) => Connection,
  ): Promise<void> {
    const services = this.#services;
    requireAvailable(services.availability());
    services.load.admit('public');
    const address = ip();
    await openSocket({ services, streams: this.#streams, server, request, address }, (limitedAs) =>
      admit(address, limitedAs),
    );
  }
}
