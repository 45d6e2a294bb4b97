// The ledger in words: what a transfer does, the owner of an account, and what stays in it.
import type { Balance, Income, OperatorCreditRequest, User } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { forms } from '../../messages/operator-forms.ts';
import { ledgerText as text } from '../../messages/operator-ledger.ts';

export type Direction = 'credit' | 'debit';

export type Transfer = OperatorCreditRequest & { readonly amount: d.Decimal };

/** The effect of a transfer, in sentences. `balances`: undefined while they are unknown. */
export function transferSentences(
  direction: Direction,
  { amount, asset, reference, uid }: Transfer,
  user: User | null,
  balances: readonly Balance[] | undefined,
): string[] {
  const isDebit = direction === 'debit';
  const available = balances?.find((balance) => balance.asset === asset)?.available ?? '0';
  const after = (isDebit ? d.subtract : d.add)(available, amount);
  const moved = `${grouped(amount)} ${asset}`;
  return [
    (isDebit ? text.debits : text.credits)(moved, user?.email ?? '', uid),
    ...(balances === undefined ? [] : [text.available(grouped(available), grouped(after), asset)]),
    forms.permanentReference(reference),
    ...(isDebit ? [forms.sendMoneyYourself] : []),
  ];
}

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
