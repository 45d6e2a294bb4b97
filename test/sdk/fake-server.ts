// A server that answers as a test orders, one request after another, and records the requests.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Headers;
}

/** Its reaction to a request: an answer, or a broken connection. */
export type Reaction = (request: ReceivedRequest) => Response | Promise<Response> | 'break';

export const answer = (body: unknown, headers: Record<string, string> = {}): Reaction => {
  return () => Response.json(body, { headers });
};

export const reject = (
  status: number,
  code: number,
  headers: Record<string, string> = {},
  details: object = {},
): Reaction => {
  const body = { code: String(code), msg: 'no', userMsg: `Rejected with ${code}.`, details };
  return () => Response.json(body, { status, headers });
};

export const breakOff: Reaction = () => 'break';

/** It never answers. */
export const silence: Reaction = () => new Promise<Response>(() => {});

export class FakeServer implements Disposable {
  readonly #server: Server;
  readonly requests: ReceivedRequest[] = [];
  #reactions: Reaction[] = [];

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#react(request, response));
  }

  static async start(): Promise<FakeServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeServer(server);
  }

  async #react(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [path = '', query = ''] = request.url!.split('?');
    const received = {
      method: request.method!,
      path,
      query,
      body: Buffer.concat(chunks).toString('utf8'),
      headers: new Headers(request.headers as Record<string, string>),
    };
    this.requests.push(received);
    // The last reaction serves all later requests.
    const reaction = this.#reactions.length > 1 ? this.#reactions.shift()! : this.#reactions[0]!;
    const reply = await reaction(received);
    if (reply === 'break') {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(await reply.text());
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The reactions to the next requests, in turn; the last one serves all that follow. */
  will(...reactions: Reaction[]): this {
    this.#reactions = reactions;
    this.requests.length = 0;
    return this;
  }

  [Symbol.dispose](): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** A URL where nobody listens. */
export async function closedUrl(): Promise<string> {
  using server = await FakeServer.start();
  return server.url;
}
