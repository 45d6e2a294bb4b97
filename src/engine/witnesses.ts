// What tells that commands were durable once: a snapshot and the views are only made of such. Without them nobody could tell a
// record that was never acknowledged, torn by a crash, from one that was and is damaged now.
import { existsSync } from 'node:fs';
import { StoredViews } from '../views/verify.ts';
import { viewsPath } from '../views/view-store.ts';
import { snapshotDirectory, snapshotSeqs } from './snapshot-store.ts';

/** The last command that something beside the journal of this data directory tells of; 0 for none. */
export function witnessedSeq(dataDir: string): number {
  return Math.max(0, ...snapshotSeqs(snapshotDirectory(dataDir)), appliedSeqOf(viewsPath(dataDir)));
}

/** How far views tell the history; 0 for none, or for damaged ones, which prove nothing. */
function appliedSeqOf(path: string): number {
  if (!existsSync(path)) return 0;
  try {
    const views = new StoredViews(path);
    const { appliedSeq } = views;
    views.close();
    return appliedSeq;
  } catch {
    return 0;
  }
}
