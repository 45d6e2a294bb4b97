// The operator of a server process, over its own HTTP interface.
import { parseExact } from './exact-json.ts';
import type { SandboxFile } from './server-process.ts';

export class OperatorClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, { operatorToken }: Pick<SandboxFile, 'operatorToken'>) {
    this.#url = `${url}/operator/v1/`;
    this.#headers = {
      Authorization: `Bearer ${operatorToken}`,
      'Content-Type': 'application/json',
    };
  }

  /** The body of an answer, decimals as text. Throws Error for a rejection. */
  get(path: string): Promise<unknown> {
    return this.#send(path, { method: 'GET' });
  }

  post(path: string, body: object): Promise<unknown> {
    return this.#send(path, { method: 'POST', body: JSON.stringify(body) });
  }

  async #send(path: string, init: RequestInit): Promise<unknown> {
    // A pooled connection may lead to the process that was killed.
    const answer = await fetch(this.#url + path, {
      ...init,
      headers: this.#headers,
      keepalive: false,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${init.method} ${path} was refused: ${text}`);
    return parseExact(text);
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
