// One caller of a world, who acts again and again as a seed says: orders of every type, changes of
// them, money, plans and reads, each through a node of its own choice.
import { PLAN_APPLY, REDEEM } from '../support/earn.ts';
import { AMEND, CANCEL, CANCEL_ALL_AFTER, MASS_CANCEL } from '../support/node.ts';
import type { Prng } from '../support/prng.ts';
import type { Call } from './history.ts';
import { type Body, type Market, OrderCalls } from './order-calls.ts';
import { CREDIT, type Sender, type Target, type Write } from './sender.ts';

const ACTIONS = [
  'order',
  'cancel',
  'amend',
  'massCancel',
  'armSwitch',
  'subscribe',
  'redeem',
  'balances',
  'lookup',
  'credit',
] as const;
type Action = (typeof ACTIONS)[number];

export interface Plans {
  readonly flexible: string;
  readonly fixed: string;
  readonly lockDay: number;
}

export interface Habits {
  readonly market: Market;
  readonly plans: Plans;
  /** How often each of these is done. */
  readonly weights: Partial<Readonly<Record<Action, number>>>;
  /** One order in so many has an Idempotency-Key; batches always. */
  readonly keyedOneIn: number;
  /** A call with a key, or of the operator, is sent so many times until an answer comes. */
  readonly tries: number;
  /** One credit in so many is sent once. */
  readonly creditOnceOneIn: number;
  /** Own orders that it keeps in mind; beyond that it cancels the oldest. */
  readonly maxOpen: number;
}

const LEADER_LOST = /"100504"/;

/** The newest orders are changed most. */
const NEWEST = 6;

export class Session<Node extends Target> {
  readonly sender: Sender<Node>;
  readonly #nodes: readonly Node[];
  readonly #random: Prng;
  readonly #habits: Habits;
  readonly #orders: OrderCalls;
  /** The clOrdIds of orders whose leader was lost, which are to be looked up. */
  readonly #uncertain: string[] = [];
  /** Own orders that were accepted, newest last. */
  readonly #own: { readonly clOrdId: string; readonly orderId: number }[] = [];
  readonly #subscriptions: { applyId: string; planId: string; amount: string }[] = [];
  #sent = 0;

  constructor(sender: Sender<Node>, nodes: readonly Node[], random: Prng, habits: Habits) {
    this.sender = sender;
    this.#nodes = nodes;
    this.#random = random;
    this.#habits = habits;
    this.#orders = new OrderCalls(random, habits.market);
  }

  /** One call. Orders whose leader was lost are looked up first, as the documentation says. */
  step(): Promise<Call> {
    if (this.#uncertain.length > 0) return this.#lookUpUncertain();
    const { weights } = this.#habits;
    const choices = ACTIONS.map((action) => [weights[action] ?? 0, action] as const);
    return this[this.#random.weighted(choices)]();
  }

  readonly #any = (): Node => this.#random.pick(this.#nodes);

  #name(): string {
    this.#sent++;
    return `${this.sender.session}-${this.#sent}`;
  }

  #write(write: Omit<Write<Node>, 'to'>, to: () => Node = this.#any): Promise<Call> {
    const tries = write.isKeyed === true ? this.#habits.tries : 1;
    return this.sender.write({ tries, ...write, to });
  }

  async order(to: () => Node = this.#any, isKeyed?: boolean): Promise<Call> {
    const { keyedOneIn, maxOpen } = this.#habits;
    if (this.#own.length >= maxOpen) return this.#cancelOne(this.#own.shift()!);
    const name = this.#name();
    const call = this.#orders.next(name);
    // A batch has no other name in the journal.
    const keyed = call.kind === 'orderBatch' || (isKeyed ?? this.#random.oneIn(keyedOneIn));
    const sent = await this.#write({ ...call, name, isKeyed: keyed }, to);
    if (sent.outcome === 'acknowledged' && call.kind !== 'orderBatch') {
      this.#own.push({ clOrdId: name, orderId: sent.id! });
    }
    const isLost = LEADER_LOST.test(sent.detail) && !this.sender.hasLateCopies;
    if (isLost && call.kind !== 'orderBatch') this.#uncertain.push(name);
    return sent;
  }

  /** One of the newest own orders. */
  #newest() {
    const { length } = this.#own;
    return this.#own[this.#random.between(Math.max(0, length - NEWEST), length - 1)];
  }

  /** Names an own order in one of two ways. */
  #nameOf({ clOrdId, orderId }: { clOrdId: string; orderId: number }): Body {
    return this.#random.oneIn(2) ? { orderId } : { origClOrdId: clOrdId };
  }

  cancel(): Promise<Call> {
    const own = this.#newest();
    return own === undefined ? this.order() : this.#cancelOne(own);
  }

  #cancelOne(own: { clOrdId: string; orderId: number }): Promise<Call> {
    const name = this.#name();
    const body = { ...this.#nameOf(own), clOrdId: name };
    return this.#write({ kind: 'cancelOrder', name, path: CANCEL, body });
  }

  amend(): Promise<Call> {
    const own = this.#newest();
    if (own === undefined) return this.order();
    const name = this.#name();
    const body = { ...this.#orders.amendment(this.#nameOf(own)), clOrdId: name };
    return this.#write({ kind: 'amendOrder', name, path: AMEND, body });
  }

  massCancel(): Promise<Call> {
    const name = this.#name();
    const body = { symbol: 'BTC-USDT', clOrdId: name };
    return this.#write({ kind: 'massCancel', name, path: MASS_CANCEL, body });
  }

  armSwitch(): Promise<Call> {
    const body = { timeout: this.#random.pick([0, 1, 2, 60]) };
    const write = { kind: 'cancelAllAfter', path: CANCEL_ALL_AFTER, body } as const;
    return this.#write({ ...write, name: this.#name(), isKeyed: true });
  }

  /** Subscribes to a fixed plan, or adds to the flexible one. */
  async subscribe(): Promise<Call> {
    const random = this.#random;
    const { flexible, fixed, lockDay } = this.#habits.plans;
    const amount = random.oneIn(8) ? '0.5' : `${random.between(1, 5000)}`;
    const body = random.oneIn(2)
      ? { planId: flexible, amount }
      : { planId: fixed, amount, lockDay, autoRenew: random.oneIn(2) };
    const write = { kind: 'subscribePlan', path: PLAN_APPLY, body } as const;
    const call = await this.#write({ ...write, name: this.#name(), isKeyed: true });
    if (call.outcome === 'acknowledged') {
      this.#subscriptions.push({ applyId: String(call.id), planId: body.planId, amount });
    }
    return call;
  }

  /** Some of the flexible plan, or mostly a whole term. */
  redeem(): Promise<Call> {
    if (this.#subscriptions.length === 0) return this.subscribe();
    const random = this.#random;
    const { applyId, planId, amount } = random.pick(this.#subscriptions);
    const isWhole = planId === this.#habits.plans.fixed && !random.oneIn(4);
    const body = { applyId, amount: isWhole ? amount : `${random.between(1, 500)}` };
    const write = { kind: 'redeemPlan', path: REDEEM, body } as const;
    return this.#write({ ...write, name: this.#name(), isKeyed: true });
  }

  balances(): Promise<Call> {
    return this.sender.balances(this.#any());
  }

  /** The answer may be that it is not there: then it never is (checker.ts). */
  async #lookUpUncertain(): Promise<Call> {
    const found = await this.sender.order(this.#any(), this.#uncertain[0]!);
    if (found.status !== null && found.status !== 503) this.#uncertain.shift();
    return found;
  }

  /** Reads its newest order. */
  lookup(): Promise<Call> {
    const newest = this.#own.at(-1);
    return newest === undefined ? this.order() : this.sender.order(this.#any(), newest.clOrdId);
  }

  /** The operator credits the own account. */
  credit(to: () => Node = this.#any): Promise<Call> {
    const { tries, creditOnceOneIn } = this.#habits;
    const reference = this.#name();
    const amount = `0.${String(this.#random.between(1, 99_999_999)).padStart(8, '0')}`;
    return this.sender.write({
      kind: 'transferFunds',
      name: reference,
      path: CREDIT,
      body: { uid: this.sender.key.uid, asset: 'BTC', amount, reference },
      to,
      tries: this.#random.oneIn(creditOnceOneIn) ? 1 : tries,
    });
  }
}
