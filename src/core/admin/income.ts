// The operator takes out what the venue and its enterprises have earned, and what a reserve has
// beyond its debts: from the account against the world outside, once per reference.
import type { WithdrawIncome } from '../command.ts';
import { enterpriseOwner, refundableOf } from '../earn/enterprise.ts';
import { payableOf, planOwner, reserveOf } from '../earn/plan.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { VENUE } from '../ledger/ledger.ts';
import { type OutcomeOf, rejected } from '../outcome.ts';
import { type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, negate, subtract, ZERO } from '../units.ts';
import { outcomeOfReference, shortage, transferExternally } from './external-transfer.ts';

/** A repeated reference gets the answer of the first transfer. */
export function withdrawIncome(state: State, command: WithdrawIncome): OutcomeOf<'withdrawIncome'> {
  const fault = checkAccount(state, command);
  if (fault !== null) return rejected(fault);
  const { account, assetId, reference } = command;
  const owner = ownerOf(state, command) as number;
  const transfer = { owner, account, assetId, amount: negate(command.amount), reference };
  const earlier = outcomeOfReference(state, transfer);
  if (earlier !== null) return earlier;
  const reject = checkFree(state, command);
  return reject === null ? transferExternally(state, transfer) : rejected(reject);
}

/** The first rejection of a withdrawal with a new reference. */
export const checkWithdrawal = (state: State, command: WithdrawIncome): Reject | null =>
  checkAccount(state, command) ?? checkFree(state, command);

function checkAccount(state: State, command: WithdrawIncome): Reject | null {
  if (state.assets[command.assetId] === undefined) return rejection('assetUnknown', 'asset');
  const owner = ownerOf(state, command);
  if (typeof owner !== 'number') return owner;
  return command.amount > 0 ? null : rejection('invalidTerms', 'amount');
}

function checkFree(state: State, command: WithdrawIncome): Reject | null {
  const { assetId, amount } = command;
  const free = withdrawableOf(state, command);
  return amount > free ? shortage(assetId, 'withdrawable', free, amount) : null;
}

/** Whose account it is, or why there is none. A reserve is of its plan's coin alone. */
function ownerOf(state: State, command: WithdrawIncome): number | Reject {
  const { account, planId, enterpriseId, assetId } = command;
  const { plans, enterprises } = state.earn;
  switch (account) {
    case AccountCode.feeRevenue:
      return VENUE;
    case AccountCode.enterpriseMargin:
      return enterprises[enterpriseId] === undefined
        ? rejection('enterpriseUnknown', 'enterpriseId')
        : enterpriseOwner(enterpriseId);
    case AccountCode.interestReserve: {
      const plan = plans[planId];
      if (plan === undefined) return rejection('planUnknown', 'planId');
      return plan.assetId === assetId ? planOwner(planId) : rejection('invalidTerms', 'asset');
    }
  }
}

/** The money that nobody else has a claim to, such as a reserve beyond the interest owed. */
export function withdrawableOf(
  { ledger, earn }: State,
  { account, planId, enterpriseId, assetId }: Omit<WithdrawIncome, 'type' | 'amount' | 'reference'>,
): Amount {
  switch (account) {
    case AccountCode.feeRevenue:
      return ledger.balanceOf(VENUE, assetId, account);
    case AccountCode.enterpriseMargin: {
      const balance = ledger.balanceOf(enterpriseOwner(enterpriseId), assetId, account);
      return rest(balance, refundableOf(earn.enterprises[enterpriseId]!, assetId));
    }
    case AccountCode.interestReserve: {
      const plan = earn.plans[planId]!;
      return rest(reserveOf(ledger, plan), payableOf(ledger, plan));
    }
  }
}

const rest = (balance: Amount, claimed: Amount): Amount =>
  claimed < balance ? subtract(balance, claimed) : ZERO;
