// The model's withdrawals of what the venue, its enterprises and its plans own: never what somebody
// else has a claim to.
import type { WithdrawIncome } from '../../src/core/command.ts';
import { enterpriseOwner } from '../../src/core/earn/enterprise.ts';
import { planOwner } from '../../src/core/earn/plan.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { owedTo } from './earn-state.ts';
import { type ExpectedOutcome, no, type Refusal, yes } from './expectation.ts';
import { again } from './operator.ts';
import type { VenueState } from './state.ts';

/** An account of the venue: what is in it, what of it is free, and how it loses money. */
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
  const { whose, owner } = purse;
  const first = venue.transfers.get(reference);
  if (first !== undefined) return again(first, { whose, assetId, moved: -money });
  const { coverage } = venue.earn;
  if (money > purse.free) {
    coverage.meet('income: more than is free');
    return no('insufficientBalance', 'amount');
  }
  purse.take(money);
  coverage.meet(MET[account]);
  venue.broughtIn.set(assetId, (venue.broughtIn.get(assetId) ?? 0n) - money);
  const transferId = venue.nextTransferId++;
  const { seq, time: transactTime } = venue;
  venue.transfers.set(reference, { whose, assetId, moved: -money, transferId, seq });
  const amount = -money;
  const transfer = { transferId, owner, account, assetId, amount, reference, transactTime };
  venue.events.push({ type: 'venueTransferred', ...transfer });
  return yes({ transferId, seq });
}

const MET = {
  [AccountCode.feeRevenue]: 'income: fees withdrawn',
  [AccountCode.enterpriseMargin]: 'income: a margin withdrawn',
  [AccountCode.interestReserve]: 'income: a reserve withdrawn',
} as const;

function purseOf(venue: VenueState, command: WithdrawIncome): Purse | Refusal {
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

/** What is owed stays, whether it is due or not. */
function reserveOf(venue: VenueState, planId: number, assetId: number): Purse | Refusal {
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

/** What the enterprise would lose if every term that may be redeemed early were, now. */
function takenBack({ earn }: VenueState, enterpriseId: number, assetId: number): bigint {
  let sum = 0n;
  for (const one of earn.subscriptions) {
    const { plan, lockDay, principal, terms, marginPaid } = one;
    const early = lockDay > 0 && principal > 0n && terms.supportEarlyRedemption;
    if (!early || one.enterpriseId !== enterpriseId || plan.kind.assetId !== assetId) continue;
    sum += marginPaid;
  }
  if (sum > 0n) earn.coverage.meet('income: a margin that may be taken back');
  return sum;
}
