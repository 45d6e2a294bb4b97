// The operator's calls about money: what enters and leaves the venue, and whether the books are
// balanced.

import type { Infer } from '../../../contract/fields.ts';
import { booked, venueTransfer } from '../../../contract/operator/answers.ts';
import { operatorCalls } from '../../../contract/operator/calls.ts';
import {
  toWithdrawIncome,
  type withdrawIncomeBody,
  writeIncome,
} from '../../../contract/operator/income.ts';
import { toTransferFunds, writeTrialBalance } from '../../../contract/operator/users.ts';
import { writePage } from '../../../contract/paging.ts';
import type { TransferFunds } from '../../../core/command.ts';
import { rejection } from '../../../core/reject.ts';
import { ok, rejectReply, replyTo } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { findUser, unknownUser } from './call.ts';

function transfer(direction: TransferFunds['direction']): Route {
  return route(operatorCalls[direction], {
    audit: {
      action: `ledger.${direction}`,
      object: (_, body) => (body === undefined ? null : `uid:${body.uid}`),
    },
    async handle(services, { body }) {
      const { engine } = services;
      if (findUser(services, String(body.uid)) === undefined) return unknownUser(services);
      const asset = engine.exchange.state.assetNamed(body.asset);
      if (asset === undefined) return rejectReply(services, rejection('assetUnknown', 'asset'));
      const receipt = await engine.submit(toTransferFunds(direction, asset, body));
      return replyTo(services, receipt, booked.write);
    },
  });
}

const trialBalance = route(operatorCalls.trialBalance, {
  audit: { action: 'ledger.trialBalance' },
  handle({ engine }) {
    const { seq } = engine;
    return ok({ seq, assets: writeTrialBalance(engine.exchange.state) }, seq);
  },
});

const withdrawIncome = route(operatorCalls.withdrawIncome, {
  audit: { action: 'ledger.withdrawIncome', object: (_, body) => ownerOf(body) },
  async handle(services, { body }) {
    const { engine } = services;
    const { state } = engine.exchange;
    const asset = state.assetNamed(body.asset);
    if (asset === undefined) return rejectReply(services, rejection('assetUnknown', 'asset'));
    const receipt = await engine.submit(toWithdrawIncome(state, body, asset.assetId));
    return replyTo(services, receipt, booked.write);
  },
});

/** For the audit log. */
function ownerOf(body: Infer<typeof withdrawIncomeBody> | undefined): string | null {
  if (body?.planId !== undefined) return `plan:${body.planId}`;
  return body?.enterpriseId === undefined ? null : `enterprise:${body.enterpriseId}`;
}

const income = route(operatorCalls.income, {
  audit: { action: 'ledger.income' },
  handle({ engine }) {
    return ok({ items: writeIncome(engine.exchange.state) }, engine.seq);
  },
});

const venueStatement = route(operatorCalls.venueStatement, {
  audit: { action: 'ledger.venueStatement' },
  async handle({ engine, views }, { query }) {
    const { seq } = engine;
    const found = await views.query({ type: 'venueTransfers', ...query }, seq);
    const { state } = engine.exchange;
    return ok(
      writePage(found, query, (one) => venueTransfer.write(one, state.assets[one.assetId]!)),
      seq,
    );
  },
});

export const operatorLedgerRoutes: readonly Route[] = [
  transfer('credit'),
  transfer('debit'),
  withdrawIncome,
  income,
  venueStatement,
  trialBalance,
];
