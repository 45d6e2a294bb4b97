// Gateway threads without a node behind them: a thread that reads nothing, while more is sent to it
// than its ring has room for, and clients that go in the middle of what they asked for.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import type { ServerHandle } from '../../src/gateway/http/incoming.ts';
import { respond } from '../../src/gateway/http/response.ts';
import { GatewayThreads } from '../../src/gateway/threads/gateway-threads.ts';
import type { ThreadServices } from '../../src/gateway/threads/thread-handle.ts';
import type { Connection, Socket } from '../../src/streams/connection.ts';
import { UPGRADE } from '../support/stream.ts';
import { jumpAhead, until } from '../support/waiting.ts';

const THREADS = 2;
/** So many that each thread has some of them. */
const CLIENTS = 24;
const TOPIC = 'a topic';
/** Together four rings of 2 MiB. */
const MESSAGES = 4000;
const TEXT = 'x'.repeat(2_000);
const ANSWER = 'y'.repeat(400_000);
/** The clock runs so much faster while a thread hangs that the other still shows itself alive. */
const TIMES_FASTER = 6;
const QUARTER_MS = 250;

const workers: Worker[] = [];
const RealWorker = globalThis.Worker;
const BLOCKABLE = new URL('./blockable-thread.ts', import.meta.url).href;

let threads: GatewayThreads;
let port = 0;
let faults = 0;
/** Requests that wait for the gate. */
let waiting = 0;
let gate = Promise.withResolvers<void>();
const opened = new Set<Socket>();
let closed = 0;
let [pulled, canceled] = [0, 0];

/** A body without an end, of which a client gets as much as it takes. */
const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull(controller) {
        pulled++;
        controller.enqueue(Buffer.from(TEXT));
      },
      cancel: () => void canceled++,
    },
    { highWaterMark: 0 },
  );

async function serve(request: Request, server: ServerHandle): Promise<Response | undefined> {
  const { pathname, searchParams } = new URL(request.url);
  if (searchParams.has('late')) {
    waiting++;
    await gate.promise;
  }
  if (pathname === '/socket') {
    server.upgrade(request, { data: {} as Connection });
    return undefined;
  }
  if (pathname === '/fault') throw new Error('no answer');
  const body = pathname === '/endless' ? endless() : ANSWER;
  const reply = { status: 200, body, seq: null, headers: null };
  return respond({ reply, route: null, rate: null, cors: null, requestId: 'one' });
}

const node = {
  serve,
  sockets: {
    open(socket: Socket) {
      opened.add(socket);
      socket.subscribe(TOPIC);
    },
    message: () => {},
    ping: () => {},
    pong: () => {},
    drain: () => {},
    close(socket: Socket) {
      opened.delete(socket);
      closed++;
    },
  },
  services: {
    engine: { exchange: { state: { instruments: [] } } },
    log: { error: () => void faults++ },
    identity: { apiKeys: { lookup: () => undefined } },
  },
} as unknown as ThreadServices;

beforeAll(() => {
  globalThis.Worker = class extends RealWorker {
    constructor() {
      super(BLOCKABLE);
      workers.push(this);
    }
  } as typeof Worker;
});
afterAll(() => {
  globalThis.Worker = RealWorker;
});
beforeEach(async () => {
  [faults, waiting, closed, pulled, canceled] = [0, 0, 0, 0, 0];
  gate = Promise.withResolvers();
  threads = new GatewayThreads({ ...node, count: THREADS });
  port = await threads.listen('127.0.0.1', 0);
});
afterEach(async () => {
  threads.end();
  await threads.stop();
  expect(opened.size).toBe(0);
});

/** The length of an answer on a connection of its own; 0 for a connection that broke. */
const lengthOf = (path: string): Promise<number> =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { Connection: 'close' } })
    .then((response) => response.text())
    .then(
      ({ length }) => length,
      () => 0,
    );

const lengthsOf = (path: string): Promise<number[]> =>
  Promise.all(Array.from({ length: CLIENTS }, () => lengthOf(path)));

/** A websocket that counts the messages that come in their order. */
class Listener {
  readonly #socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
  received = 0;
  isClosed = false;

  constructor() {
    this.#socket.onmessage = ({ data }) => {
      if (data === `${this.received} ${TEXT}`) this.received++;
    };
    this.#socket.onclose = () => {
      this.isClosed = true;
    };
  }
}

/** Sends a request and returns the function that cuts its connection. */
function sendRaw(path: string, headers: Readonly<Record<string, string>> = {}): () => void {
  const socket = connect(port, '127.0.0.1');
  const lines = Object.entries({ Host: 'test', ...headers }).map(([name, of]) => `${name}: ${of}`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return () => socket.destroy();
}

test('a thread that reads nothing holds up no other, and is replaced', async () => {
  const listeners = Array.from({ length: CLIENTS }, () => new Listener());
  await until(() => opened.size === CLIENTS);
  const asked = lengthsOf('/?late');
  await until(() => waiting === CLIENTS);
  const before = workers.length;
  workers.at(-1)!.postMessage({ type: 'block' });
  for (let n = 0; n < MESSAGES; n++) threads.publish(TOPIC, `${n} ${TEXT}`);
  gate.resolve();
  const complete = () => listeners.filter(({ received }) => received === MESSAGES).length;
  await until(() => complete() > 0);
  expect(threads.ringBytes.gateway).toBeGreaterThan(MESSAGES * TEXT.length);
  await until(async () => {
    await Bun.sleep(QUARTER_MS);
    jumpAhead(QUARTER_MS * TIMES_FASTER);
    return workers.length > before;
  });
  const lengths = await asked;
  expect([...new Set(lengths)].sort()).toEqual([0, ANSWER.length]);
  const cutOff = () => listeners.filter(({ isClosed }) => isClosed).length;
  await until(() => complete() + cutOff() === CLIENTS);
  expect(cutOff()).toBeGreaterThan(0);
  expect(opened.size).toBe(complete());
  await until(() => threads.ringBytes.gateway === 0);
  await until(async () => !(await lengthsOf('/')).includes(0));
});

test('a request whose answer fails gets a 500', async () => {
  const { status } = await fetch(`http://127.0.0.1:${port}/fault`);
  expect([status, faults]).toEqual([500, 1]);
});

test('a client that goes before its websocket opens leaves none behind', async () => {
  const cut = sendRaw('/socket?late', UPGRADE);
  await until(() => waiting === 1);
  cut();
  // The thread has noticed that before an answer that comes later.
  expect(await lengthOf('/')).toBe(ANSWER.length);
  gate.resolve();
  await until(() => closed === 1);
});

test('a client that goes ends its streamed answer, whether it has begun or not', async () => {
  const cutLate = sendRaw('/endless?late');
  await until(() => waiting === 1);
  cutLate();
  gate.resolve();
  await until(() => canceled === 1);
  // The first one may have taken parts before it was canceled.
  const before = pulled;
  const cut = sendRaw('/endless');
  await until(() => pulled > before + 1);
  cut();
  await until(() => canceled === 2);
});
