// Recorded journals: every machine and every later version replays them to the same states, byte
// for byte. record.ts records them. And a journal whose first record has an older version of the
// rules, which a version 0 that the test invents stands for.
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BinaryWriter } from '../../src/core/binary.ts';
import { COMMANDS, type Command } from '../../src/core/command.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { OLDEST_RULES, RULES } from '../../src/core/rules.ts';
import { restore, snapshot } from '../../src/core/snapshot.ts';
import { applyRecord, recover } from '../../src/engine/recovery.ts';
import { Sequencer } from '../../src/engine/sequencer.ts';
import { snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { decodeBatch, encodeBatch } from '../../src/journal/codec.ts';
import { journalDirectory, openFileJournal } from '../../src/journal/open-journal.ts';
import {
  expectedOf,
  hex,
  recordsOf,
  SAMPLES,
  SEGMENT,
  snapshotDigest,
  unpackSample,
} from './sample.ts';

const directories: string[] = [];
const newDirectory = (): string => {
  directories.push(mkdtempSync(join(tmpdir(), 'agio-journals-')));
  return directories.at(-1)!;
};
let dataDir: string;
beforeEach(() => {
  dataDir = newDirectory();
});
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

const versions = Array.from({ length: RULES - OLDEST_RULES }, (_, n) => OLDEST_RULES + 1 + n);
const samples = versions.flatMap((version) => SAMPLES.map((name) => ({ name, version })));

describe.each(samples)('$name under the rules of version $version', ({ name, version }) => {
  test('replays to the same states, also from a snapshot at every mark', async () => {
    unpackSample(name, version, dataDir);
    const expected = expectedOf(name, version);
    const { marks } = expected;
    const exchange = new Exchange();
    let restored = new Exchange();
    let chainHash = '';
    const found: Record<number, string> = {};
    for await (const record of recordsOf(dataDir)) {
      applyRecord(exchange, record);
      applyRecord(restored, record);
      chainHash = hex(record.chainHash);
      const { state } = exchange;
      if (marks[state.seq] === undefined) continue;
      found[state.seq] = state.stateHash();
      expect(restored.state.stateHash()).toBe(found[state.seq]!);
      restored = new Exchange(restore(snapshot(restored.state)));
    }
    expect({ chainHash, snapshot: snapshotDigest(exchange.state), marks: found }).toEqual(expected);
  });

  test.skipIf(version < RULES)('is written again byte for byte', async () => {
    const bytes = unpackSample(name, version, dataDir);
    const copy = newDirectory();
    const journal = await openFileJournal(copy, { segmentBytes: bytes.length });
    for await (const { firstSeq, count, epoch, payload } of recordsOf(dataDir)) {
      const again = encodeBatch(new BinaryWriter(), decodeBatch(payload));
      await journal.append({ firstSeq, count, epoch, payload: again });
    }
    await journal.close();
    expect(readFileSync(join(journalDirectory(copy), SEGMENT)).equals(bytes)).toBe(true);
  });
});

test('every command is in a sample, or pinned in src/journal/codec.test.ts', async () => {
  const pinned =
    'amendAsset removeAsset massCancel cancelOrders withdrawIncome forgetKey spendSignature ' +
    'advanceClock';
  const found = new Set(pinned.split(' '));
  for (const name of SAMPLES) {
    const directory = newDirectory();
    unpackSample(name, RULES, directory);
    for await (const { payload } of recordsOf(directory)) {
      for (const { type } of decodeBatch(payload).commands) found.add(type);
    }
  }
  expect(found).toEqual(new Set(Object.keys(COMMANDS)));
});

test('each record is applied under its own rules, and new ones are the current', async () => {
  const { applyNext } = Exchange.prototype;
  // The invented rule: under the oldest version, every user was verified.
  const spy = spyOn(Exchange.prototype, 'applyNext').mockImplementation(function (
    this: Exchange,
    seq: number,
    time: number,
    command: Command,
  ) {
    const wasOther = command.type === 'createUser' && this.state.rules === OLDEST_RULES;
    return applyNext.call(this, seq, time, wasOther ? { ...command, kyc: true } : command);
  });
  try {
    const create: Command = { type: 'createUser', kyc: false };
    const journal = await openFileJournal(dataDir);
    const payload = encodeBatch(new BinaryWriter(), { time: 1, commands: [create] }).slice();
    payload[0] = OLDEST_RULES;
    await journal.append({ firstSeq: 1, count: 1, epoch: 1, payload });
    const { exchange } = await recover(journal, snapshotsOf(dataDir, []), () => {});
    const sequencer = new Sequencer({
      exchange,
      journal,
      clock: { now: () => 2 },
      epoch: 2,
      queueLimit: 10,
      onApplied: () => {},
      onFailure: (error) => {
        throw error;
      },
    });
    await sequencer.submit(create);
    await sequencer.stop();
    await journal.close();
    const { state } = exchange;
    expect(state.users.slice(1).map((user) => user?.kyc)).toEqual([true, false]);
    const replica = new Exchange();
    const rules: number[] = [];
    for await (const record of recordsOf(dataDir)) {
      applyRecord(replica, record);
      rules.push(replica.state.rules);
    }
    expect(rules).toEqual([OLDEST_RULES, RULES]);
    expect(replica.state.stateHash()).toBe(state.stateHash());
  } finally {
    spy.mockRestore();
  }
});
