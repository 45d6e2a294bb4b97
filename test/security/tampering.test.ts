// Somebody who can write to identity.db and has no master key: every row of every table is changed,
// column by column, deleted, copied and brought back, one at a time, and each change is found.
import { Database } from 'bun:sqlite';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiKeys } from '../../src/identity/api-keys.ts';
import { AuditLog } from '../../src/identity/audit.ts';
import type { MasterKey } from '../../src/identity/master-key.ts';
import { EmailCodes, Operation } from '../../src/identity/proofs/email-codes.ts';
import { KnownNetworks } from '../../src/identity/proofs/known-networks.ts';
import type { PasswordHash } from '../../src/identity/proofs/passwords.ts';
import { Totp } from '../../src/identity/proofs/totp.ts';
import type { AlteredError } from '../../src/identity/result.ts';
import { Sessions } from '../../src/identity/sessions.ts';
import { IdentityStore, type StoreOptions } from '../../src/identity/storage/identity-store.ts';
import { createSchema, SCHEMA_VERSION } from '../../src/identity/storage/schema.ts';
import { Users } from '../../src/identity/users.ts';
import { newDatabase, newMasterKeys } from '../support/identity-store.ts';

const NOW = Date.UTC(2030, 0, 1);
const HASH = '$argon2id$v=19$m=65536,t=3,p=1$c2FsdA$aGFzaA' as PasswordHash;

let masterKeys: MasterKey[];
/** The file as agio left it, and as it was before its last writes. */
let file: Uint8Array;
let older: Uint8Array;

beforeAll(() => {
  masterKeys = newMasterKeys();
  const database = newDatabase();
  const store = IdentityStore.over(database, options());
  fill(store);
  older = database.serialize();
  const keys = new ApiKeys(store, () => NOW);
  keys.revoke(keys.list(1)[0]!.apiKey);
  new Users(store, () => NOW).setPasswordHash(2, HASH);
  new Sessions(store, () => NOW).revokeAll(2, 'revoked');
  file = database.serialize();
});

const options = (): StoreOptions => ({ masterKeys, now: () => NOW });

/** Two rows at least in every table. */
function fill(store: IdentityStore): void {
  const now = () => NOW;
  const users = new Users(store, now);
  const keys = new ApiKeys(store, now);
  const sessions = new Sessions(store, now);
  const codes = new EmailCodes(store, now, now);
  const audit = new AuditLog(store, now);
  const totp = new Totp(store, now);
  for (const uid of [1, 2]) {
    const reservation = users.reserveEmail(`u${uid}@example.com`);
    if (!reservation.ok) throw new Error(reservation.text);
    users.completeUser(reservation.value, uid, uid === 1 ? HASH : null);
    for (const alias of ['a', 'b']) {
      keys.create({ uid, alias, moduleIds: [1, 5], ipAllowList: ['203.0.113.0/24'] });
    }
    sessions.create({ uid, ip: '203.0.113.7', userAgent: 'Firefox' });
    sessions.create({ uid, ip: '203.0.113.8', userAgent: null, steppedUp: true });
    codes.issue({ subject: `uid:${uid}`, holder: 'session:1', operation: Operation.login }, null);
    new KnownNetworks(store, now).note(`password|u${uid}@example.com`, '203.0.113.0/24');
    totp.enroll(uid, `u${uid}@example.com`);
    store.write(() => totp.renewRecoveryCodes(uid));
    audit.append({
      actor: `uid:${uid}`,
      ip: '203.0.113.7',
      action: 'session.login',
      object: `uid:${uid}`,
      result: 'ok',
      requestId: 'r-1',
    });
  }
}

/** True if a start on the changed file, or a verification of it, finds that it was changed. */
async function isFound(bytes: Uint8Array): Promise<boolean> {
  let store: IdentityStore;
  try {
    store = IdentityStore.over(Database.deserialize(bytes, { strict: true }), options());
  } catch (error) {
    return (
      (error as Error).name === 'AlteredError' ||
      /not active|has schema/.test((error as Error).message)
    );
  }
  try {
    return !(await new AuditLog(store, () => NOW).verifyChain()).ok;
  } finally {
    store.close();
  }
}

/** The file after these statements of somebody who knows SQLite. */
function changed(from: Uint8Array, work: (database: Database) => void): Uint8Array {
  const database = Database.deserialize(from, { strict: true });
  database.run('PRAGMA ignore_check_constraints = ON');
  database.run('PRAGMA foreign_keys = OFF');
  try {
    const triggers = database
      .query<{ name: string; sql: string }, []>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
      )
      .all();
    for (const { name } of triggers) database.run(`DROP TRIGGER ${name}`);
    work(database);
    for (const { sql } of triggers) database.run(sql);
    return database.serialize();
  } finally {
    database.close();
  }
}

/** All tables of the schema. */
const tablesOf = (database: Database): string[] =>
  database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
    .all()
    .map(({ name }) => name);

const schema = newDatabase();
createSchema(schema);
const TABLES = tablesOf(schema).filter((table) => !['audit_log', 'mac'].includes(table));

interface Mac {
  readonly text: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

const columnsOf = (database: Database, table: string): Column[] =>
  database.query<Column, []>(`PRAGMA table_info(${table})`).all();

/** Another value of the column's type. */
const other = ({ name, type }: Column): string => {
  if (type === 'INTEGER' || name === 'seq') return `ifnull(${name}, 0) + 1000`;
  if (type === 'BLOB') return `ifnull(${name} || x'00', zeroblob(32))`;
  return `ifnull(${name}, '') || 'x'`;
};

describe('every column of every row', () => {
  test('that was replaced is found', async () => {
    const database = Database.deserialize(file, { strict: true });
    let cells = 0;
    for (const table of tablesOf(database)) {
      const rows = database.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number };
      expect(`${table} ${rows.n > 0}`).toBe(`${table} true`);
      for (const column of columnsOf(database, table)) {
        for (let at = 0; at < rows.n; at++) {
          const key = keyOf(database, table);
          const bytes = changed(file, (thief) =>
            thief.run(
              `UPDATE ${table}
               SET ${column.name} = CAST(${other(column)} AS ${column.type || 'ANY'})
               WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT 1 OFFSET ${at})`,
            ),
          );
          const where = `${table}.${column.name} of row ${at}`;
          expect(`${where}: ${await isFound(bytes)}`).toBe(`${where}: true`);
          cells++;
        }
      }
    }
    expect(cells).toBeGreaterThan(150);
  });
});

const keyOf = (database: Database, table: string): string => {
  const keys = columnsOf(database, table).filter(({ pk }) => pk > 0);
  return keys.length === 0 ? 'rowid' : keys.map(({ name }) => name).join(', ');
};

describe('every row', () => {
  test('that is deleted is found', async () => {
    const database = Database.deserialize(file, { strict: true });
    for (const table of tablesOf(database)) {
      const key = keyOf(database, table);
      const { n } = database.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number };
      for (let at = 0; at < n; at++) {
        const bytes = changed(file, (thief) =>
          thief.run(
            `DELETE FROM ${table}
             WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT 1 OFFSET ${at})`,
          ),
        );
        expect(`${table} ${at}: ${await isFound(bytes)}`).toBe(`${table} ${at}: true`);
      }
    }
  });

  test.each(TABLES)('of %s that comes from an older copy is found', async (table) => {
    const before = Database.deserialize(older, { strict: true });
    const rows = before.query(`SELECT * FROM ${table}`).values();
    for (const row of rows) {
      const bytes = changed(file, (thief) => insert(thief, table, row as string[]));
      const same =
        Buffer.compare(
          bytes,
          changed(file, () => {}),
        ) === 0 || isUnchanged(table, bytes);
      if (!same) expect(`${table}: ${await isFound(bytes)}`).toBe(`${table}: true`);
    }
    const whole = changed(file, (thief) => {
      thief.run(`DELETE FROM ${table}`);
      for (const row of rows) insert(thief, table, row as string[]);
    });
    if (!isUnchanged(table, whole)) expect(await isFound(whole)).toBe(true);
  });
});

/** True if the table is as agio left it. */
function isUnchanged(table: string, bytes: Uint8Array): boolean {
  const rowsOf = (from: Uint8Array) =>
    JSON.stringify(
      Database.deserialize(from).query(`SELECT * FROM ${table} ORDER BY 1, 2`).values(),
    );
  return rowsOf(bytes) === rowsOf(file);
}

function insert(database: Database, table: string, row: readonly string[]): void {
  const marks = row.map(() => '?').join(', ');
  database.query(`INSERT OR REPLACE INTO ${table} VALUES (${marks})`).run(...row);
}

describe('the file', () => {
  test('as agio left it, is in order', async () => {
    expect(await isFound(file)).toBe(false);
  });

  test.each([
    `CREATE TRIGGER mine AFTER UPDATE ON users BEGIN SELECT 1; END`,
    `DROP INDEX sessions_of_user`,
    `CREATE TABLE other (x INTEGER)`,
    `ALTER TABLE users ADD COLUMN admin INTEGER`,
  ])('with another schema is rejected: %s', async (sql) => {
    expect(await isFound(changed(file, (thief) => thief.run(sql)))).toBe(true);
  });
});

describe('a file without its MAC', () => {
  test('is not given a new one', async () => {
    expect(await isFound(changed(file, (thief) => thief.run('DELETE FROM mac')))).toBe(true);
  });

  test('or with that of an older copy is found', async () => {
    const { text } = Database.deserialize(older).query('SELECT text FROM mac').get() as Mac;
    for (const statement of ['UPDATE mac SET text = ?', 'INSERT INTO mac VALUES (?)']) {
      const bytes = changed(file, (thief) => thief.query(statement).run(text));
      expect(await isFound(bytes)).toBe(true);
    }
  });

  test('or with that of a newer version is named', () => {
    const bytes = changed(file, (thief) => thief.run("UPDATE mac SET text = '2' || text"));
    expect(() => IdentityStore.over(Database.deserialize(bytes), options())).toThrow(
      `has schema 2${SCHEMA_VERSION}, and this version of agio knows up to ${SCHEMA_VERSION}`,
    );
  });

  test('that is empty is not begun beside a journal with users', () => {
    expect(() => IdentityStore.over(newDatabase(), { ...options(), journalUsers: 3 })).toThrow(
      'is missing or empty, but the journal has 3 users',
    );
  });
});

describe('while agio runs', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'agio-tampering-'));
    path = join(directory, 'identity.db');
    writeFileSync(path, file);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('what another program writes is found by the next write of agio', () => {
    const altered: AlteredError[] = [];
    const onAltered = (error: AlteredError) => altered.push(error);
    const store = IdentityStore.open(path, { ...options(), onAltered });
    const users = new Users(store, () => NOW);
    const thief = new Database(path, { strict: true });
    thief.run('PRAGMA wal_checkpoint(TRUNCATE)');
    users.setPasswordHash(2, HASH);
    thief.run("UPDATE users SET email = 'thief@example.com' WHERE uid = 1");
    expect(() => users.setPasswordHash(2, HASH)).toThrow('its rows do not fit their MAC');
    expect(altered).toHaveLength(1);
    thief.run("UPDATE users SET email = 'u1@example.com' WHERE uid = 1");
    users.setPasswordHash(2, HASH);
    thief.close();
    store.close();
  });

  test('a row that was changed unnoticed is not made authentic by a write of it', async () => {
    const database = Database.deserialize(file, { strict: true });
    const store = IdentityStore.over(database, options());
    database.run('DROP TRIGGER temp.users_UPDATE');
    database.run("UPDATE users SET email = 'thief@example.com' WHERE uid = 1");
    new Users(store, () => NOW).setPasswordHash(2, HASH);
    store.write(() => database.run('DELETE FROM known_networks'));
    expect(await isFound(database.serialize())).toBe(true);
  });

  test('a write outside of a transaction with its MAC is rejected', () => {
    const database = Database.deserialize(file, { strict: true });
    IdentityStore.over(database, options());
    expect(() => database.run("UPDATE users SET email = 'x@example.com' WHERE uid = 1")).toThrow(
      'a change of users outside of a write',
    );
  });

  test('a write that fails leaves rows and MAC as they were', async () => {
    const database = Database.deserialize(file, { strict: true });
    const store = IdentityStore.over(database, options());
    const users = new Users(store, () => NOW);
    expect(() =>
      store.write(() => {
        users.setPasswordHash(1, HASH);
        throw new Error('undo');
      }),
    ).toThrow('undo');
    users.setPasswordHash(2, HASH);
    expect(await isFound(database.serialize())).toBe(false);
  });
});

test('a change of master key moves the MAC to it', async () => {
  const [fresh] = newMasterKeys();
  const database = Database.deserialize(file, { strict: true });
  IdentityStore.over(database, { ...options(), masterKeys: [fresh!, ...masterKeys] });
  const rotated = database.serialize();
  const alone = { ...options(), masterKeys: [fresh!] };
  expect(() => IdentityStore.over(Database.deserialize(file), alone)).toThrow('is not active');
  IdentityStore.over(Database.deserialize(rotated, { strict: true }), alone).close();
});
