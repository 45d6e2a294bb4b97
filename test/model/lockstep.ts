// The core and the naive venue side by side: every command goes through both, with equal answers
// and events. Checkpoints compare everything else: balances, books, open orders, hashes.
import { InvariantError } from '../../src/core/assert.ts';
import { BinaryWriter } from '../../src/core/binary.ts';
import type { Command } from '../../src/core/command.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { CloseReason, Side } from '../../src/core/fix.ts';
import type { Instrument } from '../../src/core/instrument.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { VENUE } from '../../src/core/ledger/ledger.ts';
import { NONE } from '../../src/core/matching/order-store.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Reject } from '../../src/core/reject.ts';
import { restore, snapshot } from '../../src/core/snapshot.ts';
import { State } from '../../src/core/state.ts';
import { Work } from '../../src/core/work.ts';
import { decodeBatch, encodeBatch } from '../../src/journal/codec.ts';
import { isReady } from './due.ts';
import {
  difference,
  differenceOfEvents,
  differenceOfOutcomes,
  type ExpectedEvent,
} from './expectation.ts';
import { LARGEST } from './matching.ts';
import { remedyFault } from './remedy.ts';
import { ReportSums } from './report-sums.ts';
import { leavesOf, type ModelMarket, paidWith, sideOf } from './state.ts';
import { Venue } from './venue.ts';
import type { WorkloadStep } from './workload.ts';

/** Slices from one restart to the next: most go on where the one before them ended. */
const RESTART_EVERY = 4;

/** A command after which core and model differ, or the core breaks a promise. */
export class Divergence extends Error {
  override readonly name = 'Divergence';
}

export const demand = (fault: string | null): void => {
  if (fault !== null) throw new Divergence(fault);
};

/** True if a rejection names a cost that the balance covers. */
const isEnough = ({ name, limit, value }: Reject): boolean =>
  name === 'insufficientBalance' && value !== null && value.n <= limit!.n;

export interface LockstepOptions {
  /** Below 1: small orders go on in later commands, some of them after a restart. */
  readonly workScale?: number;
  /** True: nothing is due when a command comes, so that events of its slices are in one order. */
  readonly settlesFirst?: boolean;
}

/** A core whose records do a share of the usual work. */
const coreOf = (workScale: number, eventFilter = EventFilter.all()): Exchange =>
  new Exchange(new State(undefined, new Work(workScale)), eventFilter);

export class Lockstep {
  readonly venue = new Venue();
  exchange: Exchange;
  readonly #workScale: number;
  readonly #settlesFirst: boolean;
  readonly #copies: Copies;
  readonly #updateIds = new Map<number, number>();
  readonly #reports = new ReportSums();

  /** The core's outcome of the last command. */
  outcome: Outcome = { ok: true, result: { uid: 0 }, replayed: false };
  /** How many commands of the core continued an earlier one. */
  slices = 0;

  constructor({ workScale = 1, settlesFirst = false }: LockstepOptions = {}) {
    this.#workScale = workScale;
    this.#settlesFirst = settlesFirst;
    this.exchange = coreOf(workScale);
    this.#copies = new Copies(workScale);
  }

  /** Applies one command to both. Throws a Divergence. */
  step(timed: WorkloadStep): void {
    const { time, command } = timed;
    if (this.#settlesFirst) {
      this.venue.touched.clear();
      this.#settle(time, 0, { core: [], model: [] });
    }
    const { exchange, venue } = this;
    const before = digestOf(exchange);
    const kept = rememberedBy(exchange);
    const verdict = command.type === 'placeOrder' ? exchange.checkOrder(command) : null;
    demand(digestOf(exchange) === before ? null : 'checkOrder changed the state');
    this.outcome = this.#apply(time, command);
    venue.seq = exchange.state.seq - 1;
    const expected = guarded('the model', () => venue.apply(time, command));
    const fault = differenceOfEvents(venue.events, exchange.events);
    if (exchange.isBusy || (fault !== null && exchange.state.work.left <= 0)) {
      venue.meet('work: a command goes on in later ones');
      const events = { core: [...exchange.events], model: [...venue.events] };
      this.#settle(time, exchange.state.seq, events);
      demand(differenceOfOutcomes(expected, this.outcome));
      return;
    }
    demand(differenceOfOutcomes(expected, this.outcome));
    demand(fault);
    const lessKept = rememberedBy(exchange) < kept;
    demand(this.#unrepeatedFault(command, verdict, lessKept ? null : before));
    demand(this.#updateIdFault());
  }

  #apply(time: number, command: Command): Outcome {
    const { exchange } = this;
    const seq = exchange.state.seq + 1;
    const outcome = guarded('the core', () => exchange.apply(seq, time, command));
    this.#copies.add(time, command, outcome.ok);
    demand(this.#reports.faultIn(exchange.state, exchange.events));
    return outcome;
  }

  /**
   * Lets both finish what is due: the core in more slices than the model, with the same events.
   * `seq`: of the command whose outcome may come in one of them.
   */
  #settle(time: number, seq: number, events: { core: CoreEvent[]; model: ExpectedEvent[] }): void {
    const { venue } = this;
    const runTimers: Command = { type: 'runTimers' };
    const before = this.slices;
    while (this.exchange.nextTimer <= time) {
      if (this.#workScale < 1 && this.slices % RESTART_EVERY === 0) this.#restart();
      this.#apply(time, runTimers);
      this.slices++;
      const done = this.exchange.completed.find((one) => one.seq === seq);
      if (done !== undefined) this.outcome = done.outcome;
      events.core.push(...this.exchange.events);
    }
    const touched = new Set(venue.touched);
    const isLeft = (): boolean => venue.sweeps.length > 0 || venue.due.some(isReady);
    let forgotten = this.slices - before;
    for (let next = forgotten > 0 || isLeft(); next; next = isLeft()) {
      guarded('the model', () => venue.apply(time, runTimers));
      forgotten--;
      for (const market of venue.touched) touched.add(market);
      events.model.push(...venue.events);
    }
    // Each command forgets some signatures.
    for (; forgotten > 0; forgotten--) venue.memory.begin(time, time - venue.clockOffset);
    for (const market of touched) venue.touched.add(market);
    demand(differenceOfEvents(events.model, events.core));
    demand(this.#updateIdFault());
  }

  /** Like a start after a kill: only the state of the snapshot. */
  #restart(): void {
    const bytes = snapshot(this.exchange.state);
    this.exchange = new Exchange(restore(bytes, coreOf(this.#workScale).state));
  }

  /**
   * A rejection changes nothing, names a value that would pass, and equals the answer to a test
   * order. `before` is null where the command released expired signatures or answers.
   */
  #unrepeatedFault(command: Command, verdict: Reject | null, before: string | null): string | null {
    const { outcome, exchange } = this;
    // Expired orders leave the book before the order is judged; a test order changes nothing.
    if (
      exchange.events.some((event) => 'reason' in event && event.reason === CloseReason.expired)
    ) {
      return null;
    }
    const remembers = 'signature' in command && (command.signature ?? command.idempotency) !== null;
    const comparable = !outcome.ok && !remembers && before !== null;
    if (comparable && digestOf(exchange) !== before) return 'a rejection changed the state';
    if (outcome.replayed) return null;
    const reject = outcome.ok ? null : outcome.reject;
    if (reject !== null && isEnough(reject)) return 'the balance covers the cost that it names';
    if (command.type === 'amendOrder' || command.type === 'placeOco') {
      return reject === null ? null : remedyFault(exchange, command, reject);
    }
    if (command.type !== 'placeOrder') return null;
    // A test order is judged at the time of the command before it.
    const early = ['signatureUsed', 'signatureTooOld', 'idempotencyKeyReused', 'expireTimePassed'];
    if (reject !== null && early.includes(reject.name)) return null;
    const found = difference(reject, verdict, 'checkOrder');
    if (found !== null) return found;
    return reject === null ? null : remedyFault(exchange, command, reject);
  }

  /** lastUpdateId grows with every change of its book, and with nothing else. */
  #updateIdFault(): string | null {
    for (const instrument of this.exchange.state.instruments) {
      if (instrument === undefined) continue;
      const { securityId } = instrument;
      const { updateId } = instrument.book;
      const before = this.#updateIds.get(securityId) ?? 0;
      const touched = this.venue.touched.has(this.venue.markets.get(securityId)!);
      if (touched !== updateId > before) {
        const change = `${before} → ${updateId}`;
        return `updateId of ${instrument.symbol}: ${change}, book changed: ${touched}`;
      }
      this.#updateIds.set(securityId, updateId);
    }
    return null;
  }

  /** Compares everything that the last commands may have changed. Throws a Divergence. */
  checkpoint(): void {
    const { state } = this.exchange;
    demand(this.#reports.faultOfOpen(state));
    this.#compareMemory();
    this.#compareBalances();
    for (const market of this.venue.markets.values()) {
      const instrument = state.instruments[market.securityId]!;
      for (const side of [Side.buy, Side.sell]) this.#compareSide(instrument, market, side);
    }
    this.#compareOwners();
    this.#copies.compare(this.exchange);
  }

  #compareMemory(): void {
    const { venue } = this;
    const expected = {
      orderId: venue.nextOrderId,
      execId: venue.nextExecId,
      tradeId: venue.nextTradeId,
      transferId: venue.nextTransferId,
    };
    demand(difference(expected, this.exchange.state.next, 'next'));
    const due = Math.min(...venue.switches.values(), Number.POSITIVE_INFINITY);
    // The core may wake too early, never too late.
    demand(this.exchange.nextTimer <= due ? null : 'nextTimer is after a deadline');
    demand(difference(venue.memory.keys(), this.exchange.state.guard.keys(), 'signatures'));
    const armed = [...venue.switches].sort(([uidA, a], [uidB, b]) => a - b || uidA - uidB);
    const known = this.exchange.state.switches.all().map(({ uid, deadline }) => [uid, deadline]);
    demand(difference(armed, known, 'switches'));
  }

  #compareBalances(): void {
    const { ledger } = this.exchange.state;
    const { venue } = this;
    const held = new Map<string, bigint>();
    for (const { open } of venue.users.values()) {
      for (const order of open) {
        const at = `${order.uid}/${paidWith(order)}`;
        held.set(at, (held.get(at) ?? 0n) + order.reserved);
      }
    }
    const compare = (owner: number, assetId: number, code: AccountCode, expected: bigint): void => {
      const path = `balance of owner ${owner}, asset ${assetId}, account ${code}`;
      demand(difference(expected, ledger.balanceOf(owner, assetId, code), path));
    };
    venue.assets.forEach((_asset, assetId) => {
      compare(VENUE, assetId, AccountCode.feeRevenue, venue.fees.get(assetId) ?? 0n);
      compare(VENUE, assetId, AccountCode.external, -(venue.broughtIn.get(assetId) ?? 0n));
      for (const uid of venue.users.keys()) {
        compare(uid, assetId, AccountCode.available, venue.freeOf(uid, assetId));
        compare(uid, assetId, AccountCode.held, held.get(`${uid}/${assetId}`) ?? 0n);
      }
    });
  }

  /** Level 2 and level 3 of one side, as a reader of the book sees them. */
  #compareSide(instrument: Instrument, market: ModelMarket, side: Side): void {
    const { orders } = this.exchange.state;
    const { book } = instrument;
    const actual: object[] = [];
    book.ladder(side).fromBest((level, price) => {
      const queue: object[] = [];
      for (let slot = book.levelFirst(level); slot !== NONE; slot = orders.next(slot)) {
        const [leaves, shown] = [orders.leavesQty(slot), orders.shownQty(slot)];
        const orderId = orders.orderId(slot);
        const shownAs = { id: orders.publicId(slot), time: orders.publicTime(slot) };
        queue.push({ orderId, leaves, shown, shownAs, cumQuote: orders.cumQuote(slot) });
      }
      actual.push({ price, quantity: book.levelQuantity(level), queue });
      return true;
    });
    const expected = levelsOf(market, side);
    const isLarge = expected.some(({ quantity }) => quantity > LARGEST);
    this.venue.meet('level quantity beyond 2^53', isLarge);
    demand(difference(expected, actual, `${market.symbol}.${side}`));
    demand(difference(market.lastPrice ?? 0n, instrument.lastPrice, `${market.symbol}.lastPrice`));
  }

  #compareOwners(): void {
    const { orders } = this.exchange.state;
    for (const [uid, { open }] of this.venue.users) {
      const actual: object[] = [];
      for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
        const { stopPx, displayQty, expireTime } = orders.extras(slot);
        actual.push({
          orderId: orders.orderId(slot),
          clOrdId: orders.clOrdId(slot),
          price: orders.price(slot),
          orderQty: orders.orderQty(slot),
          stopPx,
          displayQty,
          expireTime,
          priority: orders.priority(slot),
          waits: orders.isWaiting(slot),
        });
      }
      const expected = open.map((order) => {
        const { orderId, clOrdId, price, orderQty, stopPx, displayQty } = order;
        const { expireTime, priority, place } = order;
        const waits = place === 'waiting' || place === 'due';
        const terms = { price, orderQty, stopPx, displayQty, expireTime };
        return { orderId, clOrdId, ...terms, priority, waits };
      });
      demand(difference(expected, actual, `open orders of ${uid}`));
    }
  }
}

interface Level {
  readonly price: bigint;
  quantity: bigint;
  readonly queue: object[];
}

/** The model's side of a book by level: L2 as the sum of L3. */
function levelsOf(market: ModelMarket, side: Side): Level[] {
  const levels: Level[] = [];
  for (const order of sideOf(market, side)) {
    let level = levels.at(-1);
    if (level?.price !== order.price) {
      level = { price: order.price, quantity: 0n, queue: [] };
      levels.push(level);
    }
    const { orderId, shown, shownAs, cumQuote } = order;
    level.quantity += shown;
    level.queue.push({ orderId, leaves: leavesOf(order), shown, shownAs, cumQuote });
  }
  return levels;
}

/** Rejected terms may have no form in a journal; the edge rejects these. */
const TERMS = [
  'createAsset',
  'amendAsset',
  'createInstrument',
  'amendUser',
  'amendInstrument',
  'createPlan',
  'amendPlan',
];

interface AppliedCommand {
  readonly time: number;
  readonly command: Command;
  readonly hasForm: boolean;
}

/** Two more cores: one restored at each checkpoint, and one that replays the journal's bytes. */
export class Copies {
  readonly #workScale: number;
  #restored: Exchange;
  /** Emits no event, as a leader without subscribers. */
  readonly #replica: Exchange;
  #pending: AppliedCommand[] = [];

  constructor(workScale = 1) {
    this.#workScale = workScale;
    this.#restored = coreOf(workScale);
    this.#replica = coreOf(workScale, EventFilter.none());
  }

  add(time: number, command: Command, ok: boolean): void {
    this.#pending.push({ time, command, hasForm: ok || !TERMS.includes(command.type) });
  }

  /** Throws a Divergence unless the core keeps its invariants and its copies have its state. */
  compare(exchange: Exchange): void {
    const { state } = exchange;
    guarded('the core', () => checkInvariants(state));
    for (const { time, command, hasForm } of this.#pending) {
      const read = hasForm ? journaled(time, command) : command;
      this.#restored.apply(this.#restored.state.seq + 1, time, command);
      this.#replica.apply(this.#replica.state.seq + 1, time, read);
    }
    this.#pending = [];
    const hash = state.stateHash();
    const restoredHash = this.#restored.state.stateHash();
    demand(difference(hash, restoredHash, 'state hash of a core that was restored meanwhile'));
    const replicaHash = this.#replica.state.stateHash();
    demand(difference(hash, replicaHash, 'state hash of a core that replayed the journal'));
    const bytes = snapshot(state);
    this.#restored = new Exchange(restore(bytes, coreOf(this.#workScale).state));
    const same = Buffer.compare(snapshot(this.#restored.state), bytes) === 0;
    demand(same ? null : 'the snapshot of a restored state is another one');
  }

  get nextTimer(): number {
    return this.#restored.nextTimer;
  }
}

/** The command after it was written to a journal and read again. */
function journaled(time: number, command: Command): Command {
  const bytes = encodeBatch(new BinaryWriter(), { time, commands: [command] });
  return decodeBatch(bytes).commands[0];
}

/** Everything of a state that a rejection must not change, as text. */
export function digestOf({ state }: Exchange): string {
  const { orderId, execId, tradeId, transferId } = state.next;
  state.ledger.settleHash();
  return `${state.hash.digest()} ${orderId} ${execId} ${tradeId} ${transferId}`;
}

/** How many signatures and answers a core remembers. */
export const rememberedBy = ({ state }: Exchange): number =>
  state.guard.count + state.outcomes.count;

/** A broken promise inside the core is a divergence like any other. */
export function guarded<T>(who: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof InvariantError) throw new Divergence(`invariant: ${error.message}`);
    throw new Divergence(`${who} failed: ${(error as Error).stack}`);
  }
}
