// The signed requests of the load: the orders and cancels of order-flow.ts, and the calls of earn.
// Every request is different, and signed as the contract says.
// They are made before each phase, in one buffer for each connection, so the client only copies
// bytes while the clock runs.

import type { ApiKey, Entry } from '../../src/cli/bench/order-script.ts';
import { OrderFlow, type Stream } from './order-flow.ts';
import { frameOf } from './websocket-client.ts';

/** The headers of a request; `text` is method, path and body. */
export function signedHeaders({ apiKey, secretKey }: ApiKey, text: string): Record<string, string> {
  const timestamp = String(Date.now());
  const hasher = new Bun.CryptoHasher('sha256', secretKey).update(timestamp + text);
  return {
    'EXCHANGE-API-KEY': apiKey,
    'EXCHANGE-API-TIMESTAMP': timestamp,
    'EXCHANGE-API-SIGN': hasher.digest('hex'),
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

/**
 * A stream of orders; or, of earn, `previews` and `applies` of the plans of savings.ts, each for
 * another amount, and `interest`: pages of the interest history of subscription 1.
 */
export type Mix = Stream | EarnMix;
const EARN_MIXES = ['previews', 'applies', 'interest'] as const;
type EarnMix = (typeof EARN_MIXES)[number];
export const isEarn = (mix: Mix): mix is EarnMix => EARN_MIXES.includes(mix as EarnMix);
/** Orders of a request, where it has several. */
export const BATCH = 50;

/** Longer than any request: the fixed part of the head has 260 bytes, the body at most 110. */
const REQUEST_BYTES = 600;
/** More than an entry of a batch has. */
const ENTRY_BYTES = 150;

const EARN = '/earn-api/v1/user';
const APPLY_PATH = `${EARN}/plan/apply`;
const INTEREST_PATH = `${EARN}/apply/interest?applyId=1&pageSize=10&currentPage=`;
/** Each for another amount, all of them small against the customer's funds. */
const applyBody = (number: number): string =>
  `{"planId":"1","amount":0.${String(1 + number).padStart(8, '0')}}`;
const previewTarget = (number: number): string =>
  `${EARN}/apply/preview?planId=3&amount=${100 + number}&day=${30 + (number % 336)}`;

/** Requests of one connection, ready to be sent one after the other. */
export interface Batch {
  readonly bytes: Buffer;
  /** Where each request begins, and the end of the last. */
  readonly offsets: Int32Array;
  readonly count: number;
  /** The script's counters before each request, so that unsent requests can be taken back. */
  readonly before: Int32Array;
}

/** A message may be this old; all are written before the first is sent. */
const RECV_WINDOW_MS = 60_000;

/** The frame of a websocket message with these entries, each byte a character. */
function messageOf(entries: readonly Entry[]): string {
  const head = `"id":1,"timestamp":${Date.now()},"recvWindow":${RECV_WINDOW_MS}`;
  const texts = entries.map(({ op, body }) => `{"op":"order.${op}",${body.slice(1)}`);
  const text =
    texts.length > 1
      ? `{"op":"order.batch",${head},"entries":[${texts.join(',')}]}`
      : `${texts[0]!.slice(0, -1)},${head}}`;
  return frameOf(text).toString('latin1');
}

/** agio's own calls by HTTP or a websocket, or Binance's with this newOrderRespType. */
export type Form = 'http' | 'websocket' | 'ACK' | 'FULL';

/** The order or cancel as a signed request of Binance's API. */
function binanceRequest({ apiKey, secretKey }: ApiKey, { op, body }: Entry, type: Form): string {
  const { clOrdId, origClOrdId, side, ordType, price, orderQty } = JSON.parse(body);
  const limit = ordType === '2' ? `type=LIMIT&timeInForce=GTC&price=${price}` : 'type=MARKET';
  const terms = `side=${side === '1' ? 'BUY' : 'SELL'}&${limit}&quantity=${orderQty}`;
  const order = `${terms}&newClientOrderId=${clOrdId}&newOrderRespType=${type}`;
  const about = op === 'place' ? order : `origClientOrderId=${origClOrdId}`;
  const form = `symbol=BTCUSDT&${about}&recvWindow=${RECV_WINDOW_MS}&timestamp=${Date.now()}`;
  const sign = new Bun.CryptoHasher('sha256', secretKey).update(form).digest('hex');
  const head = `Host: 127.0.0.1\r\nX-MBX-APIKEY: ${apiKey}\r\nContent-Length: 0\r\n\r\n`;
  const verb = op === 'place' ? 'POST' : 'DELETE';
  return `${verb} /binance/api/v3/order?${form}&signature=${sign} HTTP/1.1\r\n${head}`;
}

const COUNTERS = ['created', 'canceled', 'steps', 'near'] as const;

/** Everything that one caller sends over its connection. */
export class RequestScript {
  readonly #orders: OrderFlow;
  readonly #key: ApiKey;
  readonly #form: Form;
  /** Makes every call of earn different. */
  #number = 0;

  constructor(name: string, key: ApiKey, form: Form = 'http') {
    this.#orders = new OrderFlow(name, key);
    this.#key = key;
    this.#form = form;
  }

  /** Signs the next `count` requests, of `size` orders each. */
  make(mix: Mix, count: number, size = 1): Batch {
    const bytes = Buffer.allocUnsafe(count * (REQUEST_BYTES + size * ENTRY_BYTES));
    const offsets = new Int32Array(count + 1);
    const before = new Int32Array((count + 1) * COUNTERS.length);
    let end = 0;
    for (let i = 0; i <= count; i++) {
      offsets[i] = end;
      const counters = COUNTERS.map((name) => this.#orders[name]);
      before.set(counters, i * COUNTERS.length);
      if (i < count) end += bytes.write(this.#next(mix, size), end, 'latin1');
    }
    return { bytes, offsets, count, before };
  }

  /** Continues after the first `sent` requests of the batch that was made last. */
  rewind({ before }: Batch, sent: number): void {
    COUNTERS.forEach((name, i) => {
      this.#orders[name] = before[sent * COUNTERS.length + i]!;
    });
  }

  #next(mix: Mix, size: number): string {
    if (isEarn(mix)) return this.#earn(mix);
    const entries = Array.from({ length: size }, () => this.#orders.entry(mix));
    if (this.#form === 'websocket') return messageOf(entries);
    if (this.#form !== 'http') return binanceRequest(this.#key, entries[0]!, this.#form);
    return size > 1 ? this.#orders.batch(entries) : this.#orders.request(entries[0]!);
  }

  #earn(mix: EarnMix): string {
    const number = this.#number++;
    if (mix === 'previews') return this.#orders.get(previewTarget(number));
    if (mix === 'applies') return this.#orders.post(APPLY_PATH, applyBody(number));
    return this.#orders.get(`${INTEREST_PATH}${1 + (number % 100)}`);
  }
}
