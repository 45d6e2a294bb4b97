// Which of several writable servers a node uses, and what it remembers over a restart.
import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../store.ts';
import { KnownDatabase, type ServerState } from './known-database.ts';

const server = (name: string, timeline: number, flushed: string, systemId = '7'): ServerState => ({
  name,
  state: { systemId, timeline, flushed },
});

const OLD = server('db-1:5432', 1, '9/0');
const NEW = server('db-2:5432', 2, '3/A0');

/** A node that has used a server, and its log. */
function nodeAfter(used: ServerState, dataDir: string | null = null) {
  const log: string[] = [];
  const known = new KnownDatabase({ dataDir, warn: (sentence) => log.push(sentence) });
  known.newestOf([used], null);
  return { known, log };
}

const sentenceOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return `${(error as StoreError).kind}: ${(error as StoreError).message}`;
  }
  throw new Error('nothing was rejected');
};

test('the highest timeline wins, and an older one is logged once', () => {
  const { known, log } = nodeAfter(OLD);
  for (let i = 0; i < 3; i++) expect(known.newestOf([OLD, NEW], known.newest)).toBe(NEW);
  expect(known.isOutdated(OLD.state)).toBe(true);
  expect(log).toEqual([
    'The node does not use PostgreSQL at db-1:5432, an old primary (timeline 1, and 2 has ' +
      'begun): stop it and make it a standby of the new primary, or, if you restored or moved ' +
      'it, stop all nodes and remove database.json in the data directories.',
  ]);
  const sentence = sentenceOf(() => known.newestOf([OLD], known.newest));
  expect(sentence).toStartWith('unreachable: The node does not use PostgreSQL at db-1:5432');
});

test('a server that has lost commits is not used, and one that was asked earlier is', () => {
  const { known } = nodeAfter(NEW);
  known.learn({ ...NEW.state, flushed: '10/0' });
  const back = server('db-2:5432', 2, '4/0');
  expect(sentenceOf(() => known.newestOf([back], known.newest))).toContain(
    'has lost commits (its WAL ends at 4/0, and had reached 10/0)',
  );
  // Another connection learned of 10/0 while this server was asked.
  expect(known.newestOf([back], NEW.state)).toBe(back);
  expect(known.newest!.flushed).toBe('10/0');
});

test('another database is not used, and two different ones are rejected', () => {
  const { known } = nodeAfter(OLD);
  const other = server('db-3:5432', 5, 'F/0', '8');
  expect(sentenceOf(() => known.newestOf([other], known.newest))).toContain(
    'another database (system identifier 8, not 7): correct the database URL',
  );
  expect(known.newestOf([other, OLD], known.newest)).toBe(OLD);
  const sentence = sentenceOf(() => new KnownDatabase().newestOf([OLD, other], null));
  expect(sentence).toStartWith('rejected: The database URL names two different databases, at db-');
});

test('a file in the data directory keeps the state; a damaged one is named', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agio-known-'));
  try {
    const { known } = nodeAfter(NEW, dataDir);
    await known.saved;
    const next = new KnownDatabase({ dataDir });
    expect(next.newest).toEqual(NEW.state);
    expect(sentenceOf(() => next.newestOf([OLD], next.newest))).toContain(
      `remove ${join(dataDir, 'database.json')}.`,
    );
    const reader = new KnownDatabase({ dataDir, isReadOnly: true });
    reader.learn(server('db-3:5432', 3, '5/0').state);
    await reader.saved;
    expect(JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8'))).toEqual(NEW.state);
    for (const damaged of ['', '{}', '{"systemId":"7","timeline":2,"flushed":"x"}']) {
      writeFileSync(join(dataDir, 'database.json'), damaged);
      expect(sentenceOf(() => new KnownDatabase({ dataDir }))).toBe(
        `rejected: ${join(dataDir, 'database.json')} is damaged: remove it, and the start ` +
          'writes it again.',
      );
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
