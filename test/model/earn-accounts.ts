// The balances and records of earn, as the model adds them up from its subscriptions, compared with
// those that the core keeps.

import { enterpriseOwner } from '../../src/core/earn/enterprise.ts';
import { planOwner } from '../../src/core/earn/plan.ts';
import type { Exchange } from '../../src/core/exchange.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { VENUE } from '../../src/core/ledger/ledger.ts';
import type { Amount } from '../../src/core/units.ts';
import type { Promises } from './earn-promises.ts';
import { type ModelSubscription, minPrincipal, owedTo, YEAR } from './earn-state.ts';
import { difference } from './expectation.ts';
import type { VenueState } from './state.ts';

/** The first account that differs, or null. */
export function faultOfAccounts(
  { state }: Exchange,
  venue: VenueState,
  promises: Promises,
): string | null {
  const expected = expectedAccounts(venue);
  const { available } = AccountCode;
  for (const { owner, assetId, code, balance } of state.ledger.accounts()) {
    const at = nameOf(owner, assetId, code);
    const found = difference(expected.get(at) ?? 0n, balance, `balance of ${at}`);
    if (found !== null) return found;
    expected.delete(at);
    if (code !== available) continue;
    const told = promises.statementOf(owner, assetId);
    const untold = difference(told, balance, `statement of owner ${owner}, asset ${assetId}`);
    if (untold !== null) return untold;
  }
  for (const [at, balance] of expected) if (balance !== 0n) return `no account ${at}: ${balance}`;
  return null;
}

const nameOf = (owner: number, assetId: number, code: AccountCode): string =>
  `owner ${owner}, asset ${assetId}, account ${code}`;

function expectedAccounts(venue: VenueState): Map<string, bigint> {
  const { earn } = venue;
  const accounts = new Map<string, bigint>();
  const put = (owner: number, assetId: number, code: AccountCode, money: bigint): void => {
    const at = nameOf(owner, assetId, code);
    accounts.set(at, (accounts.get(at) ?? 0n) + money);
  };
  for (const [at, money] of venue.free) {
    const [uid, assetId] = at.split('/').map(Number);
    put(uid, assetId, AccountCode.available, money);
  }
  for (const [assetId, money] of venue.broughtIn) put(VENUE, assetId, AccountCode.external, -money);
  for (const { planId, kind, reserve } of earn.plans) {
    put(planOwner(planId), kind.assetId, AccountCode.interestReserve, reserve);
  }
  for (const { enterpriseId, income } of earn.enterprises) {
    const owner = enterpriseOwner(enterpriseId);
    for (const [assetId, money] of income) put(owner, assetId, AccountCode.enterpriseMargin, money);
  }
  for (const subscription of earn.subscriptions) {
    const { uid, plan, principal, boosterAmount, terms } = subscription;
    const { assetId } = plan.kind;
    const owed = owedTo(subscription);
    const owner = planOwner(plan.planId);
    put(uid, assetId, AccountCode.earn, principal);
    put(owner, assetId, AccountCode.interestPayable, owed.owner + owed.enterprise);
    put(owner, assetId, AccountCode.interestExpense, -owed.owner - owed.enterprise);
    if (boosterAmount > 0n) put(uid, terms.booster!.assetId, AccountCode.booster, boosterAmount);
  }
  for (const { subscription, amount, forfeited } of earn.redemptions) {
    const { uid, plan } = subscription;
    put(uid, plan.kind.assetId, AccountCode.redeeming, amount - forfeited);
  }
  return accounts;
}

/** The first subscription that differs in anything that decides about its future, or null. */
export function faultOfSubscriptions({ state }: Exchange, venue: VenueState): string | null {
  for (const uid of venue.users.keys()) {
    const expected = venue.earn.of(uid).reverse();
    const actual = [...state.earn.subscriptions.ofUser(uid)];
    const ids = (all: readonly { readonly applyId: number }[]): number[] =>
      all.map(({ applyId }) => applyId);
    const missing = difference(ids(expected), ids(actual), `subscriptions of user ${uid}`);
    if (missing !== null) return missing;
    for (const subscription of expected) {
      const { applyId } = subscription;
      const record = recordOf(venue, subscription);
      const kept = pick(state.earn.subscriptions.find(applyId)!, Object.keys(record));
      const found = difference(record, kept, `subscription ${applyId}`);
      if (found !== null) return found;
    }
  }
  for (const plan of venue.earn.plans) {
    const { pool } = state.earn.plans[plan.planId]!;
    const path = `pool of plan ${plan.planId}`;
    const found = difference(venue.earn.principalIn(plan, null), pool, path);
    if (found !== null) return found;
  }
  return null;
}

type CoreSubscription = NonNullable<ReturnType<Exchange['state']['earn']['subscriptions']['find']>>;

/** Nothing is ever taken back from flexible or redeemed amounts, so nothing depends on them. */
const mayForfeit = (one: { readonly lockDay: number; readonly principal: Amount | bigint }) =>
  one.lockDay > 0 && one.principal > 0;

/** The values under these names. */
function pick(subscription: CoreSubscription, names: readonly string[]): object {
  const { plan, booster, share } = subscription;
  const values: Readonly<Record<string, unknown>> = {
    planId: plan.planId,
    boosterCarry: booster?.carry ?? 0,
    marginCarry: share?.carry ?? 0,
    marginOwed: share?.owed ?? 0,
    paid: mayForfeit(subscription) ? subscription.paid : 0,
  };
  const own = subscription as unknown as typeof values;
  return Object.fromEntries(names.map((name) => [name, values[name] ?? own[name]]));
}

function recordOf({ earn }: VenueState, subscription: ModelSubscription): object {
  const { sums, nextDay, lockDay } = subscription;
  const owed = owedTo(subscription);
  return {
    planId: subscription.plan.planId,
    uid: subscription.uid,
    enterpriseId: subscription.enterpriseId,
    margin: Number(subscription.margin),
    boosterRate: Number(subscription.boosterRate),
    boosterAmount: subscription.boosterAmount,
    principal: subscription.principal,
    basis: minPrincipal(subscription, nextDay),
    lockDay,
    startDay: subscription.startDay,
    nextDay,
    carry: Number(sums.base % YEAR),
    boosterCarry: Number(sums.booster % YEAR),
    marginCarry: Number(sums.margin % YEAR),
    accrued: owed.owner,
    marginAccrued: owed.enterprise,
    owed: subscription.owedBefore.owner,
    marginOwed: subscription.owedBefore.enterprise,
    paid: mayForfeit(subscription) ? subscription.paid : 0,
    earned: subscription.earned,
    marginEarned: subscription.marginEarned,
    redeeming: earn.redeemingOf(subscription),
    autoRenew: subscription.autoRenew,
    consent: subscription.consent === null ? null : Number(subscription.consent),
    createTime: subscription.createTime,
  };
}
