// Requests as the contract describes them, and answers as they came: signed or not, byte for byte
// as a check wants them. Every answer is noted, since some clauses hold for all of them.
import { signer } from '../sdk/credentials.ts';

/** JSON as checks look into it: what is not there reads as undefined. */
export interface Json {
  readonly [key: string]: Json;
  readonly [index: number]: Json;
}

export interface Answer {
  /** Such as `GET /path`. */
  readonly call: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** undefined where it is no JSON. */
  readonly json: Json;
}

export interface Sending {
  /** Without the question mark. */
  readonly query?: string;
  /** Sent as it is. */
  readonly body?: string;
  /** What is signed in place of what is sent. */
  readonly signed?: {
    readonly method?: string;
    readonly path?: string;
    readonly query?: string;
    readonly body?: string;
    readonly timestamp?: string;
  };
  readonly timestamp?: string;
  /** Added to the others, or in their place; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

type Method = 'GET' | 'POST';

const TIMEOUT_MS = 15_000;
/** The longest that a rate limit is waited for. */
const MAX_WAIT_SECONDS = 20;

export class Wire {
  readonly url: string;
  readonly apiKey: string;
  readonly #sign: (text: string) => string;
  readonly answers: Answer[] = [];
  #lastTimestamp = 0;
  /** What to add to this machine's clock, ms. */
  skew = 0;

  constructor(url: string, apiKey: string, secretKey: string) {
    this.url = url.replace(/\/+$/, '');
    this.apiKey = apiKey;
    this.#sign = signer(secretKey);
  }

  /**
   * The server's time; each is later than the one before, since a signature of a write works once.
   */
  timestamp(): string {
    this.#lastTimestamp = Math.max(Date.now() + this.skew, this.#lastTimestamp + 1);
    return String(this.#lastTimestamp);
  }

  sign(text: string): string {
    return this.#sign(text);
  }

  /** A public call. */
  open(path: string, query: Fields = {}): Promise<Answer> {
    return this.#send('GET', path, { query: queryText(query) }, {});
  }

  get(path: string, query: Fields = {}, more: Sending = {}): Promise<Answer> {
    return this.send('GET', path, { query: queryText(query), ...more });
  }

  /** Text is sent as it is, everything else as JSON. */
  post(path: string, body: unknown, more: Sending = {}): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send('POST', path, { body: text, ...more });
  }

  /** Signs, over what is sent unless `signed` says otherwise. */
  send(method: Method, path: string, sending: Sending): Promise<Answer> {
    const { query = '', body = '', signed = {}, timestamp = this.timestamp() } = sending;
    const text =
      (signed.timestamp ?? timestamp) +
      (signed.method ?? method) +
      (signed.path ?? path) +
      (signed.query ?? query) +
      (signed.body ?? body);
    return this.#send(method, path, sending, {
      'EXCHANGE-API-KEY': this.apiKey,
      'EXCHANGE-API-TIMESTAMP': timestamp,
      'EXCHANGE-API-SIGN': this.sign(text),
    });
  }

  async #send(
    method: Method,
    path: string,
    { query = '', body, headers: more = {} }: Sending,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const headers = new Headers(credentials);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    for (const [name, value] of Object.entries(more)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    const target = query === '' ? path : `${path}?${query}`;
    for (;;) {
      const response = await fetch(this.url + target, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      const answer: Answer = {
        call: `${method} ${path}`,
        status: response.status,
        headers: response.headers,
        text,
        json: parsed(text),
      };
      this.answers.push(answer);
      const wait = Number(response.headers.get('retry-after') ?? '0');
      if (response.status !== 429 || wait <= 0 || wait > MAX_WAIT_SECONDS) return answer;
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }
}

export type Fields = Readonly<Record<string, string | number>>;

export const queryText = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined as unknown as Json;
  }
}
