// Draws test money: one asset, or all that are available today.

import { client, userCenter } from '../api/clients.ts';
import { Code, hasCode } from '../api/refusal.ts';
import type { Decimal } from '../exact/decimal.ts';
import { DAY_MS, grouped } from '../exact/format.ts';

export interface Drawn {
  readonly asset: string;
  readonly amount: Decimal;
}

/** Draws one asset; `note` receives it if it was drawn now or earlier today. */
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

/** Draws every asset that was not drawn today; throws on any other refusal. */
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

/** The last draw of each asset, as 00:00 UTC of its day, epoch ms. */
export type Given = ReadonlyMap<string, number>;

/** `now`: business time; null while it is unknown. */
export const isGiven = (given: Given, asset: string, now: number | null): boolean =>
  now !== null && given.get(asset) === dayOf(now);

export const noted = (given: Given, asset: string, now: number | null): Given =>
  now === null ? given : new Map([...given, [asset, dayOf(now)]]);

const dayOf = (now: number): number => now - (now % DAY_MS);

/** The drawn amounts: 10,000 USDT, 1 BTC. */
export function drawnWords(drawn: readonly Drawn[]): string {
  if (drawn.length === 0) return 'You already got today’s test money. You can get more tomorrow.';
  return `Received: ${drawn.map(({ asset, amount }) => `${grouped(amount)} ${asset}`).join(', ')}`;
}
