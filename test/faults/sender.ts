// Sends the calls of one session to any node and records them: bare requests with real signatures,
// each sent once, so that the history shows what the cluster alone does.

import { type Decimal, parseExact, unitsOf } from '../crash/exact-json.ts';
import { signedHeaders } from '../support/node.ts';
import type { Call } from './history.ts';

/** The two halves of a key, and its owner. */
export interface LoadKey {
  readonly uid: number;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** An address of the cluster. */
export interface Target {
  readonly name: string;
  readonly url: string;
  /** The certificate that a client of a TLS address trusts. */
  readonly ca?: string;
}

/** After so long without an answer, a sender gives up and does not know the outcome. */
const GIVE_UP_MS = 4_000;

/** Rejections that leave open whether the request was carried out. */
const OPEN_OUTCOME = /may or may not|outcome|first check/i;

interface Request {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body: string;
}

const PRIVATE = '/spot-api/api/private/v1';

export class Sender {
  readonly session: string;
  readonly key: LoadKey;
  readonly #operatorToken: string;
  readonly #calls: Call[];
  #seq = 0;
  #lastTimestamp = 0;

  /** Adds its calls to `calls`. */
  constructor(session: string, key: LoadKey, operatorToken: string, calls: Call[]) {
    this.session = session;
    this.key = key;
    this.#operatorToken = operatorToken;
    this.#calls = calls;
  }

  /** The highest seq that it has seen. */
  get seq(): number {
    return this.#seq;
  }

  placeOrder(node: Target, clOrdId: string, terms: object): Promise<Call> {
    const body = JSON.stringify({ symbol: 'BTC-USDT', ordType: 2, ...terms, clOrdId });
    return this.#signed(node, 'placeOrder', clOrdId, {
      method: 'POST',
      target: `${PRIVATE}/order`,
      body,
    });
  }

  cancelOrder(node: Target, clOrdId: string, orderId: number): Promise<Call> {
    const body = JSON.stringify({ orderId, clOrdId });
    return this.#signed(node, 'cancelOrder', clOrdId, {
      method: 'POST',
      target: `${PRIVATE}/order/cancel`,
      body,
    });
  }

  /** A credit of the operator for this session's account. */
  credit(node: Target, reference: string, amount: string): Promise<Call> {
    const { uid } = this.key;
    const body = JSON.stringify({ uid, asset: 'USDT', amount, reference });
    const target = '/operator/v1/ledger/credit';
    const headers = { Authorization: `Bearer ${this.#operatorToken}` };
    const call = this.#record(node, 'transferFunds', reference, '');
    return this.#send(node, call, { method: 'POST', target, body }, headers);
  }

  async balances(node: Target): Promise<Call> {
    const target = `${PRIVATE}/balances`;
    return this.#signed(node, 'balances', '', { method: 'GET', target, body: '' });
  }

  /** The own order of this clOrdId. */
  order(node: Target, clOrdId: string): Promise<Call> {
    const target = `${PRIVATE}/orders?type=SINGLE&clOrdId=${clOrdId}`;
    return this.#signed(node, 'order', clOrdId, { method: 'GET', target, body: '' });
  }

  #signed(node: Target, kind: Call['kind'], name: string, request: Request): Promise<Call> {
    const { method, target, body } = request;
    const [path, query = ''] = target.split('?');
    this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1);
    const signed = { method, path: path!, query, body, timestamp: this.#lastTimestamp };
    const call = this.#record(node, kind, name, this.key.apiKey);
    return this.#send(node, call, request, signedHeaders(this.key, signed));
  }

  #record(node: Target, kind: Call['kind'], name: string, apiKey: string): Call {
    const call: Call = {
      kind,
      session: this.session,
      node: node.name,
      uid: this.key.uid,
      apiKey,
      name,
      sentAt: performance.now(),
      answeredAt: Number.POSITIVE_INFINITY,
      minSeq: this.#seq,
      outcome: 'unknown',
      seq: null,
      id: null,
      balances: null,
      detail: '',
    };
    this.#calls.push(call);
    return call;
  }

  async #send(
    { url, ca }: Target,
    call: Call,
    { method, target, body }: Request,
    headers: Readonly<Record<string, string>>,
  ): Promise<Call> {
    try {
      const answer = await fetch(url + target, {
        method,
        ...(method === 'POST' ? { body } : {}),
        // Each on a connection of its own, so that no request is sent twice by the client.
        keepalive: false,
        ...(ca === undefined ? {} : { tls: { ca } }),
        signal: AbortSignal.timeout(GIVE_UP_MS),
        headers: {
          'Content-Type': 'application/json',
          'X-Agio-Min-Seq': String(this.#seq),
          ...headers,
        },
      });
      settle(call, answer, await answer.text());
    } catch (error) {
      call.answeredAt = performance.now();
      call.detail = (error as Error).message;
    }
    if (call.outcome === 'acknowledged') this.#seq = Math.max(this.#seq, call.seq ?? 0);
    return call;
  }
}

function settle(call: Call, { status, headers }: Response, text: string): void {
  call.answeredAt = performance.now();
  const seq = headers.get('x-agio-seq');
  call.seq = seq === null ? null : Number(seq);
  call.detail = `${status} ${text}`;
  if (status === 200) accept(call, parseExact(text));
  else if (!OPEN_OUTCOME.test(text)) call.outcome = 'rejected';
}

function accept(call: Call, body: unknown): void {
  call.outcome = 'acknowledged';
  call.detail = '';
  switch (call.kind) {
    case 'placeOrder':
    case 'cancelOrder':
      call.id = (body as { orderId: number }).orderId;
      break;
    case 'transferFunds':
      call.id = (body as { transferId: number }).transferId;
      break;
    case 'balances':
      call.balances = { uid: call.uid, of: balancesOf(body as BalanceRow[]) };
      break;
    case 'order':
      call.id = (body as { data: { orderId: number }[] }).data[0]?.orderId ?? null;
  }
}

interface BalanceRow {
  readonly asset: string;
  readonly available: Decimal;
  readonly held: Decimal;
}

const balancesOf = (rows: readonly BalanceRow[]): Record<string, [bigint, bigint]> =>
  Object.fromEntries(
    rows.map(({ asset, available, held }) => [asset, [unitsOf(available), unitsOf(held)]]),
  );
