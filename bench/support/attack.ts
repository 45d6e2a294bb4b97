// Sends the commands of parts `large` and `large-memory` to a node, and listens to their effects.
import type { Socket } from 'bun';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { type LargeCase, type Pair, TAKER } from './large-cases.ts';
import { metricsOf } from './load.ts';
import { postSigned, signedHeaders } from './requests.ts';
import { OPERATOR_TOKEN } from './stages.ts';
import { frameOf, openSocket } from './websocket-client.ts';

const OPERATOR_HEADERS = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
/** The code of a rejection for lack of money. */
const NO_MONEY = '"100206"';
const POLL_MS = 10;

/** The times from the start of the attack. */
export interface AttackTimes {
  /** Until it was answered. */
  readonly answeredMs: number;
  /** Until the history has it. */
  readonly historyMs: number;
}

/** Sends the commands of a case. Throws if one of them has an unexpected answer. */
export async function attackNode(
  url: string,
  one: LargeCase,
  pair: Pair,
  keys: readonly ApiKey[],
): Promise<AttackTimes> {
  const { path, body, caller } = one.request(pair);
  const start = performance.now();
  const send = (): Promise<Response> =>
    caller === null
      ? fetch(url + path, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { ...OPERATOR_HEADERS, 'Content-Type': 'application/json' },
        })
      : postSigned(url, keys[caller - 1]!, path, { ...body, clOrdId: crypto.randomUUID() });
  const answers = await Promise.all(Array.from({ length: one.burst }, send));
  const answeredMs = performance.now() - start;
  for (const answer of answers) {
    const text = await answer.text();
    const isExpected = answer.status === 200 || (one.burst > 1 && text.includes(NO_MONEY));
    if (!isExpected) throw new Error(`${one.name} was answered ${answer.status}: ${text}`);
  }
  const seq = Number(answers.at(-1)!.headers.get('x-agio-seq'));
  await historyHas(url, seq);
  return { answeredMs, historyMs: performance.now() - start };
}

/** Waits until the views of the node have a position. */
async function historyHas(url: string, seq: number): Promise<void> {
  for (;;) {
    const metrics = await metricsOf(url);
    const written = metrics.get('agio_journal_seq')! - (metrics.get('agio_follower_lag') ?? 0);
    if (written >= seq) return;
    await Bun.sleep(POLL_MS);
  }
}

/** Listens to the orders of both sides of a case, and to the public streams of its pair. */
export async function watch(
  url: string,
  { symbol, holder }: Pair,
  keys: readonly ApiKey[],
): Promise<AsyncDisposable> {
  const port = Number(new URL(url).port);
  const ignore = { receive: () => {}, fail: () => {} };
  const path = '/ws/v1/private/orders';
  const sockets: Socket[] = [];
  for (const key of [keys[TAKER - 1]!, keys[holder - 1]!]) {
    const socket = await openSocket(port, path, signedHeaders(key, `GET${path}`), ignore);
    socket.write(frameOf('{"op":"subscribe","channel":"orders"}'));
    sockets.push(socket);
  }
  const socket = await openSocket(port, '/ws/v1/public', {}, ignore);
  for (const channel of ['trades', 'orderbook', 'l3orderbook', 'bbo']) {
    socket.write(frameOf(`{"op":"subscribe","channel":"${channel}","symbol":"${symbol}"}`));
  }
  sockets.push(socket);
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.end();
    },
  };
}
