// Drawing play money: one asset, or each that is to be had today.

import { client, userCenter } from '../api/clients.ts';
import { Code, hasCode } from '../api/refusal.ts';
import type { Decimal } from '../exact/decimal.ts';
import { DAY_MS, grouped } from '../exact/format.ts';

export interface Drawn {
  readonly asset: string;
  readonly amount: Decimal;
}

/** One asset; `note` hears of it where it was given now or earlier today. */
export async function draw(asset: string, note: (asset: string) => void): Promise<Drawn> {
  try {
    const drawn = await userCenter.faucet({ asset });
    note(asset);
    return drawn;
  } catch (error) {
    if (hasCode(error, Code.faucetUsed)) note(asset);
    throw error;
  }
}

/** Every asset that has not been drawn today; throws where one fails for another reason. */
export async function drawAll(note: (asset: string) => void): Promise<readonly Drawn[]> {
  const drawn: Drawn[] = [];
  for (const { asset } of await client.assets()) {
    try {
      drawn.push(await draw(asset, note));
    } catch (error) {
      if (!hasCode(error, Code.faucetUsed)) throw error;
    }
  }
  return drawn;
}

/** Which assets were given on which UTC day (00:00 of it, epoch ms): what is asked for again on that day is refused. */
export type Given = ReadonlyMap<string, number>;

/** `now` is business time; null while it is not known. */
export const isGiven = (given: Given, asset: string, now: number | null): boolean =>
  now !== null && given.get(asset) === dayOf(now);

export const noted = (given: Given, asset: string, now: number | null): Given =>
  now === null ? given : new Map([...given, [asset, dayOf(now)]]);

const dayOf = (now: number): number => now - (now % DAY_MS);

/** What was given, in words: 10,000 USDT, 1 BTC. */
export function drawnWords(drawn: readonly Drawn[]): string {
  if (drawn.length === 0)
    return 'Today’s play money was given already. The next is to be had tomorrow.';
  return `Received: ${drawn.map(({ asset, amount }) => `${grouped(amount)} ${asset}`).join(', ')}`;
}
