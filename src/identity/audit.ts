// The audit log: actor, act, time, address and result. Append-only (triggers refuse edits and
// deletions) and hash-chained, h_i = SHA256(h_{i−1} | canonical entry i), so verification finds an
// edit or a deletion that bypassed the triggers. A head noted elsewhere reveals a cut at the end.
// Fields with the names of secrets are removed from details.
import { createHash } from 'node:crypto';
import { isDiskTrouble } from './storage/disk-trouble.ts';
import type { IdentityStore } from './storage/identity-store.ts';

export type Actor = 'operator' | 'system' | 'anonymous' | `uid:${number}` | `key:${number}`;

/** The facts of one entry; the log adds id, time and hash. */
export interface AuditFacts {
  readonly actor: Actor;
  readonly ip: string | null;
  /** The act, as a dotted name (`user.create`). */
  readonly action: string;
  /** The object of the act (`uid:7`, `BTC-USDT`). */
  readonly object: string | null;
  /** `ok`, or the code or name of the refusal. */
  readonly result: string;
  readonly requestId: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditEntry extends AuditFacts {
  readonly id: number;
  /** Wall clock, ms. */
  readonly time: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

export interface AuditHead {
  /** The id of the newest entry, which is the number of entries; 0 for an empty log. */
  readonly id: number;
  readonly hash: string;
}

export type AuditCheck =
  | { readonly ok: true; readonly head: AuditHead }
  | { readonly ok: false; readonly id: number; readonly text: string };

interface AuditRow {
  readonly id: number;
  readonly time: number;
  readonly actor: string;
  readonly ip: string | null;
  readonly action: string;
  readonly object: string | null;
  readonly result: string;
  readonly request_id: string | null;
  readonly details: string;
  readonly hash: string;
}

const GENESIS: AuditHead = { id: 0, hash: '0'.repeat(64) };
/** Entries verified in one turn of the event loop: about ten milliseconds of work. */
const VERIFY_STEP = 2_000;
/** Longer details are omitted: they explain an entry and do not store a request. */
const MAX_DETAILS = 4_096;
/** Entries that wait for a full disk; beyond it, audited calls are refused. */
const MAX_DEFERRED = 1_000;
/** Bounds fields that a request can fill, such as the object of a refused call. */
const MAX_TEXT = 512;
const SECRET_NAME =
  /secret|passw|token|auth.?code|recovery|signature|sign$|master.?key|authorization|cookie|totp/i;

export class AuditLog {
  readonly #store: IdentityStore;
  readonly #now: () => number;
  readonly #onDeferred: (facts: AuditFacts, error: unknown) => void;
  /** Entries that did not fit on the disk, oldest first, with their times. */
  readonly #deferred: { readonly facts: AuditFacts; readonly time: number }[] = [];
  #head: AuditHead;

  /** `onDeferred` receives each entry that could not be written in time. */
  constructor(
    store: IdentityStore,
    now: () => number,
    onDeferred: (facts: AuditFacts, error: unknown) => void = () => {},
  ) {
    this.#store = store;
    this.#now = now;
    this.#onDeferred = onDeferred;
    this.#head =
      store.query<AuditHead, []>('SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1').get() ??
      GENESIS;
  }

  /** The newest entry's id and hash. Noted on another machine, it proves that nothing was cut. */
  head(): AuditHead {
    return this.#head;
  }

  /**
   * Appends an entry after its act. On a full disk the entry stays in memory and is written later,
   * so that the act does not seem to have failed. Throws where too many entries wait.
   */
  record(facts: AuditFacts): void {
    const time = this.#now();
    try {
      this.flush();
      this.append(facts, time);
    } catch (error) {
      if (!isDiskTrouble(error) || this.#deferred.length >= MAX_DEFERRED) throw error;
      this.#deferred.push({ facts, time });
      this.#onDeferred(facts, error);
    }
  }

  /** The number of entries that wait for room on the disk. */
  get deferred(): number {
    return this.#deferred.length;
  }

  /** Throws the disk's error where no further entry can wait. */
  requireRoom(): void {
    if (this.#deferred.length >= MAX_DEFERRED) this.flush();
  }

  /** Writes the entries that wait. Throws the disk's error. */
  flush(): void {
    for (let next = this.#deferred[0]; next !== undefined; next = this.#deferred[0]) {
      this.append(next.facts, next.time);
      this.#deferred.shift();
    }
  }

  /** Appends an entry, which is on disk on return. */
  append(facts: AuditFacts, time = this.#now()): AuditEntry {
    const row = {
      id: this.#head.id + 1,
      time,
      actor: facts.actor,
      ip: facts.ip === null ? null : cut(facts.ip),
      action: cut(facts.action),
      object: facts.object === null ? null : cut(facts.object),
      result: cut(facts.result),
      request_id: facts.requestId === null ? null : cut(facts.requestId),
      details: detailsText(facts.details ?? {}),
    };
    const hash = chained(this.#head.hash, row);
    this.#store.write(() =>
      this.#store
        .query<null, (string | number | null)[]>(
          `INSERT INTO audit_log
             (id, time, actor, ip, action, object, result, request_id, details, hash)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...valuesOf(row), hash),
    );
    this.#head = { id: row.id, hash };
    return entryOf({ ...row, hash });
  }

  /** One page, newest first; pages start at 1. */
  list(options: { page: number; pageSize: number }): {
    readonly items: readonly AuditEntry[];
    readonly total: number;
  } {
    // Ids have no gaps, so every page is a range of ids.
    const newest = this.#head.id - (options.page - 1) * options.pageSize;
    const rows = this.#store
      .query<AuditRow, [number, number]>(
        'SELECT * FROM audit_log WHERE id <= ? ORDER BY id DESC LIMIT ?',
      )
      .all(newest, options.pageSize);
    return { items: rows.map(entryOf), total: this.#head.id };
  }

  /** One page of the entries of this user (`person` in schema.ts), newest first. */
  listOf(
    uid: number,
    options: { page: number; pageSize: number },
  ): { readonly items: readonly AuditEntry[]; readonly total: number } {
    const person = `uid:${uid}`;
    const total = this.#store
      .query<{ n: number }, [string]>('SELECT count(*) AS n FROM audit_log WHERE person = ?')
      .get(person)?.n;
    const rows = this.#store
      .query<AuditRow, [string, number, number]>(
        'SELECT * FROM audit_log WHERE person = ? ORDER BY id DESC LIMIT ? OFFSET ?',
      )
      .all(person, options.pageSize, (options.page - 1) * options.pageSize);
    return { items: rows.map(entryOf), total: total ?? 0 };
  }

  /**
   * Recomputes the chain from the first entry to the head, in several turns of the event loop.
   * `noted` is a head that was stored elsewhere: the log must still have exactly that entry.
   */
  async verifyChain(noted?: AuditHead): Promise<AuditCheck> {
    const page = this.#store.query<AuditRow, [number, number]>(
      'SELECT * FROM audit_log WHERE id > ? ORDER BY id LIMIT ?',
    );
    // Later entries belong to the next verification.
    const end = this.#head.id;
    let last = GENESIS;
    while (last.id < end) {
      const rows = page.all(last.id, Math.min(VERIFY_STEP, end - last.id));
      for (const row of rows) {
        if (row.id !== last.id + 1) return broken(last.id + 1, 'is missing');
        if (row.hash !== chained(last.hash, row)) return broken(row.id, 'does not fit its hash');
        last = { id: row.id, hash: row.hash };
        if (noted?.id === row.id && noted.hash !== row.hash) {
          return broken(row.id, 'is not the one that was noted');
        }
      }
      if (rows.length === 0) return broken(last.id + 1, 'is missing');
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (noted !== undefined && noted.id > last.id) return broken(last.id + 1, 'is missing');
    return { ok: true, head: last };
  }
}

function broken(id: number, what: string): AuditCheck {
  return { ok: false, id, text: `Audit entry ${id} ${what}: the log was altered.` };
}

type Unhashed = Omit<AuditRow, 'hash'>;

function valuesOf(row: Unhashed): (string | number | null)[] {
  const { id, time, actor, ip, action, object, result, request_id, details } = row;
  return [id, time, actor, ip, action, object, result, request_id, details];
}

/** The canonical entry is the JSON array of its columns. */
function chained(previous: string, row: Unhashed): string {
  return createHash('sha256')
    .update(`${previous}|${JSON.stringify(valuesOf(row))}`, 'utf8')
    .digest('hex');
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    time: row.time,
    actor: row.actor as Actor,
    ip: row.ip,
    action: row.action,
    object: row.object,
    result: row.result,
    requestId: row.request_id,
    details: JSON.parse(row.details) as Record<string, unknown>,
    hash: row.hash,
  };
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT).toWellFormed();
}

function detailsText(details: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(details, (name, value: unknown) => {
    // The log may show whether there is a secret (true, null), but not the secret.
    if (value === null || typeof value === 'boolean') return value;
    if (SECRET_NAME.test(name)) return '[secret]';
    return typeof value === 'bigint' ? value.toString() : value;
  });
  return text.length <= MAX_DETAILS
    ? text
    : JSON.stringify({ omitted: `${text.length} characters` });
}
