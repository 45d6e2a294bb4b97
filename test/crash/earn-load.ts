// The writes of one earn round: customers apply, add and redeem while days pass, until the server
// is gone. Every write has an Idempotency-Key, under which it is sent again when it was not
// answered.
import { DAY_MS, dayOf, HOUR_MS } from '../../src/core/calendar.ts';
import type { Prng } from '../support/prng.ts';
import type { BusinessClock } from './business-clock.ts';
import type { EarnPlan, EarnPlans } from './earn-plans.ts';
import { type Decimal, decimalOf, parseExact, unitsOf } from './exact-json.ts';
import type { OperatorClient } from './operator-client.ts';
import { EARN, type Saver, type Savings, type Term, type Write } from './savings.ts';
import { type Answer, isConnectionError } from './signed-client.ts';

const WORKERS = 12;
/** Less than a day, so that an Idempotency-Key lives until its repetition. */
const STEP_MS = DAY_MS - HOUR_MS;
/** Acknowledged writes that are sent again after a restart. */
const SENT_TWICE = 10;

/** Hundredths of a coin. */
const FIRST_ADD = 200_000;
const LEAST_LEFT = 10_000_000_000n;

export interface LoadOptions {
  readonly savings: Savings;
  readonly plans: EarnPlans;
  readonly clock: BusinessClock;
  readonly operator: OperatorClient;
  readonly prng: Prng;
  /** Begins the Idempotency-Keys. */
  readonly name: string;
  /** Terms that should be live: below it more is applied for, above it more is redeemed. */
  readonly terms: number;
}

/** The repeated unanswered writes, and how many of them had been carried out. */
export interface Repeated {
  readonly unknown: number;
  readonly unknownDone: number;
}

export class EarnLoad {
  readonly #options: LoadOptions;
  readonly #writes: Write[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly counts = { applies: 0, adds: 0, redemptions: 0 };

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  get acknowledged(): number {
    return this.#writes.filter(({ answer }) => answer !== null).length;
  }

  /** Opens the flexible subscription of everyone, and terms until there are enough. */
  async fill(): Promise<void> {
    const { savings, terms } = this.#options;
    for (const saver of savings.savers) await this.#add(saver, FIRST_ADD);
    const fillers = Array.from({ length: WORKERS }, async (_, worker) => {
      while (savings.liveTerms < terms) await this.#apply(this.#saverOf(worker));
    });
    await Promise.all(fillers);
  }

  /** Writes, and lets days pass, until the server is gone. Throws Error for any rejection. */
  async run(): Promise<void> {
    const workers = Array.from({ length: WORKERS }, (_, worker) => this.#work(worker));
    await Promise.all([...workers, this.#passDays()].map(untilGone));
  }

  async #passDays(): Promise<never> {
    const { clock, operator } = this.#options;
    for (;;) {
      await clock.advance(operator, STEP_MS);
      // A write that saw this advance must be answered before the next, or its key would expire.
      await Promise.all(this.#inFlight);
    }
  }

  async #work(worker: number): Promise<never> {
    const { prng, savings, terms } = this.#options;
    const saver = this.#saverOf(worker);
    for (;;) {
      const applies = savings.liveTerms < terms ? 50 : 20;
      const dice = prng.below(100);
      if (dice < applies) await this.#apply(saver);
      else if (dice < 70) await this.#redeemTerm(saver);
      else if (dice < 85) await this.#redeemFlexible(saver);
      else await this.#add(saver, prng.between(100, 5_000));
    }
  }

  #saverOf(worker: number): Saver {
    const { savers } = this.#options.savings;
    return savers[worker % savers.length]!;
  }

  async #apply(saver: Saver): Promise<void> {
    const { plans, prng, savings } = this.#options;
    const plan: EarnPlan = prng.percent(50) ? plans.fixed : plans.customized;
    const term: Term = {
      plan,
      saver,
      principal: savings.uniqueAmount(prng.between(1_000, 50_000)),
      lockDay: prng.between(plan.minLockDay, plan.maxLockDay),
      autoRenew: plan === plans.fixed,
      applyId: 0,
      firstDay: null,
      write: null,
      redemption: null,
    };
    const { planId } = plan;
    const { lockDay, autoRenew } = term;
    const body = { planId, amount: decimalOf(term.principal), lockDay, autoRenew };
    saver.live.add(term);
    term.write = this.#write(saver, 'plan/apply', body, (data) => {
      term.applyId = appliedId(data, term.principal);
      savings.claim(term.applyId, term);
      saver.held.push(term);
    });
    this.counts.applies++;
    await this.#send(term.write);
  }

  async #add(saver: Saver, hundredths: number): Promise<void> {
    const { plans, savings } = this.#options;
    const { flexible } = saver;
    const amount = savings.uniqueAmount(hundredths);
    const body = { planId: plans.flexible.planId, amount: decimalOf(amount) };
    const write = this.#write(saver, 'plan/apply', body, (data) => {
      const applyId = appliedId(data, amount);
      if (flexible.applyId !== 0 && applyId !== flexible.applyId) {
        throw new Error(`${saver.name} has flexible ${flexible.applyId}, and was told ${applyId}`);
      }
      flexible.applyId = applyId;
      flexible.added += amount;
      savings.claim(applyId, saver);
    });
    flexible.opened ??= write;
    this.counts.adds++;
    await this.#send(write);
  }

  async #redeemFlexible(saver: Saver): Promise<void> {
    const { prng, savings } = this.#options;
    const { flexible } = saver;
    const amount = savings.uniqueAmount(prng.between(1, 2_000));
    // With the last of it the subscription would end.
    if (flexible.added - flexible.asked - amount < LEAST_LEFT) return this.#add(saver, 5_000);
    flexible.asked += amount;
    const body = { applyId: String(flexible.applyId), amount: decimalOf(amount) };
    const write = this.#write(saver, 'apply/redeem', body, (data) => {
      expectTrue(data);
      flexible.redeemed += amount;
      flexible.unread.push({ amount, write, createTime: null });
    });
    this.counts.redemptions++;
    await this.#send(write);
  }

  async #redeemTerm(saver: Saver): Promise<void> {
    const term = this.#takeHeld(saver);
    if (term === null) return this.#apply(saver);
    const body = { applyId: String(term.applyId), amount: decimalOf(term.principal) };
    const write = this.#write(saver, 'apply/redeem', body, (data) => {
      expectTrue(data);
      this.#options.savings.redeemed.push(term);
    });
    term.redemption = { amount: term.principal, write, createTime: null };
    this.counts.redemptions++;
    await this.#send(write);
  }

  /** A term that only this saver redeems, and that does not end in the meantime. */
  #takeHeld({ held }: Saver): Term | null {
    const { prng, clock } = this.#options;
    while (held.length > 0) {
      const index = prng.below(held.length);
      const term = held[index]!;
      held[index] = held.at(-1)!;
      held.pop();
      if (isFarFromItsEnd(term, clock.latest())) return term;
    }
    return null;
  }

  #write(saver: Saver, path: string, body: object, acknowledge: Write['acknowledge']): Write {
    const { clock, name } = this.#options;
    const write: Write = {
      key: `${name}-${this.#writes.length}`,
      saver,
      target: `${EARN}/${path}`,
      body,
      earliest: clock.earliest(),
      advances: clock.answered,
      latest: null,
      answer: null,
      acknowledge,
    };
    this.#writes.push(write);
    return write;
  }

  async #send(write: Write): Promise<void> {
    const sent = this.#exchange(write).then(() => {});
    this.#inFlight.add(sent);
    try {
      await sent;
    } finally {
      this.#inFlight.delete(sent);
    }
  }

  async #exchange(write: Write): Promise<Answer> {
    const { saver, target, body, key } = write;
    const answer = await saver.client.post(target, body, key);
    if (write.answer === null) {
      const data = dataOf(answer);
      write.answer = answer.text;
      write.latest = this.#options.clock.latest();
      write.acknowledge(data);
    }
    return answer;
  }

  /**
   * After a restart: sends unanswered writes again, and some answered ones, which must change
   * nothing.
   */
  async repeat(): Promise<Repeated> {
    const { clock, prng } = this.#options;
    const isKeyAlive = ({ advances }: Write): boolean => clock.sent - advances <= 1;
    const answered = this.#writes.filter((write) => write.answer !== null && isKeyAlive(write));
    const unanswered = this.#writes.filter(({ answer }) => answer === null);
    let unknownDone = 0;
    for (const write of unanswered) {
      if (!isKeyAlive(write)) throw new Error(`the key ${write.key} could have expired`);
      const { isReplay } = await this.#exchange(write);
      if (isReplay) unknownDone++;
    }
    for (let i = 0; i < SENT_TWICE && answered.length > 0; i++) {
      const write = prng.pick(answered);
      const { isReplay, text } = await this.#exchange(write);
      if (!isReplay) throw new Error(`${write.key} was carried out once more`);
      if (text !== write.answer) {
        throw new Error(`${write.key} was answered ${write.answer}, and is now ${text}`);
      }
    }
    return { unknown: unanswered.length, unknownDone };
  }
}

/** The data of a successful answer. Throws Error for a rejection, also for one with status 200. */
export function dataOf({ status, text }: Answer): unknown {
  const body = parseExact(text) as { code?: string; data?: unknown };
  if (status !== 200 || body.code !== '0') throw new Error(`a write or read was refused: ${text}`);
  return body.data;
}

function appliedId(data: unknown, asked: bigint): number {
  const { applyId, amount } = data as { applyId: string; amount: Decimal };
  if (unitsOf(amount) !== asked) throw new Error(`${amount} was applied, not ${decimalOf(asked)}`);
  return Number(applyId);
}

function expectTrue(data: unknown): void {
  if (data !== true) throw new Error(`a redemption was answered ${JSON.stringify(data)}`);
}

/** Whether a term cannot end within the next days, whenever its apply was carried out. */
const isFarFromItsEnd = ({ autoRenew, write, lockDay }: Term, latest: number): boolean =>
  autoRenew || dayOf(write!.earliest) + 1 + lockDay > dayOf(latest + 3 * DAY_MS);

/** The connection broke: that is the kill. */
async function untilGone(work: Promise<never>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isConnectionError(error)) throw error;
  }
}
