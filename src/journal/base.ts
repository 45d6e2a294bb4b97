// Where the journal begins. The file `base` is written with the first segment and before each
// truncation: a missing segment from the base on was lost, an earlier one was archived.
import { type Disk, pathOf, readFile, replaceFile, temporaryName } from './disk.ts';
import { corrupt, type JournalError } from './journal.ts';
import { decodePointHeader, encodePointHeader } from './point-header.ts';
import { type ChainPoint, genesisHash } from './record.ts';
import { segmentName } from './segment.ts';

export const BASE_NAME = 'base';
export const BASE_TEMPORARY_NAME = temporaryName(BASE_NAME);
const MAGIC = 'AGIOBASE';

export const GENESIS: ChainPoint = { nextSeq: 1, chainHash: genesisHash() };

/** The first record that the journal has to have; undefined when no base was written yet. */
export async function readBase(disk: Disk): Promise<ChainPoint | undefined> {
  const bytes = await readFile(disk, BASE_NAME);
  return bytes && decodePointHeader(MAGIC, bytes, pathOf(disk, BASE_NAME));
}

/** Makes `base` the durable beginning of the journal. Rejects as the disk does. */
export const writeBase = (disk: Disk, base: ChainPoint): Promise<void> =>
  replaceFile(disk, BASE_NAME, encodePointHeader(MAGIC, base));

/** The error that names the first segment, which should be there and is not. */
export function firstSegmentMissing(disk: Disk, base: ChainPoint): JournalError {
  const file = pathOf(disk, segmentName(base.nextSeq));
  const message =
    `${file} is missing, and the journal begins with it; restore the file from an archive (agio ` +
    'journal restore) or from a backup.';
  return corrupt(message, file, 0);
}
