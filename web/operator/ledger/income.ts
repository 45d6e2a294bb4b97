// Withdrawals of income: the owner of an account in words, and the form as a request.
import type { Income, ListedAsset, OperatorWithdrawIncomeRequest } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { ledgerText as text } from '../../messages/operator-ledger.ts';
import {
  amountRule,
  FormReader,
  type FormResult,
  parseAmount,
  parseReference,
} from '../parts/parse.ts';

/** A withdrawal with a decimal text as its amount. */
export type Withdrawal = OperatorWithdrawIncomeRequest & { readonly amount: d.Decimal };

type Owner = Pick<Income, 'account' | 'planId' | 'enterpriseId'>;

/** Names of plans and enterprises by their ids; an id without a name stands alone. */
export interface Names {
  readonly plans: ReadonlyMap<string, string>;
  readonly enterprises: ReadonlyMap<number, string>;
}

/** Trading fees; Margins of 1 · Acme; Reserve of plan 3 · USDT Savings. */
export function ownerText({ account, planId, enterpriseId }: Owner, names: Names): string {
  if (account === 'feeRevenue') return text.tradingFees;
  return account === 'reserve'
    ? text.reserveOf(withName(planId!, names.plans))
    : text.marginsOf(withName(enterpriseId!, names.enterprises));
}

function withName<K>(id: K, names: ReadonlyMap<K, string>): string {
  const name = names.get(id);
  return name === undefined ? String(id) : `${id} · ${name}`;
}

/** Why a part of an account cannot be withdrawn; null if all of it can. */
export function claimText({ account, balance, withdrawable }: Income): string | null {
  if (d.compare(balance, withdrawable) === 0) return null;
  const rest = grouped(d.subtract(balance, withdrawable));
  return account === 'reserve' ? text.earnedInterest(rest) : text.marginClaims(rest);
}

export const EMPTY_WITHDRAWAL = { amount: '', reference: '' };
export type WithdrawalValues = typeof EMPTY_WITHDRAWAL;

export function parseWithdrawal(
  values: WithdrawalValues,
  income: Income,
  assets: readonly ListedAsset[],
): FormResult<Withdrawal, keyof WithdrawalValues> {
  const { account, planId, enterpriseId, asset, withdrawable } = income;
  const reader = new FormReader<keyof WithdrawalValues>();
  const amount = reader.read('amount', parseAmount(values.amount, amountRule(assets, asset)));
  if (reader.isValid('amount') && d.compare(amount, withdrawable) > 0) {
    reader.reject('amount', text.maximum(`${grouped(withdrawable)} ${asset}`));
  }
  const reference = reader.read('reference', parseReference(values.reference));
  return reader.finish({
    account,
    asset,
    amount,
    reference,
    ...(planId === null ? {} : { planId }),
    ...(enterpriseId === null ? {} : { enterpriseId }),
  });
}
