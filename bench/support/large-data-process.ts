// Writes a data directory for part `large`: the accounts, and a pair for each run of each case.
import { mkdirSync } from 'node:fs';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { createKeys, HistoryWriter } from './data-directory.ts';
import { accounts, accountsOf, largeCases, pairOf, setUpCommands } from './large-cases.ts';
import { argumentOf, report } from './processes.ts';

export interface LargePlan {
  readonly dataDir: string;
  readonly size: number;
  readonly runs: number;
}

/** Returns the keys, by uid less one. */
async function write({ dataDir, size, runs }: LargePlan): Promise<ApiKey[]> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const history = await HistoryWriter.open(dataDir);
  await history.sendAll(accounts());
  const cases = largeCases(size);
  for (let run = 0; run < runs; run++) {
    for (const [index, one] of cases.entries()) {
      await history.sendAll(setUpCommands(one, pairOf(cases.length, index, run)));
    }
  }
  await history.close();
  return createKeys(dataDir, accountsOf(cases.length, runs));
}

report(await write(argumentOf<LargePlan>()));
