// The signed requests of one customer: new limit orders at many prices, which never trade, and
// cancels of the oldest of them by clOrdId.

export interface ApiKey {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Open orders that a customer keeps: some 10,000 over 64 customers. */
const KEPT_OPEN = 150;
/** Prices are this many ticks of 0.01 to either side of 50,000.00. */
const PRICE_STEPS = 5000;
const MIDDLE_CENTS = 5_000_000;

export const ORDER_PATH = '/spot-api/api/private/v1/order';
const BATCH_PATH = '/spot-api/api/private/v2/orders';
export const CANCEL_PATH = '/spot-api/api/private/v1/order/cancel';

export class OrderScript {
  readonly #name: string;
  readonly #apiKey: string;
  readonly #keyed: Bun.CryptoHasher;
  /** Orders that were made and canceled: numbered from 0, and canceled from the oldest on. */
  created = 0;
  canceled = 0;

  constructor(name: string, key: ApiKey) {
    this.#name = name;
    this.#apiKey = key.apiKey;
    this.#keyed = new Bun.CryptoHasher('sha256', key.secretKey);
  }

  /** The next new order or cancel, in turn. */
  next(): string {
    if (this.created - this.canceled < KEPT_OPEN) return this.create();
    return this.post(CANCEL_PATH, `{"origClOrdId":"${this.#name}-${this.canceled++}"}`);
  }

  create(): string {
    return this.post(ORDER_PATH, orderBody(this.#name, this.created++));
  }

  /** The next `count` new orders and cancels as one request. */
  batch(count: number): string {
    const entries = Array.from({ length: count }, () =>
      this.created - this.canceled < KEPT_OPEN
        ? `{"op":"place",${orderBody(this.#name, this.created++).slice(1)}`
        : `{"op":"cancel","origClOrdId":"${this.#name}-${this.canceled++}"}`,
    );
    return this.post(BATCH_PATH, `{"orders":[${entries.join(',')}]}`);
  }

  post(path: string, body: string): string {
    const about = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    return `POST ${path} HTTP/1.1\r\n${about}${this.#signature(`POST${path}${body}`)}\r\n${body}`;
  }

  /** `target`: path, question mark, query; the mark is not signed. */
  get(target: string): string {
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

/** Every second order buys; prices take all steps in an order that looks random and is not. */
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
