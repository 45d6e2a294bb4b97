// Verifies a file of views: rebuilds the views from the journal into a second file, and compares
// the two row by row. The second file is in the temporary directory and as large as the first. It
// changes no file of the node, which may be running.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Exchange } from '../core/exchange.ts';
import type { JournalRecord } from '../journal/journal.ts';
import { compareViews, StoredViews, type ViewsComparison } from '../views/verify.ts';
import { ViewStore } from '../views/view-store.ts';
import type { JournalSource } from './follower-start.ts';
import { applyRecord } from './recovery.ts';
import { emptyState } from './snapshot-store.ts';

export interface VerifyViewsOptions {
  readonly viewsPath: string;
  /** From the first command on; the caller closes it. */
  readonly journal: Pick<JournalSource, 'read'>;
  /** Reports the progress of the rebuild. */
  readonly onProgress?: (seq: number, appliedSeq: number) => void;
}

export interface ViewsVerification extends ViewsComparison {
  /** The last command in the file. */
  readonly appliedSeq: number;
}

/**
 * Throws SQLite's error for a file that cannot be read, and a JournalError when the journal is
 * damaged or was truncated.
 */
export async function verifyViews(options: VerifyViewsOptions): Promise<ViewsVerification> {
  using stored = new StoredViews(options.viewsPath);
  const scratch = mkdtempSync(join(tmpdir(), 'agio-verify-'));
  try {
    const path = join(scratch, 'views.db');
    await rebuild(options, path, stored.appliedSeq);
    using expected = new StoredViews(path);
    return { appliedSeq: stored.appliedSeq, ...compareViews(stored, expected) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Builds views of the journal's commands up to `uptoSeq`. */
async function rebuild(options: VerifyViewsOptions, path: string, uptoSeq: number): Promise<void> {
  const exchange = new Exchange(emptyState());
  const store = ViewStore.open(path, () => exchange.state.instruments);
  try {
    let { chainHash } = store;
    for await (const record of recordsUpTo(options.journal, uptoSeq)) {
      chainHash = record.chainHash;
      const apply = (seq: number): void => {
        store.apply(exchange.events, seq);
        if (!store.isFull) return;
        store.commit(chainHash, exchange.state.stateHash());
        options.onProgress?.(store.appliedSeq, uptoSeq);
      };
      applyRecord(exchange, record, apply, uptoSeq);
    }
    store.commit(chainHash, exchange.state.stateHash(), true);
  } finally {
    store.close();
  }
}

async function* recordsUpTo(
  journal: Pick<JournalSource, 'read'>,
  uptoSeq: number,
): AsyncGenerator<JournalRecord> {
  for await (const group of journal.read(1)) {
    for (const record of group) {
      if (record.firstSeq > uptoSeq) return;
      yield record;
    }
  }
}
