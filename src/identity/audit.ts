// The audit log: actor, act, time, address and result. Append-only (triggers reject edits and
// deletions) and hash-chained, h_i = SHA256(h_{i−1} | canonical entry i), so verification finds an
// edit or a deletion that bypassed the triggers. A head noted elsewhere reveals a cut at the end.
// Fields with the names of secrets are removed from details.
import { createHash } from 'node:crypto';
import { type Result, success } from './result.ts';
import {
  type IdentityStore,
  isDiskTrouble,
  type Page,
  type PageQuery,
} from './storage/identity-store.ts';

export type Actor = 'operator' | 'system' | 'anonymous' | `uid:${number}` | `key:${number}`;

/** The result of an entry before its act. Without one after it, a crash has interrupted the act. */
export const BEGUN = 'begun';
/** The released name of the result of a rejected act. */
export const REJECTED = 'refused';

/** The facts of one entry; the log adds id, time and hash. */
export interface AuditFacts {
  readonly actor: Actor;
  readonly ip: string | null;
  /** The act, as a dotted name (`user.create`). */
  readonly action: string;
  /** The object of the act (`uid:7`, `BTC-USDT`). */
  readonly object: string | null;
  /** `ok`, the code or name of the rejection, or BEGUN. */
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

/** The first entry that is not as it was written. */
interface AlteredEntry {
  readonly ok: false;
  readonly id: number;
  readonly text: string;
}

/** An entry with its details as the JSON text that the hash covers. */
type AuditRow = Omit<AuditEntry, 'details'> & { readonly details: string };

/** The columns of an AuditRow. */
const COLUMNS =
  'id, time, actor, ip, action, object, result, request_id AS requestId, details, hash';
const GENESIS: AuditHead = { id: 0, hash: '0'.repeat(64) };
/** Entries verified in one turn of the event loop: about ten milliseconds of work. */
const VERIFY_STEP = 2_000;
/** Longer details are omitted: they explain an entry and do not store a request. */
const MAX_DETAILS = 4_096;
/** Entries that wait for a full disk; beyond it, audited calls are rejected. */
const MAX_DEFERRED = 1_000;
/** Bounds fields that a request can fill, such as the object of a rejected call. */
const MAX_TEXT = 512;
const SECRET_NAME =
  /secret|passw|token|auth.?code|recovery|signature|sign$|master.?key|authorization|cookie|totp/i;

export class AuditLog {
  readonly #store: IdentityStore;
  readonly #now: () => number;
  readonly #onDeferred: (facts: AuditFacts, error: unknown) => void;
  /** Entries that did not fit on the disk, oldest first, with their times. */
  readonly #deferred: { readonly facts: AuditFacts; readonly time: number }[] = [];
  #head: AuditHead = GENESIS;

  /** `onDeferred` receives each entry that could not be written in time. */
  constructor(
    store: IdentityStore,
    now: () => number,
    onDeferred: (facts: AuditFacts, error: unknown) => void = () => {},
  ) {
    this.#store = store;
    this.#now = now;
    this.#onDeferred = onDeferred;
    this.refresh();
  }

  /** Reads the head again, after another node has written. */
  refresh(): void {
    const newest = 'SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1';
    this.#head = this.#store.get<AuditHead>(newest) ?? GENESIS;
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
    const row: RowWithoutHash = {
      id: this.#head.id + 1,
      time,
      actor: facts.actor,
      ip: facts.ip === null ? null : cut(facts.ip),
      action: cut(facts.action),
      object: facts.object === null ? null : cut(facts.object),
      result: cut(facts.result),
      requestId: facts.requestId === null ? null : cut(facts.requestId),
      details: detailsText(facts.details ?? {}),
    };
    const hash = chained(this.#head.hash, row);
    this.#store.run(
      `INSERT INTO audit_log
         (id, time, actor, ip, action, object, result, request_id, details, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...valuesOf(row),
      hash,
    );
    this.#head = { id: row.id, hash };
    return entryOf({ ...row, hash });
  }

  /** Reads the whole log. */
  has(action: string, object: string): boolean {
    const found = 'SELECT count(*) AS n FROM audit_log WHERE action = ? AND object = ?';
    return this.#store.count(found, action, object) > 0;
  }

  /** One page, newest first; pages start at 1. */
  list({ page, pageSize }: PageQuery): Page<AuditEntry> {
    // Ids have no gaps, so every page is a range of ids.
    const rows = this.#store.all<AuditRow>(
      `SELECT ${COLUMNS} FROM audit_log WHERE id <= ? ORDER BY id DESC LIMIT ?`,
      this.#head.id - (page - 1) * pageSize,
      pageSize,
    );
    return { items: rows.map(entryOf), total: this.#head.id };
  }

  /** One page of the ended acts of this user (`person` in schema.ts), newest first. */
  listOf(uid: number, { page, pageSize }: PageQuery): Page<AuditEntry> {
    const owner = `uid:${uid}`;
    const ended = `FROM audit_log WHERE person = ? AND result <> '${BEGUN}'`;
    const rows = this.#store.all<AuditRow>(
      `SELECT ${COLUMNS} ${ended} ORDER BY id DESC LIMIT ? OFFSET ?`,
      owner,
      pageSize,
      (page - 1) * pageSize,
    );
    const total = this.#store.count(`SELECT count(*) AS n ${ended}`, owner);
    return { items: rows.map(entryOf), total };
  }

  /**
   * Recomputes the chain from the first entry to the head, in several turns of the event loop.
   * `noted` is a head that was stored elsewhere: the log must still have exactly that entry.
   */
  async verifyChain(noted?: AuditHead): Promise<Result<AuditHead, AlteredEntry>> {
    const step = `SELECT ${COLUMNS} FROM audit_log WHERE id > ? ORDER BY id LIMIT ?`;
    // Later entries belong to the next verification.
    const end = this.#head.id;
    let last = GENESIS;
    while (last.id < end) {
      const size = Math.min(VERIFY_STEP, end - last.id);
      const rows = this.#store.all<AuditRow>(step, last.id, size);
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
    return success(last);
  }
}

function broken(id: number, what: string): AlteredEntry {
  return { ok: false, id, text: `Audit entry ${id} ${what}: the log was altered.` };
}

type RowWithoutHash = Omit<AuditRow, 'hash'>;

function valuesOf(row: RowWithoutHash): (string | number | null)[] {
  const { id, time, actor, ip, action, object, result, requestId, details } = row;
  return [id, time, actor, ip, action, object, result, requestId, details];
}

/** The canonical entry is the JSON array of its columns. */
function chained(previous: string, row: RowWithoutHash): string {
  return createHash('sha256')
    .update(`${previous}|${JSON.stringify(valuesOf(row))}`, 'utf8')
    .digest('hex');
}

const entryOf = (row: AuditRow): AuditEntry => ({ ...row, details: JSON.parse(row.details) });

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
