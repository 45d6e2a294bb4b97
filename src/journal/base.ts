// Where the journal begins. The file `base` is written with the first segment and before each
// truncation: a missing segment from the base on was lost, an earlier one was archived.
import { type Disk, pathOf, readBytes } from './disk.ts';
import { corrupt, type JournalError } from './journal.ts';
import { decodePointHeader, encodePointHeader, POINT_HEADER_BYTES } from './point-header.ts';
import { type ChainPoint, genesisHash } from './record.ts';
import { ioError } from './rules.ts';
import { segmentName } from './segment.ts';

export const BASE_NAME = 'base';
export const BASE_TEMPORARY_NAME = 'base.tmp';
const MAGIC = 'AGIOBASE';

export const GENESIS: ChainPoint = { nextSeq: 1, chainHash: genesisHash() };

/** The first record that the journal has to have; undefined when no base was written yet. */
export async function readBase(disk: Disk): Promise<ChainPoint | undefined> {
  const path = pathOf(disk, BASE_NAME);
  try {
    const file = await disk.open(BASE_NAME, 'read');
    try {
      return decodePointHeader(MAGIC, await readBytes(file, 0, POINT_HEADER_BYTES), path);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw ioError('Reading', error, { file: path });
  }
}

/** Makes `base` the durable beginning of the journal. Rejects as the disk does. */
export async function writeBase(disk: Disk, base: ChainPoint): Promise<void> {
  if ((await disk.list()).includes(BASE_TEMPORARY_NAME)) await disk.remove(BASE_TEMPORARY_NAME);
  const file = await disk.open(BASE_TEMPORARY_NAME, 'create');
  try {
    await file.write(encodePointHeader(MAGIC, base), 0);
  } finally {
    await file.close();
  }
  await disk.rename(BASE_TEMPORARY_NAME, BASE_NAME);
  await disk.syncDirectory();
}

/** The error that names the first segment, which should be there and is not. */
export function firstSegmentMissing(disk: Disk, base: ChainPoint): JournalError {
  const file = pathOf(disk, segmentName(base.nextSeq));
  const message =
    `${file} is missing, and the journal begins with it; restore the file from an archive (agio ` +
    'journal restore) or from a backup.';
  return corrupt(message, file, 0);
}
