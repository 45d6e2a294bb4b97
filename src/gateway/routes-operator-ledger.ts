// The operator's calls about money: what enters and leaves the venue, and whether the books are
// balanced.
import { toTransferFunds, transferBody, writeTrialBalance } from '../contract/operator.ts';
import type { TransferFunds } from '../core/command.ts';
import { rejectPlain } from '../core/reject.ts';
import { findUser, OPERATOR, rejectReply, unknownUser } from './operator-call.ts';
import { ok, replyTo } from './reply.ts';
import { type Route, route } from './route.ts';

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

export const operatorLedgerRoutes: readonly Route[] = [
  transfer('credit', 'Credits money that has arrived for a customer, once per reference.'),
  transfer('debit', 'Debits money that leaves for a customer, once per reference.'),
  trialBalance,
];
