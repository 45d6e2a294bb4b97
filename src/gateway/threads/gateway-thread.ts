// A gateway thread: the HTTP server and the websockets of some clients. All threads listen on
// one port, and the system spreads the connections over them. It turns trading calls into commands;
// everything else goes to the main thread as it came, and comes back as an answer.
import type { Server } from 'bun';
import { allCalls } from '../../contract/calls.ts';
import type { Problem } from '../../contract/problem.ts';
import {
  type SingleCommand,
  TRADING_COMMANDS,
  TRADING_NAMES,
} from '../../contract/trading/commands.ts';
import { BinaryReader } from '../../core/binary.ts';
import { encodeCommand } from '../../core/command-form.ts';
import { reportCpu } from '../../engine/thread-cpu.ts';
import { SERVER_TERMS, sentRequestId, targetOf } from '../http/incoming.ts';
import { respond } from '../http/response.ts';
import { Router } from '../http/router.ts';
import { RelayedAnswers, readBody } from '../relay/asked-requests.ts';
import { beginFrame, requestFrame } from '../relay/frames.ts';
import { type FromThread, type ThreadStart, type ToThread, WAKE } from './control.ts';
import { Down, readOutcome, Up } from './frames.ts';
import { Link } from './link.ts';
import { Ring } from './ring.ts';
import { type SocketData, ThreadSockets } from './thread-sockets.ts';
import { type CommandAnswer, type ReadCommand, TradingDesk } from './trading-commands.ts';

const NO_BYTES = new Uint8Array(0);

declare const self: Worker;

const post = (message: FromThread): void => self.postMessage(message);

/** A request that was passed on as a command. */
type Ordered = ReadCommand & { readonly requestId: string };

/** A request without an answer yet. */
interface Open {
  readonly request: Request;
  readonly path: string;
  readonly query: string;
  readonly resolve: (response: Response | undefined) => void;
  readonly startedAt: number;
  body: Uint8Array;
  /** Set while it is a command. */
  ordered: Ordered | null;
}

class GatewayThread {
  readonly #link: Link;
  readonly #idPrefix: string;
  readonly #desk = new TradingDesk();
  readonly #router = new Router(allCalls);
  readonly #open = new Map<number, Open>();
  readonly #answers: RelayedAnswers;
  readonly #sockets: ThreadSockets;
  readonly #server: Server<SocketData>;
  #lastId = 0;

  /** Listens. Throws where the address is taken. */
  constructor({ host, port, idPrefix, incoming, outgoing, cpu }: ThreadStart) {
    this.#idPrefix = idPrefix;
    this.#link = new Link({
      incoming: new Ring(incoming),
      outgoing: new Ring(outgoing),
      wakeOther: () => post(WAKE),
      receive: (frame) => this.#receive(frame),
      onFault: (error) => {
        throw error;
      },
    });
    this.#answers = new RelayedAnswers((frame) => this.#link.send(frame));
    this.#sockets = new ThreadSockets(this.#link);
    this.#server = Bun.serve({
      hostname: host,
      port,
      reusePort: true,
      ...SERVER_TERMS,
      fetch: (request) => new Promise((resolve) => this.#serve(request, resolve)),
      websocket: this.#sockets.handlers,
    });
    this.#sockets.attach(this.#server);
    reportCpu(cpu);
    this.#link.wake();
    post({ type: 'listening', port: this.#server.port! });
  }

  control(message: Exclude<ToThread, ThreadStart>): void {
    if (message === WAKE) this.#link.wake();
    else if (message.type === 'instruments') this.#desk.learnInstruments(message.instruments);
    else if (message.type === 'key') this.#desk.learnKey(message.key);
    else if (message.type === 'stop') {
      void this.#server.stop().then(() => post({ type: 'stopped' }));
    }
  }

  #serve(request: Request, resolve: Open['resolve']): void {
    const id = ++this.#lastId;
    const { path, query } = targetOf(request.url);
    const startedAt = performance.now();
    const open: Open = { request, path, query, resolve, startedAt, body: NO_BYTES, ordered: null };
    this.#open.set(id, open);
    const reading = readBody(this.#router, request, path);
    if (!(reading instanceof Promise)) {
      this.#relay(id, open, null);
      return;
    }
    reading.then(
      (body) => {
        open.body = body;
        if (!this.#order(id, open)) this.#relay(id, open, null);
      },
      (error: unknown) => this.#relay(id, open, error as Problem),
    );
  }

  /** Sends the command of a trading call; false for every other request. */
  #order(id: number, open: Open): boolean {
    const { request, path, query, body } = open;
    if (query !== '' || !this.#desk.covers(request.method, path)) return false;
    const read = this.#desk.read(request, path, body);
    if (read === null) return false;
    const requestId = sentRequestId(request.headers) ?? this.#idPrefix + id;
    open.ordered = { ...read, requestId };
    this.#link.send(commandFrame(id, read, requestId, performance.now() - open.startedAt));
    return true;
  }

  #relay(id: number, { request, path, query, body }: Open, fault: Problem | null): void {
    this.#link.send(
      requestFrame({
        id,
        method: request.method,
        target: query === '' ? path : `${path}?${query}`,
        headers: [...request.headers],
        peer: this.#server.requestIP(request)?.address ?? '',
        fault,
        body,
      }),
    );
  }

  #receive(bytes: Uint8Array): void {
    const frame = new BinaryReader(bytes);
    const kind = frame.byte();
    const id = frame.integer();
    switch (kind) {
      case Down.result:
        // The answer to a batch comes whole.
        this.#answerCommand(id, ({ command }) =>
          this.#desk.answer(command as SingleCommand, frame),
        );
        break;
      case Down.outcome:
        this.#answerCommand(id, () => readOutcome(frame));
        break;
      case Down.answer:
        this.#take(id)?.resolve(this.#answers.responseOf(id, frame));
        break;
      case Down.relay:
        this.#relayCommand(id, frame.boolean());
        break;
      case Down.bodyPart:
      case Down.bodyEnd:
      case Down.bodyFailed:
        this.#answers.continueBody(kind, id, frame);
        break;
      case Down.upgrade:
        this.#upgrade(id);
        break;
      default:
        this.#sockets.receive(kind, id, frame);
    }
  }

  #take(id: number): Open | null {
    const open = this.#open.get(id);
    this.#open.delete(id);
    return open ?? null;
  }

  #answerCommand(id: number, read: (ordered: Ordered) => CommandAnswer): void {
    const open = this.#take(id);
    if (open?.ordered == null) return;
    const { name, requestId } = open.ordered;
    const { call } = TRADING_COMMANDS[name];
    open.resolve(respond({ ...read(open.ordered), route: call, cors: null, requestId }));
  }

  /** The main thread wants the request of a command as it came. */
  #relayCommand(id: number, forgetKey: boolean): void {
    const open = this.#open.get(id);
    if (open?.ordered == null) return;
    if (forgetKey) this.#desk.forgetKey(open.ordered.apiKey);
    open.ordered = null;
    this.#relay(id, open, null);
  }

  #upgrade(id: number): void {
    const open = this.#take(id);
    if (open === null) return;
    const isOpen = this.#server.upgrade(open.request, { data: this.#sockets.dataOf(id) });
    if (!isOpen) this.#sockets.neverOpened(id);
    open.resolve(isOpen ? undefined : new Response(null, { status: 400 }));
  }
}

/** The processor time before the frame is part of the duration of the call. */
function commandFrame(
  id: number,
  { keyId, timestamp, name, command, bySymbol }: ReadCommand,
  requestId: string,
  ms: number,
): Uint8Array {
  const frame = beginFrame(Up.command, id);
  frame.integer(keyId);
  frame.integer(timestamp);
  frame.integer(Math.round(ms * 1000));
  frame.byte(TRADING_NAMES.indexOf(name));
  frame.boolean(bySymbol);
  frame.text(requestId);
  encodeCommand(frame, command);
  return frame.view();
}

let thread: GatewayThread | null = null;

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (typeof data === 'number' || data.type !== 'start') {
    thread?.control(data);
    return;
  }
  try {
    thread = new GatewayThread(data);
  } catch (error) {
    post({ type: 'refused', error: error as Error });
  }
};
