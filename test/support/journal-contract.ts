// The contract of every journal, as one suite for all implementations, and helpers of the journal
// tests. It checks the port only; each implementation tests how its bytes survive.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { InvariantError } from '../../src/core/assert.ts';
import {
  type Journal,
  type JournalBatch,
  JournalError,
  type JournalErrorKind,
  type JournalHead,
  type JournalRecord,
} from '../../src/journal/journal.ts';
import { genesisHash, nextChainHash, sameBytes } from '../../src/journal/record.ts';

/** How the suite gets at an implementation; a new harness is made for each test. */
export interface JournalHarness {
  /** Opens the journal; called again after a close, it finds what was appended if `durable`. */
  open(): Promise<Journal>;
  /** True if what was appended is there after a close. */
  readonly durable: boolean;
  dispose(): Promise<void>;
}

/** Every record from `fromSeq` on, the groups joined. */
export async function collect(groups: AsyncIterable<JournalRecord[]>): Promise<JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const group of groups) records.push(...group);
  return records;
}

/** A payload of `length` bytes that depends on `seq` and holds no zero byte. */
export function payloadOf(seq: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => ((seq * 31 + i * 7) % 255) + 1);
}

/** The batch of `count` commands that comes after `head`. */
export function batchAfter(head: JournalHead, length: number, count = 1, epoch = 1): JournalBatch {
  const firstSeq = head.seq + 1;
  return { firstSeq, count, epoch, payload: payloadOf(firstSeq, length) };
}

/** Appends one batch for each length and returns the batches. */
export async function appendAll(journal: Journal, lengths: number[]): Promise<JournalBatch[]> {
  const batches: JournalBatch[] = [];
  for (const length of lengths) {
    const batch = batchAfter(journal.head, length, 1 + (batches.length % 3));
    await journal.append(batch);
    batches.push(batch);
  }
  return batches;
}

/** The records that `batches` become when they are the first of a journal. */
export function chained(batches: readonly JournalBatch[]): JournalRecord[] {
  let chainHash: Uint8Array = genesisHash();
  return batches.map((batch) => {
    chainHash = nextChainHash(chainHash, batch);
    return { ...batch, chainHash };
  });
}

/** The JournalError that `action` rejects with, which must be of `kind`. */
export async function rejection(
  kind: JournalErrorKind,
  action: Promise<unknown>,
): Promise<JournalError> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(JournalError);
  expect((error as JournalError).kind).toBe(kind);
  return error as JournalError;
}

export function journalContract(name: string, makeHarness: () => Promise<JournalHarness>): void {
  describe(`${name} keeps the promises of a journal`, () => {
    let harness: JournalHarness;
    let journal: Journal;

    beforeEach(async () => {
      harness = await makeHarness();
      journal = await harness.open();
    });

    afterEach(async () => {
      await journal.close();
      await harness.dispose();
    });

    appending(() => journal);
    reading(() => journal);
    truncating(() => journal);

    test('a closed journal rejects everything but another close', async () => {
      await appendAll(journal, [10]);
      await journal.close();
      await journal.close();
      await rejection('closed', journal.append(batchAfter(journal.head, 10)));
      await rejection('closed', collect(journal.read(1)));
      await rejection('closed', journal.truncateBefore(1));
    });

    test('a close waits for the append in flight', async () => {
      const appended = journal.append(batchAfter(journal.head, 10));
      await journal.close();
      expect((await appended).seq).toBe(1);
    });

    test('what was appended is there after a reopen', async () => {
      if (!harness.durable) return;
      const batches = await appendAll(journal, [1, 100, 4000, 8]);
      const { head } = journal;
      await journal.close();
      journal = await harness.open();
      expect(journal.head).toEqual(head);
      expect(await collect(journal.read(1))).toEqual(chained(batches));
      batches.push(...(await appendAll(journal, [50])));
      expect(await collect(journal.read(head.seq + 1))).toEqual(chained(batches).slice(-1));
    });
  });
}

function appending(current: () => Journal): void {
  test('an empty journal has seq 0 and the genesis hash', async () => {
    expect(current().head).toEqual({ seq: 0, chainHash: new Uint8Array(32) });
    expect(await collect(current().read(0))).toEqual([]);
    expect(await collect(current().read(1))).toEqual([]);
  });

  test('the head moves when the append resolves, by the count of the batch', async () => {
    const journal = current();
    const appending = journal.append(batchAfter(journal.head, 10, 5));
    expect(journal.head.seq).toBe(0);
    const head = await appending;
    expect(head.seq).toBe(5);
    expect(journal.head).toEqual(head);
  });

  test('the caller may use the payload memory again after an append', async () => {
    const journal = current();
    const memory = payloadOf(1, 20);
    await journal.append({ firstSeq: 1, count: 1, epoch: 1, payload: memory });
    memory.fill(0xee);
    const [record] = await collect(journal.read(1));
    expect(record.payload).toEqual(payloadOf(1, 20));
  });

  test('a batch that is not the next one is rejected and changes nothing', async () => {
    const journal = current();
    const batches = await appendAll(journal, [10]);
    for (const firstSeq of [1, 3]) {
      const batch = { firstSeq, count: 1, epoch: 1, payload: payloadOf(1, 5) };
      const error = await rejection('sequence', journal.append(batch));
      expect(error.message).toContain(`starts at command ${firstSeq} but the journal ends at 1`);
    }
    batches.push(...(await appendAll(journal, [10])));
    expect(await collect(journal.read(1))).toEqual(chained(batches));
  });

  test('a second append in flight breaks an invariant and the first completes', async () => {
    const journal = current();
    const first = journal.append(batchAfter(journal.head, 10));
    const second = journal.append(batchAfter(journal.head, 10));
    await expect(second).rejects.toThrow(InvariantError);
    expect((await first).seq).toBe(1);
  });

  test('a batch out of form breaks an invariant', async () => {
    const journal = current();
    const good = batchAfter(journal.head, 10);
    for (const flaw of [
      { payload: new Uint8Array(0) },
      { count: 0 },
      { epoch: -1 },
      { firstSeq: 0 },
    ]) {
      await expect(journal.append({ ...good, ...flaw })).rejects.toThrow(InvariantError);
    }
    await journal.append(good);
  });
}

function reading(current: () => Journal): void {
  test('records come back exactly, in order and chained', async () => {
    const journal = current();
    const batches = await appendAll(journal, [1, 7, 8, 9, 500, 1000, 64, 200_000, 3]);
    const records = await collect(journal.read(0));
    expect(records).toEqual(chained(batches));
    expect(records.at(-1)!.chainHash).toEqual(journal.head.chainHash);
  });

  test('reading starts with the record that holds the seq asked for', async () => {
    const journal = current();
    const batches = await appendAll(journal, [10, 20, 30, 40, 50, 60]);
    const records = chained(batches);
    for (let seq = 1; seq <= journal.head.seq + 2; seq++) {
      const wanted = records.filter((record) => record.firstSeq + record.count > seq);
      expect(await collect(journal.read(seq))).toEqual(wanted);
    }
  });

  test('reading ends at the head of the time of the call', async () => {
    const journal = current();
    await appendAll(journal, [10, 10]);
    const { seq } = journal.head;
    const groups = journal.read(1);
    await appendAll(journal, [10]);
    const records = await collect(groups);
    expect(records.at(-1)!.firstSeq + records.at(-1)!.count - 1).toBe(seq);
  });

  test('records come in groups, none of them empty', async () => {
    const journal = current();
    await appendAll(journal, Array<number>(100).fill(16));
    let groups = 0;
    for await (const group of journal.read(1)) {
      expect(group.length).toBeGreaterThan(0);
      groups++;
    }
    expect(groups).toBeLessThan(50);
  });
}

function truncating(current: () => Journal): void {
  test('truncation keeps every record that reaches the seq', async () => {
    const journal = current();
    const batches = await appendAll(journal, Array<number>(30).fill(400));
    const records = chained(batches);
    const { head } = journal;
    for (const seq of [1, 7, 30, head.seq]) {
      await journal.truncateBefore(seq);
      const kept = records.filter((record) => record.firstSeq + record.count > seq);
      expect(await collect(journal.read(seq))).toEqual(kept);
    }
    expect(journal.head).toEqual(head);
    const error = await rejection('sequence', collect(journal.read(1)));
    expect(error.message).toContain('archived');
  });

  test('truncation never takes the last record, and appends go on', async () => {
    const journal = current();
    const batches = await appendAll(journal, [400, 400, 400, 400]);
    await journal.truncateBefore(journal.head.seq + 100);
    batches.push(...(await appendAll(journal, [10])));
    const { seq } = journal.head;
    expect(await collect(journal.read(seq))).toEqual(chained(batches).slice(-1));
  });
}

/** The journals have the same records, byte for byte. */
export function requireSame(
  found: readonly JournalRecord[],
  wanted: readonly JournalRecord[],
): void {
  expect(found.length).toBe(wanted.length);
  for (const [i, record] of found.entries()) {
    const { firstSeq, count, epoch, payload, chainHash } = wanted[i];
    expect([record.firstSeq, record.count, record.epoch]).toEqual([firstSeq, count, epoch]);
    expect(sameBytes(record.payload, payload)).toBe(true);
    expect(sameBytes(record.chainHash, chainHash)).toBe(true);
  }
}
