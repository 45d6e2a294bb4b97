// The leader's answers to the requests that a node relays. The next part of a streamed body is sent
// when the node asks for it.
import type { Serve, ServerHandle } from '../../gateway/http/incoming.ts';
import { isStreamed } from '../../gateway/http/response.ts';
import { type DownMessages, downFrame, type RelayedRequest, type UpMessage } from './messages.ts';
import type { Channel } from './transport.ts';

const NO_BYTES = new Uint8Array(0);

export type RelayRequest = Extract<UpMessage, { readonly type: 'request' | 'pull' | 'cancel' }>;

export interface RelayDeskOptions {
  readonly channel: Channel;
  /** Answers a request that another node has relayed. */
  readonly serve: Serve;
  /** A response or its body failed. The node has been told. */
  readonly onFault: (error: unknown) => void;
}

/** The leader's answers to the requests of one node. */
export class RelayDesk {
  readonly #channel: Channel;
  readonly #serve: Serve;
  readonly #onFault: (error: unknown) => void;
  readonly #bodies = new Map<number, ReadableStreamDefaultReader<Uint8Array>>();
  #isOver = false;

  constructor({ channel, serve, onFault }: RelayDeskOptions) {
    this.#channel = channel;
    this.#serve = serve;
    this.#onFault = onFault;
  }

  /** Takes a message of the node. */
  receive(message: RelayRequest): void {
    if (message.type === 'request') void this.#answer(message);
    else if (message.type === 'pull') void this.#sendPart(message.id);
    else this.#cancel(message.id);
  }

  async #answer(relayed: RelayedRequest): Promise<void> {
    const { id, peer } = relayed;
    try {
      const response = await this.#serve(requestOf(relayed), handleOf(peer));
      if (response === undefined) throw new TypeError('a websocket was relayed');
      await this.#send(id, response);
    } catch (error) {
      this.#onFault(error);
      // Only for a request without an answer; the node ignores a second one.
      this.#sendAnswer({ id, status: 500, headers: [], body: 'none', bytes: NO_BYTES });
    }
  }

  async #send(id: number, response: Response): Promise<void> {
    const { status } = response;
    const headers = [...response.headers].map(([name, value]) => ({ name, value }));
    const head = { id, status, headers };
    if (response.body === null) {
      this.#sendAnswer({ ...head, body: 'none', bytes: NO_BYTES });
    } else if (isStreamed(response)) {
      if (this.#isOver) return response.body.cancel();
      this.#bodies.set(id, response.body.getReader());
      this.#sendAnswer({ ...head, body: 'streamed', bytes: NO_BYTES });
    } else {
      this.#sendAnswer({ ...head, body: 'whole', bytes: await response.bytes() });
    }
  }

  #sendAnswer(answer: DownMessages['answer']): void {
    this.#channel.send(downFrame('answer', answer));
  }

  async #sendPart(id: number): Promise<void> {
    const reader = this.#bodies.get(id);
    if (reader === undefined) return;
    try {
      const { value, done } = await reader.read();
      if (!done) {
        this.#channel.send(downFrame('bodyPart', { id, bytes: value }));
        return;
      }
      this.#channel.send(downFrame('bodyEnd', { id }));
    } catch (error) {
      this.#onFault(error);
      this.#channel.send(downFrame('bodyFailed', { id }));
    }
    this.#bodies.delete(id);
  }

  /** The client takes no more of a streamed body. */
  #cancel(id: number): void {
    void this.#bodies.get(id)?.cancel();
    this.#bodies.delete(id);
  }

  /** The channel is closed. */
  end(): void {
    this.#isOver = true;
    for (const reader of this.#bodies.values()) void reader.cancel();
    this.#bodies.clear();
  }
}

/** The request as the gateway would have received it. */
function requestOf({ method, target, headers, fault, body }: RelayedRequest): Request {
  const init = {
    method,
    headers: headers.map(({ name, value }): [string, string] => [name, value]),
  };
  // The host is judged by its header.
  const url = `http://localhost${target}`;
  const content = fault !== null ? failing(fault) : body.length > 0 ? (body as BodyInit) : null;
  const request = new Request(url, content === null ? init : { ...init, body: content });
  // Without a usable Host header the runtime does not resolve a target, and no one else may.
  if (request.url !== url) Object.defineProperty(request, 'url', { value: target });
  return request;
}

const failing = (fault: Error): ReadableStream =>
  new ReadableStream({ pull: (controller) => controller.error(fault) });

/** The server as the request of this peer would have it; it has no websockets. */
const handleOf = (peer: string): ServerHandle =>
  ({
    requestIP: () => (peer === '' ? null : { address: peer, family: 'IPv4', port: 0 }),
    upgrade: () => false,
  }) as ServerHandle;
