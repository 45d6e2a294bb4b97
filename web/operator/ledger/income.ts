// Withdrawals of income on paper: whose an account is, and the form as a request.
import type { Asset, Income, Withdrawal } from '../../api/operator.ts';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { amountOf, type Checked, Reading, referenceOf } from '../parts/check.ts';

type Owner = Pick<Income, 'account' | 'planId' | 'enterpriseId'>;

/** Names of plans and enterprises by their numbers; a number without a name is shown alone. */
export interface Names {
  readonly plans: ReadonlyMap<string, string>;
  readonly enterprises: ReadonlyMap<string, string>;
}

/** Fees; Margin of 1 · Acme; Reserve of plan 3 · USDT Savings. */
export function ownerWords({ account, planId, enterpriseId }: Owner, names: Names): string {
  if (account === 'feeRevenue') return 'Trading fees';
  if (account === 'reserve') return `Reserve of plan ${named(planId!, names.plans)}`;
  return `Margins of ${named(enterpriseId!, names.enterprises)}`;
}

const named = (id: string, names: ReadonlyMap<string, string>): string =>
  names.has(id) ? `${id} · ${names.get(id)}` : id;

/** Why not all of an account can be withdrawn; null where all of it can. */
export function claimWords({ account, balance, withdrawable }: Income): string | null {
  if (d.compare(balance, withdrawable) === 0) return null;
  const rest = grouped(d.subtract(balance, withdrawable));
  return account === 'reserve'
    ? `${rest} is interest that subscribers have earned and were not paid yet.`
    : `${rest} would go back if members redeemed their running terms early.`;
}

export interface WithdrawalValues {
  readonly amount: string;
  readonly reference: string;
}

export function toWithdrawal(
  values: WithdrawalValues,
  income: Income,
  assets: readonly Asset[],
): Checked<Withdrawal, keyof WithdrawalValues> {
  const { account, planId, enterpriseId, asset, withdrawable } = income;
  const reading = new Reading<keyof WithdrawalValues>();
  const scale = assets.find((one) => one.asset === asset)?.scale;
  const rule = { decimals: scale === undefined ? undefined : Number(scale), asset };
  const amount = reading.take('amount', amountOf(values.amount, rule));
  if (reading.isFine('amount') && d.compare(amount, withdrawable) > 0) {
    reading.fault('amount', `At most ${grouped(withdrawable)} ${asset} can be withdrawn.`);
  }
  const reference = reading.take('reference', referenceOf(values.reference));
  return reading.finish({
    account,
    asset,
    amount,
    reference,
    ...(planId === null ? {} : { planId }),
    ...(enterpriseId === null ? {} : { enterpriseId }),
  });
}
