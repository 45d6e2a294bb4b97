// After a restart agio has exactly what it had acknowledged. Every subscription is compared with
// its promise, and some with their whole interest history, day by day.
import { DAY_MS, dayOf, HOUR_MS } from '../../src/core/calendar.ts';
import { SubscriptionStatus } from '../../src/core/earn/subscription.ts';
import type { Prng } from '../support/prng.ts';
import { dataOf } from './earn-load.ts';
import { type EarnPlan, type EarnPlans, interestAfter, rateOf } from './earn-plans.ts';
import { type Decimal, decimalOf, parseExact, unitsOf } from './exact-json.ts';
import {
  EARN,
  promised,
  promisedEntry,
  type Redemption,
  Saver,
  type Savings,
  type Term,
  type Write,
} from './savings.ts';

/** A subscription in the list, or alone. */
interface Row {
  readonly applyId: string;
  readonly planId: string;
  readonly amount: Decimal;
  readonly apy: Decimal;
  readonly startDate: string;
  readonly lockDay: number | null;
  readonly status: number;
  readonly totalEarnedAmount: Decimal;
}

interface Detail extends Row {
  readonly redeemHistories: readonly {
    readonly amount: Decimal;
    readonly createTime: string;
    readonly redeemLockTime: number;
    readonly status: number;
  }[];
}

interface Page {
  readonly items: readonly { coin: string; date: number; earnedAmount: Decimal }[];
  readonly totalNum: number;
  readonly totalPage: number;
}

/** One user's totals in all plans. */
interface Totals {
  earn: bigint;
  redeeming: bigint;
}

/** Histories that each round reads: random, newest, and redeemed early. */
const SAMPLE = { any: 8, newest: 8, redeemed: 6 };
const NEWEST = 300;
const PAGE_SIZES = [7, 30, 100];
const NO_SUCH_PLAN = 40000;

export interface Checked {
  readonly histories: number;
  readonly entries: number;
}

export class EarnCheck {
  readonly #savings: Savings;
  readonly #plans: EarnPlans;
  readonly #prng: Prng;
  /** Business time; the days before it are closed. */
  readonly #now: number;

  constructor(savings: Savings, plans: EarnPlans, prng: Prng, now: number) {
    this.#savings = savings;
    this.#plans = plans;
    this.#prng = prng;
    this.#now = now;
  }

  /** Throws Error at the first broken promise. */
  async run(): Promise<Checked> {
    await this.#checkIds();
    for (const saver of this.#savings.savers) await this.#checkSaver(saver);
    return this.#checkHistories();
  }

  /** applyIds have no gaps, so with each acknowledged once, nothing exists twice. */
  async #checkIds(): Promise<void> {
    const { byApplyId, savers } = this.#savings;
    const next = byApplyId.size + 1;
    for (let applyId = 1; applyId < next; applyId++) {
      if (!byApplyId.has(applyId)) throw new Error(`nobody was told of subscription ${applyId}`);
    }
    const { text } = await savers[0]!.client.get(`${EARN}/apply/detail?applyId=${next}`);
    const { errorCode } = parseExact(text) as { errorCode?: number };
    if (errorCode !== NO_SUCH_PLAN) throw new Error(`nobody was told of subscription ${next}`);
  }

  async #checkSaver(saver: Saver): Promise<void> {
    const list = (await this.#get(saver, 'apply/currentList')) as Row[];
    const rows = new Map(list.map((row) => [Number(row.applyId), row]));
    const totals: Totals = { earn: 0n, redeeming: 0n };
    let shown = 1;
    for (const term of [...saver.live]) {
      const isLive = await this.#checkTerm(term, rows.get(term.applyId), totals);
      if (isLive) shown++;
      else saver.live.delete(term);
    }
    await this.#checkFlexible(saver, rows.get(saver.flexible.applyId), totals);
    if (list.length !== shown || rows.size !== shown) {
      throw new Error(`${saver.name} has ${list.length} subscriptions, not ${shown}`);
    }
    await this.#checkBalance(saver, totals);
  }

  /** Returns whether the term is live. */
  async #checkTerm(term: Term, row: Row | undefined, totals: Totals): Promise<boolean> {
    const { applyId, redemption } = term;
    const isUnread = redemption !== null && redemption.createTime === null;
    const detail = row === undefined || isUnread ? await this.#detail(term.saver, applyId) : null;
    const shown = row ?? detail!;
    term.firstDay ??= firstDayOf(shown, term.write!, term.lockDay, term.autoRenew);
    if (detail !== null) this.#checkRedemptions(detail, redemption, term.plan);
    const expected = promised(term, this.#now);
    const isLive = expected.status !== SubscriptionStatus.redeemed;
    if (isLive !== (row !== undefined)) {
      throw new Error(`subscription ${applyId} is ${isLive ? 'not' : 'still'} in the list`);
    }
    expectSame(`planId of ${applyId}`, shown.planId, term.plan.planId);
    expectSame(`lockDay of ${applyId}`, shown.lockDay, term.lockDay);
    expectSame(`status of ${applyId}`, shown.status, expected.status);
    expectSame(`apy of ${applyId}`, unitsOf(shown.apy), rateOf(term.plan, term.lockDay));
    expectSame(`amount of ${applyId}`, unitsOf(shown.amount), expected.amount);
    expectSame(`earned of ${applyId}`, unitsOf(shown.totalEarnedAmount), expected.earned);
    if (expected.status === SubscriptionStatus.processing) totals.earn += expected.amount;
    if (expected.status === SubscriptionStatus.redeeming) totals.redeeming += expected.amount;
    return isLive;
  }

  /** A term is redeemed once and whole, or not at all. */
  #checkRedemptions(detail: Detail, redemption: Redemption | null, plan: EarnPlan): void {
    const { redeemHistories, applyId } = detail;
    expectSame(`redemptions of ${applyId}`, redeemHistories.length, redemption === null ? 0 : 1);
    if (redemption !== null) this.#readRedemption(detail, redemption, plan);
  }

  /** Finds a redemption in the history by its amount, which no other one has. */
  #readRedemption(
    { applyId, redeemHistories }: Detail,
    redemption: Redemption,
    plan: EarnPlan,
  ): void {
    const { amount, write } = redemption;
    const found = redeemHistories.filter((entry) => unitsOf(entry.amount) === amount);
    expectSame(`redemptions of ${decimalOf(amount)} from ${applyId}`, found.length, 1);
    const { createTime, redeemLockTime, status } = found[0]!;
    redemption.createTime = Number(createTime);
    expectWithin(
      `redemption from ${applyId}`,
      redemption.createTime,
      write.earliest,
      write.latest!,
    );
    expectSame(`lock time of ${applyId}`, redeemLockTime, plan.redeemLockHours);
    const isDue = redemption.createTime + plan.redeemLockHours * HOUR_MS <= this.#now;
    expectSame(`redemption status of ${applyId}`, status, isDue ? 2 : 1);
  }

  /** The principal is the additions, less the redemptions, with all interest. */
  async #checkFlexible(saver: Saver, row: Row | undefined, totals: Totals): Promise<void> {
    const { flexible } = saver;
    const { applyId, added, redeemed, opened, unread } = flexible;
    if (row === undefined) throw new Error(`flexible subscription ${applyId} is lost`);
    const detail = await this.#detail(saver, applyId);
    flexible.firstDay ??= firstDayOf(detail, opened!, 0, false);
    for (const redemption of unread) this.#readRedemption(detail, redemption, this.#plans.flexible);
    unread.length = 0;
    const underWay = detail.redeemHistories.filter(({ status }) => status === 1);
    const redeeming = underWay.reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
    const principal = added - redeemed + unitsOf(row.totalEarnedAmount);
    expectSame(`amount of ${applyId}`, unitsOf(row.amount), principal);
    const status =
      redeeming === 0n ? SubscriptionStatus.processing : SubscriptionStatus.partiallyRedeeming;
    expectSame(`status of ${applyId}`, row.status, status);
    totals.earn += principal;
    totals.redeeming += redeeming;
  }

  async #checkBalance({ name, client }: Saver, totals: Totals): Promise<void> {
    const { status, text } = await client.get('/spot-api/api/private/v1/balances');
    if (status !== 200) throw new Error(`balances cannot be read: ${text}`);
    const balances = parseExact(text) as { asset: string; earn: Decimal; redeeming: Decimal }[];
    const { earn, redeeming } = balances.find(({ asset }) => asset === 'USDT')!;
    expectSame(`${name}: earn`, unitsOf(earn), totals.earn);
    expectSame(`${name}: redeeming`, unitsOf(redeeming), totals.redeeming);
  }

  async #checkHistories(): Promise<Checked> {
    const prng = this.#prng;
    const { byApplyId, redeemed, savers } = this.#savings;
    const all = [...byApplyId.values()];
    const sample = new Set<Term | Saver>([prng.pick(savers)]);
    for (let i = 0; i < SAMPLE.any; i++) sample.add(prng.pick(all));
    for (let i = 0; i < SAMPLE.newest; i++) sample.add(prng.pick(all.slice(-NEWEST)));
    for (let i = 0; i < SAMPLE.redeemed && redeemed.length > 0; i++)
      sample.add(prng.pick(redeemed));
    let entries = 0;
    for (const owner of sample) {
      entries += await (owner instanceof Saver
        ? this.#checkFlexibleHistory(owner)
        : this.#checkTermHistory(owner));
    }
    return { histories: sample.size, entries };
  }

  async #checkFlexibleHistory(saver: Saver): Promise<number> {
    const { applyId, firstDay } = saver.flexible;
    const entries = await this.#history(saver, applyId, firstDay!, dayOf(this.#now) - firstDay!);
    const { totalEarnedAmount } = await this.#detail(saver, applyId);
    expectSame(`sum of ${applyId}`, unitsOf(totalEarnedAmount), sumOf(entries));
    return entries.length;
  }

  /** Every entry is exact, and what they sum to was earned or given up. */
  async #checkTermHistory(term: Term): Promise<number> {
    const { saver, applyId, plan, principal, lockDay, redemption } = term;
    const { days } = promised(term, this.#now);
    const entries = await this.#history(saver, applyId, term.firstDay!, days);
    entries.forEach((interest, n) => {
      expectSame(`day ${n} of ${applyId}`, interest, promisedEntry(term, n));
    });
    const running = redemption === null ? 0 : days % lockDay;
    const forfeited = interestAfter(principal, rateOf(plan, lockDay), running);
    const { totalEarnedAmount } = await this.#detail(saver, applyId);
    const earned = unitsOf(totalEarnedAmount);
    expectSame(`sum of ${applyId}`, sumOf(entries), earned + forfeited);
    return entries.length;
  }

  /** The entries of all pages, oldest first: each day from the first on has one. */
  async #history(saver: Saver, applyId: number, firstDay: number, days: number): Promise<bigint[]> {
    const size = this.#prng.pick(PAGE_SIZES);
    const entries: bigint[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = `applyId=${applyId}&currentPage=${page}&pageSize=${size}`;
      const read = (await this.#get(saver, `apply/interest?${query}`)) as Page;
      expectSame(`entries of ${applyId}`, read.totalNum, days);
      pages = read.totalPage;
      for (const { coin, date, earnedAmount } of read.items) {
        expectSame(`coin of ${applyId}`, coin, 'USDT');
        expectSame(`date in ${applyId}`, date, (firstDay + days - 1 - entries.length) * DAY_MS);
        entries.push(unitsOf(earnedAmount));
      }
    }
    expectSame(`entries of ${applyId}`, entries.length, days);
    return entries.reverse();
  }

  #detail(saver: Saver, applyId: number): Promise<Detail> {
    return this.#get(saver, `apply/detail?applyId=${applyId}`) as Promise<Detail>;
  }

  async #get(saver: Saver, target: string): Promise<unknown> {
    return dataOf(await saver.client.get(`${EARN}/${target}`));
  }
}

const sumOf = (entries: readonly bigint[]): bigint => entries.reduce((sum, n) => sum + n, 0n);

/** The first day of interest; a renewed term begins later. */
function firstDayOf(row: Row, write: Write, lockDay: number, autoRenew: boolean): number {
  const earliest = dayOf(write.earliest) + 1;
  const latest = dayOf(write.latest!) + 1;
  let day = Number(row.startDate) / DAY_MS;
  while (autoRenew && day > latest) day -= lockDay;
  expectWithin(`first day of ${row.applyId}`, day, earliest, latest);
  return day;
}

function expectWithin(what: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) {
    throw new Error(`${what} is ${value}, not from ${least} to ${most}`);
  }
}

function expectSame<T extends string | number | bigint | null>(
  what: string,
  value: T,
  expected: T,
): void {
  if (value !== expected) throw new Error(`${what} is ${value}, not ${expected}`);
}
