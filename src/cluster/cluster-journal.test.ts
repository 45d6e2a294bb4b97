// The journal of a leader against a store that fails in each of its ways.

import { expect, test } from 'bun:test';
import { acquireAs } from '../../test/support/members.ts';
import { MemoryJournal } from '../../test/support/memory-journal.ts';
import { MemoryCluster, MemoryStore } from '../../test/support/memory-store.ts';
import { JournalError, type JournalRecord } from '../journal/journal.ts';
import { ClusterJournal } from './cluster-journal.ts';

async function leader() {
  const cluster = new MemoryCluster();
  const store = new MemoryStore(cluster);
  const local = new MemoryJournal();
  const durable: JournalRecord[] = [];
  let left = 2000;
  const { lease } = await acquireAs(store, 'a', 'a:1');
  const journal = new ClusterJournal({
    store,
    local,
    epoch: lease!.epoch,
    leaseLeft: () => left,
    onDurable: (record) => durable.push(record),
  });
  const append = (firstSeq: number, text: string, payload = Buffer.from(text)) =>
    journal.append({ firstSeq, count: 1, epoch: lease!.epoch, payload });
  const kindOf = (appending: Promise<unknown>): Promise<unknown> =>
    appending.then(
      () => 'appended',
      (error) => (error instanceof JournalError ? error.kind : error),
    );
  const expire = (): void => {
    left = 0;
  };
  return { cluster, store, local, durable, append, kindOf, expire };
}

test('a batch gets to the store, then to the files, then to the core', async () => {
  const { cluster, local, durable, append } = await leader();
  await append(1, 'one');
  const head = await append(2, 'two');
  expect(cluster.head).toEqual(head);
  expect(local.head).toEqual(head);
  expect(durable.map(({ payload }) => Buffer.from(payload).toString())).toEqual(['one', 'two']);
});

test('memory of the caller may change after an append', async () => {
  const { cluster, append } = await leader();
  const bytes = Buffer.from('one');
  await append(1, 'one', bytes);
  bytes.fill(0);
  expect(Buffer.from(cluster.records[0]!.payload).toString()).toBe('one');
});

test('an older term appends nothing, and nothing of it is applied', async () => {
  const { cluster, store, local, durable, append, kindOf } = await leader();
  cluster.held!.renewal = '';
  await acquireAs(store, 'b', 'b:1');
  expect(await kindOf(append(1, 'one'))).toBe('fenced');
  expect([cluster.records.length, local.head.seq, durable.length]).toEqual([0, 0, 0]);
});

test('a store without room rejects the batch, which may come again', async () => {
  const { store, local, append, kindOf } = await leader();
  store.full = true;
  expect(await kindOf(append(1, 'one'))).toBe('full');
  store.full = false;
  expect(await kindOf(append(1, 'one'))).toBe('appended');
  expect(local.head.seq).toBe(1);
});

test.each(['request', 'answer'] as const)(
  'a batch whose %s is lost is there once, when the store answers again',
  async (fault) => {
    const { cluster, store, local, append } = await leader();
    await append(1, 'one');
    store.fault = fault;
    const second = append(2, 'two');
    setTimeout(() => {
      store.fault = null;
    }, 120);
    await second;
    expect(cluster.records.map(({ firstSeq }) => firstSeq)).toEqual([1, 2]);
    expect(local.head).toEqual(cluster.head);
  },
);

test('a batch without an answer until the lease ends is uncertain, not applied', async () => {
  const { cluster, store, local, durable, append, kindOf, expire } = await leader();
  store.fault = 'answer';
  const appended = kindOf(append(1, 'one'));
  expire();
  expect(await appended).toBe('uncertain');
  expect([cluster.head.seq, local.head.seq, durable.length]).toEqual([1, 0, 0]);
});

test('a term that ended while the store did not answer leaves the batch uncertain', async () => {
  const { cluster, store, append, kindOf } = await leader();
  store.fault = 'answer';
  const appended = kindOf(append(1, 'one'));
  cluster.held!.renewal = '';
  const other = new MemoryStore(cluster);
  await acquireAs(other, 'b', 'b:1');
  store.fault = null;
  expect(await appended).toBe('uncertain');
});

test('files that cannot be written end the node, since the batch is durable', async () => {
  const { cluster, local, durable, append, kindOf } = await leader();
  await local.close();
  expect(await kindOf(append(1, 'one'))).toBe('io');
  expect([cluster.head.seq, durable.length]).toEqual([1, 0]);
});
