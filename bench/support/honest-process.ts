// The honest customers of part `large`: each places an order far from the market and cancels it, at
// fixed times, over HTTP or a websocket, in the pair of the attack or in another one. Requests are
// timed from when they were due.
import { Connection } from '../../src/cli/bench/connection.ts';
import { type Latencies, latenciesOf } from '../../src/cli/bench/latencies.ts';
import {
  type ApiKey,
  CANCEL_PATH,
  ORDER_PATH,
  OrderScript,
} from '../../src/cli/bench/order-script.ts';
import { serveQuestions } from './processes.ts';
import { signedHeaders } from './requests.ts';
import { frameOf, openSocket } from './websocket-client.ts';

export const GROUPS = [
  { transport: 'http', where: 'another pair' },
  { transport: 'websocket', where: 'another pair' },
  { transport: 'http', where: 'the same pair' },
  { transport: 'websocket', where: 'the same pair' },
] as const;

export type HonestQuestion =
  /** Customers take turns through the ports and the groups. */
  | {
      readonly type: 'connect';
      readonly ports: readonly number[];
      readonly keys: readonly ApiKey[];
    }
  | {
      readonly type: 'run';
      readonly symbol: string;
      /** The requests of each group. */
      readonly perSecond: number;
      readonly seconds: number;
    };

/** By group. */
export type HonestAnswer = readonly Latencies[];

const OTHER_PAIR = 'BTC-USDT';
const SOCKET_PATH = '/ws/v1/private/orders';
/** The operator may have canceled the order that a cancel names; history may not have it yet. */
const IS_GONE = /"code":"10020[35]"|"rule":"behind"/;
const TERMS = '"side":"1","ordType":"2","price":0.01,"orderQty":0.001,"timeInForce":"1"';

interface Lane {
  readonly group: number;
  readonly name: string;
  readonly send: (path: string, body: string) => void;
  created: number;
  isOpen: boolean;
  since: number;
}

let lanes: Lane[] = [];
let onAnswer: (lane: Lane) => void = () => undefined;
let onFailure: (error: Error) => void = (error) => {
  throw error;
};

async function openLane(index: number, port: number, key: ApiKey): Promise<Lane> {
  const group = index % GROUPS.length;
  let lane: Lane | null = null;
  const open = GROUPS[group]!.transport === 'http' ? openHttp : openWebsocket;
  const send = await open(port, key, () => onAnswer(lane!));
  lane = { group, name: `h${index}`, send, created: 0, isOpen: false, since: 0 };
  return lane;
}

async function openHttp(port: number, key: ApiKey, answered: () => void): Promise<Lane['send']> {
  const script = new OrderScript('', key);
  const connection = await Connection.open(
    0,
    port,
    (_, status, body) => {
      if (status === 200 || IS_GONE.test(body())) answered();
      else onFailure(new Error(`an answer was ${status}: ${body()}`));
    },
    (error) => onFailure(error),
  );
  return (path, body) => {
    const request = Buffer.from(script.post(path, body), 'latin1');
    connection.send(request, 0, request.length);
  };
}

async function openWebsocket(
  port: number,
  key: ApiKey,
  answered: () => void,
): Promise<Lane['send']> {
  const headers = signedHeaders(key, `GET${SOCKET_PATH}`);
  const socket = await openSocket(port, SOCKET_PATH, headers, {
    receive(payload) {
      const isError = payload.indexOf('"error"') >= 0 && !IS_GONE.test(payload.toString());
      if (isError) onFailure(new Error(payload.toString()));
      else if (payload.indexOf('{"op":"order.') === 0) answered();
    },
    fail: (error) => onFailure(error),
  });
  return (path, body) => {
    const op = path === ORDER_PATH ? 'order.place' : 'order.cancel';
    const frame = frameOf(`{"op":"${op}","id":1,"timestamp":${Date.now()},${body.slice(1)}`);
    if (socket.write(frame) < frame.length) onFailure(new Error('a socket is full'));
  };
}

function sendNext(lane: Lane, symbol: string): void {
  const id = `${lane.name}-${lane.created}`;
  if (lane.isOpen) {
    lane.created++;
    lane.send(CANCEL_PATH, `{"origClOrdId":"${id}"}`);
  } else {
    const pair = GROUPS[lane.group]!.where === 'another pair' ? OTHER_PAIR : symbol;
    lane.send(ORDER_PATH, `{"clOrdId":"${id}","symbol":"${pair}",${TERMS}}`);
  }
  lane.isOpen = !lane.isOpen;
}

async function run(symbol: string, perSecond: number, seconds: number): Promise<HonestAnswer> {
  const perLane = (perSecond * GROUPS.length) / lanes.length;
  // An even number, so that no order is left open.
  const each = Math.round((perLane * seconds) / 2) * 2;
  const times = GROUPS.map(() => [] as number[]);
  const start = performance.now();
  let left = each * lanes.length;
  const queues = lanes.map((lane, index) => ({
    lane,
    sent: 0,
    isIdle: true,
    dueAt: (request: number) => start + ((request + index / lanes.length) / perLane) * 1000,
  }));
  await new Promise<void>((resolve, reject) => {
    onFailure = reject;
    const send = (queue: (typeof queues)[number], now: number): void => {
      if (!queue.isIdle || queue.sent === each || queue.dueAt(queue.sent) > now) return;
      queue.isIdle = false;
      queue.lane.since = queue.dueAt(queue.sent++);
      sendNext(queue.lane, symbol);
    };
    onAnswer = (lane) => {
      const now = performance.now();
      times[lane.group]!.push(now - lane.since);
      const queue = queues[lanes.indexOf(lane)]!;
      queue.isIdle = true;
      send(queue, now);
      if (--left === 0) resolve();
    };
    const tick = (): void => {
      const now = performance.now();
      for (const queue of queues) send(queue, now);
      if (left > 0) setTimeout(tick, 1);
    };
    tick();
  });
  return times.map((all) => latenciesOf(Float64Array.from(all)));
}

serveQuestions<HonestQuestion>(async (question) => {
  if (question.type === 'run') {
    return run(question.symbol, question.perSecond, question.seconds);
  }
  const { ports, keys } = question;
  // All groups have customers at each port.
  const portOf = (index: number): number =>
    ports[Math.floor(index / GROUPS.length) % ports.length]!;
  lanes = await Promise.all(keys.map((key, index) => openLane(index, portOf(index), key)));
  return lanes.length;
});
