// The load client: a process with a fixed number of keep-alive connections, each with its own
// caller and key. It receives one phase at a time, signs all its requests before the clock starts,
// and reports the measurements. Any answer other than 200 fails the phase: a server that rejects is
// not fast.
import { Connection } from '../../src/cli/bench/connection.ts';
import { type Latencies, latenciesOf } from '../../src/cli/bench/latencies.ts';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { serveQuestions } from './processes.ts';
import {
  type Batch,
  type Form,
  isEarn,
  type Mix,
  RequestScript,
  signedHeaders,
} from './requests.ts';
import { openSocket } from './websocket-client.ts';

export type LoadQuestion =
  | {
      readonly type: 'connect';
      readonly port: number;
      readonly keys: readonly ApiKey[];
      /** The path of private websockets; null for HTTP. */
      readonly path: string | null;
      /** The wire form over HTTP. */
      readonly form: Form;
    }
  | ClosedPhase
  | OpenPhase;

/**
 * Each connection sends its next request when the last one is answered: what the server can do at
 * most.
 */
export interface ClosedPhase {
  readonly type: 'closed';
  readonly mix: Mix;
  readonly requests: number;
  /** Orders of a request; 1 unless given. */
  readonly size?: number;
  /** How many of the connections take part. */
  readonly connections: number;
}

/**
 * Requests are due at fixed times, whatever the server does, and each is timed from when it was
 * due: a server that stalls makes all of them late that were due meanwhile, and all of them count.
 */
export interface OpenPhase {
  readonly type: 'open';
  readonly mix: Mix;
  readonly perSecond: number;
  readonly seconds: number;
  /** True if the server may reject with 429 or 503; else that fails the phase. */
  readonly mayReject?: boolean;
}

export interface LoadAnswer extends Latencies {
  readonly perSecond: number;
  readonly requests: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  /**
   * The share of one core that the client used, so that one sees whether it was what limited the
   * rate.
   */
  readonly clientShare: number;
  /** Answers 429 and 503, where they are allowed. */
  readonly rejected: number;
}

/** The requests of one connection in the current phase. */
interface Lane {
  readonly connection: Pick<Connection, 'send'>;
  readonly script: RequestScript;
  batch: Batch | null;
  sent: number;
  /** When the request in flight was sent or, in an open phase, due. */
  since: number;
}

/**
 * Requests made beyond an even share in an open phase, where a connection that is answered sooner
 * sends more.
 */
const OPEN_MARGIN = 1.5;
/** An open phase fails when the server has answered nothing for so long. */
const OPEN_PATIENCE_MS = 30_000;

/** An earn call is rejected with status 200, and says so in its body. */
const EARN_SUCCESS = '{"code":"0"';

let hasEnvelope = false;
/** An answer to a batch has the rejections of its entries. */
let isBatch = false;
let mayReject = false;
let rejected = 0;
let lanes: Lane[] = [];
/** Set by the current phase: its handlers of an answer and of a failure. */
let onAnswer: (lane: Lane, now: number) => void = () => undefined;
let onFailure: (error: Error) => void = (error) => {
  throw error;
};

async function connectHttp(port: number, keys: readonly ApiKey[], form: Form): Promise<number> {
  const answered = (connection: Connection, status: number, body: () => string): void => {
    const isAllowed = mayReject && (status === 429 || status === 503);
    if (isAllowed) rejected++;
    if (status !== 200 && !isAllowed) onFailure(new Error(`an answer was ${status}: ${body()}`));
    else if (hasEnvelope && !body().startsWith(EARN_SUCCESS)) onFailure(new Error(body()));
    else if (isBatch && body().includes('"code"')) onFailure(new Error(body()));
    else onAnswer(lanes[connection.index], performance.now());
  };
  lanes = [];
  for (const [index, key] of keys.entries()) {
    const connection = await Connection.open(index, port, answered, (error) => onFailure(error));
    const script = new RequestScript(`b${index}`, key, form);
    lanes.push({ connection, script, batch: null, sent: 0, since: 0 });
  }
  return lanes.length;
}

/** A connection has logged in once, so its messages have no signature. */
async function connectSockets(
  port: number,
  keys: readonly ApiKey[],
  path: string,
): Promise<number> {
  const open = async (key: ApiKey, index: number): Promise<Lane> => {
    const socket = await openSocket(port, path, signedHeaders(key, `GET${path}`), {
      receive(payload) {
        if (payload.indexOf('"error"') >= 0) onFailure(new Error(payload.toString()));
        else if (payload.indexOf('{"op":"order.') === 0) onAnswer(lanes[index]!, performance.now());
      },
      fail: (error) => onFailure(error),
    });
    const send = (bytes: Buffer, from: number, to: number): void => {
      if (socket.write(bytes.subarray(from, to)) < to - from) {
        onFailure(new Error('a socket is full'));
      }
    };
    const script = new RequestScript(`w${index}`, key, 'websocket');
    return { connection: { send }, script, batch: null, sent: 0, since: 0 };
  };
  lanes = await Promise.all(keys.map(open));
  return lanes.length;
}

function sendNext(lane: Lane, since: number): void {
  const { offsets, bytes } = lane.batch!;
  const at = lane.sent++;
  lane.since = since;
  lane.connection.send(bytes, offsets[at], offsets[at + 1]);
}

function prepare(active: readonly Lane[], mix: Mix, each: number, size = 1): void {
  hasEnvelope = isEarn(mix);
  isBatch = size > 1;
  mayReject = false;
  rejected = 0;
  for (const lane of active) {
    lane.batch = lane.script.make(mix, each, size);
    lane.sent = 0;
  }
  Bun.gc(true);
}

/** Processor time of this process, ms. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function runClosed({ mix, requests, connections, size }: ClosedPhase): Promise<LoadAnswer> {
  const active = lanes.slice(0, connections);
  const each = Math.ceil(requests / active.length);
  prepare(active, mix, each, size);
  const times = new Float64Array(each * active.length);
  let answered = 0;
  let counted = 0;
  let end = 0;
  const cpu = cpuTime();
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    onFailure = reject;
    onAnswer = (lane, now) => {
      times[answered++] = now - lane.since;
      if (lane.sent < each) sendNext(lane, now);
      else if (end === 0) {
        // The first connection is done. From here on fewer are busy, so that the rate is taken now.
        end = now;
        counted = answered;
      }
      if (answered === times.length) resolve();
    };
    for (const lane of active) sendNext(lane, start);
  });
  const all = performance.now();
  return {
    perSecond: (counted / (end - start)) * 1000,
    requests: times.length,
    seconds: (all - start) / 1000,
    clientShare: (cpuTime() - cpu) / (all - start),
    rejected,
    ...latenciesOf(times),
  };
}

async function runOpen(phase: OpenPhase): Promise<LoadAnswer> {
  const { mix, perSecond, seconds } = phase;
  const total = Math.round(perSecond * seconds);
  prepare(lanes, mix, Math.ceil((total / lanes.length) * OPEN_MARGIN) + 10);
  mayReject = phase.mayReject === true;
  const times = new Float64Array(total);
  const idle = [...lanes];
  let next = 0;
  let answered = 0;
  let lastAnswer = performance.now();
  const cpu = cpuTime();
  const start = performance.now();
  const dueAt = (request: number): number => start + (request / perSecond) * 1000;
  const sendDue = (now: number): void => {
    while (next < total && dueAt(next) <= now && idle.length > 0) {
      const lane = idle.shift()!;
      if (lane.sent < lane.batch!.count) sendNext(lane, dueAt(next++));
      else onFailure(new Error('a connection ran out of requests'));
    }
  };
  await new Promise<void>((resolve, reject) => {
    onFailure = reject;
    onAnswer = (lane, now) => {
      times[answered++] = now - lane.since;
      lastAnswer = now;
      idle.push(lane);
      sendDue(now);
      if (answered === total) resolve();
    };
    const tick = (): void => {
      const now = performance.now();
      sendDue(now);
      if (now > lastAnswer + OPEN_PATIENCE_MS) {
        reject(new Error(`${total - answered} of ${total} requests were not answered in time`));
      } else if (answered < total) setTimeout(tick, 1);
    };
    tick();
  });
  const all = performance.now();
  for (const { script, batch, sent } of lanes) script.rewind(batch!, sent);
  return {
    perSecond: (total / (all - start)) * 1000,
    requests: total,
    seconds: (all - start) / 1000,
    clientShare: (cpuTime() - cpu) / (all - start),
    rejected,
    ...latenciesOf(times),
  };
}

serveQuestions<LoadQuestion>((question) => {
  switch (question.type) {
    case 'connect':
      return question.path === null
        ? connectHttp(question.port, question.keys, question.form)
        : connectSockets(question.port, question.keys, question.path);
    case 'closed':
      return runClosed(question);
    case 'open':
      return runOpen(question);
  }
});
