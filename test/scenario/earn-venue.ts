// The venue of one scenario of earn, driven as the engine drives the core. Time advances to each
// step, and due work runs at its time, except while the scenario's service is down. It keeps the
// core's events and every transfer of the ledger for the tables.
import { REJECTIONS } from '../../src/contract/rejections.ts';
import { dayOf } from '../../src/core/calendar.ts';
import type { Command } from '../../src/core/command.ts';
import { enterpriseOwner } from '../../src/core/earn/enterprise.ts';
import { currentTerms, planOwner } from '../../src/core/earn/plan.ts';
import { previewRedeem } from '../../src/core/earn/preview.ts';
import { endDayOf } from '../../src/core/earn/subscription.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { VENUE } from '../../src/core/ledger/ledger.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { Reject } from '../../src/core/reject.ts';
import type { Amount } from '../../src/core/units.ts';
import { EarnLockstep } from '../model/earn-lockstep.ts';
import {
  amendedPlan,
  COIN,
  DAY_ZERO,
  newPlan,
  parseApply,
  parseRedeem,
  parseTerms,
  parseWhen,
  showUnits,
  showWhen,
  toUnits,
} from './earn-words.ts';
import { NamedVenue } from './named-venue.ts';
import type { Step } from './scenario-file.ts';
import { parseRate, SCALE } from './scenario-words.ts';

export interface EarnStep extends Step {
  readonly when: string;
}

export interface Transfer {
  readonly time: number;
  readonly from: string;
  readonly to: string;
  readonly assetId: number;
  readonly money: Amount;
}

/** The reserve of a plan, if the scenario names none. */
const AMPLE = '1000000';
const CODE_WORDS = new Map<number, string>(
  Object.entries(AccountCode).map(([name, code]) => [code, name]),
);

export class EarnVenue extends NamedVenue<EarnLockstep> {
  readonly events: CoreEvent[] = [];
  readonly transfers: Transfer[] = [];
  #down: { readonly from: number; readonly to: number } | null = null;
  #references = 0;

  /** `setup`: the items of the list, without the dash. */
  constructor(setup: readonly string[]) {
    super(new EarnLockstep('drained'), parseWhen('day 0, 00:00'));
    this.#watchLedger();
    const scaleOfMmx = /^MMX has (\d+) decimals$/.exec(setup.find((it) => /^MMX/.test(it)) ?? '');
    this.must({ type: 'createAsset', asset: COIN, scale: SCALE, fiat: false });
    const scale = Number(scaleOfMmx?.[1] ?? SCALE);
    this.must({ type: 'createAsset', asset: 'MMX', scale, fiat: false });
    for (const item of setup) this.#setUp(item);
    this.transfers.length = 0;
  }

  /** Records every transfer that moves money. */
  #watchLedger(): void {
    const { ledger } = this.state;
    const transfer = ledger.transfer.bind(ledger);
    ledger.transfer = (debited, credited, money) => {
      transfer(debited, credited, money);
      if (money === 0) return;
      const accounts = [...ledger.accounts()];
      const [from, to] = [debited, credited].map((id) => this.#accountName(accounts[id]!));
      const { assetId } = accounts[debited]!;
      this.transfers.push({ time: this.time, from: from!, to: to!, assetId, money });
    };
  }

  #accountName({ owner, code }: { readonly owner: number; readonly code: AccountCode }): string {
    return `${this.#ownerName(owner)}: ${CODE_WORDS.get(code)}`;
  }

  #ownerName(owner: number): string {
    if (owner === VENUE) return 'venue';
    if (owner > 0) return this.people[owner]!;
    const plan = this.state.earn.plans.find((each) => each && planOwner(each.planId) === owner);
    if (plan !== undefined)
      return this.state.earn.plans.length === 2 ? 'plan' : `plan ${plan.planId}`;
    return this.enterprises.find((_, id) => enterpriseOwner(id) === owner)!;
  }

  override apply(command: Command): Outcome {
    const outcome = super.apply(command);
    this.events.push(...this.lockstep.told);
    return outcome;
  }

  #setUp(item: string): void {
    const plan = /^plan(?: \d+)?: (.*)$/.exec(item);
    const company = /^(\w+) is an enterprise with admin (\w+) and members? (.+)$/.exec(item);
    const down = /^the service is down from (.*) to (.*)$/.exec(item);
    if (plan !== null) this.#offer(plan[1]);
    else if (company !== null) this.#found(company[1], company[2], company[3]);
    else if (down !== null) this.#down = { from: parseWhen(down[1]), to: parseWhen(down[2]) };
    else if (!item.startsWith('MMX ')) this.enrol(item, false);
  }

  /** `fixed 30 days; 5 %; reserve 100` */
  #offer(text: string): void {
    const items = text.split('; ');
    const reserve = items.find((item) => item.startsWith('reserve '))?.slice(8) ?? AMPLE;
    const terms = items.filter((item) => !item.startsWith('reserve ')).join('; ');
    this.must(newPlan(parseTerms(terms, this.assetIdOf)));
    if (reserve !== '0') this.#fund(this.state.earn.plans.length - 1, reserve);
  }

  #fund(planId: number, decimal: string): void {
    const reference = `reserve-${++this.#references}`;
    this.must({ type: 'fundReserve', planId, amount: toUnits(decimal), reference });
  }

  /** `the reserve`, or an enterprise by its name */
  #withdraw(decimal: string, whose: string): void {
    const ofPlan = whose === 'the reserve';
    this.must({
      type: 'withdrawIncome',
      account: ofPlan ? AccountCode.interestReserve : AccountCode.enterpriseMargin,
      planId: ofPlan ? 1 : 0,
      enterpriseId: ofPlan ? 0 : this.enterpriseOf(whose),
      assetId: this.assetIdOf(COIN),
      amount: toUnits(decimal),
      reference: `withdrawal-${++this.#references}`,
    });
  }

  #found(name: string, admin: string, members: string): void {
    for (const who of [admin, ...members.split(' and ')]) this.assign(who, name, who === admin);
  }

  /** Advances time to `to`; due work runs at its time, or when the service is up again. */
  advance(to: number): void {
    const { exchange } = this.lockstep;
    while (exchange.nextTimer <= to) {
      const due = Math.max(this.time, exchange.nextTimer);
      this.time = this.#isDown(due) ? this.#down!.to : due;
      if (this.time > to) throw new Error(`nothing can happen at ${showWhen(to)}: down`);
      this.apply({ type: 'runTimers' });
    }
    this.time = to;
  }

  #isDown = (time: number): boolean =>
    this.#down !== null && time >= this.#down.from && time < this.#down.to;

  /** Executes a step at its time; returns its result in words. */
  step({ when, who, command }: EarnStep): string {
    this.advance(parseWhen(when));
    if (who === 'time') return '';
    const outcome =
      who === 'operator' ? this.#operate(command) : this.#customer(this.uidOf(who), command);
    this.lockstep.compare();
    this.lockstep.checkpoint();
    return outcome;
  }

  #operate(does: string): string {
    const planId = Number(/ plan (\d+)/.exec(does)?.[1] ?? 1);
    const funds = /^funds the reserve(?: of plan \d+)? with (\S+)$/.exec(does);
    const takes = /^withdraws (\S+) of (.+)$/.exec(does);
    const terms = /^amends(?: the)? plan(?: \d+)?: (.*)$/.exec(does);
    if (funds !== null) this.#fund(planId, funds[1]!);
    else if (takes !== null) this.#withdraw(takes[1]!, takes[2]!);
    else if (terms !== null) {
      const { version: _, fromDay: __, ...now } = currentTerms(this.state.earn.plans[planId]!);
      this.must(amendedPlan(planId, now, parseTerms(terms[1]!, this.assetIdOf)));
    } else throw new Error(`the operator cannot: ${does}`);
    // A funded reserve immediately pays overdue interest.
    this.advance(this.time);
    return 'done';
  }

  #customer(uid: number, does: string): string {
    const [, verb, rest] =
      /^(subscribes|adds|redeems|previews redeeming|switches auto renew|keeps) (.*)$/.exec(does) ??
      [];
    const unsigned = { uid, signature: null, idempotency: null } as const;
    switch (verb) {
      case 'subscribes':
      case 'adds': {
        const terms = parseApply(rest!, this.scaleOf);
        return this.#resultOf(this.apply({ type: 'subscribePlan', ...unsigned, ...terms }));
      }
      case 'redeems':
        return this.#resultOf(
          this.apply({ type: 'redeemPlan', ...unsigned, ...parseRedeem(rest!) }),
        );
      case 'previews redeeming':
        return this.#previewed(uid, rest!);
      case 'switches auto renew': {
        const autoRenew = rest === 'on';
        return this.#resultOf(
          this.apply({ type: 'setAutoRenew', ...unsigned, applyId: 0, autoRenew }),
        );
      }
      case 'keeps': {
        const margin = parseRate(rest!.replace(' ', ''));
        return this.#resultOf(this.apply({ type: 'setMargin', ...unsigned, planId: 1, margin }));
      }
      default:
        throw new Error(`nobody can: ${does}`);
    }
  }

  #previewed(uid: number, rest: string): string {
    const { applyId, amount } = parseRedeem(rest);
    const preview = previewRedeem(this.state, uid, applyId, amount);
    if (!preview.ok) return rejection(preview.reject);
    const { earned, forfeited, redeemLockHours, boosterAmount } = preview.result;
    const lost = forfeited === null ? '' : `, forfeits ${showUnits(forfeited)}`;
    const coins =
      boosterAmount === null
        ? ''
        : `, booster ${showUnits(boosterAmount, this.scaleOf('MMX'))} MMX`;
    return `earned ${showUnits(earned)}${lost}${coins}, credited after ${redeemLockHours} h`;
  }

  #resultOf(outcome: Outcome): string {
    if (!outcome.ok) return rejection(outcome.reject);
    const { result } = outcome;
    if ('applyId' in result) return this.#applied(result.applyId);
    if (!('redemptionId' in result)) return 'done';
    if (result.redemptionId === 0) return 'its interest is paid';
    const due = this.state.earn.redemptions
      .all()
      .find((it) => it.redemptionId === result.redemptionId);
    const when = due === undefined ? 'immediately' : showWhen(due.dueTime);
    return `redemption ${result.redemptionId}, credited ${when}`;
  }

  #applied(applyId: number): string {
    const subscription = this.state.earn.subscriptions.find(applyId)!;
    const { startDay, createTime, principal } = subscription;
    if (createTime !== this.time)
      return `subscription ${applyId}, principal ${showUnits(principal)}`;
    const end = endDayOf(subscription);
    const last = end === null ? '' : ` to day ${end - 1 - DAY_ZERO}`;
    return `subscription ${applyId}, earns from day ${startDay - DAY_ZERO}${last}`;
  }

  get today(): number {
    return dayOf(this.time);
  }
}

function rejection({ name }: Reject): string {
  const { code, msg } = REJECTIONS[name];
  return `${code} ${msg}`;
}
