// The signed requests of the load: new limit orders at many prices, and cancels of the caller's own
// earlier orders by client order id. Every request differs from all others and is signed as the
// contract says. They are made before they are needed, a phase at a time, and lie end to end in one
// buffer for each connection, so that while the clock runs the client only copies bytes.

export interface ApiKey {
  readonly apiKey: string;
  readonly secretKey: string;
}

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
 * subscription 1.
 */
export type Mix = 'orders' | 'creates' | 'previews' | 'applies' | 'interest';

/**
 * Open orders that a connection keeps in the mix of orders and cancels: some 10,000 over 64
 * connections.
 */
const KEPT_OPEN = 150;
/** Prices are this many ticks of 0.01 to either side of 50,000.00, so that no order ever trades. */
const PRICE_STEPS = 5000;
const MIDDLE_CENTS = 5_000_000;
/** Longer than any request: the fixed part of the head has 260 bytes, the body at most 110. */
const REQUEST_BYTES = 600;

export const ORDER_PATH = '/spot-api/api/private/v1/order';
export const CANCEL_PATH = '/spot-api/api/private/v1/order/cancel';
const EARN = '/earn-api/v1/user';
const APPLY_PATH = `${EARN}/plan/apply`;
const INTEREST_PATH = `${EARN}/apply/interest?applyId=1&pageSize=10&currentPage=`;
/** Each for another amount, all of them small against the customer's funds. */
const applyBody = (number: number): string =>
  `{"planId":"1","amount":0.${String(1 + number).padStart(8, '0')}}`;
const previewTarget = (number: number): string =>
  `${EARN}/apply/preview?planId=3&amount=${100 + number}&day=${30 + (number % 336)}`;
const MASS_CANCEL_PATH = '/spot-api/api/private/v1/order/masscancel';

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

/** Everything that one caller sends over its connection. */
export class RequestScript {
  readonly #name: string;
  readonly #apiKey: string;
  readonly #keyed: Bun.CryptoHasher;
  /**
   * Orders this caller has made and canceled; they are numbered from 0 and canceled from the oldest
   * on.
   */
  #created = 0;
  #canceled = 0;
  /** Makes every call of earn different. */
  #number = 0;

  constructor(name: string, key: ApiKey) {
    this.#name = name;
    this.#apiKey = key.apiKey;
    this.#keyed = new Bun.CryptoHasher('sha256', key.secretKey);
  }

  /** Signs the next `count` requests. */
  make(mix: Mix, count: number): Batch {
    const bytes = Buffer.allocUnsafe(count * REQUEST_BYTES);
    const offsets = new Int32Array(count + 1);
    const before = new Int32Array(count * 2 + 2);
    let end = 0;
    for (let i = 0; i < count; i++) {
      offsets[i] = end;
      before.set([this.#created, this.#canceled], i * 2);
      end += bytes.write(this.#next(mix), end, 'latin1');
    }
    offsets[count] = end;
    before.set([this.#created, this.#canceled], count * 2);
    return { bytes, offsets, count, before };
  }

  /** Continues after the first `sent` requests of the batch that was made last. */
  rewind(batch: Batch, sent: number): void {
    this.#created = batch.before[sent * 2];
    this.#canceled = batch.before[sent * 2 + 1];
  }

  /** A request to cancel all open orders of the caller. */
  massCancel(): Buffer {
    return Buffer.from(this.#signed(MASS_CANCEL_PATH, '{"symbol":"BTC-USDT"}'), 'latin1');
  }

  #next(mix: Mix): string {
    const number = this.#number++;
    if (mix === 'previews') return this.#signedGet(previewTarget(number));
    if (mix === 'applies') return this.#signed(APPLY_PATH, applyBody(number));
    if (mix === 'interest') return this.#signedGet(`${INTEREST_PATH}${1 + (number % 100)}`);
    return this.#nextOrder(mix);
  }

  #nextOrder(mix: Mix): string {
    const open = this.#created - this.#canceled;
    if (mix === 'creates' || open < KEPT_OPEN) {
      return this.#signed(ORDER_PATH, orderBody(this.#name, this.#created++));
    }
    const body = `{"origClOrdId":"${this.#name}-${this.#canceled++}"}`;
    return this.#signed(CANCEL_PATH, body);
  }

  #signed(path: string, body: string): string {
    const about = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    return `POST ${path} HTTP/1.1\r\n${about}${this.#signature(`POST${path}${body}`)}\r\n${body}`;
  }

  /** `target`: path, question mark, query; the mark is not signed. */
  #signedGet(target: string): string {
    return `GET ${target} HTTP/1.1\r\n${this.#signature(`GET${target.replace('?', '')}`)}\r\n`;
  }

  #signature(what: string): string {
    const timestamp = Date.now();
    const hasher = this.#keyed.copy();
    hasher.update(`${timestamp}${what}`);
    return (
      `Host: 127.0.0.1\r\nEXCHANGE-API-KEY: ${this.#apiKey}\r\n` +
      `EXCHANGE-API-TIMESTAMP: ${timestamp}\r\nEXCHANGE-API-SIGN: ${hasher.digest('hex')}\r\n`
    );
  }
}

/**
 * Every second order buys; prices go through all steps in an order that looks random and is not.
 */
function orderBody(name: string, number: number): string {
  const buys = number % 2 === 0;
  const distance = 1 + ((number * 7919 + name.length * 104_729) % PRICE_STEPS);
  const cents = buys ? MIDDLE_CENTS - distance : MIDDLE_CENTS + distance;
  const price = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return (
    `{"clOrdId":"${name}-${number}","symbol":"BTC-USDT","side":"${buys ? 1 : 2}",` +
    `"ordType":"2","price":${price},"orderQty":0.00${1 + (number % 9)},"timeInForce":"1"}`
  );
}
