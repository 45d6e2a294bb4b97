// The signed requests of one customer: new limit orders at many prices, which never trade, and
// cancels of the oldest of them by clOrdId.

/** A new order or a cancel; `body` is that of a request of its own. */
export interface Entry {
  readonly op: 'place' | 'cancel';
  readonly body: string;
}

export interface ApiKey {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Open orders that a customer keeps: some 10,000 over 64 customers. */
const KEPT_OPEN = 150;
/** Prices are GAP to GAP + PRICE_STEPS ticks of 0.01 to either side of 50,000.00. */
const GAP = 100;
const PRICE_STEPS = 5000;
const MIDDLE_CENTS = 5_000_000;

export const ORDER_PATH = '/spot-api/api/private/v1/order';
const BATCH_PATH = '/spot-api/api/private/v2/orders';
const CANCEL_PATH = '/spot-api/api/private/v1/order/cancel';

export class OrderScript {
  readonly name: string;
  readonly #apiKey: string;
  readonly #keyed: Bun.CryptoHasher;
  /** Orders that were made and canceled: numbered from 0, and canceled from the oldest on. */
  created = 0;
  canceled = 0;

  constructor(name: string, key: ApiKey) {
    this.name = name;
    this.#apiKey = key.apiKey;
    this.#keyed = new Bun.CryptoHasher('sha256', key.secretKey);
  }

  /** The next new order or cancel, in turn. */
  next(): Entry {
    if (this.created - this.canceled < KEPT_OPEN) return this.create();
    const body = `{"origClOrdId":"${this.name}-${this.canceled++}"}`;
    return { op: 'cancel', body };
  }

  create(): Entry {
    return { op: 'place', body: orderBody(this.name, this.created++) };
  }

  /** The request of one entry. */
  request({ op, body }: Entry): string {
    return this.#post(op === 'place' ? ORDER_PATH : CANCEL_PATH, body);
  }

  /** One request with many entries. */
  batch(entries: readonly Entry[]): string {
    return this.#post(BATCH_PATH, batchBody(entries));
  }

  #post(path: string, body: string): string {
    const about = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    return `POST ${path} HTTP/1.1\r\n${about}${this.#signature(`POST${path}${body}`)}\r\n${body}`;
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

/** The body of one request with many entries. */
export function batchBody(entries: readonly Entry[]): string {
  const texts = entries.map(({ op, body }) => `{"op":"${op}",${body.slice(1)}`);
  return `{"orders":[${texts.join(',')}]}`;
}

/** The body of a limit order; `quantity` in thousandths, `ticks` from 50,000.00. */
export function limitBody(clOrdId: string, buys: boolean, ticks: number, quantity: number): string {
  const cents = MIDDLE_CENTS + ticks;
  const price = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return (
    `{"clOrdId":"${clOrdId}","symbol":"BTC-USDT","side":"${buys ? 1 : 2}","ordType":"2",` +
    `"price":${price},"orderQty":0.${String(quantity).padStart(3, '0')},"timeInForce":"1"}`
  );
}

/** Every second order buys; prices take all steps in an order that looks random and is not. */
function orderBody(name: string, number: number): string {
  const buys = number % 2 === 0;
  const distance = GAP + ((number * 7919 + name.length * 104_729) % PRICE_STEPS);
  return limitBody(`${name}-${number}`, buys, buys ? -distance : distance, 1 + (number % 9));
}
