// The recorded journals beside this file, put where a node would have them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { snapshot } from '../../src/core/snapshot.ts';
import type { State } from '../../src/core/state.ts';
import type { JournalRecord } from '../../src/journal/journal.ts';
import { journalDirectory, openJournalReader } from '../../src/journal/open-journal.ts';

export const SAMPLES = ['trading', 'earn'] as const;
export type SampleName = (typeof SAMPLES)[number];

/** The one segment of a sample. */
export const SEGMENT = '0000000000000001.seg';

/** The release that recorded a sample computed it; `marks` are state hashes by seq. */
export interface SampleState {
  readonly chainHash: string;
  readonly snapshot: string;
  readonly marks: Readonly<Record<string, string>>;
}

/** The version is that of the rules. */
export const pathOf = (name: SampleName, suffix: 'seg.gz' | 'json', version: number): string =>
  join(import.meta.dir, `${name}-${version}.${suffix}`);

export const expectedOf = (name: SampleName, version: number): SampleState =>
  JSON.parse(readFileSync(pathOf(name, 'json', version), 'utf8')) as SampleState;

/** Writes a sample to the journal of a data directory, and returns its bytes. */
export function unpackSample(name: SampleName, version: number, dataDir: string): Uint8Array {
  const bytes = gunzipSync(readFileSync(pathOf(name, 'seg.gz', version)));
  mkdirSync(journalDirectory(dataDir), { recursive: true });
  writeFileSync(join(journalDirectory(dataDir), SEGMENT), bytes);
  return bytes;
}

/** The records of a data directory's journal. */
export async function* recordsOf(dataDir: string): AsyncGenerator<JournalRecord> {
  const reader = openJournalReader(dataDir);
  try {
    for await (const group of reader.read(1)) yield* group;
  } finally {
    await reader.close();
  }
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const snapshotDigest = (state: State): string =>
  new Bun.CryptoHasher('sha256').update(snapshot(state)).digest('hex');
