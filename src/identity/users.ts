// Who a uid is: e-mail address and password hash. Status, KYC and fees of a user are money matters
// and belong to the core; the uid itself comes from the core, by a journaled command, between
// reserveEmail and completeUser.

import type { PasswordHash } from './proofs/passwords.ts';
import { IdentityError, type Refusal, refuse } from './refusal.ts';
import type { IdentityStore } from './storage/identity-store.ts';

export interface User {
  readonly uid: number;
  /** As it was typed; compared without regard to case. */
  readonly email: string;
  readonly passwordHash: PasswordHash | null;
  readonly createdAt: number;
}

/** The right to create the user of one address. Ends with completeUser or release. */
export interface EmailReservation {
  readonly ok: true;
  readonly email: string;
}

/** Names users who own something and whom identity.db does not know, and what to do about them. */
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

/** RFC 5321: 64 before the @, 254 for an address that fits into a path with its brackets. */
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/** Uids that a message lists one by one. */
const MAX_NAMED = 20;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN_LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Whether the text is an e-mail address of the plain form name@example.com. ASCII only: letters
 * that look alike in two scripts would let one person pass for another.
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
 * The users of this installation. One is created in three steps: reserveEmail, the core's
 * createUser command, completeUser. A reservation is held in memory, because only the process that
 * took it can finish it; the unique index backs it. A crash after the command leaves a uid in the
 * core that has no money, and that nobody can log in to or hold keys of; the address is free again,
 * so the caller retries and gets another uid. The reverse, a user here that the core does not know,
 * cannot come from a crash, since the command is durable before completeUser is called.
 */
export class Users {
  readonly #store: IdentityStore;
  readonly #now: () => number;
  /** Addresses between reserveEmail and completeUser or release, in lower case. */
  readonly #reserved = new Set<string>();

  constructor(store: IdentityStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Takes the address for a user to come; refused when it is malformed, taken or being taken. */
  reserveEmail(email: string): EmailReservation | Refusal {
    if (!isEmail(email)) {
      const form =
        'An e-mail address has the form name@example.com, in ASCII, up to 254 characters.';
      return refuse('invalid', 'email', form);
    }
    const key = email.toLowerCase();
    if (this.#reserved.has(key) || this.findByEmail(email) !== undefined) {
      return refuse('emailTaken', 'email', 'A user with this e-mail address exists already.');
    }
    this.#reserved.add(key);
    return { ok: true, email };
  }

  /**
   * Makes the reserved address the user `uid`, which the core has just assigned. A uid that is
   * already here means that this database and the journal are not of the same installation (one of
   * them was restored alone): that is an IdentityError, and no account changes hands.
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

  /** Gives the address up, after a failure between reserveEmail and completeUser. */
  release(reservation: EmailReservation): void {
    this.#reserved.delete(reservation.email.toLowerCase());
  }

  find(uid: number): User | undefined {
    const row = this.#store.query<UserRow, [number]>('SELECT * FROM users WHERE uid = ?').get(uid);
    return row === null ? undefined : userOf(row);
  }

  /** By address, without regard to case. */
  findByEmail(email: string): User | undefined {
    const row = this.#store
      .query<UserRow, [string]>('SELECT * FROM users WHERE email = ?')
      .get(email);
    return row === null ? undefined : userOf(row);
  }

  /** Replaces the password; false when there is no such user. */
  setPasswordHash(uid: number, passwordHash: PasswordHash): boolean {
    return this.#store.write(() => {
      const { changes } = this.#store
        .query('UPDATE users SET password_hash = ? WHERE uid = ?')
        .run(passwordHash, uid);
      return changes === 1;
    });
  }

  /** The same password under another hash; false where the password was changed meanwhile. */
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

  /** Every uid known here. */
  uids(): Set<number> {
    const rows = this.#store.query<{ uid: number }, []>('SELECT uid FROM users').all();
    return new Set(rows.map(({ uid }) => uid));
  }

  /**
   * The highest uid known here, 0 for none. Above the core's highest, this database is newer than
   * the journal, and the next uid of the core would be someone else's: the caller refuses to start.
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
