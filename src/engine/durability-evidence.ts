// Snapshots and views are made of durable commands only. Without them nobody could distinguish a
// record that was never acknowledged, torn by a crash, from one that was and is damaged now.
import { existsSync } from 'node:fs';
import type { DurabilityEvidence } from '../journal/journal.ts';
import { StoredViews } from '../views/verify.ts';
import { viewsPath } from '../views/view-store.ts';
import { snapshotDirectory, snapshotPath, snapshotSeqs } from './snapshot-store.ts';

/** Durability evidence in the files beside the journal of this data directory. */
export function durabilityEvidence(dataDir: string): DurabilityEvidence[] {
  const directory = snapshotDirectory(dataDir);
  const evidence = snapshotSeqs(directory).map((seq) => ({
    files: snapshotPath(directory, seq),
    seq,
  }));
  const views = viewsPath(dataDir);
  // With its -wal and -shm.
  return [...evidence, { files: `${views}*`, seq: appliedSeqOf(views) }];
}

/** The last command that the views show; 0 for none, or for damaged ones, which prove nothing. */
export function appliedSeqOf(path: string): number {
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
