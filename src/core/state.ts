// The whole state of the venue. Functions in admin/, trading/ and earn/ change it; only apply()
// (exchange.ts) calls them.
import { integer, type Mutable, record, type ValueOf } from './codec.ts';
import { DeadManSwitches } from './dead-man-switch.ts';
import { EarnState } from './earn/earn-state.ts';
import type { CoreEvent } from './event.ts';
import { EventFilter } from './event-filter.ts';
import { IdempotencyStore } from './idempotency.ts';
import { type Asset, hashAsset, hashInstrument, type Instrument } from './instrument.ts';
import { FIXED_SEED, type HashSeed, KeyedHash } from './keyed-hash.ts';
import { Ledger } from './ledger/ledger.ts';
import { TransferReferences } from './ledger/references.ts';
import { Incoming } from './matching/incoming.ts';
import { addMatchings, type Matching } from './matching/matching.ts';
import { OrderStore } from './matching/order-store.ts';
import { type CompletedCommand, PendingCommands } from './pending.ts';
import { ReplayGuard } from './replay-guard.ts';
import { RULES } from './rules.ts';
import { Fact, StateHash } from './state-hash.ts';
import { DueQueue } from './trading/due.ts';
import type { OrderMatch } from './trading/entering-order.ts';
import { FeeTiers } from './trading/fee-tiers.ts';
import { Sweeps } from './trading/sweeps.ts';
import type { User } from './user.ts';
import { Work } from './work.ts';

/** The next id of each kind: increasing, below 2^53, never reused. */
export type Counters = Mutable<ValueOf<typeof COUNTERS>>;

export const COUNTERS = record({
  orderId: integer,
  execId: integer,
  tradeId: integer,
  transferId: integer,
});

export class State {
  readonly hash = new StateHash();
  readonly ledger = new Ledger(this.hash);
  readonly orders: OrderStore;
  readonly guard: ReplayGuard;
  readonly outcomes: IdempotencyStore;
  readonly references = new TransferReferences(this.hash);
  readonly switches = new DeadManSwitches(this.hash);
  readonly sweeps = new Sweeps(this.hash);
  readonly due = new DueQueue(this.hash);
  readonly earn = new EarnState(this.hash);
  readonly feeTiers = new FeeTiers();

  /** By assetId; the place of a removed asset is empty. */
  readonly assets: (Asset | undefined)[] = [];
  /** By securityId; place 0 is empty. */
  readonly instruments: (Instrument | undefined)[] = [undefined];
  readonly #bySymbol = new Map<string, Instrument>();
  /** By uid; place 0 is empty. */
  readonly users: (User | undefined)[] = [undefined];

  readonly next: Counters = { orderId: 1, execId: 1, tradeId: 1, transferId: 1 };
  /** The last applied command, and its business time in ms. */
  seq = 0;
  time = 0;
  /**
   * The version of the rules for the next command. It comes with the command, as time does, so it
   * is neither hashed nor in snapshots.
   */
  rules = RULES;
  /** Business time minus wall clock: what the sandbox clock was moved by, ms. */
  clockOffset = 0;

  /** Commands that later commands continue, and those that were completed since the last apply. */
  readonly pending = new PendingCommands();
  completed: CompletedCommand[] = [];
  /** The instruments in which the match of an order goes on, in turn. */
  readonly matching: Instrument[] = [];
  /** The order whose match the last command or entry has left for later; else 0. */
  suspendedOrderId = 0;
  /**
   * Is called with each part of a runTimers that begins: the seq of a pending command, or the
   * negative id of the order whose trigger or exits are due. Not in the state.
   */
  onPart: ((part: number) => void) | null = null;
  /** The work that a record may do; not in the state. */
  readonly work: Work;

  events: CoreEvent[] = [];
  eventFilter = EventFilter.all();

  /** The order that matches, or matched last, and its match (enter.ts). */
  incoming = new Incoming();
  match: OrderMatch | null = null;

  /** A server passes a random seed, which may differ between a leader and its follower. */
  constructor(seed: HashSeed = FIXED_SEED, work = new Work()) {
    this.work = work;
    const keyed = new KeyedHash(seed);
    this.orders = new OrderStore(this.hash, seed);
    this.guard = new ReplayGuard(this.hash, keyed);
    this.outcomes = new IdempotencyStore(this.hash, keyed);
  }

  /** The matches that go on, in the order of their turns. */
  get matches(): Matching[] {
    return this.matching.map(({ matching }) => matching!);
  }

  /** Wall clock when the last command was sequenced, ms. */
  get wallTime(): number {
    return this.time - this.clockOffset;
  }

  /** The digest of everything that decides about the future. */
  stateHash(): string {
    this.ledger.settleHash();
    const hash = this.hash.copy();
    hash.begin(Fact.counter);
    for (const n of [this.seq, this.time, this.clockOffset, this.assets.length]) hash.number(n);
    COUNTERS.mix(hash, this.next);
    hash.add();
    for (const asset of this.listedAssets) hashAsset(hash, asset);
    for (const instrument of this.instruments) {
      if (instrument !== undefined) hashInstrument(hash, instrument);
    }
    this.pending.addTo(hash);
    addMatchings(hash, this.orders, this.matches);
    this.earn.addTo(hash);
    this.feeTiers.addTo(hash);
    return hash.digest();
  }

  /** In order of assetId. */
  get listedAssets(): Asset[] {
    return this.assets.filter((asset) => asset !== undefined);
  }

  assetNamed(name: string): Asset | undefined {
    return this.assets.find((asset) => asset?.name === name);
  }

  instrumentNamed(symbol: string): Instrument | undefined {
    return this.#bySymbol.get(symbol);
  }

  list(instrument: Instrument): void {
    this.instruments.push(instrument);
    this.#bySymbol.set(instrument.symbol, instrument);
  }
}
