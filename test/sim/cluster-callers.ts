// The callers of a simulated cluster: customers who trade through any node, repeat what was not
// answered, and read their own writes, and an operator who moves money and gives and takes keys.
import { AMEND, BALANCES, CANCEL, signedHeaders, TRADING } from '../support/node.ts';
import type { Prng } from '../support/prng.ts';
import type { Acknowledged, Wish } from './callers.ts';
import { type ClusterNode, type NodeAnswer, OPERATOR_TOKEN } from './cluster-node.ts';
import { amendment, batchId, orderCall } from './order-calls.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import type { SimulatedTime } from './simulated-time.ts';
import type { SimulatedKey } from './simulated-venue.ts';

/** The balances that a caller has read, at the seq of the answer. */
export interface Reading {
  readonly seq: number;
  readonly uid: number;
  readonly text: string;
}

interface NewKey extends SimulatedKey {
  /** `revoking`: from the request on; `revoked`: from the answer on. */
  state: 'live' | 'revoking' | 'revoked';
}

const TRIES = 4;
/** The rejections of a node that has not passed a command on. */
const NOTHING_DONE = /no node of the cluster leads|did not (accept|carry out)|is starting/i;

export class ClusterCallers {
  readonly wishes: Wish[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly readings: Reading[] = [];
  /** Answers that no caller may ever see. */
  readonly complaints: string[] = [];
  readonly newKeys: NewKey[] = [];
  readonly counts = { unanswered: 0, rejected503: 0, unknown503: 0 };
  readonly #time: SimulatedTime;
  readonly #random: Prng;
  readonly #cluster: SimulatedCluster;
  readonly #keys: readonly SimulatedKey[];
  /** The longest of most pauses, ms: in some seeds hardly anybody calls. */
  readonly #pause: number;
  #names = 0;
  /** The last seq that each customer has seen. */
  readonly #seen = new Map<number, number>();
  readonly #orders = new Map<number, { clOrdId: string; orderId: number }[]>();

  constructor(
    time: SimulatedTime,
    random: Prng,
    cluster: SimulatedCluster,
    keys: readonly SimulatedKey[],
  ) {
    this.#time = time;
    this.#random = random;
    this.#cluster = cluster;
    this.#keys = keys;
    this.#pause = random.pick([120, 120, 120, 120, 1500, 15_000]);
  }

  /** Everybody calls, with pauses, while `go` holds. */
  async call(go: () => boolean): Promise<void> {
    const customers = [...this.#keys, ...this.#keys].map((key) => () => this.#customerCalls(key));
    await Promise.all(
      [...customers, () => this.#operatorCalls()].map(async (callOnce) => {
        while (go()) {
          await this.#time.sleep(this.#random.below(this.#random.oneIn(3) ? 1500 : this.#pause));
          await callOnce();
        }
      }),
    );
  }

  get #anyNode(): ClusterNode {
    return this.#random.pick(this.#cluster.nodes);
  }

  async #customerCalls(key: SimulatedKey): Promise<void> {
    const what = this.#random.below(12);
    if (what < 6) await this.order(key, () => this.#anyNode);
    else if (what < 9) await this.#change(key);
    else await this.#read(key);
  }

  /** Places an order through a node, and perhaps again through others until an answer comes. */
  async order(key: SimulatedKey, nodeOf: () => ClusterNode, isKeyed?: boolean): Promise<Wish> {
    const random = this.#random;
    const clOrdId = `c${this.#names++}`;
    const { what, path, body } = orderCall(random, clOrdId);
    const wish = this.#wish(clOrdId, what);
    // A batch has no other name in the journal.
    const keyed = what === 'orderBatch' || (isKeyed ?? random.oneIn(3));
    const headers: Record<string, string> = keyed ? { 'Idempotency-Key': clOrdId } : {};
    await this.#insist(wish, keyed, () => this.#write(key, nodeOf(), path, body, headers), key.uid);
    if (wish.fate === 'done' && what !== 'orderBatch') {
      const own = this.#orders.get(key.uid) ?? [];
      own.push({ clOrdId, orderId: wish.id! });
      this.#orders.set(key.uid, own);
    }
    return wish;
  }

  #wish(name: string, what: Wish['what']): Wish {
    const wish: Wish = { name, what, fate: 'unknown', id: null };
    this.wishes.push(wish);
    return wish;
  }

  /** Repeats a write until its outcome is known, and decides the wish. */
  async #insist(
    wish: Wish,
    mayRepeat: boolean,
    send: () => Promise<NodeAnswer | null>,
    uid: number,
  ): Promise<void> {
    let isUncertain = false;
    for (let tries = mayRepeat ? TRIES : 1; tries > 0; tries--) {
      const answer = await send();
      if (answer?.status === 200) {
        const made = JSON.parse(answer.text) as Record<string, unknown>;
        wish.fate = 'done';
        wish.id =
          made.orders === undefined
            ? Number(made.orderId ?? made.transferId)
            : batchId(made.orders as { orderId?: number }[]);
        this.acknowledged.push({ seq: answer.seq, type: wish.what, uid });
        return;
      }
      isUncertain ||= !isNothingDone(answer);
      if (answer !== null && answer.status < 500) break;
    }
    if (!isUncertain) wish.fate = 'rejected';
  }

  /** Cancels or amends one of the newest orders. */
  async #change(key: SimulatedKey): Promise<void> {
    const own = this.#orders.get(key.uid) ?? [];
    if (own.length === 0) return;
    const order = own[this.#random.between(Math.max(0, own.length - 6), own.length - 1)]!;
    const { clOrdId, orderId } = order;
    const name = this.#random.oneIn(2) ? { orderId } : { origClOrdId: clOrdId };
    const isCancel = this.#random.oneIn(2);
    const [type, path, body] = isCancel
      ? ['cancelOrder', CANCEL, name]
      : ['amendOrder', AMEND, amendment(this.#random, name)];
    const answer = await this.#write(key, this.#anyNode, path, body, {});
    if (answer?.status !== 200) return;
    this.acknowledged.push({ seq: answer.seq, type, uid: key.uid });
  }

  async #read(key: SimulatedKey): Promise<void> {
    const { uid } = key;
    const minSeq = this.#seen.get(uid) ?? 0;
    const headers = { ...this.#sign(key, 'GET', BALANCES, ''), 'X-Agio-Min-Seq': `${minSeq}` };
    const answer = await this.#send(key, this.#anyNode, BALANCES, { headers });
    if (answer?.status !== 200) return;
    if (answer.seq < minSeq) this.complaints.push(`read ${answer.seq} after ${minSeq}`);
    this.readings.push({ seq: answer.seq, uid, text: answer.text });
  }

  async #write(
    key: SimulatedKey,
    node: ClusterNode,
    path: string,
    content: object,
    headers: Readonly<Record<string, string>>,
  ): Promise<NodeAnswer | null> {
    const body = JSON.stringify(content);
    const signed = this.#sign(key, 'POST', path, body);
    return this.#send(key, node, path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...signed, ...headers },
    });
  }

  async #send(
    { uid, apiKey }: SimulatedKey,
    node: ClusterNode,
    path: string,
    init: RequestInit,
  ): Promise<NodeAnswer | null> {
    const answer = await this.#cluster.send(node, path, init);
    this.#count(answer);
    if (answer === null) return null;
    const isDead = this.newKeys.some((key) => key.apiKey === apiKey && key.state !== 'live');
    if (answer.status === 401 && !isDead) this.complaints.push(`${path}: ${answer.text}`);
    this.#seen.set(uid, Math.max(this.#seen.get(uid) ?? 0, answer.seq));
    return answer;
  }

  #count(answer: NodeAnswer | null): void {
    if (answer === null) this.counts.unanswered++;
    else if (answer.status === 503 && answer.text.includes('100504')) this.counts.unknown503++;
    else if (answer.status === 503) this.counts.rejected503++;
    else if (answer.status >= 500) this.complaints.push(answer.text);
  }

  /** Clocks of callers are a little off. */
  #sign(key: SimulatedKey, method: string, path: string, body: string): Record<string, string> {
    const timestamp = Date.now() + this.#random.between(-1000, 1000);
    return signedHeaders(key, { method, path, body, timestamp });
  }

  async #operatorCalls(): Promise<void> {
    const what = this.#random.below(6);
    if (what < 3) await this.credit();
    else if (what < 5) await this.#createKey();
    else await this.#revokeKey();
  }

  /** Credits some money through a node; returns whether it was done. */
  async credit(nodeOf = () => this.#anyNode): Promise<boolean> {
    const name = `t${this.#names++}`;
    const { uid } = this.#random.pick(this.#keys);
    const body = { uid, asset: 'BTC', amount: '0.00000001', reference: name };
    const wish = this.#wish(name, 'transferFunds');
    const send = () => this.#operator(nodeOf(), '/operator/v1/ledger/credit', body);
    // The operator repeats most transfers. One that is not repeated needs an audit entry, too.
    await this.#insist(wish, !this.#random.oneIn(3), send, uid);
    return wish.fate === 'done';
  }

  /** A new key works immediately, through any node. */
  async #createKey(): Promise<void> {
    const { uid } = this.#random.pick(this.#keys);
    const body = { alias: 'new', moduleIds: TRADING };
    const answer = await this.#operator(this.#anyNode, `/operator/v1/users/${uid}/keys`, body);
    if (answer?.status !== 200) return;
    const key: NewKey = { uid, ...JSON.parse(answer.text), state: 'live' };
    this.newKeys.push(key);
    await this.order(key, () => this.#anyNode);
  }

  /** After the answer, no write of the key is accepted, through any node. */
  async #revokeKey(): Promise<void> {
    const live = this.newKeys.filter(({ state }) => state === 'live');
    if (live.length === 0) return;
    const key = this.#random.pick(live);
    key.state = 'revoking';
    const path = `/operator/v1/users/${key.uid}/keys/${key.apiKey}/revoke`;
    const earlier = this.order(key, () => this.#anyNode, false);
    const answer = await this.#operator(this.#anyNode, path, {});
    if (answer?.status === 200) {
      key.state = 'revoked';
      await this.tryRevoked(key);
    }
    await earlier;
  }

  /** Orders of a revoked key are rejected by every node. */
  async tryRevoked(key: NewKey): Promise<void> {
    await Promise.all(
      this.#cluster.nodes.map(async (node) => {
        const wish = await this.order(key, () => node, false);
        if (wish.fate === 'done') this.complaints.push(`${node.name} took an order of a dead key`);
        // Whatever the answer was, nothing may be done.
        wish.fate = 'rejected';
      }),
    );
  }

  async #operator(node: ClusterNode, path: string, body: object): Promise<NodeAnswer | null> {
    const answer = await this.#cluster.send(node, path, operatorCall(body));
    this.#count(answer);
    return answer;
  }
}

/** A POST of the operator. */
export const operatorCall = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${OPERATOR_TOKEN}` },
});

/** Whether an answer excludes that the write was done. */
function isNothingDone(answer: NodeAnswer | null): boolean {
  if (answer === null) return false;
  return answer.status < 500 || (answer.status === 503 && NOTHING_DONE.test(answer.text));
}
