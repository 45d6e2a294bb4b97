// Part `identity`: the cost of the MAC of identity.db: at a start, which checks every row, and in
// a write, which updates it by the changed rows.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ApiKeys } from '../src/identity/api-keys.ts';
import { AuditLog } from '../src/identity/audit.ts';
import { parseMasterKeys } from '../src/identity/master-key.ts';
import type { PasswordHash } from '../src/identity/proofs/passwords.ts';
import { Sessions } from '../src/identity/sessions.ts';
import { IdentityStore, type StoreOptions } from '../src/identity/storage/identity-store.ts';
import { Users } from '../src/identity/users.ts';
import { alternate, type Context, type Findings, figuresOf } from './support/part.ts';
import { job } from './support/processes.ts';

const HASH = ('$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA' +
  '$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g') as PasswordHash;
const WRITES = 1_000;

const options: StoreOptions = {
  masterKeys: parseMasterKeys('ab'.repeat(32))!,
  now: Date.now,
};

function fill(path: string, users: number): void {
  const store = IdentityStore.open(path, options);
  const people = new Users(store, Date.now);
  const keys = new ApiKeys(store, Date.now);
  const sessions = new Sessions(store, Date.now);
  const uids = Array.from({ length: users }, (_, at) => at + 1);
  store.writeEach(uids, (uid) => {
    const reservation = people.reserveEmail(`user-${uid}@example.com`);
    if (!reservation.ok) throw new Error(reservation.text);
    people.completeUser(reservation.value, uid, HASH);
    if (uid % 2 === 0) sessions.create({ uid, ip: '203.0.113.7', userAgent: 'Mozilla/5.0' });
    if (uid % 10 === 0) keys.create({ uid, alias: 'bot', moduleIds: [5, 6] });
  });
  store.close();
}

function seconds(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

/** Fills the database at the first time, opens it, writes, and verifies it. */
const measure = job(import.meta, ({ path, users }: { path: string; users: number }) => {
  if (!existsSync(path)) fill(path, users);
  let opened: IdentityStore | undefined;
  const openSeconds = seconds(() => {
    opened = IdentityStore.open(path, options);
  });
  const log = new AuditLog(opened!, Date.now);
  const writeSeconds = seconds(() => {
    for (let n = 0; n < WRITES; n++) {
      opened!.writeLazily(() =>
        log.append({
          actor: 'operator',
          ip: null,
          action: 'bench.write',
          object: null,
          result: 'ok',
          requestId: null,
        }),
      );
    }
  });
  opened!.close();
  const inspected = IdentityStore.inspect(path, options);
  const verifySeconds = seconds(() => void inspected.verify());
  inspected.close();
  return { openSeconds, verifySeconds, writeMicroseconds: (writeSeconds / WRITES) * 1e6 };
});

export async function identity(context: Context): Promise<Findings> {
  const users = context.quick ? 5_000 : 100_000;
  const path = join(context.directory, 'identity.db');
  const { store } = await alternate(context, { store: () => measure({ path, users }) });
  return {
    figures: figuresOf(store, [
      ['open, every row checked', 's', ({ openSeconds }) => openSeconds, { atMost: 2 }],
      ['verify, every secret opened as well', 's', ({ verifySeconds }) => verifySeconds],
      ['a write of one row, without the sync', 'µs', ({ writeMicroseconds }) => writeMicroseconds],
    ]),
    notes: [
      `${users.toLocaleString('en')} users with passwords, half as many sessions, a tenth as ` +
        'many API keys.',
    ],
  };
}
