// A run of the kit against a server: every check in turn, its result, and the cancels of all orders
// that it entered.
import { marketDataCalls } from '../contract/market-data/calls.ts';
import { accountChecks } from './account.ts';
import { cancelChecks } from './cancels.ts';
import type { Check, Clause } from './check.ts';
import { allAnswersChecks, httpChecks } from './conventions.ts';
import { earnChecks } from './earn.ts';
import { Skip, Unmet } from './expect.ts';
import { Kit } from './kit.ts';
import { marketDataChecks } from './market-data.ts';
import { orderEntryChecks } from './order-entry.ts';
import { orderTypeChecks } from './order-types.ts';
import { orderChecks } from './orders.ts';
import { queryChecks } from './queries.ts';
import { signingChecks } from './signing.ts';
import { streamChecks } from './streams.ts';
import { Wire } from './wire.ts';

export interface ConformanceOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly secretKey: string;
  /** The pair to trade; the first open one that the account can bid in unless given. */
  readonly symbol?: string | undefined;
  /** True if the kit may subscribe to a flexible plan and redeem. */
  readonly subscribe?: boolean | undefined;
  /** Beginnings of ids, such as `AUTH` or `ORD-11`; all checks unless given. */
  readonly only?: readonly string[] | undefined;
}

export interface CheckResult {
  readonly id: string;
  readonly clause: Clause;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** If it failed. */
  readonly expected?: string;
  readonly got?: string;
  /** If it was skipped. */
  readonly reason?: string;
}

/** In the order of a run; the last ones look through all answers. */
export const CHECKS: readonly Check[] = [
  ...signingChecks,
  ...marketDataChecks,
  ...orderChecks,
  ...orderTypeChecks,
  ...cancelChecks,
  ...queryChecks,
  ...accountChecks,
  ...earnChecks,
  ...httpChecks,
  ...streamChecks,
  ...orderEntryChecks,
  ...allAnswersChecks,
];

/** Yields each result as it is there. Throws if the server cannot be reached. */
export async function* conformance(options: ConformanceOptions): AsyncGenerator<CheckResult> {
  const { only } = options;
  const wanted = CHECKS.filter(({ id }) => only?.some((start) => id.startsWith(start)) ?? true);
  const kit = await openKit(options);
  try {
    for (const check of wanted) yield await resultOf(check, kit);
  } finally {
    await kit.clean();
  }
}

/** A kit with the clock of the server. Throws if the server cannot be reached. */
export async function openKit(options: ConformanceOptions): Promise<Kit> {
  const { url, apiKey, secretKey, symbol, subscribe = false } = options;
  const wire = new Wire(url, apiKey, secretKey);
  const { json } = await wire.send(marketDataCalls.time);
  const serverTime = Number(json?.serverTime);
  if (Number.isSafeInteger(serverTime)) wire.skew = serverTime - Date.now();
  return new Kit({ wire, symbol, subscribe });
}

/** Runs one check, and cancels what it entered: the book of the last check is that of the first. */
export async function resultOf({ id, clause, run }: Check, kit: Kit): Promise<CheckResult> {
  try {
    await run(kit);
    return { id, clause, outcome: 'passed' };
  } catch (error) {
    if (error instanceof Skip) return { id, clause, outcome: 'skipped', reason: error.message };
    if (error instanceof Unmet) {
      return { id, clause, outcome: 'failed', expected: error.expected, got: error.got };
    }
    const got = error instanceof Error ? error.message : String(error);
    return { id, clause, outcome: 'failed', expected: 'an answer that can be read', got };
  } finally {
    await kit.clean();
  }
}
