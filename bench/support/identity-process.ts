// Fills an identity database, opens it again, and verifies it. Reports the time of each step.
import { existsSync } from 'node:fs';
import { ApiKeys } from '../../src/identity/api-keys.ts';
import { AuditLog } from '../../src/identity/audit.ts';
import { parseMasterKeys } from '../../src/identity/master-key.ts';
import type { PasswordHash } from '../../src/identity/proofs/passwords.ts';
import { Sessions } from '../../src/identity/sessions.ts';
import { IdentityStore, type StoreOptions } from '../../src/identity/storage/identity-store.ts';
import { Users } from '../../src/identity/users.ts';
import { argumentOf, report } from './processes.ts';

export interface IdentityRun {
  readonly path: string;
  readonly users: number;
}

export interface IdentityTimes {
  readonly openSeconds: number;
  readonly verifySeconds: number;
  readonly writeMicroseconds: number;
}

const HASH = ('$argon2id$v=19$m=65536,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA' +
  '$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g') as PasswordHash;
const WRITES = 1_000;

const { path, users } = argumentOf<IdentityRun>();
const options: StoreOptions = {
  masterKeys: parseMasterKeys('ab'.repeat(32))!,
  now: Date.now,
};

function fill(): void {
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

if (!existsSync(path)) fill();
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
report({
  openSeconds,
  verifySeconds,
  writeMicroseconds: (writeSeconds / WRITES) * 1e6,
} satisfies IdentityTimes);
