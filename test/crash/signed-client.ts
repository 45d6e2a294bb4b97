// A customer's client for tests against a server process: signs, sends, and gives status and body.
import type { SandboxUser } from '../../src/sandbox/seed.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

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
    return this.#send('GET', target, null);
  }

  post(target: string, body: object): Promise<Answer> {
    return this.#send('POST', target, JSON.stringify(body));
  }

  async #send(method: 'GET' | 'POST', target: string, body: string | null): Promise<Answer> {
    const timestamp = this.#timestamp();
    const signed = timestamp + method + target.replace('?', '') + (body ?? '');
    const answer = await fetch(this.#url + target, {
      method,
      body,
      // A pooled connection may lead to the process that was killed.
      keepalive: false,
      headers: {
        'Content-Type': 'application/json',
        'EXCHANGE-API-KEY': this.#user.apiKey,
        'EXCHANGE-API-TIMESTAMP': timestamp,
        'EXCHANGE-API-SIGN': new Bun.CryptoHasher('sha256', this.#user.secretKey)
          .update(signed)
          .digest('hex'),
      },
    });
    return { status: answer.status, body: await answer.json() };
  }

  /** Never the same twice, so that two equal requests of one millisecond are two requests. */
  #timestamp(): string {
    this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1);
    return String(this.#lastTimestamp);
  }
}
