// The commands that an operator has set aside: they keep their place in the chain and have no
// effect. The list lies beside the segments, so each reader of the journal finds it and history is
// not rewritten. An entry names the chain hash of its record and has a MAC.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Disk, pathOf, readFile, replaceFile } from './disk.ts';
import { corrupt, type JournalRecord, lastSeqOf, type SkippedCommand } from './journal.ts';

export const SET_ASIDE_NAME = 'set-aside';

interface SetAsideFacts extends SkippedCommand {
  /** Hex, of the record with the command. */
  readonly chainHash: string;
  /** Its type and account. */
  readonly command: string;
  /** Wall clock, ms. */
  readonly time: number;
  readonly reason: string;
}

export interface SetAside extends SetAsideFacts {
  /** The master key of the MAC. */
  readonly kid: string;
  /** Hex. */
  readonly mac: string;
}

/** A key that was derived for the MACs of this list. */
export interface SetAsideKey {
  readonly kid: string;
  readonly bytes: Uint8Array;
}

const macOf = ({ bytes }: SetAsideKey, entry: SetAsideFacts): Buffer => {
  const { seq, part, chainHash, command, time, reason } = entry;
  const text = JSON.stringify(['set aside', seq, part, chainHash, command, time, reason]);
  return createHmac('sha256', bytes).update(text).digest();
};

export const signSetAside = (key: SetAsideKey, facts: SetAsideFacts): SetAside => ({
  ...facts,
  kid: key.kid,
  mac: macOf(key, facts).toString('hex'),
});

/** Throws `corrupt` for an entry that no holder of a master key has made. */
export function requireSigned(entries: readonly SetAside[], keys: readonly SetAsideKey[]): void {
  for (const entry of entries) {
    const key = keys.find(({ kid }) => kid === entry.kid);
    const mac = Buffer.from(entry.mac, 'hex');
    if (key !== undefined && mac.length === 32 && timingSafeEqual(macOf(key, entry), mac)) continue;
    throw corrupt(
      `The entry of command ${entry.seq} in the list of commands that were set aside is not ` +
        'authentic. Give the master key that it was written with (AGIO_MASTER_KEY), or find out ' +
        'who can write to the journal, and restore it from a backup.',
      SET_ASIDE_NAME,
    );
  }
}

/** In order of seq. */
export async function readSetAside(disk: Disk): Promise<SetAside[]> {
  const bytes = await readFile(disk, SET_ASIDE_NAME);
  if (bytes === undefined) return [];
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as SetAside[];
  } catch {
    const path = pathOf(disk, SET_ASIDE_NAME);
    throw corrupt(`${path} is damaged; restore it from a backup.`, path);
  }
}

/** Adds the entries that the list lacks, durably. */
export async function addSetAside(disk: Disk, entries: readonly SetAside[]): Promise<void> {
  const known = await readSetAside(disk);
  const added = entries.filter(({ seq }) => !known.some((one) => one.seq === seq));
  if (added.length === 0) return;
  const all = [...known, ...added].sort((a, b) => a.seq - b.seq);
  await replaceFile(disk, SET_ASIDE_NAME, new TextEncoder().encode(JSON.stringify(all)));
}

/** The record, with the commands of it that were set aside. Throws `corrupt` for another record. */
export function withSetAside(record: JournalRecord, entries: readonly SetAside[]): JournalRecord {
  const own = entries.filter(({ seq }) => seq >= record.firstSeq && seq <= lastSeqOf(record));
  if (own.length === 0) return record;
  const chainHash = Buffer.from(record.chainHash).toString('hex');
  const foreign = own.find((entry) => entry.chainHash !== chainHash);
  if (foreign === undefined)
    return { ...record, setAside: own.map(({ seq, part }) => ({ seq, part })) };
  throw corrupt(
    `Command ${foreign.seq} was set aside in another journal than this one.`,
    SET_ASIDE_NAME,
  );
}
