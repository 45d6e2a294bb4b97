// Users: the email address and password hash of a uid. Status, KYC and fees belong to the core,
// which also assigns the uid, by a journaled command between reserveEmail and completeUser.

import { IdentityError } from './errors.ts';
import type { PasswordHash } from './proofs/passwords.ts';
import { type Result, refuse, refuseField, success } from './result.ts';
import type { IdentityStore } from './storage/identity-store.ts';

export interface User {
  readonly uid: number;
  /** As typed; compared without case. */
  readonly email: string;
  readonly passwordHash: PasswordHash | null;
  readonly createdAt: number;
}

/** The right to create the user of one email address, until completeUser or release. */
export interface EmailReservation {
  readonly email: string;
}

/** The message about users of the journal that identity.db does not have, with the remedy. */
export function unownedText(uids: readonly number[]): string {
  const shown = uids.slice(0, MAX_NAMED).join(', ');
  const more = uids.length > MAX_NAMED ? ` and ${uids.length - MAX_NAMED} more` : '';
  return (
    `identity.db has no user for uid ${shown}${more}, who has money, orders or subscriptions in ` +
    'the journal: identity.db is older than the journal. Restore both from one backup, or start ' +
    'with --accept-unowned and attach each uid to an email address (agio user attach UID EMAIL).'
  );
}

export interface UserPage {
  readonly items: readonly User[];
  readonly total: number;
}

interface UserRow {
  readonly uid: number;
  readonly email: string;
  readonly password_hash: string | null;
  readonly created_at: number;
}

/** RFC 5321: 64 before the @, and 254 for an address that fits into a path with its brackets. */
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/** The accepted form, for messages. */
export const EMAIL_FORM =
  'An email address has the form name@example.com, in ASCII, up to 254 characters.';
/** Uids that a message lists one by one. */
const MAX_NAMED = 20;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN_LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Whether the text is an email address of the plain form name@example.com. ASCII only: similar
 * letters of two scripts would let one user pass for another.
 */
export function isEmail(text: string): boolean {
  if (text.length > MAX_EMAIL) return false;
  const [local = '', domain = '', ...rest] = text.split('@');
  const labels = domain.split('.');
  return (
    rest.length === 0 &&
    local.length <= MAX_LOCAL &&
    LOCAL.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label))
  );
}

/**
 * The users of this installation. A user is created in three steps: reserveEmail, the core's
 * createUser command, completeUser. A reservation is in memory, backed by the unique index.
 *
 * A crash after the command leaves a uid in the core without money, login or keys. The address is
 * free again, so a retry gets another uid. A user here that the core does not know cannot come from
 * a crash, since the command is durable before completeUser.
 */
export class Users {
  readonly #store: IdentityStore;
  readonly #now: () => number;
  /** Email addresses between reserveEmail and completeUser or release, in lower case. */
  readonly #reserved = new Set<string>();

  constructor(store: IdentityStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Reserves the address for a new user. Refusals: invalidField, emailTaken. */
  reserveEmail(email: string): Result<EmailReservation> {
    if (!isEmail(email)) return refuseField('email', EMAIL_FORM);
    const key = email.toLowerCase();
    if (this.#reserved.has(key) || this.findByEmail(email) !== undefined) {
      const text = 'A user with this email address already exists.';
      return refuse('emailTaken', 'email', { text });
    }
    this.#reserved.add(key);
    return success({ email });
  }

  /**
   * Creates the user of the reserved address with the uid that the core has assigned. Throws
   * IdentityError where the uid is already here: then this database and the journal are not of the
   * same time, and no account changes hands.
   */
  completeUser(
    reservation: EmailReservation,
    uid: number,
    passwordHash: PasswordHash | null = null,
  ): User {
    const { email } = reservation;
    if (!this.#reserved.has(email.toLowerCase())) {
      throw new TypeError('completeUser takes a reservation that is still held.');
    }
    const existing = this.find(uid);
    if (existing !== undefined) {
      throw new IdentityError(
        `uid ${uid} is new in the journal but known in identity.db: one of them is older than ` +
          'the other. Restore both from the same backup.',
      );
    }
    const createdAt = this.#now();
    this.#store.write(() =>
      this.#store
        .query('INSERT INTO users (uid, email, password_hash, created_at) VALUES (?, ?, ?, ?)')
        .run(uid, email, passwordHash, createdAt),
    );
    this.release(reservation);
    return { uid, email, passwordHash, createdAt };
  }

  /** Releases the address after a failure; does nothing after completeUser. */
  release(reservation: EmailReservation): void {
    this.#reserved.delete(reservation.email.toLowerCase());
  }

  find(uid: number): User | undefined {
    const row = this.#store.query<UserRow, [number]>('SELECT * FROM users WHERE uid = ?').get(uid);
    return row === null ? undefined : userOf(row);
  }

  /** By email address, without case. */
  findByEmail(email: string): User | undefined {
    const row = this.#store
      .query<UserRow, [string]>('SELECT * FROM users WHERE email = ?')
      .get(email);
    return row === null ? undefined : userOf(row);
  }

  /** Replaces the password; false where there is no such user. */
  setPasswordHash(uid: number, passwordHash: PasswordHash): boolean {
    return this.#store.write(() => {
      const { changes } = this.#store
        .query('UPDATE users SET password_hash = ? WHERE uid = ?')
        .run(passwordHash, uid);
      return changes === 1;
    });
  }

  /** Replaces the hash of the same password; false where the password has changed. */
  replacePasswordHash(uid: number, from: PasswordHash, to: PasswordHash): boolean {
    return this.#store.write(() => {
      const { changes } = this.#store
        .query('UPDATE users SET password_hash = ? WHERE uid = ? AND password_hash = ?')
        .run(to, uid, from);
      return changes === 1;
    });
  }

  /** Users whose address contains `query` or whose uid it is, newest first; pages start at 1. */
  list(options: { query?: string; page: number; pageSize: number }): UserPage {
    const query = options.query ?? '';
    const where = "WHERE email LIKE ?1 ESCAPE '\\' OR uid = ?2";
    const like = `%${query.replace(/[\\%_]/g, '\\$&')}%`;
    const uid = /^\d{1,15}$/.test(query) ? Number(query) : -1;
    const total = this.#store
      .query<{ n: number }, [string, number]>(`SELECT count(*) AS n FROM users ${where}`)
      .get(like, uid)?.n;
    const rows = this.#store
      .query<UserRow, [string, number, number, number]>(
        `SELECT * FROM users ${where} ORDER BY uid DESC LIMIT ?3 OFFSET ?4`,
      )
      .all(like, uid, options.pageSize, (options.page - 1) * options.pageSize);
    return { items: rows.map(userOf), total: total ?? 0 };
  }

  /** Every uid. */
  uids(): Set<number> {
    const rows = this.#store.query<{ uid: number }, []>('SELECT uid FROM users').all();
    return new Set(rows.map(({ uid }) => uid));
  }

  /**
   * The highest uid, 0 for none. Above the core's highest, this database is newer than the journal,
   * and the core would assign a uid that somebody has: the node does not start.
   */
  highestUid(): number {
    const row = this.#store
      .query<{ uid: number | null }, []>('SELECT max(uid) AS uid FROM users')
      .get();
    return row?.uid ?? 0;
  }
}

function userOf(row: UserRow): User {
  return {
    uid: row.uid,
    email: row.email,
    passwordHash: row.password_hash as PasswordHash | null,
    createdAt: row.created_at,
  };
}
