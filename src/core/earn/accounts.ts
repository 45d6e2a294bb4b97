// Whose the accounts of earn are. Plans and enterprises own accounts like customers do; their
// owners are negative, so that no uid is ever one of them.
import { AccountCode } from '../ledger/account-code.ts';
import type { AccountId, Ledger } from '../ledger/ledger.ts';
import type { Plan } from './plan.ts';

export const planOwner = (planId: number): number => -2 * planId;
export const enterpriseOwner = (enterpriseId: number): number => -2 * enterpriseId - 1;

/** The plan or the enterprise whose account it is. */
export const planOf = (owner: number): number => owner / -2;
export const enterpriseOf = (owner: number): number => (owner + 1) / -2;

/** An account of a plan, in the plan's coin. */
export const planAccount = (
  ledger: Ledger,
  { planId, assetId }: Plan,
  code:
    | typeof AccountCode.interestReserve
    | typeof AccountCode.interestPayable
    | typeof AccountCode.interestExpense,
): AccountId => ledger.account(planOwner(planId), assetId, code);

/** The plan's reserve, which pays its interest. */
export const reserveOf = (ledger: Ledger, { planId, assetId }: Plan) =>
  ledger.balanceOf(planOwner(planId), assetId, AccountCode.interestReserve);

/** The interest that the plan owes to its subscribers and their enterprises. */
export const payableOf = (ledger: Ledger, { planId, assetId }: Plan) =>
  ledger.balanceOf(planOwner(planId), assetId, AccountCode.interestPayable);
