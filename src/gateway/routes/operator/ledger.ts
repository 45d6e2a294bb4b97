// The operator's calls about money: what enters and leaves the venue, and whether the books are
// balanced.
import { formatUnits } from '../../../contract/decimal.ts';
import type { Infer } from '../../../contract/fields.ts';
import { booked, venueTransfer } from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import {
  toWithdrawIncome,
  type withdrawIncomeBody,
  writeIncome,
} from '../../../contract/operator/income.ts';
import { toTransferFunds, writeTrialBalance } from '../../../contract/operator/users.ts';
import { readPage, writePage } from '../../../contract/paging.ts';
import type { TransferFunds } from '../../../core/command.ts';
import type { Route } from '../../http/route.ts';
import { operates, reads, rejected } from '../kinds.ts';
import { findUser, notifyCustomer } from './call.ts';

const transfer = (direction: TransferFunds['direction']): Route =>
  operates(
    operatorCalls[direction],
    {
      action: `ledger.${direction}`,
      object: (_, body) => (body === undefined ? null : `uid:${body.uid}`),
    },
    (state, { body }, services) => {
      if (findUser(services, String(body.uid)) === undefined) return rejected('userUnknown', 'uid');
      const asset = state.assetNamed(body.asset);
      if (asset === undefined) return rejected('assetUnknown', 'asset');
      return toTransferFunds(state, direction, asset, body);
    },
    (result) => booked.write(result),
    (services, { uid, assetId, amount, reference }) => {
      const { name, scale } = services.engine.exchange.state.assets[assetId]!;
      const act = direction === 'credit' ? 'operatorCredit' : 'operatorDebit';
      notifyCustomer(services, uid, act, `${formatUnits(amount, scale)} ${name}`, reference);
    },
  );

/** For the audit log. */
function ownerOf(body: Infer<typeof withdrawIncomeBody> | undefined): string | null {
  if (body?.planId !== undefined) return `plan:${body.planId}`;
  return body?.enterpriseId === undefined ? null : `enterprise:${body.enterpriseId}`;
}

export const operatorLedgerRoutes: readonly Route[] = [
  transfer('credit'),
  transfer('debit'),
  operates(
    operatorCalls.withdrawIncome,
    { action: 'ledger.withdrawIncome', object: (_, body) => ownerOf(body) },
    (state, { body }) => {
      if (state.assetNamed(body.asset) === undefined) return rejected('assetUnknown', 'asset');
      return toWithdrawIncome(state, body);
    },
    (result) => booked.write(result),
  ),
  reads(operatorCalls.income, (state) => ({ items: writeIncome(state) }), {
    action: 'ledger.income',
  }),
  reads(
    operatorCalls.venueStatement,
    async (state, { query }, { views }) => {
      const page = readPage(query);
      const found = await views.query({ type: 'venueTransfers', ...page }, state.seq);
      return writePage(found, page, (one) => venueTransfer.write(one, state.assets[one.assetId]!));
    },
    { action: 'ledger.venueStatement' },
  ),
  reads(
    operatorCalls.trialBalance,
    (state) => ({ seq: state.seq, assets: writeTrialBalance(state) }),
    { action: 'ledger.trialBalance' },
  ),
];
