// The contract of every shared store of a cluster, as one suite for all implementations, with
// helpers of the store tests. It checks the port only; each implementation tests its own faults.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  type ClusterStore,
  FREE,
  StoreError,
  type StoreErrorKind,
} from '../../src/cluster/store.ts';
import { InvariantError } from '../../src/core/assert.ts';
import type { IdentityChange } from '../../src/identity/storage/change.ts';
import type { JournalHead, JournalRecord } from '../../src/journal/journal.ts';
import { nextChainHash } from '../../src/journal/record.ts';
import { requireSigned, signSetAside } from '../../src/journal/set-aside.ts';
import { imageIn } from './identity-rows.ts';
import { batchAfter } from './journal-contract.ts';
import { acquireAs, candidate } from './members.ts';
import { membershipContract } from './membership-contract.ts';

/** How the suite gets at an implementation; a new, empty one is made for each test. */
export interface StoreHarness {
  /** A connection of another node to the same store. */
  connect(node: string): ClusterStore;
  /** Lets the present lease expire. */
  expireLease(): Promise<void>;
  dispose(): Promise<void>;
}

/** The record that comes after `head`. */
export function recordAfter(head: JournalHead, epoch: number, length = 10, count = 1) {
  const batch = batchAfter(head, length, count, epoch);
  return { ...batch, chainHash: nextChainHash(head.chainHash, batch) } satisfies JournalRecord;
}

/** The head of the journal after this record. */
export const headAt = ({ firstSeq, count, chainHash }: JournalRecord): JournalHead => ({
  seq: firstSeq + count - 1,
  chainHash,
});

/** Appends records of these lengths after the head of the store, and returns them. */
export async function appendRecords(store: ClusterStore, epoch: number, lengths: number[]) {
  let head = await store.head();
  const records: JournalRecord[] = [];
  for (const length of lengths) {
    const record = recordAfter(head, epoch, length, 1 + (records.length % 3));
    await store.append(record);
    records.push(record);
    head = headAt(record);
  }
  return records;
}

/** The StoreError that `action` rejects with, which must be of `kind`. */
export async function storeRejection(
  kind: StoreErrorKind,
  action: Promise<unknown>,
): Promise<StoreError> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect(`${(error as StoreError).kind}: ${error}`).toStartWith(`${kind}: `);
  return error as StoreError;
}

export function storeContract(name: string, makeHarness: () => Promise<StoreHarness>): void {
  describe(`${name} keeps the promises of a store`, () => {
    let harness: StoreHarness;
    let a: ClusterStore;
    let b: ClusterStore;

    beforeEach(async () => {
      harness = await makeHarness();
      a = harness.connect('a');
      b = harness.connect('b');
    });

    afterEach(async () => {
      await a.close();
      await b.close();
      await harness.dispose();
    });

    leasing(
      () => [a, b],
      () => harness,
    );
    membershipContract(() => [a, b]);
    appending(() => [a, b]);
    reading(() => a);
    settingAside(
      () => [a, b],
      () => harness,
    );
    keepingIdentity(() => a);
    readingIdentity(() => a);
    writingIdentity(() => [a, b]);

    test('a closed store rejects everything but another close', async () => {
      await a.close();
      await a.close();
      await storeRejection('unreachable', a.readLease());
      await storeRejection('unreachable', a.head());
    });
  });
}

type Stores = () => readonly [ClusterStore, ClusterStore];

function settingAside(stores: Stores, harness: () => StoreHarness): void {
  test('a command is set aside once, while nobody leads, and its record says so', async () => {
    const [a, b] = stores();
    await acquireAs(a, 'a', 'a:1');
    const [, record] = await appendRecords(a, 1, [10, 10]);
    const key = { kid: 'k', bytes: new Uint8Array(32) };
    const chainHash = Buffer.from(record!.chainHash).toString('hex');
    const facts = {
      seq: 3,
      part: 7,
      chainHash,
      command: 'placeOrder of account 1',
      time: 1,
      reason: '"é"',
    };
    const entry = signSetAside(key, facts);
    expect(await b.setAside()).toEqual([]);
    await storeRejection('rejected', b.addSetAside(entry));
    await storeRejection('rejected', b.addSetAside(entry, 'another renewal'));
    await harness().expireLease();
    for (let times = 0; times < 2; times++) await b.addSetAside(entry);
    const stored = await a.setAside();
    expect(stored).toEqual([entry]);
    requireSigned(stored, [key]);
    expect((await a.read(1, 1_000)).map((one) => one.setAside)).toEqual([
      undefined,
      [{ seq: 3, part: 7 }],
    ]);
  });
}

function leasing(stores: Stores, harness: () => StoreHarness): void {
  test('nobody leads at first, and the first term is 1', async () => {
    const [a] = stores();
    expect((await a.readLease()).lease).toBeNull();
    const { lease } = await acquireAs(a, 'a', 'a:1');
    expect(lease).toMatchObject({ epoch: 1, node: 'a', address: 'a:1' });
    expect(lease!.renewal).not.toBe(FREE);
    await storeRejection('fenced', a.renew(2));
  });

  test('a lease in force stays with its node, which alone may begin the next term', async () => {
    const [a, b] = stores();
    await acquireAs(a, 'a', 'a:1');
    expect((await acquireAs(b, 'b', 'b:1')).lease).toMatchObject({ epoch: 1, node: 'a' });
    expect((await b.readLease()).lease).toMatchObject({ epoch: 1, node: 'a', address: 'a:1' });
    expect((await a.renew(1)).lease).toMatchObject({ epoch: 1, node: 'a', address: 'a:1' });
    expect((await acquireAs(a, 'a', 'a:2')).lease).toMatchObject({ epoch: 1, address: 'a:1' });
    expect((await acquireAs(a, 'a', 'a:1')).lease).toMatchObject({ epoch: 2, address: 'a:1' });
    await storeRejection('fenced', a.renew(1));
  });

  test('a lease that was watched goes to the first who asks, unless it was renewed', async () => {
    const [a, b] = stores();
    const first = (await acquireAs(a, 'a', 'a:1')).lease!.renewal;
    expect((await b.readLease()).lease!.renewal).toBe(first);
    expect((await b.members()).renewal).toBe(first);
    const { renewal } = (await a.renew(1)).lease!;
    expect(renewal).not.toBe(first);
    expect((await acquireAs(b, 'b', 'b:1', first)).lease).toMatchObject({ epoch: 1, node: 'a' });
    expect((await acquireAs(b, 'b', 'b:1', renewal)).lease).toMatchObject({ epoch: 2, node: 'b' });
    expect((await acquireAs(a, 'a', 'a:1', renewal)).lease).toMatchObject({ epoch: 2, node: 'b' });
    const error = await storeRejection('fenced', a.renew(1));
    expect(error.message).toContain('term 2');
  });

  test('a handover begins the term of the other node, once', async () => {
    const [a, b] = stores();
    await acquireAs(a, 'a', 'a:1');
    const { lease } = await a.handOver(1, candidate('b', 'b:1'));
    expect(lease).toMatchObject({ epoch: 2, node: 'b', address: 'b:1' });
    expect((await b.renew(2)).lease).toMatchObject({ epoch: 2, node: 'b' });
    await storeRejection('fenced', a.handOver(1, candidate('a', 'a:1')));
    await storeRejection('fenced', a.append(recordAfter(await a.head(), 1)));
  });

  test('of many who ask at the same time one gets the term', async () => {
    const [a, b] = stores();
    for (let epoch = 1; epoch <= 10; epoch++) {
      const answers = await Promise.all([
        acquireAs(a, `a${epoch}`, ''),
        acquireAs(b, `b${epoch}`, ''),
      ]);
      expect(answers.map(({ lease }) => lease!.epoch)).toEqual([epoch, epoch]);
      expect(answers[0].lease!.node).toBe(answers[1].lease!.node);
      await harness().expireLease();
    }
  });
}

function appending(stores: Stores): void {
  test('an empty journal has seq 0 and the genesis hash', async () => {
    const [a] = stores();
    expect(await a.head()).toEqual({ seq: 0, chainHash: new Uint8Array(32) });
    expect(await a.read(1, 1_000_000)).toEqual([]);
  });

  test('only the present term appends', async () => {
    const [a, b] = stores();
    const first = recordAfter(await a.head(), 1);
    await storeRejection('fenced', a.append(first));
    await acquireAs(a, 'a', 'a:1');
    await a.append(first);
    await a.handOver(1, candidate('b', 'b:1'));
    // Its answer may have been lost: the write of a term that ended was made, and is not rejected.
    await a.append(first);
    const next = recordAfter(headAt(first), 2);
    await storeRejection('fenced', a.append({ ...next, epoch: 1 }));
    await b.append(next);
    expect(await b.head()).toEqual(headAt(next));
    expect(await a.read(1, 1_000_000)).toEqual([first, next]);
  });

  test('a repeated append changes nothing', async () => {
    const [a] = stores();
    await acquireAs(a, 'a', 'a:1');
    const [, last] = await appendRecords(a, 1, [10, 20]);
    await a.append(last!);
    await Promise.all([1, 2, 3].map(() => a.append(last!)));
    expect(await a.head()).toEqual(headAt(last!));
    expect(await a.read(1, 1_000_000)).toHaveLength(2);
  });

  test('a record at the wrong place breaks an invariant and changes nothing', async () => {
    const [a] = stores();
    await acquireAs(a, 'a', 'a:1');
    const [first, last] = await appendRecords(a, 1, [10, 20]);
    const other = recordAfter(headAt(first!), 1, 21, 2);
    const gap = recordAfter({ ...headAt(last!), seq: 100 }, 1);
    for (const record of [other, gap, { ...first!, count: 7 }]) {
      await expect(a.append(record)).rejects.toThrow(InvariantError);
    }
    expect(await a.read(1, 1_000_000)).toEqual([first!, last!]);
  });
}

function reading(store: () => ClusterStore): void {
  test('records come back exactly, in pages, from the one that holds the seq', async () => {
    await acquireAs(store(), 'a', 'a:1');
    const lengths = [1, 7, 500, 100_000, 64, 2_000, 1, 1];
    const records = await appendRecords(store(), 1, lengths);
    const { seq } = await store().head();
    for (let from = 0; from <= seq + 1; from++) {
      const wanted = records.filter((record) => headAt(record).seq >= from);
      expect(await store().read(from, 1_000_000)).toEqual(wanted);
    }
    for (const maxBytes of [1, 100, 2_100]) {
      const read: JournalRecord[] = [];
      for (;;) {
        const page = await store().read((headAt(read.at(-1) ?? NONE).seq ?? 0) + 1, maxBytes);
        if (page.length === 0) break;
        const bytes = page.slice(0, -1).reduce((sum, { payload }) => sum + payload.length, 0);
        expect(bytes).toBeLessThan(maxBytes);
        read.push(...page);
      }
      expect(read).toEqual(records);
    }
  });

  test('numbers up to the largest safe integer come back', async () => {
    await acquireAs(store(), 'a', 'a:1');
    const whole = Number.MAX_SAFE_INTEGER;
    const first = { ...recordAfter(headAt(NONE), 1), count: whole - 3 };
    const second = recordAfter(headAt(first), 1, 5, 3);
    await store().append(first);
    await store().append(second);
    expect(await store().head()).toEqual({ seq: whole, chainHash: second.chainHash });
    expect(await store().read(whole, 1_000)).toEqual([second]);
  });
}

const NONE: JournalRecord = {
  firstSeq: 1,
  count: 0,
  epoch: 0,
  payload: new Uint8Array(),
  chainHash: new Uint8Array(32),
};

const userRow = (uid: number, name: string): string => JSON.stringify(['users', uid, name]);

const change = (added: string[], removed: string[] = [], mac = 'mac'): IdentityChange => ({
  removed,
  added,
  mac,
});

function keepingIdentity(store: () => ClusterStore): void {
  test('identity is empty at first', async () => {
    const a = store();
    expect(await a.identityVersion()).toBe(0);
    expect(await imageIn(a)).toEqual({ version: 0, journalSeq: 0, rows: [], mac: '' });
  });

  test('a write adds rows, removes others, and replaces the MAC', async () => {
    const a = store();
    await acquireAs(a, 'a', 'a:1');
    const long = userRow(3, 'ab'.repeat(10_000));
    const first = [userRow(1, 'one'), userRow(2, ''), long];
    await a.writeIdentity(1, 1, change(first, [], 'first'));
    expect(await imageIn(a)).toMatchObject({ version: 1, mac: 'first' });
    await a.writeIdentity(1, 2, change([userRow(1, 'changed')], [userRow(1, 'one')], 'second'));
    const { version, rows, mac } = await imageIn(a);
    expect({ version, mac }).toEqual({ version: 2, mac: 'second' });
    expect(rows.toSorted()).toEqual([userRow(1, 'changed'), userRow(2, ''), long]);
    await a.writeIdentity(1, 3, change([], [], 'third'));
    expect(await imageIn(a)).toMatchObject({ version: 3, mac: 'third' });
  });
}

/** More than a portion has. */
const MANY_ROWS = 2_500;
/** Rows in memory at one time. */
const MAX_PORTION = 1_000;

function readingIdentity(store: () => ClusterStore): void {
  const rows = Array.from({ length: MANY_ROWS }, (_, uid) => userRow(uid, 'name'));
  async function filled(): Promise<ClusterStore> {
    const a = store();
    await acquireAs(a, 'a', 'a:1');
    await a.writeIdentity(1, 1, change(rows));
    return a;
  }

  test('a read takes portions of one moment, beside writes', async () => {
    const a = await filled();
    const taken: string[] = [];
    let writing: Promise<void> | undefined;
    const take = (portion: readonly string[]) => {
      writing ??= a.writeIdentity(1, 2, change([userRow(MANY_ROWS, 'later')], rows.slice(0, 9)));
      expect(portion.length).toBeLessThanOrEqual(MAX_PORTION);
      taken.push(...portion);
    };
    const { head } = await a.readIdentity((found) => ({ head: found, take, close: () => {} }));
    await writing;
    expect(head).toEqual({ version: 1, journalSeq: 0, mac: 'mac' });
    expect(taken.toSorted()).toEqual(rows.toSorted());
    expect((await imageIn(a)).rows).toHaveLength(MANY_ROWS - 9 + 1);
  });

  test('an error of the target is the error of the read, which closes it', async () => {
    const a = await filled();
    const error = new Error('no room');
    let closed = 0;
    const take = () => {
      throw error;
    };
    const close = () => void closed++;
    await expect(a.readIdentity(() => ({ take, close }))).rejects.toBe(error);
    expect(closed).toBe(1);
    expect((await imageIn(a)).rows).toHaveLength(MANY_ROWS);
  });
}

function writingIdentity(stores: Stores): void {
  test('only the next version of the present term is written, all of it or nothing', async () => {
    const [a, b] = stores();
    await acquireAs(a, 'a', 'a:1');
    await a.writeIdentity(1, 1, change([userRow(1, 'kept')]));
    for (const [epoch, version] of [
      [1, 3],
      [1, 0],
      [2, 2],
      [0, 2],
    ] as const) {
      const altering = change([userRow(1, 'altered')], [userRow(1, 'kept')]);
      await storeRejection('fenced', a.writeIdentity(epoch, version, altering));
    }
    await a.handOver(1, candidate('b', 'b:1'));
    await storeRejection('fenced', a.writeIdentity(1, 2, change([userRow(2, 'late')])));
    await b.writeIdentity(2, 2, change([userRow(3, 'next')]));
    // The same version of another term is another write.
    await storeRejection('fenced', a.writeIdentity(1, 2, change([userRow(2, 'late')])));
    const { version, rows } = await imageIn(b);
    expect(version).toBe(2);
    expect(rows.toSorted()).toEqual([userRow(1, 'kept'), userRow(3, 'next')]);
  });

  test('a repeated write changes nothing', async () => {
    const [a] = stores();
    await acquireAs(a, 'a', 'a:1');
    const write = () => a.writeIdentity(1, 1, change([userRow(1, 'once')]));
    await write();
    await write();
    await Promise.all([write(), write()]);
    expect(await a.identityVersion()).toBe(1);
  });
}
