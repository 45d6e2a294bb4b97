// The signed requests of the load: the orders and cancels of order-flow.ts, each different and
// signed as the contract says. They are made before each phase, so the client only copies bytes
// while the clock runs.
import { type ApiKey, batchBody, type Entry } from '../../src/cli/bench/order-script.ts';
import { OrderFlow, type Stream } from './order-flow.ts';
import { frameOf } from './websocket.ts';

const hmac = (secretKey: string, text: string): string =>
  new Bun.CryptoHasher('sha256', secretKey).update(text).digest('hex');

/** The headers of a request; `text` is method, path and body. */
export function signedHeaders({ apiKey, secretKey }: ApiKey, text: string): Record<string, string> {
  const timestamp = String(Date.now());
  return {
    'EXCHANGE-API-KEY': apiKey,
    'EXCHANGE-API-TIMESTAMP': timestamp,
    'EXCHANGE-API-SIGN': hmac(secretKey, timestamp + text),
  };
}

/** Posts a signed request, outside of the measured load. */
export function postSigned(
  url: string,
  key: ApiKey,
  path: string,
  request: object,
): Promise<Response> {
  const body = JSON.stringify(request);
  const headers = signedHeaders(key, `POST${path}${body}`);
  const withType = { 'Content-Type': 'application/json', ...headers };
  return fetch(url + path, { method: 'POST', body, headers: withType });
}

/** A stream of orders, or orders far from the market. */
export type Mix = Stream | 'far';
/** agio's own calls by HTTP or a websocket, or Binance's with this newOrderRespType. */
export type Form = 'http' | 'websocket' | 'ACK' | 'FULL';
/** Orders of a request, where it has several. */
export const BATCH = 50;

/** Longer than any request: the fixed part of the head has 260 bytes, the body at most 110. */
const REQUEST_BYTES = 600;
/** More than an entry of a batch has. */
const ENTRY_BYTES = 150;
/** A message may be this old; all are written before the first is sent. */
const RECV_WINDOW_MS = 60_000;

/** The frame of a websocket message with these entries, each byte a character. */
function messageOf(entries: readonly Entry[]): string {
  const [one] = entries;
  const { op, body } = entries.length > 1 ? { op: 'batch', body: batchBody(entries) } : one;
  const head = `"id":1,"timestamp":${Date.now()},"recvWindow":${RECV_WINDOW_MS}`;
  return frameOf(`{"op":"order.${op}",${head},${body.slice(1)}`).toString('latin1');
}

/** The order or cancel as a signed request of Binance's API. */
function binanceRequest({ apiKey, secretKey }: ApiKey, { op, body }: Entry, type: Form): string {
  const { clOrdId, origClOrdId, side, ordType, price, orderQty } = JSON.parse(body);
  const limit = ordType === '2' ? `type=LIMIT&timeInForce=GTC&price=${price}` : 'type=MARKET';
  const terms = `side=${side === '1' ? 'BUY' : 'SELL'}&${limit}&quantity=${orderQty}`;
  const order = `${terms}&newClientOrderId=${clOrdId}&newOrderRespType=${type}`;
  const about = op === 'place' ? order : `origClientOrderId=${origClOrdId}`;
  const form = `symbol=BTCUSDT&${about}&recvWindow=${RECV_WINDOW_MS}&timestamp=${Date.now()}`;
  const head = `Host: 127.0.0.1\r\nX-MBX-APIKEY: ${apiKey}\r\nContent-Length: 0\r\n\r\n`;
  const verb = op === 'place' ? 'POST' : 'DELETE';
  const query = `${form}&signature=${hmac(secretKey, form)}`;
  return `${verb} /binance/api/v3/order?${query} HTTP/1.1\r\n${head}`;
}

export interface Content {
  readonly mix: Mix;
  /** Orders of a request; 1 unless given. */
  readonly size?: number;
  /** The pair of mix `far`. */
  readonly symbol?: string;
}

/** Everything that one caller sends over its connection. */
export class RequestScript {
  readonly #orders: OrderFlow;
  readonly #key: ApiKey;
  readonly #form: Form;
  #content: Content = { mix: 'quiet' };
  #bytes = Buffer.alloc(0);
  /** Where each request begins, and the end of the last. */
  #offsets = new Int32Array(1);
  #next = 0;
  #before = { created: 0, canceled: 0, steps: 0, near: 0, distant: 0 };

  constructor(name: string, key: ApiKey, form: Form) {
    this.#orders = new OrderFlow(name, key);
    this.#key = key;
    this.#form = form;
  }

  /** Signs the next `count` requests. */
  prepare(content: Content, count: number): void {
    const { created, canceled, steps, near, distant } = this.#orders;
    this.#before = { created, canceled, steps, near, distant };
    this.#content = content;
    const size = content.size ?? 1;
    this.#bytes = Buffer.allocUnsafe(count * (REQUEST_BYTES + size * ENTRY_BYTES));
    this.#offsets = new Int32Array(count + 1);
    this.#next = 0;
    let end = 0;
    for (let i = 0; i < count; i++) {
      end += this.#bytes.write(this.#make(), end, 'latin1');
      this.#offsets[i + 1] = end;
    }
  }

  /** Sends the next request. Throws when there is none. */
  sendNext(send: (bytes: Buffer, from: number, to: number) => void): void {
    const at = this.#next++;
    if (this.#next >= this.#offsets.length) throw new Error('a connection ran out of requests');
    send(this.#bytes, this.#offsets[at], this.#offsets[at + 1]);
  }

  /** Continues after the requests that were sent. */
  rewind(): void {
    if (this.#next === this.#offsets.length - 1) return;
    Object.assign(this.#orders, this.#before);
    for (let i = 0; i < this.#next; i++) this.#entries();
  }

  #entries(): Entry[] {
    const { mix, size = 1, symbol = '' } = this.#content;
    const next = () => (mix === 'far' ? this.#orders.far(symbol) : this.#orders.entry(mix));
    return Array.from({ length: size }, next);
  }

  #make(): string {
    const entries = this.#entries();
    if (this.#form === 'websocket') return messageOf(entries);
    if (this.#form !== 'http') return binanceRequest(this.#key, entries[0], this.#form);
    return entries.length > 1 ? this.#orders.batch(entries) : this.#orders.request(entries[0]);
  }
}
