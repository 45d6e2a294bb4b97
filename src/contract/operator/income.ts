// The operator's calls about the money of the venue, its enterprises and its plans: what can be
// withdrawn, the commands, and the answers.

import { withdrawableOf } from '../../core/admin/income.ts';
import type { WithdrawIncome } from '../../core/command.ts';
import { enterpriseOf, enterpriseOwner } from '../../core/earn/enterprise.ts';
import { type Plan, planOf, planOwner } from '../../core/earn/plan.ts';
import type { VenueTransferred } from '../../core/event.ts';
import { AccountCode, type IncomeAccount } from '../../core/ledger/account-code.ts';
import { VENUE } from '../../core/ledger/ledger.ts';
import type { State } from '../../core/state.ts';
import type { AnswerValue } from '../answer.ts';
import { decimal, type Infer, integer, missingField, oneOf, optional, text } from '../fields.ts';
import { onScale } from '../grid.ts';
import { jsonUnits } from '../json.ts';
import { object } from '../object.ts';
import { invalidField } from '../problem.ts';
import type * as answers from './answers.ts';
import { planNamed } from './earn.ts';
import { transferReference } from './users.ts';

const ACCOUNTS = {
  feeRevenue: AccountCode.feeRevenue,
  enterpriseMargin: AccountCode.enterpriseMargin,
  reserve: AccountCode.interestReserve,
} as const;
type AccountWord = keyof typeof ACCOUNTS;
const ACCOUNT_WORDS = Object.keys(ACCOUNTS) as AccountWord[];

export const withdrawIncomeBody = object({
  account: oneOf(ACCOUNT_WORDS, {
    about: 'feeRevenue, enterpriseMargin or reserve; enterpriseId or planId names its owner.',
  }),
  asset: text({ min: 1, max: 32, ascii: true, about: 'Such as USDT.' }),
  planId: optional(text({ min: 1, max: 9, about: 'For a reserve: its plan.' })),
  enterpriseId: optional(
    integer({ min: 1, lenient: true, about: 'For margins: the enterprise that earned them.' }),
  ),
  amount: decimal({ sign: 'positive', unit: 'asset' }),
  reference: transferReference,
});
type Body = Infer<typeof withdrawIncomeBody>;

/** Throws Problem for fields that do not fit together, and for an amount finer than the asset. */
export function toWithdrawIncome(state: State, body: Body, assetId: number): WithdrawIncome {
  const { account, planId, enterpriseId, reference } = body;
  checkOwner(account, body);
  const plan = planId === undefined ? null : planNamed(state, planId);
  if (plan !== null) checkCoin(state, plan, assetId);
  return {
    type: 'withdrawIncome',
    account: ACCOUNTS[account],
    planId: plan?.planId ?? 0,
    enterpriseId: enterpriseId ?? 0,
    assetId,
    amount: onScale('amount', body.amount, state.assets[assetId]!.scale),
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
export function writeIncome(state: State): AnswerValue<typeof answers.income>[] {
  return ownersOf(state).flatMap(({ account, owner, planId, enterpriseId }) =>
    state.assets.flatMap(({ assetId, name, scale }) => {
      const balance = state.ledger.balanceOf(owner, assetId, account);
      if (balance === 0) return [];
      const free = withdrawableOf(state, {
        account,
        planId: Number(planId ?? 0),
        enterpriseId: enterpriseId ?? 0,
        assetId,
      });
      return {
        account: wordOf(account),
        planId,
        enterpriseId,
        asset: name,
        balance: jsonUnits(balance, scale),
        withdrawable: jsonUnits(free, scale),
      };
    }),
  );
}

function ownersOf({ earn }: State): Owner[] {
  const plans = earn.plans.flatMap((plan) => (plan === undefined ? [] : plan));
  const enterprises = earn.enterprises.flatMap((one) => (one === undefined ? [] : one));
  return [
    { account: ACCOUNTS.feeRevenue, owner: VENUE, planId: null, enterpriseId: null },
    ...enterprises.map(({ enterpriseId }) => ({
      account: ACCOUNTS.enterpriseMargin,
      owner: enterpriseOwner(enterpriseId),
      planId: null,
      enterpriseId,
    })),
    ...plans.map(({ planId }) => ({
      account: ACCOUNTS.reserve,
      owner: planOwner(planId),
      planId: String(planId),
      enterpriseId: null,
    })),
  ];
}

/** A transfer between the outside and an account of the venue; amount > 0 is incoming. */
export function writeVenueTransfer(
  { assets }: State,
  transfer: Omit<VenueTransferred, 'type'>,
): AnswerValue<typeof answers.venueTransfer> {
  const { transferId, transactTime, owner, account, assetId, amount, reference } = transfer;
  const { name, scale } = assets[assetId]!;
  return {
    transferId,
    time: transactTime,
    account: wordOf(account),
    planId: account === ACCOUNTS.reserve ? String(planOf(owner)) : null,
    enterpriseId: account === ACCOUNTS.enterpriseMargin ? enterpriseOf(owner) : null,
    asset: name,
    amount: jsonUnits(amount, scale),
    reference,
  };
}

const wordOf = (account: IncomeAccount): AccountWord =>
  ACCOUNT_WORDS.find((word) => ACCOUNTS[word] === account)!;
