// The core and the model side by side through the life of an earn service. The core does what is
// due in slices of a size that is its own affair; the model does it at once. Drained: the slices
// are run to their end before each command, and everything is compared. Interleaved: commands come
// between slices, as they do in a service that was down, and the sums are compared when nothing is
// due any more.

import type { Command } from '../../src/core/command.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { restore, snapshot } from '../../src/core/snapshot.ts';
import { State } from '../../src/core/state.ts';
import type { EarnCommand } from './commands.ts';
import { faultOfAccounts, faultOfSubscriptions } from './earn-accounts.ts';
import { faultOfEarnEvents, faultOfSums } from './earn-events.ts';
import { Promises } from './earn-promises.ts';
import { earnRemedyFault } from './earn-remedy.ts';
import { dayAt, newestOf } from './earn-state.ts';
import { difference, differenceOfOutcomes, type ExpectedEvent } from './expectation.ts';
import { demand, digestOf, guarded, journaled, rememberedBy } from './lockstep.ts';
import { Venue } from './venue.ts';

export type EarnProfile = 'drained' | 'interleaved';

/** `drain`: run the timers until nothing is due, and compare. */
export interface EarnTimed {
  readonly time: number;
  readonly command: EarnCommand | { readonly type: 'drain' };
}

interface Applied {
  readonly time: number;
  readonly command: Command;
  readonly hasForm: boolean;
}

/** More slices than this in one go are not slices of anything. */
const MOST_SLICES = 1_000_000;
/** A remedy is tried on a copy of the state; on one refusal in so many. */
const REMEDY_EVERY = 7;

export class EarnLockstep {
  readonly venue = new Venue();
  readonly exchange = new Exchange();
  readonly promises = new Promises();
  readonly #profile: EarnProfile;
  /** Restored from the last checkpoint's snapshot; and one that tells nothing, as a leader. */
  #restored = new Exchange();
  readonly #replica = new Exchange(new State(), EventFilter.none());
  #sinceCheckpoint: Applied[] = [];
  /** Events since the last drain, where commands come between slices. */
  #expected: ExpectedEvent[] = [];
  #actual: CoreEvent[] = [];
  #refusals = 0;
  slices = 0;
  /** What the core told in the last step. */
  told: CoreEvent[] = [];

  constructor(profile: EarnProfile) {
    this.#profile = profile;
  }

  /** Throws a Divergence. */
  step({ time, command }: EarnTimed): void {
    this.told = [];
    if (command.type === 'drain') this.#drainSums(time);
    else if (this.#profile === 'drained') this.#stepDrained(time, command);
    else this.#stepBetween(time, command);
  }

  #stepDrained(time: number, command: EarnCommand): void {
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
    demand(changed ? 'a refusal changed the state' : null);
    this.#tryRemedy(time, command, outcome);
  }

  #stepBetween(time: number, command: EarnCommand): void {
    this.#settleModel(time);
    this.#expected.push(...this.venue.events);
    const { coverage } = this.venue.earn;
    if (command.type === 'runTimers') {
      const wasDue = this.exchange.nextTimer <= time;
      this.#applyToCore(time, command);
      this.#actual.push(...this.exchange.events);
      const isDue = this.exchange.nextTimer <= time;
      if (wasDue && isDue) coverage.meet('between slices: more is due than one slice does');
      return;
    }
    this.#meetLate(time, command);
    this.#both(time, command);
    this.#expected.push(...this.venue.events);
    this.#actual.push(...this.exchange.events);
  }

  /** Counts commands about a subscription that the core has first to bring up to date. */
  #meetLate(time: number, command: EarnCommand): void {
    if (!('uid' in command) || !('applyId' in command)) return;
    const { coverage } = this.venue.earn;
    const { uid, applyId, type } = command;
    for (const one of this.exchange.state.earn.subscriptions.ofUser(uid)) {
      const meant = type === 'subscribePlan' ? one.plan.planId === command.planId : true;
      const named = applyId === 0 ? one.lockDay === 0 : one.applyId === applyId;
      if (!meant || !named || one.nextDay >= dayAt(time)) continue;
      if (this.venue.earn.subscription(one.applyId) === undefined) {
        coverage.meet('between slices: over before it was asked for');
      } else if (type === 'subscribePlan') {
        coverage.meet('between slices: added before its days were closed');
      } else if (type === 'redeemPlan') {
        coverage.meet('between slices: redeemed before its days were closed');
      } else coverage.meet('between slices: auto renew before its days were closed');
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

  #both(time: number, command: EarnCommand): Outcome {
    const { venue, exchange } = this;
    const outcome = this.#applyToCore(time, command);
    venue.seq = exchange.state.seq - 1;
    const expected = guarded('the model', () => venue.apply(time, command));
    demand(differenceOfOutcomes(expected, outcome));
    if (!expected.ok) venue.earn.coverage.refuse(expected.name);
    return outcome;
  }

  #applyToCore(time: number, command: Command): Outcome {
    const { exchange } = this;
    const { seq } = exchange.state;
    const outcome = guarded('the core', () => exchange.apply(seq + 1, time, command));
    this.told.push(...exchange.events);
    // Terms out of all bounds have no form in a journal: the edge refuses them, and here the core.
    const offers = command.type === 'createPlan' || command.type === 'amendPlan';
    this.#sinceCheckpoint.push({ time, command, hasForm: outcome.ok || !offers });
    return outcome;
  }

  /** As the engine does: until nothing is due. */
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

  #tryRemedy(time: number, command: EarnCommand, outcome: Outcome): void {
    if (outcome.ok || outcome.replayed || outcome.reject.nearest === null) return;
    if (this.#refusals++ % REMEDY_EVERY !== 0) return;
    demand(earnRemedyFault(this.exchange, time, command, outcome.reject));
  }

  /** Accounts and subscriptions. */
  compare(): void {
    demand(faultOfAccounts(this.exchange, this.venue, this.promises));
    demand(faultOfSubscriptions(this.exchange, this.venue));
  }

  /** Everything else: invariants, the journal's form, and a core that was restored meanwhile. */
  checkpoint(): void {
    const { state } = this.exchange;
    guarded('the core', () => checkInvariants(state));
    const hash = state.stateHash();
    for (const { time, command, hasForm } of this.#sinceCheckpoint) {
      const read = hasForm ? journaled(time, command) : command;
      this.#restored.apply(this.#restored.state.seq + 1, time, command);
      this.#replica.apply(this.#replica.state.seq + 1, time, read);
    }
    const restoredHash = this.#restored.state.stateHash();
    demand(difference(hash, restoredHash, 'state hash of a core that was restored meanwhile'));
    const replicaHash = this.#replica.state.stateHash();
    demand(difference(hash, replicaHash, 'state hash of a core that replayed the journal'));
    this.#sinceCheckpoint = [];
    const bytes = snapshot(state);
    const restored = restore(bytes);
    const same = Buffer.compare(snapshot(restored), bytes) === 0;
    demand(same ? null : 'the snapshot of a restored state is another one');
    const restoredTimer = new Exchange(restored).nextTimer;
    demand(difference(this.exchange.nextTimer, restoredTimer, 'nextTimer of a restored core'));
    this.#restored = new Exchange(restored);
  }
}
