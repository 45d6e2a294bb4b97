// Requests as the contract describes them, and answers as they came, signed or not, byte for byte
// as a check wants them. The wire keeps every answer, since some clauses hold for all of them.
import type { ApiCall } from '../contract/call.ts';
import { signer } from '../sdk/credentials.ts';
import { parseExact } from '../sdk/exact-json.ts';

export interface Answer {
  /** Such as `GET /path`. */
  readonly call: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Decimals are texts. Undefined if the body is not JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** A call of the contract, or a path that the contract does not have. */
export type Target = Pick<ApiCall, 'method' | 'path'> & { readonly access?: ApiCall['access'] };

export type Fields = Readonly<Record<string, unknown>>;

export interface Sending {
  /** The query of a POST. */
  readonly query?: string;
  /** The parts that are signed in place of those that are sent. */
  readonly signed?: {
    readonly method?: string;
    readonly path?: string;
    readonly query?: string;
    readonly body?: string;
    readonly timestamp?: string;
  };
  readonly timestamp?: string;
  /** Added to the usual headers, or in their place; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

const TIMEOUT_MS = 15_000;
/** The longest wait for a rate limit. */
const MAX_WAIT_SECONDS = 20;

export class Wire {
  readonly url: string;
  readonly apiKey: string;
  readonly sign: (text: string) => string;
  readonly answers: Answer[] = [];
  #lastTimestamp = 0;
  /** The server's clock minus this machine's, ms. */
  skew = 0;

  constructor(url: string, apiKey: string, secretKey: string) {
    this.url = url.replace(/\/+$/, '');
    this.apiKey = apiKey;
    this.sign = signer(secretKey);
  }

  /** The server's time. It always grows, since a signature of a write works once. */
  timestamp(): string {
    this.#lastTimestamp = Math.max(Date.now() + this.skew, this.#lastTimestamp + 1);
    return String(this.#lastTimestamp);
  }

  /**
   * Sends fields in the query of a GET and in the body of a POST; a text goes out unchanged. The
   * signature covers what is sent unless `signed` says otherwise. Public calls have none.
   */
  send(target: Target, fields: Fields | string = {}, sending: Sending = {}): Promise<Answer> {
    const { method, path, access } = target;
    const query = method === 'GET' ? queryText(fields) : (sending.query ?? '');
    const body = method === 'GET' ? '' : bodyText(fields);
    const { signed = {}, timestamp = this.timestamp() } = sending;
    const text =
      (signed.timestamp ?? timestamp) +
      (signed.method ?? method) +
      (signed.path ?? path) +
      (signed.query ?? query) +
      (signed.body ?? body);
    const headers = new Headers();
    if (access !== 'public') {
      headers.set('EXCHANGE-API-KEY', this.apiKey);
      headers.set('EXCHANGE-API-TIMESTAMP', timestamp);
      headers.set('EXCHANGE-API-SIGN', this.sign(text));
    }
    if (method !== 'GET') headers.set('Content-Type', 'application/json');
    for (const [name, value] of Object.entries(sending.headers ?? {})) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return this.#fetch(target, query, { method, headers, ...(method === 'GET' ? {} : { body }) });
  }

  async #fetch({ method, path }: Target, query: string, request: RequestInit): Promise<Answer> {
    const url = this.url + (query === '' ? path : `${path}?${query}`);
    for (;;) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(url, { ...request, redirect: 'manual', signal });
      const { status, headers } = response;
      const text = await response.text();
      const answer = { call: `${method} ${path}`, status, headers, text, json: parsed(text) };
      this.answers.push(answer);
      const wait = Number(headers.get('retry-after') ?? '0');
      if (status !== 429 || wait <= 0 || wait > MAX_WAIT_SECONDS) return answer;
      await Bun.sleep(wait * 1000);
    }
  }
}

const bodyText = (fields: Fields | string): string =>
  typeof fields === 'string' ? fields : JSON.stringify(fields);

const queryText = (fields: Fields | string): string =>
  typeof fields === 'string'
    ? fields
    : Object.entries(fields)
        .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
        .join('&');

function parsed(text: string): Answer['json'] {
  try {
    return parseExact(text) as Answer['json'];
  } catch {
    return undefined;
  }
}
