// The faucet of the sandbox: money to try things with, for who has logged in. An ordinary credit of the
// ledger, whose reference names person, asset and day, so that the ledger itself gives it once.

import { toUnits } from '../../../contract/decimal.ts';
import { dateOf } from '../../../contract/earn/writers.ts';
import { jsonUnits } from '../../../contract/json.ts';
import { Problem } from '../../../contract/problem.ts';
import { userCenterCalls } from '../../../contract/user-center/calls.ts';
import { DAY_MS, dayOf } from '../../../core/earn/plan.ts';
import { rejectPlain } from '../../../core/reject.ts';
import type { Amount } from '../../../core/units.ts';
import { ok } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { rejectReply } from '../operator/call.ts';
import { audited, whoAsks } from './call.ts';

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

const faucet = route(userCenterCalls.faucet, {
  handle: (services, call) =>
    audited(services, call, 'faucet.credit', async () => {
      const { config, engine } = services;
      if (config.mode !== 'sandbox') throw new Problem('notFound');
      const { user } = whoAsks(services, call);
      const { state } = engine.exchange;
      const found = state.assetNamed(call.body.asset);
      if (found === undefined) {
        return { reply: rejectReply(services, rejectPlain('assetUnknown', 'asset')) };
      }
      const { name: asset, assetId, scale } = found;
      const today = dateOf(dayOf(engine.now));
      const day = new Date(today).toISOString().slice(0, 10);
      const reference = `faucet-${user.uid}-${asset}-${day}`;
      // Asked first, so that asking again costs no place in the journal.
      if (state.references.find(reference) !== undefined) throw usedUp(asset, today + DAY_MS);
      const amount = toUnits(COINS[asset] ?? COINS_OF_OTHERS, scale) as Amount;
      const transfer = { uid: user.uid, assetId, amount, reference } as const;
      const receipt = await engine.submit({
        type: 'transferFunds',
        direction: 'credit',
        ...transfer,
      });
      const { outcome, seq } = receipt;
      if (!outcome.ok) return { reply: rejectReply(services, outcome.reject) };
      if (outcome.replayed) throw usedUp(asset, today + DAY_MS);
      const given = jsonUnits(amount, scale);
      return { reply: ok({ asset, amount: given }, seq), details: { asset } };
    }),
});

function usedUp(asset: string, next: number): Problem {
  const when = new Date(next).toISOString().slice(0, 16).replace('T', ' ');
  return new Problem('faucetUsed', {
    userMsg: `The faucet has given you ${asset} today. The next is to be had from ${when} UTC on.`,
    details: { field: 'asset', rule: 'oncePerDay', value: asset, nearest: next },
  });
}

export const userCenterFaucetRoutes: readonly Route[] = [faucet];
