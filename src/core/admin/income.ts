// The operator takes out what the venue and its enterprises have earned, and what a reserve has
// beyond its debts: from the account against the world outside, once per reference.
import type { WithdrawIncome } from '../command.ts';
import { enterpriseOwner, payableOf, planOwner, reserveOf } from '../earn/accounts.ts';
import { refundableOf } from '../earn/enterprise.ts';
import { AccountCode, type IncomeAccount } from '../ledger/account-code.ts';
import { VENUE } from '../ledger/ledger.ts';
import { accepted, type FundsAccepted, type Outcome, rejected } from '../outcome.ts';
import { type Measure, type Reject, rejectBound, rejectPlain } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, multiply, subtract, ZERO } from '../units.ts';

/**
 * The same reference with the same content is answered with the first transfer and moves nothing.
 * Rejects: assetUnknown, enterpriseUnknown, planUnknown, invalidTerms, referenceReused,
 * insufficientBalance.
 */
export function withdrawIncome(state: State, command: WithdrawIncome): Outcome<FundsAccepted> {
  const { account, assetId, amount, reference } = command;
  if (state.assets[assetId] === undefined) return rejected(rejectPlain('assetUnknown', 'asset'));
  const owner = ownerOf(state, command);
  if (typeof owner !== 'number') return rejected(owner);
  if (amount <= 0) return rejected(rejectPlain('invalidTerms', 'amount'));
  const earlier = state.references.find(reference);
  const signed = multiply(amount, -1);
  if (earlier !== undefined) {
    const same =
      earlier.owner === owner && earlier.assetId === assetId && earlier.amount === signed;
    if (!same) return rejected(rejectPlain('referenceReused', 'reference'));
    const { transferId, seq } = earlier;
    return { ok: true, result: { transferId, seq }, replayed: true };
  }
  const free = withdrawableOf(state, command);
  if (amount > free) return rejected(shortage(assetId, free, amount));

  // Cannot be refused beyond this point.
  const { ledger, seq } = state;
  const external = ledger.account(VENUE, assetId, AccountCode.external);
  ledger.transfer(ledger.account(owner, assetId, account), external, amount);
  const transferId = state.next.transferId++;
  state.references.record({ reference, transferId, seq, owner, assetId, amount: signed });
  emitVenueTransfer(state, { transferId, owner, account, assetId, amount: signed, reference });
  return accepted({ transferId, seq });
}

/** Emits a transfer of money into (amount > 0) or left (< 0) an account of the venue itself. */
export function emitVenueTransfer(
  state: State,
  transfer: {
    readonly transferId: number;
    readonly owner: number;
    readonly account: IncomeAccount;
    readonly assetId: number;
    readonly amount: Amount;
    readonly reference: string;
  },
): void {
  if (!state.eventFilter.includesOwner(transfer.owner)) return;
  state.events.push({ type: 'venueTransferred', ...transfer, transactTime: state.time });
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
        ? rejectPlain('enterpriseUnknown', 'enterpriseId')
        : enterpriseOwner(enterpriseId);
    case AccountCode.interestReserve: {
      const plan = plans[planId];
      if (plan === undefined) return rejectPlain('planUnknown', 'planId');
      return plan.assetId === assetId ? planOwner(planId) : rejectPlain('invalidTerms', 'asset');
    }
  }
}

/**
 * The amount that nobody else has a claim to: the reserve beyond the interest owed, and the margins
 * that no early redemption can take back.
 */
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

function shortage(assetId: number, free: Amount, value: Amount): Reject {
  const measure = (n: Amount): Measure => ({ unit: 'amount', assetId, n });
  return rejectBound('insufficientBalance', 'amount', 'withdrawable', {
    limit: measure(free),
    value: measure(value),
    nearest: free > 0 ? measure(free) : null,
  });
}
