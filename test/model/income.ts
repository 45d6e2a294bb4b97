// The model's withdrawals from the venue, its enterprises and its plans: never money that somebody
// else has a claim to.
import type { WithdrawIncome } from '../../src/core/command.ts';
import { enterpriseOwner } from '../../src/core/earn/enterprise.ts';
import { planOwner } from '../../src/core/earn/plan.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { owedTo } from './earn-state.ts';
import { type ExpectedOutcome, no, type Rejection } from './expectation.ts';
import { transferOnce } from './operator.ts';
import type { VenueState } from './state.ts';

/** An account that the operator may withdraw from. */
interface Purse {
  readonly whose: string;
  readonly owner: number;
  readonly free: bigint;
  take(money: bigint): void;
}

export function withdrawIncome(venue: VenueState, command: WithdrawIncome): ExpectedOutcome {
  const { account, assetId, reference } = command;
  if (venue.assets[assetId] === undefined) return no('assetUnknown');
  const purse = purseOf(venue, command);
  if ('ok' in purse) return purse;
  const money = BigInt(command.amount);
  if (money <= 0n) return no('invalidTerms');
  const { whose, owner, free, take } = purse;
  const asked = { whose, assetId, moved: -money };
  return transferOnce(venue, reference, asked, { type: 'venueTransferred', owner, account }, () => {
    venue.meet('income: more than is free', money > free);
    if (money > free) return no('insufficientBalance', 'amount');
    take(money);
    venue.meet(MET[account]);
    return null;
  });
}

const MET = {
  [AccountCode.feeRevenue]: 'income: fees withdrawn',
  [AccountCode.enterpriseMargin]: 'income: a margin withdrawn',
  [AccountCode.interestReserve]: 'income: a reserve withdrawn',
} as const;

function purseOf(venue: VenueState, command: WithdrawIncome): Purse | Rejection {
  const { account, assetId, planId, enterpriseId } = command;
  if (account === AccountCode.feeRevenue) {
    const free = venue.fees.get(assetId) ?? 0n;
    const take = (money: bigint): void => void venue.fees.set(assetId, free - money);
    return { whose: 'fees', owner: 0, free, take };
  }
  if (account === AccountCode.interestReserve) return reserveOf(venue, planId, assetId);
  const enterprise = venue.earn.enterprises[enterpriseId - 1];
  if (enterprise === undefined) return no('enterpriseUnknown');
  const income = enterprise.income.get(assetId) ?? 0n;
  const free = income - takenBack(venue, enterpriseId, assetId);
  return {
    whose: `enterprise ${enterpriseId}`,
    owner: enterpriseOwner(enterpriseId),
    free,
    take: (money) => void enterprise.income.set(assetId, income - money),
  };
}

/** Owed interest stays, due or not. */
function reserveOf(venue: VenueState, planId: number, assetId: number): Purse | Rejection {
  const plan = venue.earn.plan(planId);
  if (plan === undefined) return no('planUnknown');
  if (plan.kind.assetId !== assetId) return no('invalidTerms');
  let owed = 0n;
  for (const subscription of venue.earn.subscriptions) {
    if (subscription.plan !== plan) continue;
    const { owner, enterprise } = owedTo(subscription);
    owed += owner + enterprise;
  }
  const free = plan.reserve > owed ? plan.reserve - owed : 0n;
  const take = (money: bigint): void => {
    plan.reserve -= money;
  };
  return { whose: `plan ${planId}`, owner: planOwner(planId), free, take };
}

/** The margin that the enterprise would lose if every term were redeemed early now. */
function takenBack(venue: VenueState, enterpriseId: number, assetId: number): bigint {
  let sum = 0n;
  for (const one of venue.earn.subscriptions) {
    const { plan, lockDay, principal, terms, marginPaid } = one;
    const early = lockDay > 0 && principal > 0n && terms.supportEarlyRedemption;
    if (!early || one.enterpriseId !== enterpriseId || plan.kind.assetId !== assetId) continue;
    sum += marginPaid;
  }
  venue.meet('income: a margin that may be taken back', sum > 0n);
  return sum;
}
