// The part of a venue that only the database of its cluster has: identity, and the commands that
// came after those of its journal files.
import type { ClusterStore } from '../cluster/store.ts';
import type { IdentityImage } from '../identity/storage/change.ts';
import { corrupt, type JournalHead, type JournalRecord, lastSeqOf } from '../journal/journal.ts';
import { nextChainHash, sameBytes } from '../journal/record.ts';

/** About so much is read from the database in one answer. */
const READ_BYTES = 4 * 1024 * 1024;

export interface SharedVenue {
  readonly store: Pick<ClusterStore, 'read'>;
  /** Read before the journal, so that every user of it is in the journal. */
  readonly image: IdentityImage;
}

/**
 * The records after `head`, the end of the node's files. Throws JournalError `corrupt` where the
 * files are not the beginning of the shared journal, or its chain is broken.
 */
export async function* recordsAfter(
  { store }: SharedVenue,
  head: JournalHead,
): AsyncGenerator<JournalRecord> {
  let { seq, chainHash } = head;
  for (;;) {
    // From the last record of the files on, which shows that both have the same history.
    const records = await store.read(Math.max(1, seq), READ_BYTES);
    const last = records.find((record) => lastSeqOf(record) === seq);
    if (seq > 0 && (last === undefined || !sameBytes(last.chainHash, chainHash))) {
      throw differs(seq);
    }
    const next = records.filter(({ firstSeq }) => firstSeq > seq);
    if (next.length === 0) return;
    for (const record of next) {
      chainHash = nextChainHash(chainHash, record);
      if (!sameBytes(record.chainHash, chainHash)) throw differs(record.firstSeq);
      seq = lastSeqOf(record);
      yield record;
    }
  }
}

const differs = (seq: number) =>
  corrupt(`the journal in the database differs from the files at command ${seq}`, 'the database');
