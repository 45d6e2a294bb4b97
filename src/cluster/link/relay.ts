// Requests that a node passes on to the leader as they came, over the link. Websockets are never
// relayed: every node serves its own.
import { allCalls } from '../../contract/calls.ts';
import type { Problem } from '../../contract/problem.ts';
import { EngineError, leaderLost, noLeader } from '../../engine/command-port.ts';
import { type ServerHandle, targetOf } from '../../gateway/http/incoming.ts';
import type { Serve } from '../../gateway/http/own-server.ts';
import { Router } from '../../gateway/http/router.ts';
import { RelayedAnswers, readBody } from '../../gateway/relay/asked-requests.ts';
import { RelayDown, RelayUp, readRequest, requestFrame } from '../../gateway/relay/frames.ts';
import { RelayServer } from '../../gateway/relay/relay-server.ts';
import type { RelayFrame } from './messages.ts';
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

/** A node's requests on its channel to the leader. */
export class Relay {
  readonly #channel: Channel;
  readonly #answers: RelayedAnswers;
  readonly #open = new Map<number, Open>();
  #lastId = 0;
  #isOver = false;
  #onDrained: () => void = () => {};

  constructor(channel: Channel) {
    this.#channel = channel;
    this.#answers = new RelayedAnswers((frame) => channel.send(frame));
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
      body = await readBody(router, request, path);
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
    const { method, headers } = request;
    this.#channel.send(
      requestFrame({ id, method, target, headers: [...headers], peer, fault, body }),
    );
    return promise;
  }

  /** Resolves when every request has an answer, or none comes. */
  async drained(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }

  /** Takes a frame of the leader. */
  receive({ kind, id, frame }: RelayFrame): void {
    if (kind !== RelayDown.answer) {
      this.#answers.continueBody(kind, id, frame);
      return;
    }
    const open = this.#open.get(id);
    if (open === undefined) return;
    const response = this.#answers.responseOf(id, frame);
    this.#open.delete(id);
    open.resolve(response);
    if (this.#open.size === 0) this.#onDrained();
    // Nobody will read it, and the leader would keep its rest.
    if (open.request.signal.aborted) void response.body?.cancel();
  }

  /** The channel is closed. */
  end(): void {
    this.#isOver = true;
    for (const { request, reject } of this.#open.values()) {
      reject(request.method === 'GET' ? noLeader() : leaderLost());
    }
    this.#open.clear();
    this.#answers.end();
  }
}

export interface RelayDeskOptions {
  readonly channel: Channel;
  readonly serve: Serve;
  readonly onFault: (error: unknown) => void;
}

/** The leader's answers to the requests of one node. */
export class RelayDesk {
  readonly #serve: Serve;
  readonly #server: RelayServer;

  constructor({ channel, serve, onFault }: RelayDeskOptions) {
    this.#serve = serve;
    this.#server = new RelayServer({ send: (frame) => channel.send(frame), onFault });
  }

  /** Takes a frame of the node. */
  receive({ kind, id, frame }: RelayFrame): void {
    if (kind === RelayUp.pull) {
      void this.#server.pull(id);
    } else if (kind === RelayUp.cancel) {
      this.#server.cancel(id);
    } else {
      const relayed = readRequest(id, frame);
      void this.#server.answer(relayed, async (request) => {
        const response = await this.#serve(request, handleOf(relayed.peer));
        if (response === undefined) throw new TypeError('a websocket was relayed');
        return response;
      });
    }
  }

  /** The channel is closed. */
  end(): void {
    this.#server.end();
  }
}

/** The server as the request of this peer would have it; it has no websockets. */
const handleOf = (peer: string): ServerHandle =>
  ({
    requestIP: () => (peer === '' ? null : { address: peer, family: 'IPv4', port: 0 }),
    upgrade: () => false,
  }) as ServerHandle;
