// The load client: a process with a fixed number of connections, each with its own caller and key.
// It runs one phase at a time, signs all requests before the clock starts, and reports what it
// measured. An answer that is no success fails the phase: a server that rejects is not fast.
import { Connection } from '../../src/cli/bench/connection.ts';
import { type Latencies, latenciesOf } from '../../src/cli/bench/latencies.ts';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { program, type Remote } from './processes.ts';
import { type Content, type Form, RequestScript, signedHeaders } from './requests.ts';
import { OWN_ORDERS, openSocket } from './websocket.ts';

/** A connection to open. */
export interface Line {
  readonly port: number;
  readonly key: ApiKey;
  readonly form: Form;
  /** Lines of one group share a schedule in an open phase; 0 unless given. */
  readonly group?: number;
}

interface Common extends Omit<Content, 'symbol'> {
  /** Rejections that count as answers: a pattern of status and body. */
  readonly accepts?: string;
  /** The pair of mix `far`, by group. */
  readonly symbols?: readonly string[];
}

/** Each connection sends its next request when the last one is answered: the server's maximum. */
export interface ClosedPhase extends Common {
  readonly requests: number;
  /** How many of the connections take part; all unless given. */
  readonly connections?: number;
}

/**
 * Requests are due at fixed times, whatever the server does, and each is timed from when it was
 * due: a stall makes all of them late that were due meanwhile, and all of them count.
 */
export interface OpenPhase extends Common {
  /** Requests of each group. */
  readonly perSecond: number;
  readonly seconds: number;
}

/** The latencies are those of the first group. */
export interface LoadAnswer extends Latencies {
  readonly groups: readonly Latencies[];
  readonly perSecond: number;
  readonly requests: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /** Rejections that the phase accepts. */
  readonly rejected: number;
}

interface Lane {
  readonly group: number;
  readonly script: RequestScript;
  readonly send: Connection['send'];
  /** When the request in flight was sent or, in an open phase, due. */
  since: number;
  queue: Queue | null;
}

/** Requests that the connections of a queue send as they are due. */
interface Queue {
  readonly idle: Lane[];
  left: number;
  due: number;
  /** Milliseconds between requests; 0: each is due when a connection is idle. */
  readonly pause: number;
}

/** Requests beyond an even share in an open phase: who is answered sooner sends more. */
const [MARGIN_SHARE, MARGIN] = [1.5, 10];

let lanes: Lane[] = [];
let current: Common = { mix: 'quiet' };
let rejected = 0;
let onAnswer: (lane: Lane, now: number) => void = () => undefined;
let onFailure: (error: Error) => void = (error) => {
  throw error;
};

function receive(lane: Lane, isSuccess: boolean, text: () => string): void {
  const { accepts } = current;
  if (!isSuccess && !(accepts !== undefined && new RegExp(accepts).test(text()))) {
    onFailure(new Error(`an answer was ${text()}`));
    return;
  }
  if (!isSuccess) rejected++;
  onAnswer(lane, performance.now());
}

/** Also of a batch, whose answer has the rejections of its entries. */
function isSuccess(status: number, body: () => string): boolean {
  return status === 200 && ((current.size ?? 1) === 1 || !body().includes('"code"'));
}

async function openHttp(index: number, { port }: Line): Promise<Lane['send']> {
  const connection = await Connection.open(
    index,
    port,
    (_, status, body) =>
      receive(lanes[index], isSuccess(status, body), () => `${status}: ${body()}`),
    (error) => onFailure(error),
  );
  return (bytes, from, to) => connection.send(bytes, from, to);
}

/** A connection logs in once, so its messages have no signature. */
async function openWebsocket(index: number, { port, key }: Line): Promise<Lane['send']> {
  const headers = signedHeaders(key, `GET${OWN_ORDERS}`);
  const listener = (bytes: Buffer, from: number, to: number): void => {
    const payload = bytes.subarray(from, to);
    const isRejection = payload.indexOf('"code"') >= 0;
    const isAnswer = payload.indexOf('{"op":"order.') === 0;
    if (isRejection || isAnswer) receive(lanes[index], !isRejection, () => payload.toString());
  };
  const socket = await openSocket(port, OWN_ORDERS, headers, listener, (error) => onFailure(error));
  return (bytes, from, to) => {
    const taken = socket.write(bytes.subarray(from, to));
    if (taken < to - from) onFailure(new Error('a socket is full'));
  };
}

/** Opens the connections. */
async function connect(lines: readonly Line[]): Promise<void> {
  const open = async (line: Line, index: number): Promise<Lane> => {
    const { form, key, group = 0 } = line;
    const send = await (form === 'websocket' ? openWebsocket : openHttp)(index, line);
    const name = `${form === 'websocket' ? 'w' : 'b'}${index}`;
    return { group, script: new RequestScript(name, key, form), send, since: 0, queue: null };
  };
  lanes = await Promise.all(lines.map(open));
}

/** In a closed phase each connection has a queue of its own, in an open one each group. */
function queuesOf(phase: ClosedPhase | OpenPhase): Queue[] {
  if ('requests' in phase) {
    const active = lanes.slice(0, phase.connections);
    const left = Math.ceil(phase.requests / active.length);
    return active.map((lane) => ({ idle: [lane], left, due: 0, pause: 0 }));
  }
  const groups = [...Map.groupBy(lanes, ({ group }) => group).values()];
  const pause = 1000 / phase.perSecond;
  const left = Math.round(phase.perSecond * phase.seconds);
  return groups.map((idle, at) => ({ idle, left, due: (at / groups.length) * pause, pause }));
}

function prepare(queue: Queue, { mix, size, symbols }: Common): void {
  const { idle, left, pause } = queue;
  const share = Math.ceil((left / idle.length) * MARGIN_SHARE) + MARGIN;
  for (const lane of idle) {
    lane.queue = queue;
    lane.script.prepare({ mix, size, symbol: symbols?.[lane.group] }, pause === 0 ? left : share);
  }
}

async function run(phase: ClosedPhase | OpenPhase): Promise<LoadAnswer> {
  current = phase;
  rejected = 0;
  const queues = queuesOf(phase);
  for (const queue of queues) prepare(queue, phase);
  const requests = queues.reduce((sum, { left }) => sum + left, 0);
  Bun.gc(true);
  const times: number[][] = [];
  for (const { group } of lanes) times[group] = [];
  const counted = { answers: 0, end: 0 };
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    let answered = 0;
    const sendDue = (queue: Queue, now: number): void => {
      while (queue.left > 0 && start + queue.due <= now && queue.idle.length > 0) {
        const lane = queue.idle.shift()!;
        lane.since = queue.pause === 0 ? now : start + queue.due;
        lane.script.sendNext(lane.send);
        queue.left--;
        queue.due += queue.pause;
      }
    };
    const tick = (): void => {
      const now = performance.now();
      for (const queue of queues) sendDue(queue, now);
      if (answered < requests) setTimeout(tick, 1);
    };
    onFailure = reject;
    onAnswer = (lane, now) => {
      const queue = lane.queue!;
      times[lane.group].push(now - lane.since);
      answered++;
      queue.idle.push(lane);
      sendDue(queue, now);
      // The first connection is done. From here on fewer are busy, so the rate is taken now.
      if (counted.end === 0 && queue.pause === 0 && queue.idle.length > 0) {
        Object.assign(counted, { answers: answered, end: now });
      }
      if (answered === requests) resolve();
    };
    tick();
  });
  const end = performance.now();
  for (const { script } of lanes) script.rewind();
  const { answers, end: until } = 'requests' in phase ? counted : { answers: requests, end };
  const groups = times.map((all) => latenciesOf(Float64Array.from(all)));
  const perSecond = (answers / (until - start)) * 1000;
  const seconds = (end - start) / 1000;
  return { ...groups[0], groups, perSecond, requests, seconds, rejected };
}

const { start } = program(import.meta, { connect, run });
export type LoadClient = Remote<{ connect: typeof connect; run: typeof run }>;

/** Starts a client with these connections. */
export async function startClient(lines: readonly Line[]): Promise<LoadClient> {
  const client = start();
  await client.connect(lines);
  return client;
}
