// The recorded journals of test/journals, put where a node would have them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { JournalRecord } from '../../src/journal/journal.ts';
import { journalDirectory, openJournalReader } from '../../src/journal/open-journal.ts';

/** Computed by the release that wrote a sample: `marks` are state hashes by seq. */
interface Expected {
  readonly chainHash: string;
  readonly marks: Readonly<Record<string, string>>;
}

/** `sample` is a folder of test/journals: `rules-N/NAME`. */
export function expectedOf(sample: string): Expected {
  const file = join(import.meta.dir, sample, 'state-hashes.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Expected;
}

/** Writes a sample's segments to the journal of a data directory. */
export function unpackSample(sample: string, dataDir: string): void {
  const source = join(import.meta.dir, sample);
  const target = journalDirectory(dataDir);
  mkdirSync(target, { recursive: true });
  for (const file of readdirSync(source).filter((name) => name.endsWith('.gz'))) {
    const segment = gunzipSync(readFileSync(join(source, file)));
    writeFileSync(join(target, file.slice(0, -'.gz'.length)), segment);
  }
}

/** The records of a data directory's journal from the first, up to `lastSeq` where given. */
export async function* recordsOf(dataDir: string, lastSeq?: number): AsyncGenerator<JournalRecord> {
  const reader = openJournalReader(dataDir);
  try {
    for await (const group of reader.read(1, lastSeq)) yield* group;
  } finally {
    await reader.close();
  }
}
