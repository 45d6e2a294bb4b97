// The operator's calls about money: what enters and leaves the venue, and whether the books are
// balanced.
import type { Infer } from '../../../contract/fields.ts';
import {
  pageQuery,
  toTransferFunds,
  transferBody,
  writePage,
  writeTrialBalance,
} from '../../../contract/operator.ts';
import {
  toWithdrawIncome,
  withdrawIncomeBody,
  writeIncome,
  writeVenueTransfer,
} from '../../../contract/operator-income.ts';
import type { TransferFunds } from '../../../core/command.ts';
import { rejectPlain } from '../../../core/reject.ts';
import { ok, replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { findUser, OPERATOR, rejectReply, unknownUser } from './call.ts';

function transfer(direction: TransferFunds['direction'], summary: string): Route {
  return route({
    method: 'POST',
    path: `${OPERATOR}/ledger/${direction}`,
    access: 'operator',
    audit: {
      action: `ledger.${direction}`,
      object: (_, body) => (body === undefined ? null : `uid:${body.uid}`),
    },
    summary,
    body: transferBody,
    async handle(services, { body }) {
      const { engine } = services;
      if (findUser(services, String(body.uid)) === undefined) return unknownUser(services);
      const asset = engine.exchange.state.assetNamed(body.asset);
      if (asset === undefined) return rejectReply(services, rejectPlain('assetUnknown', 'asset'));
      const receipt = await engine.submit(toTransferFunds(direction, asset, body));
      return replyTo(services, receipt, ({ transferId, seq }) => ({ transferId, seq }));
    },
  });
}

const trialBalance = route({
  method: 'GET',
  path: `${OPERATOR}/ledger/trial-balance`,
  access: 'operator',
  audit: { action: 'ledger.trialBalance' },
  summary: 'Per asset the balance of each kind of account, and their sum, which is 0.',
  handle({ engine }) {
    const { seq } = engine;
    return ok({ seq, assets: writeTrialBalance(engine.exchange.state) }, seq);
  },
});

const withdrawIncome = route({
  method: 'POST',
  path: `${OPERATOR}/ledger/withdraw-income`,
  access: 'operator',
  audit: { action: 'ledger.withdrawIncome', object: (_, body) => ownerOf(body) },
  summary:
    'Takes out fees, the margins of an enterprise, or what a reserve has beyond the interest that ' +
    'is owed, once per reference.',
  body: withdrawIncomeBody,
  async handle(services, { body }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const asset = state.assetNamed(body.asset);
    if (asset === undefined) return rejectReply(services, rejectPlain('assetUnknown', 'asset'));
    const receipt = await engine.submit(toWithdrawIncome(state, body, asset.assetId));
    return replyTo(services, receipt, ({ transferId, seq }) => ({ transferId, seq }));
  },
});

/** For the audit log. */
function ownerOf(body: Infer<typeof withdrawIncomeBody> | undefined): string | null {
  if (body?.planId !== undefined) return `plan:${body.planId}`;
  return body?.enterpriseId === undefined ? null : `enterprise:${body.enterpriseId}`;
}

const income = route({
  method: 'GET',
  path: `${OPERATOR}/ledger/income`,
  access: 'operator',
  audit: { action: 'ledger.income' },
  summary: 'Fees, margins and reserves with what of each can be withdrawn.',
  handle({ engine }) {
    return ok({ items: writeIncome(engine.exchange.state) }, engine.seq);
  },
});

const venueStatement = route({
  method: 'GET',
  path: `${OPERATOR}/ledger/venue-statement`,
  access: 'operator',
  audit: { action: 'ledger.venueStatement' },
  summary: 'Reserves that were funded and income that was withdrawn, newest first.',
  query: pageQuery,
  async handle({ engine, views }, { query }) {
    const { seq } = engine;
    const found = await views.query({ type: 'venueTransfers', ...query }, seq);
    const { state } = engine.exchange;
    return ok(
      writePage(found, query, (transfer) => writeVenueTransfer(state, transfer)),
      seq,
    );
  },
});

export const operatorLedgerRoutes: readonly Route[] = [
  transfer('credit', 'Credits money that has arrived for a customer, once per reference.'),
  transfer('debit', 'Debits money that leaves for a customer, once per reference.'),
  withdrawIncome,
  income,
  venueStatement,
  trialBalance,
];
