// A proxy in front of a server that keeps the contract. It breaks one rule: it changes an answer, a
// request or a message of a websocket, or answers itself. Everything else passes byte for byte.
import type { Server, ServerWebSocket } from 'bun';

export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** The headers of the request. */
  readonly sent: Headers;
  status: number;
  text: string;
  /** The headers of the answer. */
  readonly headers: Headers;
}

/** A broken rule. A method that returns nothing changes its argument or leaves it. */
export interface Break {
  /** Changes an answer on its way. */
  readonly answer?: (passing: Passing) => void;
  /** Answers in place of the server. */
  readonly instead?: (
    request: Pick<Passing, 'method' | 'path' | 'query' | 'body'>,
  ) => string | null;
  /** Changes the headers of a request. */
  readonly request?: (headers: Headers) => void;
  /** Changes a message to the client; null holds it back. */
  readonly message?: (message: Record<string, unknown>) => Record<string, unknown> | null;
}

interface Line {
  readonly upstream: WebSocket;
  /** The messages until the server is connected; null afterwards. */
  waiting: string[] | null;
}

const HOP = ['content-length', 'content-encoding', 'connection', 'transfer-encoding', 'date'];

export class BreakingProxy {
  readonly #upstream: string;
  readonly #server: Server<Line>;
  #broken: Break = {};

  constructor(upstream: string) {
    this.#upstream = upstream;
    this.#server = Bun.serve<Line>({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request, server) => this.#pass(request, server),
      websocket: {
        open: (socket) => this.#connect(socket),
        message: ({ data }, text) => {
          if (data.waiting === null) data.upstream.send(text);
          else data.waiting.push(String(text));
        },
        close: ({ data }) => data.upstream.close(),
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  break(how: Break): void {
    this.#broken = how;
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async #pass(request: Request, server: Server<Line>): Promise<Response | undefined> {
    const target = request.url.slice(request.url.indexOf('/', 8));
    if (request.headers.get('upgrade') === 'websocket') {
      const upstream = new WebSocket(this.#upstream.replace('http', 'ws') + target);
      server.upgrade(request, { data: { upstream, waiting: [] } });
      return undefined;
    }
    const [path = '', query = ''] = target.split('?', 2);
    const { method } = request;
    const body = await request.text();
    const own = this.#broken.instead?.({ method, path, query, body }) ?? null;
    const sent = new Headers(request.headers);
    sent.delete('host');
    this.#broken.request?.(sent);
    const response = await fetch(this.#upstream + (own === null ? target : '/health'), {
      method: own === null ? method : 'GET',
      headers: own === null ? sent : {},
      ...(method === 'GET' || own !== null ? {} : { body }),
    });
    const headers = new Headers(response.headers);
    for (const name of HOP) headers.delete(name);
    const text = own ?? (await response.text());
    const passing = { method, path, query, body, sent, status: response.status, text, headers };
    this.#broken.answer?.(passing);
    return new Response(passing.text, { status: passing.status, headers });
  }

  #connect(socket: ServerWebSocket<Line>): void {
    const { upstream } = socket.data;
    upstream.onopen = () => {
      for (const text of socket.data.waiting ?? []) upstream.send(text);
      socket.data.waiting = null;
    };
    upstream.onmessage = ({ data }) => {
      const message = JSON.parse(String(data));
      const changed = this.#broken.message === undefined ? message : this.#broken.message(message);
      if (changed !== null) socket.send(JSON.stringify(changed));
    };
    upstream.onclose = ({ code, reason }) => socket.close(code, reason);
  }
}
