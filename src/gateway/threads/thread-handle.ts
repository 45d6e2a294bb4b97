// The main thread's end of one gateway thread: it answers the requests and commands that the thread
// passes on, and owns its websockets.
import {
  type SingleCommand,
  TRADING_COMMANDS,
  TRADING_NAMES,
  type TradingCommand,
} from '../../contract/trading/commands.ts';
import type { ListedInstrument } from '../../contract/trading/orders.ts';
import { BinaryReader } from '../../core/binary.ts';
import { decodeCommand } from '../../core/command-form.ts';
import { threadCpu } from '../../engine/thread-cpu.ts';
import { BoundedMap } from '../../identity/bounded-map.ts';
import { type LiveKey, Module } from '../../identity/live-key.ts';
import type { Connection, SocketHandlers } from '../../streams/connection.ts';
import type { ServerHandle } from '../http/incoming.ts';
import type { Serve } from '../http/own-server.ts';
import { beginFrame, plainFrame, type RelayedRequest, readRequest } from '../relay/frames.ts';
import { RelayServer } from '../relay/relay-server.ts';
import type { Services } from '../services.ts';
import { CheckedCommand } from './checked-command.ts';
import { type FromThread, MAX_TAUGHT, type ToThread, WAKE } from './control.ts';
import { Down, outcomeFrame, resultFrame, SocketInput, Up } from './frames.ts';
import { Link } from './link.ts';
import { RemoteSocket } from './remote-socket.ts';
import { Ring, ringMemory } from './ring.ts';

/** The services that a thread passes requests to. */
export interface ThreadServices {
  readonly services: Services;
  readonly serve: Serve;
  readonly sockets: SocketHandlers;
}

export interface ThreadTerms {
  readonly host: string;
  readonly port: number;
  readonly idPrefix: string;
}

const RING_BYTES = 1 << 21;
/** The handshake of a websocket has a key of 16 bytes, as base64. */
const KEY_LENGTH = 24;
const TRADING_PATHS: ReadonlySet<string> = new Set(
  Object.values(TRADING_COMMANDS).map(({ call }) => call.path),
);

export class ThreadHandle {
  readonly #services: ThreadServices;
  readonly #worker: Worker;
  readonly #link: Link;
  readonly #cpu = threadCpu.open('gateway');
  readonly #keys = new BoundedMap<number, LiveKey>(MAX_TAUGHT);
  /** How many instruments the thread knows. */
  #listed = 0;
  readonly #sockets = new Map<number, RemoteSocket>();
  readonly #relayServer: RelayServer;
  /** The port, once it listens. */
  readonly listening: Promise<number>;
  /** Resolves when the thread is gone, however it ended. */
  readonly ended: Promise<string>;
  #stopped: () => void = () => {};

  constructor(services: ThreadServices, terms: ThreadTerms) {
    this.#services = services;
    const [incoming, outgoing] = [ringMemory(RING_BYTES), ringMemory(RING_BYTES)];
    const worker = new Worker(new URL('./gateway-thread.ts', import.meta.url).href);
    this.#worker = worker;
    this.#link = new Link({
      incoming: new Ring(incoming),
      outgoing: new Ring(outgoing),
      wakeOther: () => worker.postMessage(WAKE),
      receive: (frame) => this.#receive(frame),
      onFault: (error) => this.#fault(error),
    });
    this.#relayServer = new RelayServer({
      send: (frame) => this.#link.send(frame),
      onFault: (error) => this.#fault(error),
    });
    this.ended = new Promise((resolve) => {
      worker.onerror = ({ message }) => resolve(message);
      worker.addEventListener('close', () => resolve('it ended'));
    });
    this.listening = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromThread>) => {
        if (data === WAKE) this.#link.wake();
        else if (data.type === 'listening') resolve(data.port);
        else if (data.type === 'refused') reject(data.error);
        else this.#stopped();
      };
      void this.ended.then((why) => reject(new Error(`a gateway thread ended: ${why}`)));
    });
    this.#link.wake();
    const [toThread, fromThread] = [outgoing, incoming];
    const rings = { incoming: toThread, outgoing: fromThread };
    this.post({ type: 'start', ...terms, ...rings, cpu: this.#cpu });
  }

  #fault(err: unknown): void {
    this.#services.services.log.error({ err }, 'a gateway thread was not answered');
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  send(frame: Uint8Array): void {
    this.#link.send(frame);
  }

  /** Processor time of the thread, s; it grows while its event loop turns. */
  get cpuSeconds(): number {
    return this.#cpu[0]!;
  }

  /** Bytes of frames that the thread has not read. */
  get depth(): number {
    return this.#link.depth;
  }

  /** Bytes of its frames that the main thread has not read. */
  get unread(): number {
    return this.#link.unread;
  }

  /** Stops listening; resolves when all requests are answered. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#stopped = resolve;
      void this.ended.then(() => resolve());
      this.post({ type: 'stop' });
    });
  }

  /** Ends the thread with its connections. */
  end(): void {
    this.#link.close();
    this.#relayServer.end();
    this.#worker.terminate();
    threadCpu.close(this.#cpu);
    for (const socket of this.#sockets.values()) this.#services.sockets.close(socket);
    this.#sockets.clear();
  }

  #receive(bytes: Uint8Array): void {
    const frame = new BinaryReader(bytes);
    const kind = frame.byte();
    const id = frame.integer();
    if (kind === Up.command) this.#command(id, frame);
    else if (kind === Up.request) void this.#request(readRequest(id, frame));
    else if (kind === Up.pull) void this.#relayServer.pull(id);
    else if (kind === Up.cancel) this.#relayServer.cancel(id);
    else this.#socket(kind, id, frame);
  }

  #command(id: number, frame: BinaryReader): void {
    const key = this.#keys.get(frame.integer());
    const timestamp = frame.integer();
    const spentMs = frame.integer() / 1000;
    const name = TRADING_NAMES[frame.byte()]!;
    const bySymbol = frame.boolean();
    const requestId = frame.text();
    const encoded = frame.rest();
    const command = decodeCommand(new BinaryReader(encoded)) as TradingCommand;
    if (key === undefined) {
      this.#relay(id, key);
      return;
    }
    const terms = { key, timestamp, name, command, encoded, requestId, bySymbol, spentMs };
    const checked = new CheckedCommand(this.#services.services, terms, {
      carriedOut: (result, seq, rate) =>
        this.#link.send(
          resultFrame(id, command.type as SingleCommand['type'], { seq, result }, rate),
        ),
      answered: (reply, rate) => this.#link.send(outcomeFrame(id, reply, rate)),
    });
    if (!checked.carryOut()) this.#relay(id, key);
  }

  /** Asks for the request of a command. The thread forgets a key that is no longer good. */
  #relay(id: number, key: LiveKey | undefined): void {
    const forget = key === undefined || key.revoked;
    if (key !== undefined && forget) this.#keys.delete(key.keyId);
    const frame = beginFrame(Down.relay, id);
    frame.boolean(forget);
    this.#link.send(frame.view());
  }

  async #request(relayed: RelayedRequest): Promise<void> {
    const handle = this.#handleOf(relayed);
    await this.#relayServer.answer(relayed, (request) => this.#services.serve(request, handle));
    try {
      if (TRADING_PATHS.has(relayed.target)) this.#teach(relayed);
    } catch (error) {
      this.#fault(error);
    }
  }

  #handleOf({ id, peer }: RelayedRequest): ServerHandle {
    return {
      requestIP: () => (peer === '' ? null : { address: peer, family: 'IPv4', port: 0 }),
      upgrade: ({ headers }: Request, { data }: { data: Connection }) => {
        // The runtime of the thread would refuse it, after the main thread has answered.
        if (headers.get('sec-websocket-key')?.length !== KEY_LENGTH) return false;
        this.#sockets.set(id, new RemoteSocket(data, this.#link, id));
        this.#link.send(plainFrame(Down.upgrade, id));
        return true;
      },
    } as ServerHandle;
  }

  /** Tells the thread what it lacked, so that it makes the next such request a command itself. */
  #teach({ headers }: RelayedRequest): void {
    const { instruments } = this.#services.services.engine.exchange.state;
    if (instruments.length !== this.#listed) {
      this.#listed = instruments.length;
      this.post({ type: 'instruments', instruments: listing(instruments) });
    }
    const apiKey = headers.find(([name]) => name === 'exchange-api-key')?.[1];
    if (apiKey !== undefined) this.#teachKey(apiKey);
  }

  #teachKey(apiKey: string): void {
    const key = this.#services.services.identity.apiKeys.lookup(apiKey);
    if (key === undefined || this.#keys.has(key.keyId)) return;
    // The address of a call is checked by the main thread.
    if (key.ipAllowList !== null || !key.allows(Module.tradingWrite)) return;
    const { keyId, uid, strictClOrdId, replayGuard } = key;
    const secret = this.#services.services.identity.apiKeys.openSecret(key);
    this.#keys.set(keyId, key);
    this.post({
      type: 'key',
      key: { apiKey: key.apiKey, keyId, uid, strictClOrdId, replayGuard, secret },
    });
    secret.fill(0);
  }

  #socket(kind: number, id: number, frame: BinaryReader): void {
    const socket = this.#sockets.get(id);
    if (socket === undefined) return;
    const { sockets } = this.#services;
    switch (kind) {
      case Up.socketOpened:
        sockets.open(socket);
        break;
      case Up.socketInput:
        this.#input(socket, frame);
        break;
      case Up.socketSent:
        socket.measured(frame.integer(), frame.integer());
        sockets.drain(socket);
        break;
      case Up.socketClosed:
        this.#sockets.delete(id);
        sockets.close(socket);
        break;
      default:
        throw new TypeError(`a frame of kind ${kind}`);
    }
  }

  #input(socket: RemoteSocket, frame: BinaryReader): void {
    const { sockets } = this.#services;
    const form = frame.byte();
    if (form === SocketInput.control) sockets.pong(socket);
    else if (form === SocketInput.text) sockets.message(socket, frame.text());
    else sockets.message(socket, Buffer.from(frame.bytes()));
  }
}

type Instruments = readonly (ListedInstrument | undefined)[];

/** The terms that a request is read with. Increments never change: instruments only add to it. */
const listing = (instruments: Instruments): Instruments =>
  instruments.map((instrument) => {
    if (instrument === undefined) return undefined;
    const { securityId, symbol, base, quote, tick, lot, ...terms } = instrument;
    const { perTickLot, quoteUnitsPerTick, minQuantity, minNotional } = terms;
    const sizes = { tick, lot, perTickLot, quoteUnitsPerTick, minQuantity, minNotional };
    return { securityId, symbol, base, quote, ...sizes };
  });
