// The side of a relay that answers: it makes the requests of their frames and sends the frames of
// the responses. It sends the next part of a streamed body when the other side asks for it.
import { isStreamed } from '../http/response.ts';
import {
  BodyForm,
  beginAnswer,
  beginFrame,
  plainFrame,
  RelayDown,
  type RelayedRequest,
} from './frames.ts';

export interface RelayServerEnds {
  readonly send: (frame: Uint8Array) => void;
  /** A response or its body failed. The other side has been told. */
  readonly onFault: (error: unknown) => void;
}

export class RelayServer {
  readonly #ends: RelayServerEnds;
  readonly #bodies = new Map<number, ReadableStreamDefaultReader<Uint8Array>>();
  #isOver = false;

  constructor(ends: RelayServerEnds) {
    this.#ends = ends;
  }

  /** Sends the response of `serve`; nothing for undefined. */
  async answer(
    relayed: RelayedRequest,
    serve: (request: Request) => Promise<Response | undefined>,
  ): Promise<void> {
    const { id } = relayed;
    try {
      const response = await serve(requestOf(relayed));
      if (response !== undefined) await this.#answer(id, response);
    } catch (error) {
      this.#ends.onFault(error);
      // Only for a request without an answer; the other side ignores a second one.
      const head = { status: 500, headers: [], form: BodyForm.none };
      this.#ends.send(beginAnswer(id, head).view());
    }
  }

  async #answer(id: number, response: Response): Promise<void> {
    const { status } = response;
    const headers = [...response.headers];
    const { send } = this.#ends;
    if (response.body === null) {
      send(beginAnswer(id, { status, headers, form: BodyForm.none }).view());
    } else if (isStreamed(response)) {
      if (this.#isOver) return response.body.cancel();
      this.#bodies.set(id, response.body.getReader());
      send(beginAnswer(id, { status, headers, form: BodyForm.streamed }).view());
    } else {
      const body = await response.bytes();
      const frame = beginAnswer(id, { status, headers, form: BodyForm.whole });
      frame.raw(body);
      send(frame.view());
    }
  }

  /** Sends the next part of a streamed body. */
  async pull(id: number): Promise<void> {
    const reader = this.#bodies.get(id);
    if (reader === undefined) return;
    const { send, onFault } = this.#ends;
    try {
      const { value, done } = await reader.read();
      if (!done) {
        const frame = beginFrame(RelayDown.bodyPart, id);
        frame.raw(value);
        send(frame.view());
        return;
      }
      send(plainFrame(RelayDown.bodyEnd, id));
    } catch (error) {
      onFault(error);
      send(plainFrame(RelayDown.bodyFailed, id));
    }
    this.#bodies.delete(id);
  }

  /** The client takes no more of a streamed body. */
  cancel(id: number): void {
    void this.#bodies.get(id)?.cancel();
    this.#bodies.delete(id);
  }

  /** The other side is gone. */
  end(): void {
    this.#isOver = true;
    for (const reader of this.#bodies.values()) void reader.cancel();
    this.#bodies.clear();
  }
}

/** The request as the gateway would have received it. */
function requestOf({ method, target, headers, fault, body }: RelayedRequest): Request {
  const init = { method, headers: headers as [string, string][] };
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
