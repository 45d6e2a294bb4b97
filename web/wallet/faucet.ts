// Drawing play money: one asset, or each that is to be had today.

import { drawFaucet } from '../api/account.ts';
import { assets } from '../api/market.ts';
import { Code, hasCode } from '../api/refusal.ts';
import type { Decimal } from '../exact/decimal.ts';
import { grouped } from '../exact/format.ts';

export interface Drawn {
  readonly asset: string;
  readonly amount: Decimal;
}

/** Every asset that has not been drawn today; throws where one fails for another reason. */
export async function drawAll(): Promise<readonly Drawn[]> {
  const drawn: Drawn[] = [];
  for (const { asset } of await assets()) {
    try {
      drawn.push(await drawFaucet(asset));
    } catch (error) {
      if (!hasCode(error, Code.faucetUsed)) throw error;
    }
  }
  return drawn;
}

/** What was given, in words: 10,000 USDT, 1 BTC. */
export function drawnWords(drawn: readonly Drawn[]): string {
  if (drawn.length === 0)
    return 'Today’s play money was given already. The next is to be had tomorrow.';
  return `Received: ${drawn.map(({ asset, amount }) => `${grouped(amount)} ${asset}`).join(', ')}`;
}
