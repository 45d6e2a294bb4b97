// Signed load on all nodes at the same time: each session sends orders, cancels, credits and reads
// one after the other, each to a node of its own choice, and says what it has seen so far.
import { Prng } from '../support/prng.ts';
import { until } from '../support/waiting.ts';
import { type Call, isWrite, type Revocation } from './history.ts';
import { type LoadKey, Sender, type Target } from './sender.ts';

/** Open orders of a session; beyond that it cancels. */
const MAX_OPEN = 12;
/** After a call without success, so that a cluster without a leader is not flooded. */
const PAUSE_MS = 20;
/** Between two calls of a session, so that nodes, PostgreSQL and load share two cores. */
const PACE_MS = 4;

export interface LoadOptions {
  readonly nodes: readonly Target[];
  /** A session for each. */
  readonly keys: readonly LoadKey[];
  readonly operatorToken: string;
  readonly seed: number;
  /** The first part of every name, which no other load has. */
  readonly prefix: string;
}

export class Load {
  readonly calls: Call[] = [];
  readonly revocations: Revocation[] = [];
  readonly #options: LoadOptions;
  readonly #working: Promise<unknown>;
  #isStopping = false;

  /** Begins immediately. */
  constructor(options: LoadOptions) {
    this.#options = options;
    const sessions = options.keys.map((key, i) => new Session(options, key, i, this.calls));
    this.#working = Promise.all(
      sessions.map(async (session) => {
        while (!this.#isStopping) await session.step();
      }),
    );
  }

  /** Resolves when every call has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working;
  }

  /** Resolves once so many more writes are acknowledged by each of these nodes. */
  async progress(count: number, nodes: readonly Target[] = this.#options.nodes): Promise<void> {
    const from = this.calls.length;
    const since = performance.now();
    const done = ({ name }: Target): boolean => {
      let found = 0;
      // A call that was sent before may be acknowledged now.
      for (const call of this.calls.slice(Math.max(0, from - 2 * this.#options.keys.length))) {
        const isNew = call.node === name && call.answeredAt > since && isWrite(call);
        if (isNew && call.outcome === 'acknowledged') found++;
      }
      return found >= count;
    };
    await until(() => nodes.every(done));
  }

  /** Resolves once the last so many writes have all failed. */
  async failures(count: number): Promise<void> {
    const from = this.calls.length;
    await until(() => {
      const ended = this.calls.slice(from).filter((call) => call.answeredAt < Infinity);
      const writes = ended.filter(isWrite).slice(-count);
      return writes.length === count && writes.every((call) => call.outcome !== 'acknowledged');
    });
  }

  /** Resolves once so many calls with this key were answered as rejected by each node. */
  async rejections(apiKey: string, count: number): Promise<void> {
    const from = this.calls.length;
    await until(() => {
      const rejected = this.calls
        .slice(from)
        .filter((call) => call.apiKey === apiKey && call.outcome === 'rejected');
      return this.#options.nodes.every(
        ({ name }) => rejected.filter(({ node }) => node === name).length >= count,
      );
    });
  }
}

class Session {
  readonly #nodes: readonly Target[];
  readonly #sender: Sender;
  readonly #prefix: string;
  readonly #random: Prng;
  /** Own orders that are probably open: id by name. */
  readonly #open = new Map<string, number>();
  #sent = 0;

  constructor(
    { nodes, operatorToken, seed, prefix }: LoadOptions,
    key: LoadKey,
    i: number,
    calls: Call[],
  ) {
    this.#nodes = nodes;
    this.#prefix = `${prefix}-${i}`;
    this.#random = new Prng(seed * 1000 + i);
    this.#sender = new Sender(this.#prefix, key, operatorToken, calls);
  }

  async step(): Promise<void> {
    const node = this.#random.pick(this.#nodes);
    const { outcome } = await this.#call(node);
    await Bun.sleep(outcome === 'acknowledged' ? PACE_MS : PAUSE_MS);
  }

  #call(node: Target): Promise<Call> {
    const what = this.#random.below(20);
    if (what < 2) return this.#credit(node);
    if (what < 7) return this.#sender.balances(node);
    const newest = [...this.#open.keys()].at(-1);
    if (what < 9 && newest !== undefined) return this.#sender.order(node, newest);
    if (what < 12 || this.#open.size >= MAX_OPEN) return this.#cancel(node);
    return this.#place(node);
  }

  #name(): string {
    this.#sent++;
    return `${this.#prefix}-${this.#sent}`;
  }

  #credit(node: Target): Promise<Call> {
    const amount = `${this.#random.between(1, 9)}.${this.#random.between(1, 99_999_999)}`;
    return this.#sender.credit(node, this.#name(), amount);
  }

  async #place(node: Target): Promise<Call> {
    const side = this.#random.pick([1, 2]);
    // Some are far enough across to trade.
    const offset = this.#random.between(-100, 900);
    const price = 60_000 + (side === 1 ? -offset : offset);
    const name = this.#name();
    const call = await this.#sender.placeOrder(node, name, { side, price, orderQty: 0.0001 });
    if (call.outcome === 'acknowledged') this.#open.set(name, call.id!);
    return call;
  }

  /** Its oldest open order, which may be filled by now. */
  async #cancel(node: Target): Promise<Call> {
    const oldest = this.#open.entries().next().value;
    if (oldest === undefined) return this.#place(node);
    const [name, orderId] = oldest;
    this.#open.delete(name);
    return this.#sender.cancelOrder(node, this.#name(), orderId);
  }
}
