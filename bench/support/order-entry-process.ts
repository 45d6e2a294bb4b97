// The client of part `order-entry`: a raw websocket for each key, which sends its next message when
// the last one is answered. Messages are written before the clock starts. An answer with a refusal
// fails the phase.
import type { Socket } from 'bun';
import { latenciesOf } from '../../src/cli/bench/latencies.ts';
import { type ApiKey, ORDER_PATH, OrderScript } from '../../src/cli/bench/order-script.ts';
import { serveQuestions } from './processes.ts';
import { signedHeaders } from './requests.ts';
import { frameOf, openSocket } from './websocket-client.ts';

export type OrderEntryQuestion =
  | { readonly type: 'connect'; readonly port: number; readonly keys: readonly ApiKey[] }
  | {
      readonly type: 'send';
      readonly orders: number;
      /** Orders of a message; 1 sends no batches. */
      readonly batch: number;
    };

const PATH = '/ws/v1/private/orders';
/** A message may be this old; all are written before the first is sent. */
const RECV_WINDOW_MS = 60_000;

interface Lane {
  readonly script: MessageScript;
  readonly socket: Socket;
  frames: Buffer[];
  sent: number;
  since: number;
}

/** Writes entries of a batch in place of requests. */
class MessageScript extends OrderScript {
  override post(path: string, body: string): string {
    return `{"op":"${path === ORDER_PATH ? 'order.place' : 'order.cancel'}",${body.slice(1)}`;
  }
}

let lanes: Lane[] = [];
let onAnswer: (lane: Lane) => void = () => undefined;
let onFailure: (error: Error) => void = (error) => {
  throw error;
};

async function open(port: number, key: ApiKey, name: string): Promise<Lane> {
  const script = new MessageScript(name, key);
  let lane: Lane | null = null;
  const socket = await openSocket(port, PATH, signedHeaders(key, `GET${PATH}`), {
    receive(payload) {
      if (payload.indexOf('"error"') >= 0) onFailure(new Error(payload.toString()));
      else if (payload.indexOf('{"op":"order.') === 0) onAnswer(lane!);
    },
    fail: (error) => onFailure(error),
  });
  lane = { script, socket, frames: [], sent: 0, since: 0 };
  return lane;
}

/** Half new orders and half cancels, once enough orders are open. */
function nextMessage({ script }: Lane, batch: number): Buffer {
  const head = `"id":1,"timestamp":${Date.now()},"recvWindow":${RECV_WINDOW_MS}`;
  if (batch === 1) return frameOf(`${script.next().slice(0, -1)},${head}}`);
  const entries = Array.from({ length: batch }, () => script.next());
  return frameOf(`{"op":"order.batch",${head},"entries":[${entries.join(',')}]}`);
}

async function send(orders: number, batch: number) {
  const each = Math.ceil(orders / batch / lanes.length);
  for (const lane of lanes) {
    lane.frames = Array.from({ length: each }, () => nextMessage(lane, batch));
    lane.sent = 0;
  }
  Bun.gc(true);
  const times = new Float64Array(each * lanes.length);
  let answered = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    onFailure = reject;
    const next = (lane: Lane, now: number): void => {
      lane.since = now;
      const frame = lane.frames[lane.sent++]!;
      if (lane.socket.write(frame) < frame.length) reject(new Error('a socket is full'));
    };
    onAnswer = (lane) => {
      const now = performance.now();
      times[answered++] = now - lane.since;
      if (lane.sent < each) next(lane, now);
      if (answered === times.length) resolve();
    };
    for (const lane of lanes) next(lane, start);
  });
  const ms = performance.now() - start;
  const used = process.cpuUsage(cpu);
  return {
    orders: each * lanes.length * batch,
    seconds: ms / 1000,
    clientShare: (used.user + used.system) / 1000 / ms,
    ...latenciesOf(times),
  };
}

export type Sent = Awaited<ReturnType<typeof send>>;

serveQuestions<OrderEntryQuestion>(async (question) => {
  if (question.type === 'send') return send(question.orders, question.batch);
  const { port, keys } = question;
  lanes = await Promise.all(keys.map((key, i) => open(port, key, `w${i}`)));
  return lanes.length;
});
