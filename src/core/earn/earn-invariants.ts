// The promises of earn: every total is the sum of its subscriptions, and the ledger says the same.
import { assert } from '../assert.ts';
import { dayOf } from '../calendar.ts';
import { AccountCode } from '../ledger/account-code.ts';
import type { State } from '../state.ts';
import { type Amount, add, multiply, subtract, ZERO } from '../units.ts';
import { enterpriseOwner, isRefundable } from './enterprise.ts';
import { DAY_DENOMINATOR } from './interest.ts';
import { type Plan, payableOf, planOwner } from './plan.ts';
import { isFlexible, type Subscription } from './subscription.ts';

/** The balances that the subscriptions require of the ledger. */
class Totals {
  readonly #sums = new Map<string, Amount>();

  add(owner: number, assetId: number, code: AccountCode, money: Amount): void {
    const key = `${owner}/${assetId}/${code}`;
    this.#sums.set(key, add(this.#sums.get(key) ?? ZERO, money));
  }

  take(owner: number, assetId: number, code: AccountCode): Amount {
    const key = `${owner}/${assetId}/${code}`;
    const sum = this.#sums.get(key) ?? ZERO;
    this.#sums.delete(key);
    return sum;
  }

  /** The balances that no account was found for. */
  get left(): string[] {
    return [...this.#sums].filter(([, sum]) => sum !== 0).map(([key]) => key);
  }
}

const OF_SUBSCRIPTIONS: readonly AccountCode[] = [
  AccountCode.earn,
  AccountCode.redeeming,
  AccountCode.booster,
  AccountCode.interestPayable,
];

export function checkEarn(state: State): void {
  const { subscriptions } = state.earn;
  const totals = new Totals();
  const pools = new Map<Plan, { pool: Amount; yearlyCost: Amount }>();
  let count = 0;
  for (let s = subscriptions.after(0); s !== undefined; s = subscriptions.after(s.applyId)) {
    checkSubscription(state, s);
    addUp(s, totals, pools);
    count++;
  }
  assert(count === subscriptions.size, 'subscriptions are counted', () => `${count}`);
  checkRefundable(state);
  checkRedemptions(state);
  checkOwned(state, count);
  for (const plan of state.earn.plans) {
    if (plan === undefined) continue;
    const sums = pools.get(plan) ?? { pool: ZERO, yearlyCost: ZERO };
    const where = () => `plan ${plan.planId}, pool ${plan.pool}, subscriptions ${sums.pool}`;
    assert(plan.pool === sums.pool, 'a pool is the principal of its subscriptions', where);
    assert(plan.yearlyCost === sums.yearlyCost, 'a plan knows what its terms cost', where);
    const owner = planOwner(plan.planId);
    const expense = state.ledger.balanceOf(owner, plan.assetId, AccountCode.interestExpense);
    const payable = payableOf(state.ledger, plan);
    assert(add(expense, payable) === 0, 'interest owed is interest to be borne', where);
  }
  for (const { owner, assetId, code, balance } of state.ledger.accounts()) {
    if (!OF_SUBSCRIPTIONS.includes(code)) continue;
    const sum = totals.take(owner, assetId, code);
    const where = () => `owner ${owner}, asset ${assetId}, code ${code}: ${balance}, not ${sum}`;
    assert(balance === sum, 'the ledger has what the subscriptions have', where);
  }
  assert(totals.left.length === 0, 'the ledger has what the subscriptions have', () =>
    totals.left.join(', '),
  );
}

function addUp(
  s: Subscription,
  totals: Totals,
  pools: Map<Plan, { pool: Amount; yearlyCost: Amount }>,
): void {
  const { plan, uid } = s;
  totals.add(uid, plan.assetId, AccountCode.earn, s.principal);
  totals.add(uid, plan.assetId, AccountCode.redeeming, s.redeeming);
  if (s.boosterAmount !== 0) {
    totals.add(uid, s.terms.booster!.assetId, AccountCode.booster, s.boosterAmount);
  }
  const owed = add(s.accrued, s.marginAccrued);
  totals.add(planOwner(plan.planId), plan.assetId, AccountCode.interestPayable, owed);
  const sums = pools.get(plan) ?? { pool: ZERO, yearlyCost: ZERO };
  const cost = isFlexible(s) ? ZERO : multiply(s.principal, s.rate + s.margin + s.boosterRate);
  const yearlyCost = add(sums.yearlyCost, cost);
  pools.set(plan, { pool: add(sums.pool, s.principal), yearlyCost });
}

function checkSubscription(state: State, s: Subscription): void {
  const where = () => `subscription ${s.applyId}`;
  const { earn, time } = state;
  const found = earn.subscriptions.find(s.applyId) === s;
  assert(found, 'a subscription is found by its applyId', where);
  assert(s.applyId < earn.next.applyId, 'counters are above every id in use', where);
  const amounts = [s.principal, s.basis, s.redeeming, s.accrued, s.owed, s.paid, s.earned];
  amounts.push(s.marginAccrued, s.marginEarned, s.boosterAmount);
  const natural = amounts.every((money) => money >= 0);
  assert(natural, 'nothing of a subscription is negative', where);
  assert(s.basis <= s.principal, 'what earns is held', where);
  assert(subtract(s.accrued, s.owed) >= 0, 'what is owed of earlier terms is owed', where);
  for (const carry of [s.carry, s.booster?.carry ?? 0, s.share?.carry ?? 0]) {
    const inside = Number.isSafeInteger(carry) && carry >= 0 && carry < DAY_DENOMINATOR;
    assert(inside, 'a carried fraction is below one unit', where);
  }
  assert(s.nextDay >= earn.closingDay, 'no day is left open', where);
  assert(s.nextDay <= dayOf(time), 'no day is closed before its end', where);
  const overdueNo = s.plan.overdue.keyOf(s.applyId) ?? 0;
  assert(overdueNo === s.overdueNo, 'a plan lists what is overdue', where);
  const left = [s.principal, s.redemptions, s.accrued, s.marginAccrued].some((n) => n !== 0);
  assert(left, 'what has nothing left is forgotten', where);
  const held = earn.subscriptions.held(s.uid, s.plan) === s;
  const only = !isFlexible(s) || s.principal === 0 || held;
  assert(only, 'a user holds one flexible subscription of a plan', where);
}

/** An enterprise can give back what early redemptions would take of it. */
function checkRefundable({ earn, ledger }: State): void {
  const sums = new Map<string, Amount>();
  const { subscriptions } = earn;
  for (let s = subscriptions.after(0); s !== undefined; s = subscriptions.after(s.applyId)) {
    if (s.share === null || s.share.paid === 0 || !isRefundable(s)) continue;
    const key = `${s.share.enterpriseId}/${s.plan.assetId}`;
    sums.set(key, add(sums.get(key) ?? ZERO, s.share.paid));
  }
  for (const enterprise of earn.enterprises) {
    if (enterprise === undefined) continue;
    const { enterpriseId, refundable } = enterprise;
    const owner = enterpriseOwner(enterpriseId);
    for (const [assetId, money] of refundable) {
      const key = `${enterpriseId}/${assetId}`;
      const where = () => `enterprise ${enterpriseId}, asset ${assetId}: ${money}`;
      assert(money === sums.get(key), 'an enterprise knows what may be taken back of it', where);
      const kept = ledger.balanceOf(owner, assetId, AccountCode.enterpriseMargin);
      assert(kept >= money, 'an enterprise has what may be taken back of it', where);
      sums.delete(key);
    }
  }
  assert(sums.size === 0, 'an enterprise knows what may be taken back of it', () =>
    [...sums.keys()].join(', '),
  );
}

function checkRedemptions({ earn }: State): void {
  const counts = new Map<number, number>();
  for (const { applyId } of earn.redemptions.all()) {
    counts.set(applyId, (counts.get(applyId) ?? 0) + 1);
  }
  const { subscriptions } = earn;
  for (let s = subscriptions.after(0); s !== undefined; s = subscriptions.after(s.applyId)) {
    const known = counts.get(s.applyId) ?? 0;
    const where = () => `subscription ${s.applyId}: ${s.redemptions}, not ${known}`;
    assert(s.redemptions === known, 'a subscription counts its redemptions', where);
    counts.delete(s.applyId);
  }
  assert(counts.size === 0, 'a redemption is of a subscription', () => `${counts.size}`);
}

function checkOwned({ users, earn }: State, count: number): void {
  let listed = 0;
  for (const user of users) {
    if (user === undefined) continue;
    const sums = new Map<Plan, Amount>();
    let newer = Number.POSITIVE_INFINITY;
    for (const s of earn.subscriptions.ofUser(user.uid)) {
      const where = () => `subscription ${s.applyId}`;
      const next = s.uid === user.uid && s.applyId < newer;
      assert(next, 'a user lists the own, newest first', where);
      newer = s.applyId;
      sums.set(s.plan, add(sums.get(s.plan) ?? ZERO, s.principal));
      listed++;
    }
    for (const [plan, sum] of sums) {
      const known = earn.subscriptions.principalOf(user.uid, plan);
      const where = () => `user ${user.uid}, plan ${plan.planId}: ${known}, not ${sum}`;
      assert(known === sum, 'a user’s total in a plan is that of the subscriptions', where);
    }
  }
  assert(listed === count, 'every subscription is in the list of its owner', () => `${listed}`);
}
