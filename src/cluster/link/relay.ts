// The requests that a node passes on to the leader as they came, over the link; relay-desk.ts has
// their answers. Websockets are never relayed: every node serves its own.
import { allCalls } from '../../contract/calls.ts';
import type { Problem } from '../../contract/problem.ts';
import { EngineError, leaderLost, noLeader } from '../../engine/command-port.ts';
import { targetOf } from '../../gateway/http/incoming.ts';
import { readBytes } from '../../gateway/http/request-body.ts';
import { Router } from '../../gateway/http/router.ts';
import { type DownMessage, type DownMessages, upFrame } from './messages.ts';
import type { Channel } from './transport.ts';

/** Requests on one channel without an answer. A leader that hangs must not fill the memory. */
const MAX_OPEN = 1000;
const NO_BYTES = new Uint8Array(0);

const router = new Router(allCalls);

interface Open {
  readonly request: Request;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: EngineError) => void;
}

interface StreamedBody {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  taken: () => void;
}

type RelayType = 'answer' | 'bodyPart' | 'bodyEnd' | 'bodyFailed';
export type RelayAnswer = Extract<DownMessage, { readonly type: RelayType }>;

/** A node's requests on its channel to the leader. */
export class Relay {
  readonly #channel: Channel;
  readonly #open = new Map<number, Open>();
  readonly #bodies = new Map<number, StreamedBody>();
  #lastId = 0;
  #isOver = false;
  #draining: PromiseWithResolvers<void> | null = null;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /**
   * The leader's answer to a request from this peer. Rejects with an EngineError: `noLeader` and
   * `overloaded` where nothing was done, `leaderLost` where the outcome is unknown.
   */
  async relay(request: Request, peer: string): Promise<Response> {
    const { path, query } = targetOf(request.url);
    let body: Uint8Array = NO_BYTES;
    let fault: Problem | null = null;
    try {
      body = await readBody(request, path);
    } catch (error) {
      fault = error as Problem;
    }
    if (this.#isOver || this.#channel.closed !== null) throw noLeader();
    if (this.#open.size >= MAX_OPEN) {
      throw new EngineError('overloaded', `${MAX_OPEN} requests wait for the leader`);
    }
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.#open.set(id, { request, resolve, reject });
    const target = query === '' ? path : `${path}?${query}`;
    const headers = [...request.headers].map(([name, value]) => ({ name, value }));
    const { method } = request;
    this.#channel.send(upFrame('request', { id, method, target, headers, peer, fault, body }));
    return promise;
  }

  /** Resolves when every request has its whole answer, or none comes. */
  drained(): Promise<void> {
    this.#draining ??= Promise.withResolvers<void>();
    const { promise } = this.#draining;
    this.#checkDrained();
    return promise;
  }

  #checkDrained(): void {
    if (this.#open.size + this.#bodies.size > 0) return;
    this.#draining?.resolve();
    this.#draining = null;
  }

  /** Takes a message of the leader. */
  receive(message: RelayAnswer): void {
    if (message.type === 'answer') this.#receiveAnswer(message);
    else this.#continueBody(message);
  }

  #receiveAnswer(answer: DownMessages['answer']): void {
    const { id } = answer;
    const open = this.#open.get(id);
    if (open === undefined) return;
    const response = this.#responseOf(answer);
    this.#open.delete(id);
    open.resolve(response);
    this.#checkDrained();
    // Nobody will read it, and the leader would keep its rest.
    if (open.request.signal.aborted) void response.body?.cancel();
  }

  #responseOf({ id, status, headers, body, bytes }: DownMessages['answer']): Response {
    const head = {
      status,
      headers: headers.map(({ name, value }): [string, string] => [name, value]),
    };
    if (body === 'none') return new Response(null, head);
    if (body === 'whole') return new Response(bytes as BodyInit, head);
    return new Response(this.#bodyOf(id), head);
  }

  /** A body that comes part by part, as the client takes it. */
  #bodyOf(id: number): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#bodies.set(id, { controller, taken: () => {} });
        },
        pull: () =>
          new Promise<void>((taken) => {
            const body = this.#bodies.get(id);
            if (body === undefined) return taken();
            body.taken = taken;
            this.#channel.send(upFrame('pull', { id }));
          }),
        cancel: () => {
          this.#bodies.delete(id);
          this.#channel.send(upFrame('cancel', { id }));
          this.#checkDrained();
        },
      },
      { highWaterMark: 0 },
    );
  }

  #continueBody(message: Exclude<RelayAnswer, { readonly type: 'answer' }>): void {
    const { type, id } = message;
    const body = this.#bodies.get(id);
    if (body === undefined) return;
    if (type === 'bodyPart') {
      body.controller.enqueue(message.bytes);
    } else {
      this.#bodies.delete(id);
      if (type === 'bodyEnd') body.controller.close();
      else body.controller.error(brokenOff());
      this.#checkDrained();
    }
    body.taken();
  }

  /** The channel is closed. */
  end(): void {
    this.#isOver = true;
    for (const { request, reject } of this.#open.values()) {
      reject(request.method === 'GET' ? noLeader() : leaderLost());
    }
    this.#open.clear();
    for (const { controller, taken } of this.#bodies.values()) {
      controller.error(brokenOff());
      taken();
    }
    this.#bodies.clear();
    this.#checkDrained();
  }
}

/** The body while it arrives; none where the leader rejects the request by its headers. */
function readBody(request: Request, path: string): Uint8Array | Promise<Uint8Array> {
  try {
    return readBytes(
      { request, headers: request.headers },
      router.find(request.method, path).route,
    );
  } catch {
    return NO_BYTES;
  }
}

const brokenOff = (): Error => new Error('the answer broke off');
