// The faucet of the sandbox: test money for a logged-in user. It is an ordinary credit, whose
// reference names user, asset and day, so that the ledger gives it once.
import type { AnswerValue } from '../../../contract/answer.ts';
import { toUnits } from '../../../contract/decimal.ts';
import { dateOf } from '../../../contract/earn/writers.ts';
import { jsonUnits } from '../../../contract/json.ts';
import { Problem } from '../../../contract/problem.ts';
import type { faucetCredit } from '../../../contract/user-center/answers.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import { DAY_MS, dayOf } from '../../../core/calendar.ts';
import { type Reject, rejection } from '../../../core/reject.ts';
import type { Amount } from '../../../core/units.ts';
import {
  auditedForUser,
  type EntryDraft,
  type Failure,
} from '../../../identity/accounts/accounts.ts';
import { REJECTED } from '../../../identity/audit.ts';
import { reject } from '../../../identity/result.ts';
import { denialReply, ok, problemReply, type Reply, rejectReply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import type { Services } from '../../services.ts';
import { callerOf } from './call.ts';

/** Whole coins, by the names of the sandbox. */
const COINS: Readonly<Record<string, string>> = {
  USDT: '10000',
  USDC: '10000',
  BTC: '1',
  ETH: '10',
  MMX: '10000',
  AED: '10000',
};
const COINS_OF_OTHERS = '1000';

type FaucetCredit = AnswerValue<typeof faucetCredit>;

/** A rejected credit, with its reply. */
interface FaucetFailure extends Failure {
  readonly reply: Reply<never>;
}

const faucet = route(userCenterCalls.faucet, {
  async handle(services, call) {
    const { accounts } = services;
    const credited = await auditedForUser<Reply<FaucetCredit>, FaucetFailure>(
      accounts,
      callerOf(call),
      'faucet.credit',
      ({ user }, entry) => credit(services, user.uid, call.body.asset, entry),
    );
    if (credited.ok) return credited.value;
    return 'reply' in credited ? credited.reply : denialReply(services, credited);
  },
});

async function credit(
  services: Services,
  uid: number,
  assetName: string,
  entry: EntryDraft,
): Promise<Reply<FaucetCredit>> {
  const { config, engine } = services;
  if (config.mode !== 'sandbox') return fail(new Problem('notFound'));
  const { state } = engine.exchange;
  const found = state.assetNamed(assetName);
  if (found === undefined) return failBy(services, rejection('assetUnknown', 'asset'));
  const { name: asset, assetId, scale } = found;
  const today = dateOf(dayOf(engine.now));
  const day = new Date(today).toISOString().slice(0, 10);
  const reference = `faucet-${uid}-${asset}-${day}`;
  // Checked before the command, so that a repeated call costs no place in the journal.
  if (state.references.find(reference) !== undefined) return usedUp(asset, today + DAY_MS);
  const amount = toUnits(COINS[asset] ?? COINS_OF_OTHERS, scale) as Amount;
  const { outcome, seq } = await engine.submit({
    type: 'transferFunds',
    direction: 'credit',
    uid,
    assetId,
    amount,
    reference,
  });
  if (!outcome.ok) return failBy(services, outcome.reject);
  if (outcome.replayed) return usedUp(asset, today + DAY_MS);
  entry.details = { asset };
  return ok({ asset, amount: jsonUnits(amount, scale) }, seq);
}

const throwFailure = (failure: FaucetFailure): never => reject(failure);

const fail = (problem: Problem): never =>
  throwFailure({ ok: false, name: problem.kind, reply: problemReply(problem) });

const failBy = (services: Services, rejected: Reject): never =>
  throwFailure({ ok: false, name: REJECTED, reply: rejectReply(services, rejected) });

function usedUp(asset: string, next: number): never {
  const when = new Date(next).toISOString().slice(0, 16).replace('T', ' ');
  return fail(
    new Problem('faucetUsed', {
      userMsg: `You already received ${asset} today. You can get more from ${when} UTC.`,
      details: { field: 'asset', rule: 'oncePerDay', value: asset, nearest: next },
    }),
  );
}

export const faucetRoutes: readonly Route[] = [faucet];
