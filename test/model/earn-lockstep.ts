// The core and the model side by side through the life of an earn service. The core works in
// slices, of a size that nothing here depends on; the model does everything in one go. Drained: the
// slices run to their end before each command, and everything is compared. Interleaved: commands
// come between slices, as after a time without service, and the sums are compared when nothing is
// due any more.

import type { Command } from '../../src/core/command.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { Exchange } from '../../src/core/exchange.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { faultOfAccounts, faultOfSubscriptions } from './earn-accounts.ts';
import { faultOfEarnEvents, faultOfSums } from './earn-events.ts';
import { Promises } from './earn-promises.ts';
import { dayAt, newestOf } from './earn-state.ts';
import { difference, differenceOfOutcomes, type ExpectedEvent } from './expectation.ts';
import { Copies, demand, digestOf, guarded, rememberedBy } from './lockstep.ts';
import { earnRemedyFault } from './remedy.ts';
import { Venue } from './venue.ts';

export type EarnProfile = 'drained' | 'interleaved';

/** `drain`: run the timers until nothing is due, and compare. */
export interface EarnStep {
  readonly time: number;
  readonly command: Command | { readonly type: 'drain' };
}

/** More slices than this in one go are not slices of anything. */
const MOST_SLICES = 1_000_000;
/** A remedy is tried on a copy of the state; on one rejection in so many. */
const REMEDY_EVERY = 7;

const LATE = {
  subscribePlan: 'between slices: added before its days were closed',
  redeemPlan: 'between slices: redeemed before its days were closed',
  setAutoRenew: 'between slices: auto renew before its days were closed',
} as const;

export class EarnLockstep {
  readonly venue = new Venue();
  readonly exchange = new Exchange();
  readonly promises = new Promises();
  readonly #profile: EarnProfile;
  readonly #copies = new Copies();
  /** Events since the last drain, where commands come between slices. */
  #expected: ExpectedEvent[] = [];
  #actual: CoreEvent[] = [];
  #rejections = 0;
  slices = 0;
  /** The core's outcome of the last command. */
  outcome: Outcome = { ok: true, result: { uid: 0 }, replayed: false };
  /** Events of the core in the last step. */
  told: CoreEvent[] = [];

  constructor(profile: EarnProfile) {
    this.#profile = profile;
  }

  /** Throws a Divergence. */
  step({ time, command }: EarnStep): void {
    this.told = [];
    if (command.type === 'drain') this.#drainSums(time);
    else if (this.#profile === 'drained') this.#stepDrained(time, command);
    else this.#stepBetween(time, command);
  }

  #stepDrained(time: number, command: Command): void {
    const { venue, exchange } = this;
    const done = this.#runSlices(time);
    this.#settleModel(time);
    demand(faultOfEarnEvents(venue.events, done));
    demand(this.promises.observe(done));
    demand(exchange.nextTimer > time ? null : 'something is due after everything was done');
    if (done.length > 0) this.compare();
    const before = digestOf(exchange);
    const kept = rememberedBy(exchange);
    const pools = this.#pools();
    const outcome = this.#both(time, command);
    demand(faultOfEarnEvents(venue.events, exchange.events));
    demand(this.promises.observe(exchange.events));
    demand(this.#boundFault(pools, 'uid' in command ? command.uid : null));
    const remembers = 'signature' in command && (command.signature ?? command.idempotency) !== null;
    const comparable = !outcome.ok && !remembers && rememberedBy(exchange) === kept;
    const changed = comparable && digestOf(exchange) !== before;
    demand(changed ? 'a rejection changed the state' : null);
    this.#tryRemedy(time, command, outcome);
  }

  #stepBetween(time: number, command: Command): void {
    this.#settleModel(time);
    this.#expected.push(...this.venue.events);
    if (command.type === 'runTimers') {
      const wasDue = this.exchange.nextTimer <= time;
      this.#applyToCore(time, command);
      this.#actual.push(...this.exchange.events);
      const isDue = this.exchange.nextTimer <= time;
      this.venue.meet('between slices: more is due than one slice does', wasDue && isDue);
      return;
    }
    this.#meetLate(time, command);
    this.#both(time, command);
    this.#expected.push(...this.venue.events);
    this.#actual.push(...this.exchange.events);
  }

  /** Counts commands about a subscription that the core has first to bring up to date. */
  #meetLate(time: number, command: Command): void {
    if (!('uid' in command) || !('applyId' in command)) return;
    const { venue } = this;
    const { uid, applyId, type } = command;
    for (const one of this.exchange.state.earn.subscriptions.ofUser(uid)) {
      const meant = type === 'subscribePlan' ? one.plan.planId === command.planId : true;
      const named = applyId === 0 ? one.lockDay === 0 : one.applyId === applyId;
      if (!meant || !named || one.nextDay >= dayAt(time)) continue;
      const isOver = venue.earn.subscription(one.applyId) === undefined;
      venue.meet(isOver ? 'between slices: over before it was asked for' : LATE[type]);
    }
  }

  #drainSums(time: number): void {
    this.#settleModel(time);
    this.#expected.push(...this.venue.events);
    this.#actual.push(...this.#runSlices(time));
    demand(faultOfSums(this.#expected, this.#actual));
    demand(this.promises.observe(this.#actual));
    this.#expected = [];
    this.#actual = [];
    this.compare();
  }

  #settleModel(time: number): void {
    guarded('the model', () => this.venue.apply(time, { type: 'runTimers' }));
  }

  #both(time: number, command: Command): Outcome {
    const { venue, exchange } = this;
    const outcome = this.#applyToCore(time, command);
    this.outcome = outcome;
    venue.seq = exchange.state.seq - 1;
    const expected = guarded('the model', () => venue.apply(time, command));
    demand(differenceOfOutcomes(expected, outcome));
    return outcome;
  }

  #applyToCore(time: number, command: Command): Outcome {
    const { exchange } = this;
    const { seq } = exchange.state;
    const outcome = guarded('the core', () => exchange.apply(seq + 1, time, command));
    this.told.push(...exchange.events);
    this.#copies.add(time, command, outcome.ok);
    return outcome;
  }

  /** Like the engine: until nothing is due. */
  #runSlices(time: number): CoreEvent[] {
    const { exchange } = this;
    const done: CoreEvent[] = [];
    for (let slices = 0; exchange.nextTimer <= time; slices++) {
      demand(slices < MOST_SLICES ? null : 'the timers never come to an end');
      this.#applyToCore(time, { type: 'runTimers' });
      done.push(...exchange.events);
      this.slices++;
    }
    return done;
  }

  #pools(): bigint[] {
    return this.venue.earn.plans.map(({ planId }) => this.#poolOf(planId));
  }

  #poolOf(planId: number): bigint {
    return BigInt(this.exchange.state.earn.plans[planId]?.pool ?? 0);
  }

  #totalOf(uid: number, planId: number): bigint {
    let total = 0n;
    for (const { plan, principal } of this.exchange.state.earn.subscriptions.ofUser(uid)) {
      if (plan.planId === planId) total += BigInt(principal);
    }
    return total;
  }

  /** A pool that grew is within its capacity, and so is everyone's part of it. */
  #boundFault(before: readonly bigint[], uid: number | null): string | null {
    for (const plan of this.venue.earn.plans) {
      const { planId } = plan;
      const pool = this.#poolOf(planId);
      if (pool <= (before[planId - 1] ?? 0n)) continue;
      const { poolCapacity, userAmountMax } = newestOf(plan);
      if (poolCapacity !== null && pool > poolCapacity) return `plan ${planId} is over capacity`;
      // An operator may lower the bound under what is there; it is who adds that must fit.
      const total = uid === null ? 0n : this.#totalOf(uid, planId);
      if (total > userAmountMax) return `user ${uid} has ${total} in plan ${planId}`;
    }
    return null;
  }

  #tryRemedy(time: number, command: Command, outcome: Outcome): void {
    if (outcome.ok || outcome.replayed || outcome.reject.nearest === null) return;
    if (this.#rejections++ % REMEDY_EVERY !== 0) return;
    demand(earnRemedyFault(this.exchange, time, command, outcome.reject));
  }

  /** Accounts and subscriptions. */
  compare(): void {
    demand(faultOfAccounts(this.exchange, this.venue, this.promises));
    demand(faultOfSubscriptions(this.exchange, this.venue));
  }

  /** Everything else: invariants, the journal's form, and a core that was restored meanwhile. */
  checkpoint(): void {
    this.#copies.compare(this.exchange);
    const { nextTimer } = this.#copies;
    demand(difference(this.exchange.nextTimer, nextTimer, 'nextTimer of a restored core'));
  }
}
