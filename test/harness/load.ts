// Signed load on servers in processes of their own: each session calls again and again, each time a
// server of its own choice, and says what it has seen so far.
import { Prng } from '../support/prng.ts';
import { until } from '../support/waiting.ts';
import { type Call, type History, isWrite, type Revocation } from './history.ts';
import { httpWorld, type Server } from './http.ts';
import { type Key, Sender } from './sender.ts';
import { type Habits, Session } from './session.ts';

/** Prices of the sandbox. Orders expire within seconds. */
const MARKET = { middle: 60_000, expiry: 4_000 };
export const HABITS: Habits = {
  market: MARKET,
  weights: {
    ...{ order: 16, cancel: 5, amend: 4, massCancel: 1, armSwitch: 1 },
    ...{ balances: 8, lookup: 4, credit: 4 },
  },
  // The plans of the sandbox.
  plans: { flexible: '1', fixed: '2', lockDay: 30 },
  ...{ keyedOneIn: 4, tries: 1, creditOnceOneIn: 1, maxOpen: 12 },
};
/** After a call without success, so that a cluster without a leader is not flooded. */
const PAUSE_MS = 20;
/** Between two calls of a session, so that servers, PostgreSQL and load share two cores. */
const PACE_MS = 4;

export interface LoadOptions {
  readonly nodes: readonly Server[];
  /** A session for each. */
  readonly keys: readonly Key[];
  readonly operatorToken: string;
  readonly seed: number;
  /** The first part of every name, which no other load has. */
  readonly prefix: string;
  readonly habits?: Habits;
}

export class Load implements History {
  readonly calls: Call[] = [];
  readonly revocations: Revocation[] = [];
  readonly #options: LoadOptions;
  readonly #working: Promise<unknown>;
  #isStopping = false;

  /** Begins immediately. */
  constructor(options: LoadOptions) {
    this.#options = options;
    const { nodes, keys, seed, prefix, habits = HABITS } = options;
    const sessions = keys.map((key, i) => {
      const random = new Prng(seed * 1000 + i);
      return new Session(this.sender(`${prefix}-${i}`, key), nodes, random, habits);
    });
    // Orders that an earlier load left open would exceed the limit of an account.
    const cancels = habits.weights.order === undefined ? [] : new Set(keys);
    const first = [...cancels].map((key) => sessions[keys.indexOf(key)]!);
    this.#working = Promise.all(
      sessions.map(async (session) => {
        if (first.includes(session)) await session.massCancel();
        await this.#run(session);
      }),
    );
  }

  /** Another sender whose calls belong to this load. */
  sender(session: string, key: Key): Sender<Server> {
    const { nodes, operatorToken } = this.#options;
    return new Sender(session, key, httpWorld(nodes, operatorToken), this.calls);
  }

  async #run(session: Session<Server>): Promise<void> {
    while (!this.#isStopping) {
      const { outcome } = await session.step();
      await Bun.sleep(outcome === 'acknowledged' ? PACE_MS : PAUSE_MS);
    }
  }

  /** Resolves once a call was answered: a busy machine has a slow start. */
  async begun(): Promise<void> {
    await until(() => this.calls.some(({ status }) => status !== null));
  }

  /** Resolves when every call has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working;
  }

  /** Resolves once so many more writes are acknowledged by each of these nodes. */
  async progress(count: number, nodes: readonly Server[] = this.#options.nodes): Promise<void> {
    const from = this.calls.length;
    const since = performance.now();
    const done = ({ name }: Server): boolean => {
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
