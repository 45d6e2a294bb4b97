// Snapshots that earlier releases wrote: this one reads them, and goes on from them as from the
// first command.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Command } from '../../src/core/command.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../src/core/idempotency.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { SIGNATURES_PER_KEY } from '../../src/core/replay-guard.ts';
import { FIRST_RULES, RULES } from '../../src/core/rules.ts';
import { restore, snapshot } from '../../src/core/snapshot.ts';
import { applyRecord } from '../../src/engine/recovery.ts';
import { expectedOf, recordsOf, unpackSample } from '../journals/sample.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agio-snapshots-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

interface Sample {
  readonly name: string;
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** `NAME-SEQ.snapshot.gz`: the bytes of snapshot() in the format of the folder. */
const samples: Sample[] = readdirSync(import.meta.dir)
  .filter((name) => name.startsWith('format-'))
  .flatMap((folder) =>
    readdirSync(join(import.meta.dir, folder)).map((file) => {
      const [, name, seq] = /^(.*)-(\d+)\.snapshot\.gz$/.exec(file)!;
      const bytes = gunzipSync(readFileSync(join(import.meta.dir, folder, file)));
      return { name, seq: Number(seq), bytes };
    }),
  );

const BUSY_KEY_HASH = '2bc1afdc23e06c28';

/** The state hash that the release computed itself. */
function expectedHash({ name, seq }: Sample): string {
  if (name === 'busy-key') return BUSY_KEY_HASH;
  return expectedOf(join('rules-1', name)).marks[seq]!;
}

const NOW = 1_700_000_000_000;

const massCancel = (digestLow: number, timestamp: number): Command => ({
  type: 'massCancel',
  uid: 1,
  signature: { keyId: 3, timestamp, digestHigh: 0, digestLow },
  idempotency: null,
  securityId: 0,
  clOrdId: 'x',
});

/** The first commands of the busy-key sample again: one key whose oldest signatures were let go. */
function busyKey(): Exchange {
  const exchange = new Exchange();
  exchange.state.rules = FIRST_RULES;
  exchange.apply(1, NOW, { type: 'createUser', kyc: true });
  for (let i = 0; i < SIGNATURES_PER_KEY + 10; i++) {
    exchange.apply(i + 2, NOW, massCancel(i, NOW + (i >> 8)));
  }
  return exchange;
}

describe.each(samples)('$name at seq $seq', (sample) => {
  test('is read to the state that its release had', () => {
    const state = restore(sample.bytes);
    expect(state.seq).toBe(sample.seq);
    expect(state.stateHash()).toBe(expectedHash(sample));
    checkInvariants(state);
    const again = restore(snapshot(state));
    expect(again.stateHash()).toBe(state.stateHash());
  });
});

/** The commands of a sample's journal up to its seq, applied from the first one. */
async function replayed({ name, seq }: Sample): Promise<Exchange> {
  if (name === 'busy-key') return busyKey();
  unpackSample(join('rules-1', name), dataDir);
  const exchange = new Exchange();
  for await (const record of recordsOf(dataDir, seq)) applyRecord(exchange, record);
  return exchange;
}

test.each(samples)(
  '$name goes on as from the first command, under the rules of today',
  async (sample) => {
    const cores = [await replayed(sample), new Exchange(restore(sample.bytes))];
    const { state } = cores[0];
    const { seq, time } = state;
    expect(cores[1].state.seq).toBe(seq);
    for (const each of cores) each.state.rules = RULES;
    const before = state.guard.count + state.answers.count;
    for (let i = 1; i <= 600; i++) {
      const now = time + i * 10 + (i > 200 ? IDEMPOTENCY_WINDOW_MS : 0);
      const command = massCancel(1_000_000 + i, now);
      for (const core of cores) core.apply(seq + i, now, command);
      const [genesis, restored] = cores.map((core) => core.state.stateHash());
      expect(`${i} ${restored}`).toBe(`${i} ${genesis}`);
    }
    const left = state.guard.count + state.answers.count;
    expect(before === 0 || left < before).toBe(true);
  },
);
