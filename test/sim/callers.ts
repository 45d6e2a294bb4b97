// The callers of a simulated venue, customers and an operator, and their rights: an answered write
// is in the journal at the seq of its answer, a repeated order or transfer happens once, and a
// rejected one never.
import { PLAN_APPLY, REDEEM } from '../support/earn.ts';
import { AMEND, CANCEL, CANCEL_ALL_AFTER, MASS_CANCEL, signedHeaders } from '../support/node.ts';
import type { Prng } from '../support/prng.ts';
import { amendment, batchId, orderCall } from './order-calls.ts';
import type { SimulatedAnswer, SimulatedNetwork } from './simulated-network.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { FIXED_DAYS, OPERATOR_TOKEN, type SimulatedKey } from './simulated-venue.ts';

/** Something that must happen once, or not at all. */
export interface Wish {
  /** clOrdId of an order, reference of a transfer, else its Idempotency-Key. */
  readonly name: string;
  readonly what:
    | 'placeOrder'
    | 'placeOco'
    | 'orderBatch'
    | 'transferFunds'
    | 'subscribePlan'
    | 'redeemPlan';
  /** 'unknown' until an answer decides. */
  fate: 'unknown' | 'done' | 'rejected';
  /** The id that the answer gave it; 0 for what is given none. */
  id: number | null;
}

/** A write that was answered with its place. */
export interface Acknowledged {
  readonly seq: number;
  readonly type: string;
  readonly uid: number;
}

const ID_FIELDS = {
  placeOrder: 'orderId',
  placeOco: 'orderId',
  transferFunds: 'transferId',
  subscribePlan: 'applyId',
} as const;
const TRIES = 4;

/** The id in the answer to a write; 0 of a redemption, which has none. */
function idIn(what: Wish['what'], made: Record<string, unknown>): number {
  if (what === 'redeemPlan') return 0;
  if (what === 'orderBatch') return batchId(made.orders as { orderId?: number }[]);
  return Number(made[ID_FIELDS[what]]);
}

export class Callers {
  readonly wishes: Wish[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly #time: SimulatedTime;
  readonly #random: Prng;
  readonly #network: SimulatedNetwork;
  readonly #keys: readonly SimulatedKey[];
  #names = 0;
  readonly #subscriptions: { readonly uid: number; readonly applyId: number }[] = [];
  /** Own orders by uid, newest last, with the orderIds that answers named. */
  readonly #orders = new Map<number, { clOrdId: string; orderId: number }[]>();

  constructor(
    time: SimulatedTime,
    random: Prng,
    network: SimulatedNetwork,
    keys: readonly SimulatedKey[],
  ) {
    this.#time = time;
    this.#random = random;
    this.#network = network;
    this.#keys = keys;
  }

  /** Everybody calls `calls` times, with pauses, while `go` holds. */
  async call(calls: number, go: () => boolean): Promise<void> {
    // Two of each customer at a time, so that an account also races with itself.
    const customers = [...this.#keys, ...this.#keys].map((key) => () => this.#customerCalls(key));
    const everybody = [...customers, () => this.#operatorCalls()];
    await Promise.all(
      everybody.map(async (callOnce) => {
        for (let n = 0; n < calls && go(); n++) {
          await this.#time.sleep(this.#random.below(this.#random.oneIn(3) ? 100 : 5));
          await callOnce();
        }
      }),
    );
  }

  async #customerCalls(key: SimulatedKey): Promise<void> {
    const random = this.#random;
    const what = random.below(27);
    if (what < 12) await this.#order(key);
    else if (what < 17) await this.#cancel(key);
    else if (what === 17) await this.#write(key, MASS_CANCEL, { symbol: 'BTC-USDT' }, 'massCancel');
    else if (what === 18) await this.#armSwitch(key);
    else if (what < 22) await this.#save(key);
    else if (what === 22) await this.#redeem(key);
    else if (what < 26) await this.#amend(key);
    else await this.#read(key);
  }

  async #order(key: SimulatedKey): Promise<void> {
    const random = this.#random;
    const clOrdId = `c${this.#names++}`;
    const { what, path, body } = orderCall(random, clOrdId);
    const wish = this.#wish(clOrdId, what);
    // With an Idempotency-Key it is sent again until an answer comes.
    await this.#insist(key, path, body, wish, what === 'orderBatch' || random.oneIn(2));
    if (wish.fate !== 'done' || what === 'orderBatch') return;
    const own = this.#orders.get(key.uid) ?? [];
    own.push({ clOrdId, orderId: wish.id! });
    this.#orders.set(key.uid, own);
  }

  #wish(name: string, what: Wish['what']): Wish {
    const wish: Wish = { name, what, fate: 'unknown', id: null };
    this.wishes.push(wish);
    return wish;
  }

  /** Subscribes to a plan, or adds to the flexible one. */
  async #save(key: SimulatedKey): Promise<void> {
    const random = this.#random;
    const amount = random.oneIn(8) ? '0.5' : `${random.between(1, 5000)}`;
    const body = random.oneIn(2)
      ? { planId: '1', amount }
      : { planId: '2', amount, lockDay: FIXED_DAYS, autoRenew: random.oneIn(2) };
    const wish = this.#wish(`a${this.#names++}`, 'subscribePlan');
    await this.#insist(key, PLAN_APPLY, body, wish, true);
    if (wish.fate === 'done') this.#subscriptions.push({ uid: key.uid, applyId: wish.id! });
  }

  async #redeem(key: SimulatedKey): Promise<void> {
    const random = this.#random;
    const own = this.#subscriptions.filter(({ uid }) => uid === key.uid);
    if (own.length === 0) return;
    const { applyId } = random.pick(own);
    const body = { applyId: String(applyId), amount: `${random.between(1, 500)}` };
    const wish = this.#wish(`r${this.#names++}`, 'redeemPlan');
    await this.#insist(key, REDEEM, body, wish, true);
  }

  /** Sends a write; with an Idempotency-Key again and again until an answer comes. */
  async #insist(
    key: SimulatedKey,
    path: string,
    body: object,
    wish: Wish,
    keyed: boolean,
  ): Promise<void> {
    const headers: Record<string, string> = keyed ? { 'Idempotency-Key': wish.name } : {};
    for (let tries = keyed ? TRIES : 1; tries > 0; tries--) {
      const answer = await this.#write(key, path, body, wish.what, headers);
      if (answer === null) continue;
      this.#decide(wish, answer);
      return;
    }
  }

  /** The verdict of an answer about a wish. "Signature used" may be about an earlier copy. */
  #decide(wish: Wish, { status, text, seq }: SimulatedAnswer): void {
    const answered = JSON.parse(text) as Record<string, unknown>;
    // The earn area rejects with status 200 and a code of its own.
    if (status === 200 && (answered.code ?? '0') === '0') {
      const made = (wish.what === 'subscribePlan' ? answered.data : answered) as typeof answered;
      const { what } = wish;
      const id = idIn(what, made);
      if (wish.id !== null && wish.id !== id)
        throw new Error(`${wish.name} is ${wish.id} and ${id}`);
      wish.fate = 'done';
      wish.id = id;
      return;
    }
    // Without a place in the journal the answer may be for the second of two copies.
    const judged = status < 500 && seq > 0 && !text.includes('ignature');
    if (judged && wish.fate === 'unknown') wish.fate = 'rejected';
  }

  async #cancel(key: SimulatedKey): Promise<void> {
    const own = this.#orders.get(key.uid) ?? [];
    if (own.length === 0) return;
    const { clOrdId, orderId } =
      own[this.#random.between(Math.max(0, own.length - 6), own.length - 1)];
    const body = this.#random.oneIn(2) ? { orderId } : { origClOrdId: clOrdId };
    await this.#write(key, CANCEL, body, 'cancelOrder');
  }

  async #amend(key: SimulatedKey): Promise<void> {
    const own = this.#orders.get(key.uid) ?? [];
    if (own.length === 0) return;
    const { clOrdId, orderId } =
      own[this.#random.between(Math.max(0, own.length - 6), own.length - 1)];
    const name = this.#random.oneIn(2) ? { orderId } : { origClOrdId: clOrdId };
    await this.#write(key, AMEND, amendment(this.#random, name), 'amendOrder');
  }

  async #armSwitch(key: SimulatedKey): Promise<void> {
    const timeout = this.#random.pick([0, 1, 2, 60]);
    await this.#write(key, CANCEL_ALL_AFTER, { timeout }, 'cancelAllAfter');
  }

  async #read(key: SimulatedKey): Promise<void> {
    const path = '/spot-api/api/private/v1/balances';
    const answer = await this.#network.send(path, { headers: this.#sign(key, 'GET', path, '') });
    if (answer !== null && answer.status >= 500 && answer.status !== 503) {
      throw new Error(`a read was answered ${answer.status}: ${answer.text}`);
    }
  }

  async #write(
    key: SimulatedKey,
    path: string,
    content: object,
    type: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<SimulatedAnswer | null> {
    const body = JSON.stringify(content);
    const signed = this.#sign(key, 'POST', path, body);
    const answer = await this.#network.send(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...signed, ...headers },
    });
    if (answer !== null && answer.status === 200 && !answer.replayed) {
      this.acknowledged.push({ seq: answer.seq, type, uid: key.uid });
    }
    return answer;
  }

  /** Clocks of callers are a little off. */
  #sign(key: SimulatedKey, method: string, path: string, body: string): Record<string, string> {
    const timestamp = Date.now() + this.#random.between(-2000, 2000);
    return signedHeaders(key, { method, path, body, timestamp });
  }

  async #operatorCalls(): Promise<void> {
    const random = this.#random;
    if (random.oneIn(6)) {
      await this.#operator('/operator/v1/snapshot', {});
      return;
    }
    const name = `t${this.#names++}`;
    const wish = this.#wish(name, 'transferFunds');
    const { uid } = random.pick(this.#keys);
    const body = { uid, asset: 'BTC', amount: '0.00000001', reference: name };
    for (let tries = TRIES; tries > 0; tries--) {
      const answer = await this.#operator('/operator/v1/ledger/credit', body);
      if (answer === null) continue;
      if (answer.status === 200) {
        this.acknowledged.push({ seq: answer.seq, type: wish.what, uid });
      }
      this.#decide(wish, answer);
      return;
    }
  }

  #operator(path: string, body: object): Promise<SimulatedAnswer | null> {
    return this.#network.send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
  }
}
