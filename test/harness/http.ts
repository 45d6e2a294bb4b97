// The way to servers in processes of their own: customers and an operator over real HTTP, each
// request on a connection of its own, since a pooled one may lead to a process that was killed.
import { signedHeaders } from '../support/node.ts';
import { parseExact } from './exact-json.ts';
import { type Answer, type Key, operatorPost, type Target, type World } from './sender.ts';

/** A node with an address. */
export interface Server extends Target {
  readonly url: string;
  /** The certificate that a client of a TLS address trusts. */
  readonly ca?: string;
}

/** After so long without an answer, a sender gives up and does not know the outcome. */
const GIVE_UP_MS = 4_000;
/** How long a client asks again what is answered 503. */
const PATIENCE_MS = 30_000;
/** Rejections that leave open whether the request was carried out. */
const OPEN_OUTCOME = /may or may not|outcome|first check/i;

async function request(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, keepalive: false });
  const { status, headers } = response;
  return {
    ...{ status, text: await response.text(), seq: Number(headers.get('x-agio-seq') ?? 0) },
    isReplay: headers.get('idempotency-replayed') === 'true',
  };
}

/** Servers, each of which is sent a request once. */
export function httpWorld<Node extends Server>(
  nodes: readonly Node[],
  operatorToken: string,
): World<Node> {
  let last = 0;
  return {
    ...{ nodes, operatorToken, hasLateCopies: false },
    send: ({ url, ca }, target, init) =>
      request(url + target, {
        ...init,
        ...(ca === undefined ? {} : { tls: { ca } }),
        signal: AbortSignal.timeout(GIVE_UP_MS),
      }).catch(() => null),
    isRejection: ({ text }) => !OPEN_OUTCOME.test(text),
    // Never the same twice, so that two equal requests of one millisecond are two requests.
    timestamp() {
      last = Math.max(Date.now(), last + 1);
      return last;
    },
  };
}

/** A customer who asks again while the server is not ready. */
export class SignedClient {
  readonly #url: string;
  readonly #key: Pick<Key, 'apiKey' | 'secretKey'>;
  #lastTimestamp = 0;

  constructor(url: string, key: Pick<Key, 'apiKey' | 'secretKey'>) {
    this.#url = url;
    this.#key = key;
  }

  /** The same customer at another address. */
  at(url: string): SignedClient {
    return url === this.#url ? this : new SignedClient(url, this.#key);
  }

  /** `target`: path and query. */
  get(target: string): Promise<Answer> {
    return this.#send('GET', target, null, {});
  }

  post(target: string, body: object, idempotencyKey?: string): Promise<Answer> {
    const keyed = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    return this.#send('POST', target, JSON.stringify(body), keyed);
  }

  async #send(method: string, target: string, body: string | null, more: object): Promise<Answer> {
    const [path = '', query] = target.split('?');
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1);
      const timestamp = this.#lastTimestamp;
      const signed = { method, path, query: query ?? '', body: body ?? '', timestamp };
      const headers = { ...signedHeaders(this.#key, signed), ...more };
      const answer = await request(this.#url + target, {
        ...{ method, body },
        headers: { 'Content-Type': 'application/json', ...headers },
      });
      // 503 after a restart on a busy machine says that nothing was done.
      if (answer.status !== 503 || performance.now() > deadline) return answer;
      await Bun.sleep(50);
    }
  }
}

/** The operator; decimals of answers are text. */
export class OperatorClient {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, { operatorToken }: { readonly operatorToken: string }) {
    this.#url = `${url}/operator/v1/`;
    this.#token = operatorToken;
  }

  /** Throws Error for a rejection. */
  async get(path: string): Promise<unknown> {
    const { headers } = operatorPost(this.#token, {});
    return this.#read(path, await request(this.#url + path, { headers }));
  }

  /** Gives up after `patience`, ms. */
  async post(path: string, body: object, patience = PATIENCE_MS): Promise<unknown> {
    const signal = AbortSignal.timeout(patience);
    const init = { ...operatorPost(this.#token, body), signal };
    return this.#read(path, await request(this.#url + path, init));
  }

  #read(path: string, { status, text }: Answer): unknown {
    if (status === 200) return parseExact(text);
    throw new Error(`${this.#url}${path} was rejected: ${text}`);
  }

  /** Throws Error unless every asset sums to zero. */
  async checkSums(): Promise<void> {
    const { assets } = (await this.get('ledger/trial-balance')) as {
      assets: { asset: string; sum: unknown }[];
    };
    const wrong = assets.filter(({ sum }) => sum !== 0);
    if (assets.length === 0 || wrong.length > 0) {
      throw new Error(`sums do not hold: ${JSON.stringify(wrong)}`);
    }
  }
}

/** True if the server was gone. Any other error is a finding. */
export const isConnectionError = (error: unknown): boolean =>
  [
    'ConnectionRefused',
    'ConnectionClosed',
    'ECONNRESET',
    'ECONNREFUSED',
    'FailedToOpenSocket',
  ].includes((error as { code?: string }).code ?? '');
