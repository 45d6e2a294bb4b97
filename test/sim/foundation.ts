// The start of every simulation: a pair, customers with money, and a key for each.
import type { Command } from '../../src/core/command.ts';
import type { AnyResult, Outcome, ResultOf } from '../../src/core/outcome.ts';
import { amount } from '../../src/core/units.ts';
import type { Node } from '../../src/node.ts';
import type { Key } from '../harness/sender.ts';
import { BTC_USDT_TERMS } from '../support/venue.ts';

/** BTC and USDT, in units. */
const FUNDS = [10n ** 10n, 10n ** 15n];

/** The middle of all prices. Orders expire within hours, so that some do while no node runs. */
export const MARKET = { middle: 50_000, expiry: 3_600_000 };

/** The flexible plan, and the one of some days. */
export const PLANS = { flexible: '1', fixed: '2', lockDay: 2 };

/** Sends commands that have to be accepted. */
export const submitterOf =
  ({ services }: Node) =>
  async <C extends Command>(command: C): Promise<ResultOf<C>> => {
    const { outcome }: { outcome: Outcome<AnyResult> } = await services.engine.submit(command);
    if (!outcome.ok) throw new Error(`${command.type} was rejected: ${outcome.reject.name}`);
    return outcome.result as ResultOf<C>;
  };

/** Lists BTC-USDT on this node, and creates customers with keys of these modules. */
export async function foundOn(node: Node, customers: number, moduleIds: number[]): Promise<Key[]> {
  const { identity } = node.services;
  const submit = submitterOf(node);
  await submit({ type: 'createAsset', asset: 'BTC', scale: 8, fiat: false });
  await submit({ type: 'createAsset', asset: 'USDT', scale: 8, fiat: false });
  await submit({ ...BTC_USDT_TERMS, makerFee: 100_000, takerFee: 200_000 });
  const keys: Key[] = [];
  for (let n = 1; n <= customers; n++) {
    const reservation = identity.users.reserveEmail(`customer-${n}@example.com`);
    if (!reservation.ok) throw new Error(reservation.text);
    const { uid } = await submit({ type: 'createUser', kyc: true });
    identity.users.completeUser(reservation.value, uid);
    for (const [assetId, money] of FUNDS.entries()) {
      const funds = { uid, assetId, amount: amount(money), reference: `first-${uid}-${assetId}` };
      await submit({ type: 'transferFunds', direction: 'credit', ...funds });
    }
    const key = identity.apiKeys.create({ uid, alias: 'simulated', moduleIds });
    if (!key.ok) throw new Error(key.text);
    keys.push({ uid, ...key.value });
  }
  return keys;
}
