// Clients of the Binance dialect for tests: requests signed by hand, sent byte for byte, and ccxt's
// own class with the URLs changed.
import { createHmac } from 'node:crypto';
import ccxt, { type Dict, type Exchange } from 'ccxt';
import type { Answer, Credentials, Json, TestNode } from '../support/node.ts';
import { until } from '../support/waiting.ts';

export type Parameters = Readonly<Record<string, string | number>>;

export const formOf = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** The URLs of the dialect for ccxt. */
function urlsOf(node: Pick<TestNode, 'url'>) {
  const base = `${node.url}/binance`;
  const socket = base.replace('http', 'ws');
  return {
    api: {
      public: `${base}/api/v3`,
      private: `${base}/api/v3`,
      sapi: `${base}/sapi/v1`,
      sapiV3: `${base}/sapi/v3`,
      ws: { spot: `${socket}/stream`, 'ws-api': { spot: `${socket}/ws-api/v3` } },
    },
  };
}

/** ccxt's class for Binance, unchanged. */
export function ccxtOf(
  node: Pick<TestNode, 'url'>,
  { apiKey, secretKey }: Credentials,
  config: Dict = {},
): Exchange {
  return new ccxt.pro.binance({
    apiKey,
    secret: secretKey,
    urls: urlsOf(node),
    enableRateLimit: false,
    options: { fetchMarkets: { types: ['spot'] } },
    ...config,
  }) as unknown as Exchange;
}

/** A client, whose called methods are noted. */
export const recorded = <T extends object>(client: T, called: Set<string>): T =>
  new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      called.add(String(name));
      return value.bind(target);
    },
  });

/** The names of the methods of a client's own class. */
export const methodsOf = (client: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(client)).filter(
    (name) => name !== 'constructor',
  );

/** The holder of one key, who signs as Binance's documents say. */
export class BinanceClient {
  readonly #node: TestNode;
  readonly credentials: Credentials;
  #last = 0;

  constructor(node: TestNode, credentials: Credentials) {
    this.#node = node;
    this.credentials = credentials;
  }

  static async of(node: TestNode): Promise<BinanceClient> {
    return new BinanceClient(node, (await node.client()).credentials);
  }

  /** Two equal writes of one millisecond would have the same signature. */
  timestamp(): number {
    this.#last = Math.max(Date.now(), this.#last + 1);
    return this.#last;
  }

  sign(text: string): string {
    return createHmac('sha256', this.credentials.secretKey).update(text).digest('hex');
  }

  /** The parameters with a timestamp and their signature. */
  signed(parameters: Parameters = {}): string {
    const form = formOf({ timestamp: this.timestamp(), ...parameters });
    return `${form}&signature=${this.sign(form)}`;
  }

  /** Sends these texts as they are. */
  send(method: string, path: string, query = '', body?: string): Promise<Answer> {
    const target = `/binance/${path.startsWith('sapi') ? path : `api/v3/${path}`}`;
    return this.#node.request(query === '' ? target : `${target}?${query}`, {
      method,
      headers: {
        'X-MBX-APIKEY': this.credentials.apiKey,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** A signed call, whose parameters are in the query, as all methods of Binance accept them. */
  call(method: string, path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.send(method, path, this.signed(parameters));
  }

  public(path: string, parameters: Parameters = {}): Promise<Answer> {
    return this.send('GET', path, formOf(parameters));
  }

  /** A call that has to succeed; its body. */
  async must(method: string, path: string, parameters: Parameters = {}): Promise<Json> {
    const { status, body, text } = await this.call(method, path, parameters);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body;
  }

  /** A limit order of BTCUSDT that has to be accepted. */
  limit(side: 'BUY' | 'SELL', price: string, quantity: string, more: Parameters = {}) {
    const terms = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity };
    return this.must('POST', 'order', { ...terms, ...more });
  }
}

/** A websocket that keeps what it receives. */
export class BinanceSocket {
  readonly received: Json[] = [];
  closed: string | null = null;
  readonly #socket: WebSocket;
  #id = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.received.push(JSON.parse(String(data)) as Json);
    socket.onclose = ({ reason }) => {
      this.closed = reason;
    };
  }

  static async open({ url }: Pick<TestNode, 'url'>, path: string): Promise<BinanceSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/binance/${path}`);
    const made = new BinanceSocket(socket);
    await until(() => socket.readyState === WebSocket.OPEN || made.closed !== null);
    return made;
  }

  close(): void {
    this.#socket.close();
  }

  say(message: string | object): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The first message that fits. */
  async receive(fits: (message: Json) => unknown): Promise<Json> {
    await until(
      () => this.received.some(fits),
      () => this.received,
    );
    return this.received.find(fits)!;
  }

  /** The answer to a request. */
  ask(method: string, params: unknown): Promise<Json> {
    const id = ++this.#id;
    this.say({ id, method, params });
    return this.receive((message) => message.id === (id as never));
  }
}

/** Two new customers; the two before them leave no open orders. */
export async function newTraders(
  node: TestNode,
  ...last: (BinanceClient | undefined)[]
): Promise<[BinanceClient, BinanceClient]> {
  for (const client of last) await client?.call('DELETE', 'openOrders', { symbol: 'BTCUSDT' });
  return [await BinanceClient.of(node), await BinanceClient.of(node)];
}

/** The pair trades at 100. */
export async function tradeAt100(maker: BinanceClient, taker: BinanceClient): Promise<void> {
  await maker.limit('SELL', '100', '1');
  await taker.limit('BUY', '100', '1');
}
