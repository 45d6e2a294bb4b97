// The store under faults: races between terms, lost connections, crashes, hangs, a failover to the
// synchronous standby, and a full disk. An acknowledged append is never lost or written twice.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { imageIn } from '../../../test/support/identity-rows.ts';
import { acquireAs, candidate } from '../../../test/support/members.ts';
import { NO_POSTGRES, type PostgresServer } from '../../../test/support/postgres.ts';
import {
  connectNode,
  createStoreServer,
  emptyStore,
} from '../../../test/support/postgres-store.ts';
import {
  appendRecords,
  headAt,
  recordAfter,
  storeRejection,
} from '../../../test/support/store-contract.ts';
import { PATIENCE_MS, until } from '../../../test/support/waiting.ts';
import type { JournalHead, JournalRecord } from '../../journal/journal.ts';
import { StoreError } from '../store.ts';
import type { PostgresStore } from './postgres-store.ts';

const EMPTY: JournalHead = { seq: 0, chainHash: new Uint8Array(32) };

/** The time limit of calls to a server that hangs. Others take far less on any machine. */
const HANG_LIMIT_MS = 2_000;

/** Appends one record after the other, and repeats each that got no answer. */
class Writer {
  readonly confirmed: JournalRecord[] = [];
  repeats = 0;
  #stopping = false;
  readonly #done: Promise<void>;

  constructor(store: PostgresStore, epoch: number, from: JournalHead) {
    this.#done = this.#run(store, epoch, from);
  }

  get count(): number {
    return this.confirmed.length;
  }

  /** Ends after the present record. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#done;
  }

  /** Resolves when so many more are confirmed. */
  async more(count: number): Promise<void> {
    const wanted = this.count + count;
    await Promise.race([until(() => this.count >= wanted), this.#done]);
  }

  async #run(store: PostgresStore, epoch: number, from: JournalHead): Promise<void> {
    let head = from;
    while (!this.#stopping) {
      const record = recordAfter(head, epoch, 1 + ((head.seq * 7919) % 20_000), 3);
      while (!(await this.#isAppended(store, record))) this.repeats++;
      this.confirmed.push(record);
      head = headAt(record);
    }
  }

  async #isAppended(store: PostgresStore, record: JournalRecord): Promise<boolean> {
    try {
      await store.append(record);
      return true;
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== 'unreachable') throw error;
      return false;
    }
  }
}

/** Every record of the store, read in pages. */
async function readAll(store: PostgresStore): Promise<JournalRecord[]> {
  const records: JournalRecord[] = [];
  for (;;) {
    const page = await store.read(
      (records.length === 0 ? EMPTY : headAt(records.at(-1)!)).seq + 1,
      500_000,
    );
    if (page.length === 0) return records;
    records.push(...page);
  }
}

describe.skipIf(NO_POSTGRES)('one PostgreSQL server', () => {
  let server: PostgresServer;
  let a: PostgresStore;
  let b: PostgresStore;

  beforeAll(async () => {
    server = await createStoreServer();
  });
  afterAll(() => server?.dispose());

  beforeEach(async () => {
    await emptyStore(server);
    a = connectNode('a', [server]);
    b = connectNode('b', [server]);
  });
  afterEach(async () => {
    await a.close();
    await b.close();
  });

  test('no append of a term lands after the next term has begun, in 200 races', async () => {
    let head = EMPTY;
    let landed = 0;
    for (let epoch = 1; epoch <= 200; epoch++) {
      const [old, next] = epoch % 2 === 0 ? [b, a] : [a, b];
      if (epoch === 1) await acquireAs(old, 'x', '');
      const racing = recordAfter(head, epoch, 3_000);
      const appending = old.append(racing).then(
        () => true,
        (error: StoreError) => {
          expect(error.kind).toBe('fenced');
          return false;
        },
      );
      // The moment of the handover varies from round to round.
      for (let turn = 0; turn < (epoch % 20) * 40; turn++) await Promise.resolve();
      if (epoch % 3 === 0) void old.renew(epoch).catch(() => {});
      if (epoch % 4 === 0) await Bun.sleep(epoch % 3);
      await next.handOver(epoch, candidate('x', ''));
      const seen = await next.head();
      const wasAppended = await appending;
      // The new leader sees at its start all that its predecessor ever wrote.
      expect(seen).toEqual(wasAppended ? headAt(racing) : head);
      expect(await next.head()).toEqual(seen);
      await storeRejection('fenced', old.append(recordAfter(seen, epoch)));
      landed += Number(wasAppended);
      head = seen;
    }
    console.log(`${landed} of 200 appends landed before the end of their term`);
    expect(landed).toBeGreaterThan(0);
    expect(landed).toBeLessThan(200);
    const epochs = (await readAll(a)).map(({ epoch }) => epoch);
    expect(epochs).toEqual([...epochs].sort((x, y) => x - y));
  });

  test('appends and renewals do not wait for each other', async () => {
    await acquireAs(a, 'a', '');
    const [first] = await appendRecords(a, 1, [10]);
    const client = new SQL(server.url(), { max: 1 });
    await client.begin(async (sql) => {
      // An append whose commit waits for a standby keeps this lock.
      await sql`SELECT FROM agio.lease FOR KEY SHARE`;
      await a.renew(1);
    });
    await client.begin(async (sql) => {
      await sql`UPDATE agio.lease SET renewal = 'next'`;
      await a.append(recordAfter(headAt(first!), 1));
    });
    await client.close();
  });

  test('an append survives terminated connections, and is written once', async () => {
    await acquireAs(a, 'a', '');
    const writer = new Writer(a, 1, EMPTY);
    for (let round = 0; round < 20; round++) {
      await writer.more(5);
      await server.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'agio/a'",
      );
    }
    await writer.stop();
    expect(writer.repeats).toBeGreaterThan(0);
    expect(await readAll(b)).toEqual(writer.confirmed);
  });

  test('every confirmed append is there after crashes under load', async () => {
    await acquireAs(a, 'a', '');
    const writer = new Writer(a, 1, EMPTY);
    for (let round = 0; round < 2; round++) {
      await writer.more(20);
      await server.signal('SIGKILL');
      await server.start();
    }
    await writer.more(5);
    await writer.stop();
    expect(await readAll(b)).toEqual(writer.confirmed);
    expect((await a.renew(1)).lease).toMatchObject({ epoch: 1, node: 'a' });
  });

  test('no call hangs while the server does, and all work again afterwards', async () => {
    const hasty = connectNode('hasty', [server], HANG_LIMIT_MS);
    const fresh = connectNode('fresh', [server], HANG_LIMIT_MS);
    await acquireAs(a, 'a', '');
    const [last] = await appendRecords(a, 1, [10]);
    const next = recordAfter(headAt(last!), 1);
    await until(() => isDone(Promise.all([hasty.renew(1), hasty.append(last!), hasty.head()])));
    await server.signal('SIGSTOP');
    const calls = [hasty, fresh].flatMap((store) => [
      store.readLease(),
      store.renew(1),
      store.append(next),
      store.head(),
      imageIn(store),
      store.writeIdentity(1, 1, { removed: [], added: [], mac: '' }),
    ]);
    await Promise.all(calls.map((call) => storeRejection('unreachable', call)));
    await server.signal('SIGCONT');
    await until(() => isDone(hasty.append(next)));
    expect(await a.head()).toEqual(headAt(next));
    await hasty.close();
    await fresh.close();
  });

  test('a full disk rejects an append, which succeeds once there is room', async () => {
    const disk = smallDisk(server.directory);
    if (disk === null) return;
    try {
      await server.query(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
      await server.query('ALTER TABLE agio.journal SET TABLESPACE small');
      await acquireAs(a, 'a', '');
      const records = await appendRecords(a, 1, [10_000]);
      let next = recordAfter(headAt(records[0]!), 1, 1_000_000);
      await server.query(`
        CREATE TABLE filler TABLESPACE small AS
        SELECT repeat('x', 1000) FROM generate_series(1, 5000)`);
      let rejected: unknown;
      while (rejected === undefined) {
        rejected = await a.append(next).catch((error) => error);
        if (rejected !== undefined) break;
        records.push(next);
        next = recordAfter(headAt(next), 1, 1_000_000);
      }
      expect(rejected).toMatchObject({ kind: 'full' });
      expect(await a.head()).toEqual(headAt(records.at(-1)!));
      await server.query('DROP TABLE filler');
      // The files of a dropped table go with the next checkpoint.
      await server.query('CHECKPOINT');
      await a.append(next);
      expect(await readAll(b)).toEqual([...records, next]);
    } finally {
      await server.query('DROP TABLE IF EXISTS filler');
      await server.query('ALTER TABLE agio.journal SET TABLESPACE pg_default');
      await server.query('DROP TABLESPACE IF EXISTS small');
      disk.remove();
    }
  });
});

describe.skipIf(NO_POSTGRES)('a primary and its synchronous standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let a: PostgresStore;
  let b: PostgresStore;

  beforeEach(async () => {
    primary = await createStoreServer();
    standby = await primary.addStandby();
    a = connectNode('a', [primary, standby]);
    b = connectNode('b', [standby, primary]);
    await acquireAs(a, 'a', '');
  });
  afterEach(async () => {
    await a?.close();
    await b?.close();
    await primary?.dispose();
    await standby?.dispose();
  });

  /** Backends of a node that wait for the standby longer than any commit does in these tests. */
  const waiting = (node: string) =>
    primary.query(`
      SELECT pid FROM pg_stat_activity
      WHERE application_name = 'agio/${node}' AND wait_event = 'SyncRep'
        AND clock_timestamp() - query_start > interval '600 ms'`);

  test('after a crash of the primary, nodes go on with the promoted standby', async () => {
    const [first] = await appendRecords(a, 1, [10]);
    await a.handOver(1, candidate('b', ''));
    const writer = new Writer(b, 2, headAt(first!));
    await writer.more(50);
    await primary.signal('SIGKILL');
    const before = writer.count;
    await standby.promote();
    await writer.more(50);
    await writer.stop();
    expect(writer.count).toBeGreaterThanOrEqual(before + 50);
    // The term that began before the crash is the present one.
    await until(() => isDone(a.readLease()));
    await storeRejection('fenced', a.renew(1));
    expect(await readAll(b)).toEqual([first!, ...writer.confirmed]);
  });

  test('without its standby the primary confirms nothing, and nobody sees it', async () => {
    const records = await appendRecords(a, 1, [10, 20]);
    const next = recordAfter(headAt(records.at(-1)!), 1);
    const patient = connectNode('patient', [primary, standby], PATIENCE_MS);
    const hasty = connectNode('hasty', [primary, standby], HANG_LIMIT_MS);
    await patient.append(records.at(-1)!);
    await standby.signal('SIGSTOP');
    let isConfirmed = false;
    const appending = patient.append(next).then(() => {
      isConfirmed = true;
    });
    // PostgreSQL answers the canceled statement with success. The node knows better and waits on.
    const [backend] = await untilSome(() => waiting('patient'));
    await primary.query(`SELECT pg_cancel_backend(${backend!.pid})`);
    await until(async () => (await primary.query('SELECT FROM agio.journal')).length === 3);
    const calls = [hasty.head(), hasty.read(1, 1_000), hasty.readLease(), hasty.renew(1)];
    await Promise.all(calls.map((call) => storeRejection('unreachable', call)));
    expect(isConfirmed).toBe(false);
    await standby.signal('SIGCONT');
    await appending;
    expect(await readAll(b)).toEqual([...records, next]);
    await patient.close();
    await hasty.close();
  });

  test('appends that the standby never had are repeated after the failover', async () => {
    const writer = new Writer(a, 1, EMPTY);
    await writer.more(20);
    await standby.signal('SIGKILL');
    await untilSome(() => waiting('a'));
    // The first answer comes from a connection that was opened with the standby.
    const hasty = connectNode('hasty', [primary, standby], HANG_LIMIT_MS);
    const lost = 'has lost its synchronous standby, and confirms no write without it';
    await until(async () =>
      (await storeRejection('unreachable', hasty.renew(1))).message.includes(lost),
    );
    await hasty.close();
    const before = writer.count;
    await primary.signal('SIGKILL');
    await standby.start();
    await standby.promote();
    await writer.more(20);
    await writer.stop();
    expect(writer.count).toBeGreaterThanOrEqual(before + 20);
    expect(writer.repeats).toBeGreaterThan(0);
    expect(await readAll(b)).toEqual(writer.confirmed);
  });
});

const isDone = (action: Promise<unknown>): Promise<boolean> =>
  action.then(
    () => true,
    () => false,
  );

/** The rows of a query, once it has any. */
async function untilSome<T>(query: () => Promise<T[]>): Promise<T[]> {
  let rows: T[] = [];
  await until(async () => {
    rows = await query();
    return rows.length > 0;
  });
  return rows;
}

/** A disk of 8 MB; null where this user may not mount one. */
function smallDisk(directory: string): { path: string; remove(): void } | null {
  const path = join(directory, 'small');
  mkdirSync(path);
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path]);
  if (mounted.exitCode !== 0) {
    console.warn('Only root may mount a small disk: the test of a full disk is skipped.');
    return null;
  }
  const { uid, gid } = statSync(directory);
  chownSync(path, uid, gid);
  return { path, remove: () => void Bun.spawnSync(['umount', path]) };
}
