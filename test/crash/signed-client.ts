// A customer's client for tests against a server process: signs, sends, and gives status and body.
import type { SandboxUser } from '../../src/sandbox/seed.ts';
import { signedHeaders } from '../support/node.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The body as it was sent. */
  readonly text: string;
  /** The first answer to an Idempotency-Key, given again. */
  readonly isReplay: boolean;
}

/** How long a client asks again what is answered 503. */
const PATIENCE_MS = 30_000;

export class SignedClient {
  readonly #url: string;
  readonly #user: Pick<SandboxUser, 'apiKey' | 'secretKey'>;
  #lastTimestamp = 0;

  constructor(url: string, user: Pick<SandboxUser, 'apiKey' | 'secretKey'>) {
    this.#url = url;
    this.#user = user;
  }

  /** The same customer at another address. */
  at(url: string): SignedClient {
    return url === this.#url ? this : new SignedClient(url, this.#user);
  }

  /** `target`: path and query. */
  get(target: string): Promise<Answer> {
    return this.#patiently(() => this.#send('GET', target, null));
  }

  post(target: string, body: object, idempotencyKey?: string): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
    return this.#patiently(() => this.#send('POST', target, JSON.stringify(body), headers));
  }

  /** 503 after a restart on a busy machine says that nothing was done. */
  async #patiently(send: () => Promise<Answer>): Promise<Answer> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await send();
      if (answer.status !== 503 || performance.now() > deadline) return answer;
      await Bun.sleep(50);
    }
  }

  async #send(
    method: 'GET' | 'POST',
    target: string,
    body: string | null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const [path, query] = target.split('?');
    const timestamp = this.#timestamp();
    const signed = { method, path: path!, query, body: body ?? '', timestamp };
    const answer = await fetch(this.#url + target, {
      method,
      body,
      // A pooled connection may lead to the process that was killed.
      keepalive: false,
      headers: {
        'Content-Type': 'application/json',
        ...signedHeaders(this.#user, signed),
        ...headers,
      },
    });
    const text = await answer.text();
    const isReplay = answer.headers.get('idempotency-replayed') === 'true';
    return { status: answer.status, body: JSON.parse(text), text, isReplay };
  }

  /** Never the same twice, so that two equal requests of one millisecond are two requests. */
  #timestamp(): number {
    this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1);
    return this.#lastTimestamp;
  }
}

/** Whether the server was gone. Any other error is a finding. */
export const isConnectionError = (error: unknown): boolean =>
  [
    'ConnectionRefused',
    'ConnectionClosed',
    'ECONNRESET',
    'ECONNREFUSED',
    'FailedToOpenSocket',
  ].includes((error as { code?: string }).code ?? '');
