// Recovers the state from a file journal as a starting node does. Reports the time of the two
// steps.
import { recover } from '../../src/engine/recovery.ts';
import { snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { argumentOf, report } from './processes.ts';

export interface ReplayRun {
  readonly dataDir: string;
}

export interface ReplayTime {
  readonly commands: number;
  /** Reading the whole journal, checking its checksums and its hash chain. */
  readonly verifySeconds: number;
  /** Reading it again, decoding and applying every command. */
  readonly applySeconds: number;
}

const { dataDir } = argumentOf<ReplayRun>();
const start = performance.now();
const journal = await openFileJournal(dataDir);
const opened = performance.now();
const { exchange, replayed } = await recover(journal, snapshotsOf(dataDir, []), (sentence) => {
  throw new Error(sentence);
});
const end = performance.now();
if (replayed !== exchange.state.seq) throw new Error('not everything was replayed');
await journal.close();
report({
  commands: replayed,
  verifySeconds: (opened - start) / 1000,
  applySeconds: (end - opened) / 1000,
} satisfies ReplayTime);
