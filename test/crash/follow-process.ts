// Writes the views of a directory of fill-history.ts up to the end of its journal, then exits.
import { readFileSync } from 'node:fs';
import { type Checkpoint, Follower } from '../../src/engine/follower.ts';
import { snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { openJournalReader } from '../../src/journal/open-journal.ts';
import { viewsPath } from '../../src/views/view-store.ts';
import { SNAPSHOT_KEYS } from '../support/view-files.ts';
import { checkpointsPath } from './fill-history.ts';

const directory = process.argv[2]!;
const fail = (cause: Error | string): never => {
  console.error(cause);
  process.exit(1);
};
const follower = await Follower.open({
  journal: openJournalReader(directory),
  viewsPath: viewsPath(directory),
  snapshots: snapshotsOf(directory, SNAPSHOT_KEYS),
  snapshotEvery: 100_000,
  onCommitted: () => undefined,
  onFailure: fail,
  warn: fail,
});
const checkpoints = JSON.parse(readFileSync(checkpointsPath(directory), 'utf8')) as Checkpoint[];
for (const checkpoint of checkpoints) {
  if (checkpoint.seq > follower.appliedSeq) follower.follow(checkpoint);
}
await follower.stop(checkpoints[checkpoints.length - 1]!);
