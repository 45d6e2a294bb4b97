// The operator's calls about the money of the venue, its enterprises and its plans: what can be
// withdrawn, the commands, and the answers.

import { withdrawableOf } from '../../core/admin/income.ts';
import type { WithdrawIncome } from '../../core/command.ts';
import { enterpriseOwner } from '../../core/earn/enterprise.ts';
import { type Plan, planOwner } from '../../core/earn/plan.ts';
import type { IncomeAccount } from '../../core/ledger/account-code.ts';
import { VENUE } from '../../core/ledger/ledger.ts';
import type { State } from '../../core/state.ts';
import { missingField } from '../absent.ts';
import { decimal, type Infer, numericId, oneOf, optional, text } from '../fields.ts';
import { onScale } from '../grid.ts';
import { makeCommand } from '../nearest.ts';
import { object } from '../object.ts';
import { invalidField } from '../problem.ts';
import { INCOME_ACCOUNTS, income } from './answers.ts';
import { planNamed } from './earn.ts';
import { transferReference } from './users.ts';

type AccountWord = keyof typeof INCOME_ACCOUNTS;
const ACCOUNT_WORDS = Object.keys(INCOME_ACCOUNTS) as AccountWord[];

export const withdrawIncomeBody = object({
  account: oneOf(ACCOUNT_WORDS, {
    about: 'feeRevenue, enterpriseMargin or reserve; enterpriseId or planId names its owner.',
  }),
  asset: text({ min: 1, max: 32, ascii: true, about: 'Such as USDT.' }),
  planId: optional(text({ min: 1, max: 9, about: 'For a reserve: its plan.' })),
  enterpriseId: optional(numericId('For margins: the enterprise that earned them.')),
  amount: decimal({ sign: 'positive', unit: 'asset' }),
  reference: transferReference,
});
type Body = Infer<typeof withdrawIncomeBody>;

/** The asset is listed. Throws Problem for fields that do not fit together, and a finer amount. */
export const toWithdrawIncome = (state: State, body: Body): WithdrawIncome =>
  makeCommand(state, body, (sent) => readWithdrawal(state, sent));

function readWithdrawal(state: State, body: Body): WithdrawIncome {
  const { assetId, scale } = state.assetNamed(body.asset)!;
  const { account, planId, enterpriseId, reference } = body;
  checkOwner(account, body);
  const plan = planId === undefined ? null : planNamed(state, planId);
  if (plan !== null) checkCoin(state, plan, assetId);
  return {
    type: 'withdrawIncome',
    account: INCOME_ACCOUNTS[account],
    planId: plan?.planId ?? 0,
    enterpriseId: enterpriseId ?? 0,
    assetId,
    amount: onScale('amount', body.amount, scale),
    reference,
  };
}

/** A reserve belongs to a plan, margins to an enterprise, fees to the venue. */
function checkOwner(account: AccountWord, { planId, enterpriseId }: Body): void {
  const wanted = { feeRevenue: null, enterpriseMargin: 'enterpriseId', reserve: 'planId' }[account];
  for (const [field, sent] of Object.entries({ planId, enterpriseId })) {
    if (field === wanted && sent === undefined) {
      throw missingField(field, `the owner of the account ${account}`);
    }
    if (field !== wanted && sent !== undefined) {
      throw invalidField(field, `be left out: ${account} has none`, { rule: 'account' });
    }
  }
}

function checkCoin({ assets }: State, plan: Plan, assetId: number): void {
  if (plan.assetId === assetId) return;
  const { name } = assets[plan.assetId]!;
  const details = { rule: 'coin', value: assets[assetId]!.name, nearest: name };
  throw invalidField('asset', `be ${name}, the coin of the plan`, details);
}

interface Owner {
  readonly account: IncomeAccount;
  readonly owner: number;
  readonly planId: string | null;
  readonly enterpriseId: number | null;
}

/** Every account with income or a surplus, and how much of it can be withdrawn. */
export const writeIncome = (state: State) =>
  ownersOf(state).flatMap(({ account, owner, planId, enterpriseId }) =>
    state.listedAssets.flatMap((asset) => {
      const { assetId } = asset;
      const balance = state.ledger.balanceOf(owner, assetId, account);
      if (balance === 0) return [];
      const withdrawable = withdrawableOf(state, {
        account,
        planId: Number(planId ?? 0),
        enterpriseId: enterpriseId ?? 0,
        assetId,
      });
      return income.write({ account, planId, enterpriseId, balance, withdrawable }, asset);
    }),
  );

function ownersOf({ earn }: State): Owner[] {
  const plans = earn.plans.flatMap((plan) => (plan === undefined ? [] : plan));
  const enterprises = earn.enterprises.flatMap((one) => (one === undefined ? [] : one));
  return [
    { account: INCOME_ACCOUNTS.feeRevenue, owner: VENUE, planId: null, enterpriseId: null },
    ...enterprises.map(({ enterpriseId }) => ({
      account: INCOME_ACCOUNTS.enterpriseMargin,
      owner: enterpriseOwner(enterpriseId),
      planId: null,
      enterpriseId,
    })),
    ...plans.map(({ planId }) => ({
      account: INCOME_ACCOUNTS.reserve,
      owner: planOwner(planId),
      planId: String(planId),
      enterpriseId: null,
    })),
  ];
}
