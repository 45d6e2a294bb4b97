// Journals that earlier releases wrote, replayed by this one: every state hash on the way is the
// one that the release itself computed. record.ts makes the samples.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Exchange } from '../../src/core/exchange.ts';
import { FIRST_RULES, RULES } from '../../src/core/rules.ts';
import { restore, snapshot } from '../../src/core/snapshot.ts';
import { applyRecord, recover } from '../../src/engine/recovery.ts';
import { Sequencer } from '../../src/engine/sequencer.ts';
import { snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { expectedOf, recordsOf, unpackSample } from './sample.ts';

const samples = readdirSync(import.meta.dir)
  .filter((name) => name.startsWith('rules-'))
  .flatMap((rules) => readdirSync(join(import.meta.dir, rules)).map((name) => join(rules, name)));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agio-journals-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('there is a sample of the rules of every earlier release', () => {
  const covered = new Set(samples.map((sample) => Number(/rules-(\d+)/.exec(sample)![1])));
  for (let rules = FIRST_RULES; rules < RULES; rules++) expect(covered).toContain(rules);
});

for (const sample of samples) {
  describe(sample, () => {
    beforeEach(() => unpackSample(sample, dataDir));

    test('replays to the same states', async () => {
      const { chainHash, marks } = expectedOf(sample);
      const exchange = new Exchange();
      let last = '';
      for await (const record of recordsOf(dataDir)) {
        applyRecord(exchange, record, (seq) => {
          const known = marks[seq];
          if (known !== undefined)
            expect(`${seq} ${exchange.state.stateHash()}`).toBe(`${seq} ${known}`);
        });
        last = Buffer.from(record.chainHash).toString('hex');
      }
      expect(last).toBe(chainHash);
      expect(String(exchange.state.seq)).toBe(Object.keys(marks).at(-1)!);
    });

    test('replays to the same states from a snapshot at any mark', async () => {
      const { marks } = expectedOf(sample);
      let exchange = new Exchange();
      for await (const record of recordsOf(dataDir)) {
        applyRecord(exchange, record);
        const { state } = exchange;
        if (marks[state.seq] === undefined) continue;
        exchange = new Exchange(restore(snapshot(state)));
        expect(exchange.state.stateHash()).toBe(marks[state.seq]!);
      }
    });

    test('continues under the current rules, and replays to the state of its leader', async () => {
      const journal = await openFileJournal(dataDir);
      const { exchange, epoch } = await recover(journal, snapshotsOf(dataDir, []), () => {});
      const sequencer = new Sequencer({
        exchange,
        journal,
        clock: { now: () => exchange.state.time },
        epoch: epoch + 1,
        queueLimit: 10,
        onApplied: () => {},
        onFailure: (error) => {
          throw error;
        },
      });
      await sequencer.submit({ type: 'createUser', kyc: true });
      await sequencer.submit({ type: 'runTimers' });
      await sequencer.stop();
      await journal.close();
      const replica = new Exchange();
      const versions = new Set<number>();
      for await (const record of recordsOf(dataDir)) {
        applyRecord(replica, record);
        versions.add(record.payload[0]!);
      }
      expect([...versions]).toEqual([Number(/rules-(\d+)/.exec(sample)![1]), RULES]);
      expect(replica.state.stateHash()).toBe(exchange.state.stateHash());
    });
  });
}
