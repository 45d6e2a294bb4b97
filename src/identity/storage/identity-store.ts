// The database of identity, opened and authenticated (authentic-rows.ts). All reads and writes of
// identity go through it; a write is one transaction with its MAC.
import { Database, SQLiteError, type SQLQueryBindings } from 'bun:sqlite';
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MasterKey } from '../master-key.ts';
import { AlteredError, IdentityError, NotLeadingError } from '../result.ts';
import { Sealer } from '../sealing.ts';
import { AuthenticRows } from './authentic-rows.ts';
import type { IdentityChange, IdentityHead, IdentityImage } from './change.ts';
import { emptyCopy, IdentityCopy, SHARED } from './image.ts';
import { PRIVATE_FILE, syncPath } from './private-file.ts';
import { createSchema, isEmpty, requireKnownVersion, requireSchema } from './schema.ts';
import { secretsIn } from './sealed-secrets.ts';

const ROWS_A_WRITE = 500;
const DISK_CODES = /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/;

type Value = SQLQueryBindings;

/** Pages start at 1. */
export interface PageQuery {
  readonly page: number;
  readonly pageSize: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** On all pages together. */
  readonly total: number;
}

/** True if the disk caused an error of the database; a later try may succeed. */
export const isDiskTrouble = (error: unknown): boolean =>
  error instanceof SQLiteError && DISK_CODES.test(error.code ?? '');

export interface StoreOptions {
  /** The first key seals and authenticates; every key opens and verifies. */
  readonly masterKeys: readonly MasterKey[];
  readonly now: () => number;
  /** The highest uid in the journal; an empty database is accepted only where there is none. */
  readonly journalUsers?: number;
  /** The directory with the file of a copy; by default, a copy is in memory. */
  readonly dataDir?: string;
  /** Called when something else changed the open file: the process has to end. */
  readonly onAltered?: (error: AlteredError) => void;
}

/** Receives the change of each write of the node that leads a cluster. */
export interface ChangeRecorder {
  /** Throws NotLeadingError where a write can no longer become durable. */
  requireLeading(): void;
  /** `lazily` is true where a crash may lose it. */
  record(change: IdentityChange, lazily: boolean): void;
  /** See IdentityStore.durable. */
  durable(): Promise<void> | undefined;
}

export class IdentityStore {
  #database: Database;
  /** null where the database is only read. */
  #rows: AuthenticRows | null;
  readonly #options: StoreOptions;
  #sealer: Sealer | undefined;
  #writing = false;
  #lazily = false;
  /** True if the rows are a cluster's, which makes its writes durable elsewhere. */
  #isCopy = false;
  /** null on one machine, and on a node that does not lead. */
  #recorder: ChangeRecorder | null = null;
  #follows = false;
  #differs = false;

  private constructor(database: Database, rows: AuthenticRows | null, options: StoreOptions) {
    this.#database = database;
    this.#rows = rows;
    this.#options = options;
  }

  get sealer(): Sealer {
    this.#sealer ??= new Sealer(this.#options.masterKeys);
    return this.#sealer;
  }

  /** Throws IdentityError where the file was altered or the master key is a different one. */
  static open(path: string, options: StoreOptions): IdentityStore {
    return IdentityStore.over(openDatabase(path), options);
  }

  /** Like `open`, for an open database, which `close` closes. */
  static over(database: Database, options: StoreOptions): IdentityStore {
    const store = new IdentityStore(database, authenticated(database, options), options);
    try {
      store.#moveToFirstKey();
      return store;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** A copy of the identity of a cluster; it follows until `lead`. */
  static of(copy: IdentityCopy, options: StoreOptions): IdentityStore {
    const database = copy.finish();
    const store = new IdentityStore(database, authenticated(database, options, SHARED), options);
    store.#follows = true;
    store.#isCopy = true;
    return store;
  }

  /** Opens for reading; only `verify` checks anything. */
  static inspect(path: string, options: StoreOptions): IdentityStore {
    const database = new Database(path, { readonly: true, strict: true });
    return new IdentityStore(database, null, options);
  }

  /** Checks the file, every row and every secret; returns a summary. Throws as `open` does. */
  verify(): string {
    const database = this.#database;
    requireWhole(database);
    if (isEmpty(database)) {
      requireNew(database.filename, this.#options);
      throw new IdentityError(`${database.filename} is empty: start agio with it once.`);
    }
    requireSchema(database);
    const rows = new AuthenticRows(database, this.#options.masterKeys);
    rows.verify();
    const secrets = secretsIn(database);
    for (const { place, sealed } of secrets) this.sealer.open(place, sealed).fill(0);
    return `${rows.count} rows fit their MAC, ${secrets.length} secrets open`;
  }

  /** A prepared statement; one that writes works only within `write`. */
  query<Row, Parameters extends Value | Value[]>(sql: string) {
    return this.#database.query<Row, Parameters>(sql);
  }

  /** The first row of a query. */
  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    return this.query<Row, Value[]>(sql).get(...values) ?? undefined;
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.query<Row, Value[]>(sql).all(...values);
  }

  /** The result of a query for `count(*) AS n`. */
  count(sql: string, ...values: Value[]): number {
    return this.get<{ n: number }>(sql, ...values)!.n;
  }

  /** The id of a new row, within a write; that of a deleted row never comes back. */
  nextId(name: 'key' | 'session'): number {
    const next = `INSERT INTO last_ids VALUES (?, 1)
      ON CONFLICT (name) DO UPDATE SET id = id + 1 RETURNING id`;
    return this.get<{ id: number }>(next, name)!.id;
  }

  /** Runs a statement in the present write, or in its own; returns the number of changed rows. */
  run(sql: string, ...values: Value[]): number {
    const execute = () => this.#database.query(sql).run(...values).changes;
    return this.#writing ? execute() : this.write(execute);
  }

  /**
   * Does `act` and makes the MAC of its changes in one transaction, which is durable on return.
   * Within another write it is part of that one; if it throws, it is undone alone.
   */
  write<T>(act: () => T): T {
    if (this.#writing) return this.#database.transaction(act)();
    const rows = this.#rows;
    if (rows === null) throw new TypeError('An inspected database is read-only.');
    this.requireLeading();
    const all = this.#database.transaction(() => {
      rows.begin();
      const result = act();
      return { result, ...rows.end() };
    });
    this.#writing = true;
    try {
      const { result, change, commit } = all.immediate();
      commit();
      if (hasRows(change)) this.#recorder?.record(change, this.#lazily);
      return result;
    } catch (error) {
      if (error instanceof AlteredError) this.#options.onAltered?.(error);
      throw error;
    } finally {
      this.#writing = false;
    }
  }

  /**
   * Throws the disk's error where the file takes no writes. Called before a journal command whose
   * other half is written here.
   */
  requireWritable(): void {
    this.requireLeading();
    // Rewrites the first page of the file; this need not be durable.
    this.#withoutSync(() => this.#database.run('PRAGMA user_version = 0'));
  }

  /** Throws NotLeadingError where another node of the cluster writes identity. */
  requireLeading(): void {
    if (this.#follows) throw new NotLeadingError();
    this.#recorder?.requireLeading();
  }

  get follows(): boolean {
    return this.#follows;
  }

  /** All rows, as this version. */
  image(version = 0): IdentityImage {
    const rows = this.#rows ?? new AuthenticRows(this.#database, this.#options.masterKeys);
    return rows.image(version);
  }

  /** Begins to write; `recorder` receives the changes. */
  lead(recorder: ChangeRecorder): void {
    this.#recorder = recorder;
    this.#follows = false;
    this.#moveToFirstKey();
  }

  /** Moves the MAC, and the secrets under an older master key, to the first one. */
  #moveToFirstKey(): void {
    const rows = this.#rows!;
    if (!rows.isCurrent) {
      const mac = this.#database.transaction(() => rows.renew()).immediate();
      this.#recorder?.record({ removed: [], added: [], mac }, false);
    }
    const stale = secretsIn(this.#database).filter(({ sealed }) => !this.sealer.isCurrent(sealed));
    this.writeEach(stale, ({ place, sealed, update, id }) => {
      this.run(update, this.sealer.reseal(place, sealed), id);
    });
  }

  /** Ends `lead`; `differs` tells whether some of its writes may be lost, until a `reload`. */
  follow(differs: boolean): void {
    this.#follows = true;
    this.#recorder = null;
    this.#differs = differs;
  }

  /** True if this store has writes that the cluster may not have. */
  get differs(): boolean {
    return this.#differs;
  }

  /**
   * Resolves once everything is durable that this store has shown so far; undefined where it
   * already is. Rejects with NotLeadingError where that can no longer be.
   */
  durable(): Promise<void> | undefined {
    return this.#differs ? neverDurable() : this.#recorder?.durable();
  }

  /** Makes the change of another node, or nothing. Throws IdentityError where the MAC is wrong. */
  apply(change: IdentityChange): void {
    requireKnownVersion(change.mac, SHARED);
    const rows = this.#rows!;
    this.#database.transaction(() => rows.apply(change)).immediate()();
  }

  /** An empty copy for `reload`. */
  newCopy(head: IdentityHead): IdentityCopy {
    return new IdentityCopy(head, emptyCopy(this.#options.dataDir));
  }

  /** Replaces the whole content. Throws as `of` does, and then changes nothing. */
  reload(copy: IdentityCopy): void {
    const before = this.#database;
    const database = copy.finish();
    this.#rows = authenticated(database, this.#options, SHARED);
    this.#database = database;
    this.#differs = false;
    before.close();
  }

  /** Does `act` with each item, some in one write: a single write of all takes long. */
  writeEach<T>(items: readonly T[], act: (item: T) => void): void {
    for (let at = 0; at < items.length; at += ROWS_A_WRITE) {
      this.write(() => items.slice(at, at + ROWS_A_WRITE).forEach(act));
    }
  }

  /** Like `write`, for data that a crash may lose: the commit does not wait for the disk. */
  writeLazily<T>(act: () => T): T {
    this.#lazily = true;
    try {
      return this.#withoutSync(() => this.write(act));
    } finally {
      this.#lazily = false;
    }
  }

  #withoutSync<T>(act: () => T): T {
    if (this.#isCopy) return act();
    this.#database.run('PRAGMA synchronous = NORMAL');
    try {
      return act();
    } finally {
      this.#database.run('PRAGMA synchronous = FULL');
    }
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** The caller may look only at whether there is a promise. */
function neverDurable(): Promise<void> {
  const rejected = Promise.reject(new NotLeadingError());
  rejected.catch(() => {});
  return rejected;
}

const hasRows = ({ removed, added }: IdentityChange): boolean => removed.length + added.length > 0;

/** Checks every row, or creates the tables of a new database; closes it where that throws. */
function authenticated(
  database: Database,
  options: StoreOptions,
  what = database.filename,
): AuthenticRows {
  try {
    const isNew = isEmpty(database);
    if (isNew) requireNew(what, options);
    else requireSchema(database);
    const create = () => {
      if (isNew) createSchema(database);
      const rows = new AuthenticRows(database, options.masterKeys);
      if (isNew) rows.renew();
      else rows.verify();
      return rows;
    };
    const rows = database.transaction(create).immediate();
    rows.watch();
    return rows;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Throws where the journal shows that an empty database is not a new one. */
function requireNew(what: string, { journalUsers = 0 }: StoreOptions): void {
  if (journalUsers === 0) return;
  throw new IdentityError(
    `${what} is missing or empty, but the journal has ${journalUsers} users: ` +
      'restore it from a backup.',
  );
}

/** Checks indexes too: one that differs from its table would return unchecked rows. */
function requireWhole(database: Database): void {
  const [first] = database
    .query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)')
    .all();
  if (first?.integrity_check === 'ok') return;
  throw new IdentityError(`identity.db is damaged: ${first?.integrity_check}.`);
}

function openDatabase(path: string): Database {
  createEmpty(path);
  try {
    return configured(path, 'NORMAL');
  } catch (error) {
    if (!isDiskTrouble(error)) throw error;
    // A full disk has no room for the shared index of the WAL; an exclusive lock keeps it in
    // memory.
    return configured(path, 'EXCLUSIVE');
  }
}

function configured(path: string, lockingMode: 'NORMAL' | 'EXCLUSIVE'): Database {
  const database = new Database(path, { readwrite: true, create: true, strict: true });
  try {
    database.run(`PRAGMA locking_mode = ${lockingMode}`);
    database.run('PRAGMA journal_mode = WAL');
    // An acknowledged key, revocation or audit entry survives a power cut.
    database.run('PRAGMA synchronous = FULL');
    database.run('PRAGMA foreign_keys = ON');
    // An operator may read the file with the sqlite3 tool; a short wait avoids a failure.
    database.run('PRAGMA busy_timeout = 1000');
    // Deleted data is overwritten, so a destroyed secret leaves no trace in free pages.
    database.run('PRAGMA secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite accepts an empty file as a new database and gives its side files the same mode. */
function createEmpty(path: string): void {
  if (existsSync(path)) return;
  closeSync(openSync(path, 'wx', PRIVATE_FILE));
  syncPath(dirname(path));
}
