// Sends the calls of one session to a world and records them: bare requests with real signatures,
// so that the history shows what agio does, and not what a client makes of it.
import { signedHeaders } from '../support/node.ts';
import type { Call, OrderRow, WriteKind } from './history.ts';
import { type Body, batchId } from './order-calls.ts';

/** The two halves of a key, and its owner. */
export interface Key {
  readonly uid: number;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** A node that answers calls. */
export interface Target {
  readonly name: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** X-Agio-Seq; 0 without it. */
  readonly seq: number;
  /** True for the first answer given again: its seq is not that of the write. */
  readonly isReplay: boolean;
}

/** The way from callers to nodes. */
export interface World<Node extends Target> {
  readonly nodes: readonly Node[];
  readonly operatorToken: string;
  /** Resolves to null where no answer comes. */
  send(node: Node, target: string, init: RequestInit): Promise<Answer | null>;
  /** True if the answer excludes that the write was done. */
  isRejection(answer: Answer): boolean;
  /** True if a copy of a request may arrive after the answer to a later one. */
  readonly hasLateCopies: boolean;
  /** The time by the clock of a caller, ms. */
  timestamp(): number;
}

export interface Write<Node> {
  readonly kind: WriteKind;
  readonly name: string;
  readonly path: string;
  readonly body: Body;
  /** The node of each attempt. */
  readonly to: () => Node;
  /** Attempts until an answer comes. */
  readonly tries?: number;
  /** Sent with its name as Idempotency-Key. */
  readonly isKeyed?: boolean;
}

/** The highest seq that an account has seen: each later call asks for it. */
export interface Horizon {
  seq: number;
}

interface Request {
  readonly method?: 'POST';
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TYPE = { 'Content-Type': 'application/json' };

/** A call of the operator. */
export const operatorPost = (operatorToken: string, body: object) =>
  ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...TYPE, Authorization: `Bearer ${operatorToken}` },
  }) as const;

export const CREDIT = '/operator/v1/ledger/credit';
const BALANCES = '/spot-api/api/private/v1/balances';
const ORDERS = '/spot-api/api/private/v1/orders';

export class Sender<Node extends Target> {
  readonly session: string;
  readonly key: Key;
  readonly seen: Horizon;
  readonly #world: World<Node>;
  readonly #calls: Call[];

  /** Adds its calls to `calls`. */
  constructor(
    session: string,
    key: Key,
    world: World<Node>,
    calls: Call[],
    seen: Horizon = { seq: 0 },
  ) {
    this.session = session;
    this.key = key;
    this.seen = seen;
    this.#world = world;
    this.#calls = calls;
  }

  /** See World.hasLateCopies. */
  get hasLateCopies(): boolean {
    return this.#world.hasLateCopies;
  }

  /** Sends a write until its outcome is known, at most so many times. */
  async write({ kind, name, path, body, to, tries = 1, isKeyed }: Write<Node>): Promise<Call> {
    const isOperator = kind === 'transferFunds';
    const call = this.#record(kind, name, body, isOperator ? '' : this.key.apiKey);
    const text = JSON.stringify(body);
    const keyed: Record<string, string> = isKeyed === true ? { 'Idempotency-Key': name } : {};
    let isUncertain = false;
    for (let left = tries; left > 0; left--) {
      const headers = isOperator
        ? operatorPost(this.#world.operatorToken, body).headers
        : this.#sign('POST', path, '', text);
      const init = { method: 'POST', body: text, headers: { ...headers, ...keyed } } as const;
      const answer = await this.#attempt(call, to(), path, init);
      if (answer !== null && isAccepted(answer)) {
        this.#accept(call, answer);
        break;
      }
      const isRejection = answer !== null && this.#world.isRejection(answer);
      isUncertain ||= !isRejection && (answer !== null || this.#world.hasLateCopies);
      if (isRejection && !isUncertain) call.outcome = 'rejected';
      if (answer !== null && answer.status < 500) break;
      // The next attempt may be done.
      if (left > 1) call.outcome = 'unknown';
    }
    call.answeredAt = performance.now();
    return call;
  }

  async balances(node: Node): Promise<Call> {
    const call = this.#record('balances', '');
    await this.#read(call, node, BALANCES, '');
    return call;
  }

  /** The own order of this clOrdId. */
  async order(node: Node, clOrdId: string): Promise<Call> {
    const call = this.#record('order', clOrdId);
    const answer = await this.#read(call, node, ORDERS, `type=SINGLE&clOrdId=${clOrdId}`);
    if (answer !== null) {
      call.rows = (JSON.parse(answer.text) as { data: OrderRow[] }).data;
      call.id = call.rows[0]?.orderId ?? null;
    }
    return call;
  }

  async #read(call: Call, node: Node, path: string, query: string): Promise<Answer | null> {
    const target = query === '' ? path : `${path}?${query}`;
    const answer = await this.#attempt(call, node, target, {
      headers: this.#sign('GET', path, query, ''),
    });
    call.answeredAt = performance.now();
    if (answer === null) return null;
    if (answer.status !== 200) {
      if (this.#world.isRejection(answer)) call.outcome = 'rejected';
      return null;
    }
    this.#accept(call, answer);
    return answer;
  }

  #sign(method: string, path: string, query: string, body: string): Record<string, string> {
    const timestamp = this.#world.timestamp();
    return signedHeaders(this.key, { method, path, query, body, timestamp });
  }

  #record(kind: Call['kind'], name: string, request: Body = {}, apiKey = this.key.apiKey): Call {
    const call: Call = {
      ...{ kind, name, request, apiKey, session: this.session, uid: this.key.uid },
      node: '',
      sentAt: performance.now(),
      answeredAt: Number.POSITIVE_INFINITY,
      minSeq: this.seen.seq,
      outcome: 'unknown',
      ...{ status: null, seq: null, id: null, text: null, rows: null },
      detail: '',
    };
    this.#calls.push(call);
    return call;
  }

  async #attempt(call: Call, node: Node, target: string, init: Request): Promise<Answer | null> {
    const { seq } = this.seen;
    Object.assign(call, { node: node.name, minSeq: seq });
    const headers = { ...TYPE, 'X-Agio-Min-Seq': String(seq), ...init.headers };
    const answer = await this.#world.send(node, target, { ...init, headers });
    call.status = answer?.status ?? null;
    call.seq = answer === null || answer.isReplay || answer.seq === 0 ? null : answer.seq;
    call.detail = answer === null ? 'no answer' : `${answer.status} ${answer.text}`;
    return answer;
  }

  #accept(call: Call, { text, seq }: Answer): void {
    call.outcome = 'acknowledged';
    Object.assign(call, { detail: '', text });
    call.id = idIn(call.kind, JSON.parse(text));
    this.seen.seq = Math.max(this.seen.seq, seq);
  }
}

/** The earn area rejects with status 200 and a code of its own. */
const isAccepted = ({ status, text }: Answer): boolean =>
  status === 200 && !/^\{"code":"[^0]/.test(text);

/** The field of an answer that has the id. */
const ID_FIELDS: Partial<Record<Call['kind'], string>> = {
  placeOrder: 'orderId',
  placeOco: 'orderId',
  cancelOrder: 'orderId',
  amendOrder: 'orderId',
  transferFunds: 'transferId',
};

function idIn(kind: Call['kind'], body: Record<string, unknown>): number | null {
  if (kind === 'orderBatch') return batchId(body.orders as { orderId?: number }[]);
  if (kind === 'subscribePlan') return Number((body.data as { applyId: string }).applyId);
  const field = ID_FIELDS[kind];
  return field === undefined ? null : Number(body[field]);
}
