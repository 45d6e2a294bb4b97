// Crash rounds in the middle of an order: the server has small records, an order is matched in
// slices beside the load of other customers, and the kill falls between two of them.
import { openJournalReader } from '../../src/journal/open-journal.ts';
import { JournalAudit } from '../faults/journal-audit.ts';
import { viewsOf } from '../faults/real-cluster.ts';
import { Prng } from '../support/prng.ts';
import { smallRecords } from '../support/small-records.ts';
import { LARGE_QUANTITY, LargeOrder } from './large-order.ts';
import { OperatorClient } from './operator-client.ts';
import { Load, type LoadResult } from './rounds.ts';
import { ServerProcess, SLICED, sandboxFile, verifyDirectory } from './server-process.ts';

export interface SliceOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly dataDir: string;
  readonly progress: (line: string) => void;
}

export interface SliceReport extends LoadResult {
  /** Kills that left an order half matched. */
  readonly betweenSlices: number;
  /** Large orders, of which each is there once and whole. */
  readonly whole: number;
}

/** The server is killed within so long after the order was sent, ms. */
const KILL_MS = 120;

/** Throws Error with the seed and the round at the first broken promise. */
export async function runSliceRounds(options: SliceOptions): Promise<SliceReport> {
  const { rounds, seed, dataDir } = options;
  using _ = smallRecords();
  const prng = new Prng(seed);
  const random = (): number => prng.below(1_000_000) / 1_000_000;
  const audit = new JournalAudit();
  const totals = { acknowledged: 0, unknown: 0, unknownDone: 0, betweenSlices: 0, whole: 0 };
  let server = await ServerProcess.start(dataDir, { main: SLICED });
  const access = sandboxFile(dataDir);
  try {
    for (let round = 1; round <= rounds; round++) {
      const order = new LargeOrder(server.url, access, `large-${round}`);
      const uid = access.enterprise.members[0]!.uid;
      const credit = {
        uid,
        asset: 'ETH',
        amount: `${LARGE_QUANTITY}`,
        reference: `${order.clOrdId}-credit`,
      };
      await new OperatorClient(server.url, access).post('ledger/credit', credit);
      await order.rest();
      const load = new Load(server.url, access, round, random);
      const running = load.run();
      const sent = order.send();
      await Bun.sleep(random() * KILL_MS);
      await server.kill();
      await Promise.all([running, sent]);
      await applyFiles(audit, dataDir);
      const isHalf = audit.isInProgress(order.clOrdId);
      if (isHalf) totals.betweenSlices++;
      const isKnown = isHalf || audit.writesNamed(order.clOrdId).length > 0;
      server = await ServerProcess.start(dataDir, { main: SLICED });
      try {
        await order.verify(server.url, isKnown);
        totals.whole++;
        const result = await load.verify(server.url);
        totals.acknowledged += result.acknowledged;
        totals.unknown += result.unknown;
        totals.unknownDone += result.unknownDone;
      } catch (error) {
        throw new Error(`seed ${seed}, round ${round}: ${(error as Error).message}`);
      }
      const when = isHalf ? 'between two slices' : isKnown ? 'after the order' : 'before the order';
      options.progress(`round ${round}/${rounds}: killed ${when}, ${load.summary()}`);
    }
    if ((await server.stop()) !== 0) throw new Error('the server did not stop cleanly');
  } finally {
    await server.kill();
  }
  await verifyDirectory(dataDir, SLICED);
  await applyFiles(audit, dataDir);
  audit.checkInvariants();
  const views = viewsOf({ dataDir });
  if (views.seq !== audit.seq || views.stateHash !== audit.stateHash()) {
    throw new Error(`seed ${seed}: the server and the journal come to different states`);
  }
  return totals;
}

/** Applies what the files have more than at the last time. */
async function applyFiles(audit: JournalAudit, dataDir: string): Promise<void> {
  const reader = openJournalReader(dataDir);
  try {
    for await (const records of reader.read(audit.seq + 1)) {
      const faults = audit.apply(records);
      if (faults.length > 0) throw new Error(faults.join('\n'));
    }
  } finally {
    await reader.close();
  }
}
