// The signed requests of the load: new limit orders at many prices, and cancels of the caller's own
// earlier orders by client order id. Every request is different, and signed as the contract says.
// They are made before each phase, in one buffer for each connection, so the client only copies
// bytes while the clock runs.

import { type ApiKey, ORDER_PATH, OrderScript } from '../../src/cli/bench/order-script.ts';
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
 * `orders`: half new orders, half cancels. `creates`: new orders only. `previews` and `applies`: of
 * the plans of savings.ts, each for another amount. `interest`: pages of the interest history of
 * subscription 1. `batches`: as `orders`, BATCH of them in a request.
 */
export type Mix = 'orders' | 'creates' | 'batches' | 'previews' | 'applies' | 'interest';
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
  /**
   * Orders created and canceled before each request, so that requests that were never sent can be
   * taken back.
   */
  readonly before: Int32Array;
}

/** A message may be this old; all are written before the first is sent. */
const RECV_WINDOW_MS = 60_000;

/** Writes the entries of a websocket's batch in place of requests. */
class MessageScript extends OrderScript {
  override post(path: string, body: string): string {
    return `{"op":"${path === ORDER_PATH ? 'order.place' : 'order.cancel'}",${body.slice(1)}`;
  }

  /** The frame of the next message, each byte a character. */
  message(mix: Mix): string {
    const head = `"id":1,"timestamp":${Date.now()},"recvWindow":${RECV_WINDOW_MS}`;
    const entries = Array.from({ length: mix === 'batches' ? BATCH : 1 }, () => this.next());
    const text =
      mix === 'batches'
        ? `{"op":"order.batch",${head},"entries":[${entries.join(',')}]}`
        : `${entries[0]!.slice(0, -1)},${head}}`;
    return frameOf(text).toString('latin1');
  }
}

/** Everything that one caller sends over its connection. */
export class RequestScript {
  readonly #orders: OrderScript;
  /** Makes every call of earn different. */
  #number = 0;

  constructor(name: string, key: ApiKey, isSocket = false) {
    this.#orders = isSocket ? new MessageScript(name, key) : new OrderScript(name, key);
  }

  /** Signs the next `count` requests. */
  make(mix: Mix, count: number): Batch {
    const more = mix === 'batches' ? BATCH * ENTRY_BYTES : 0;
    const bytes = Buffer.allocUnsafe(count * (REQUEST_BYTES + more));
    const offsets = new Int32Array(count + 1);
    const before = new Int32Array(count * 2 + 2);
    let end = 0;
    for (let i = 0; i < count; i++) {
      offsets[i] = end;
      before.set([this.#orders.created, this.#orders.canceled], i * 2);
      end += bytes.write(this.#next(mix), end, 'latin1');
    }
    offsets[count] = end;
    before.set([this.#orders.created, this.#orders.canceled], count * 2);
    return { bytes, offsets, count, before };
  }

  /** Continues after the first `sent` requests of the batch that was made last. */
  rewind(batch: Batch, sent: number): void {
    this.#orders.created = batch.before[sent * 2];
    this.#orders.canceled = batch.before[sent * 2 + 1];
  }

  #next(mix: Mix): string {
    if (this.#orders instanceof MessageScript) return this.#orders.message(mix);
    const number = this.#number++;
    if (mix === 'previews') return this.#orders.get(previewTarget(number));
    if (mix === 'applies') return this.#orders.post(APPLY_PATH, applyBody(number));
    if (mix === 'interest') return this.#orders.get(`${INTEREST_PATH}${1 + (number % 100)}`);
    if (mix === 'batches') return this.#orders.batch(BATCH);
    return mix === 'creates' ? this.#orders.create() : this.#orders.next();
  }
}
