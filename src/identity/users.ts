// Users: the email address and password hash of a uid. Status, KYC and fees belong to the core,
// which also assigns the uid, by a journaled command between reserveEmail and completeUser.

import { BoundedMap } from './bounded-map.ts';
import { EMAIL_CODE_MS } from './proofs/email-codes.ts';
import type { PasswordHash } from './proofs/passwords.ts';
import { deny, denyField, IdentityError, type Result, success } from './result.ts';
import type { IdentityStore, Page, PageQuery } from './storage/identity-store.ts';

export interface User {
  readonly uid: number;
  /** The typed form; compared without case. */
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

/** RFC 5321: 64 before the @, and 254 for an address that fits into a path with its brackets. */
const MAX_EMAIL = 254;
const MAX_LOCAL = 64;
/** The accepted form, for messages. */
export const EMAIL_FORM =
  'An email address has the form name@example.com, in ASCII: up to 64 letters, digits and signs ' +
  'before the @, and 254 characters in all.';
/** Ordinary use never has more. */
const MAX_PENDING = 10_000;
/** Uids that a message lists one by one. */
const MAX_NAMED = 20;
/** The columns of a User. */
const COLUMNS = 'uid, email, password_hash AS passwordHash, created_at AS createdAt';
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN_LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * True if the text is an email address of the plain form name@example.com. ASCII only: similar
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

  /** Reserves the address for a new user. Rejections: invalidField, emailTaken. */
  reserveEmail(email: string): Result<EmailReservation> {
    if (!isEmail(email)) return denyField('email', EMAIL_FORM);
    const key = email.toLowerCase();
    if (this.#reserved.has(key) || this.findByEmail(email) !== undefined) {
      const text = 'A user with this email address already exists.';
      return deny('emailTaken', 'email', { text });
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
    this.#store.run(
      'INSERT INTO users (uid, email, password_hash, created_at) VALUES (?, ?, ?, ?)',
      uid,
      email,
      passwordHash,
      createdAt,
    );
    this.release(reservation);
    return { uid, email, passwordHash, createdAt };
  }

  /** Releases the address after a failure; does nothing after completeUser. */
  release(reservation: EmailReservation): void {
    this.#reserved.delete(reservation.email.toLowerCase());
  }

  /** Forgets all reservations, as a restart does. */
  reset(): void {
    this.#reserved.clear();
  }

  find(uid: number): User | undefined {
    return this.#store.get<User>(`SELECT ${COLUMNS} FROM users WHERE uid = ?`, uid);
  }

  /** By email address, without case. */
  findByEmail(email: string): User | undefined {
    return this.#store.get<User>(`SELECT ${COLUMNS} FROM users WHERE email = ?`, email);
  }

  /** Replaces the password; false where there is no such user. */
  setPasswordHash(uid: number, passwordHash: PasswordHash): boolean {
    return (
      this.#store.run('UPDATE users SET password_hash = ? WHERE uid = ?', passwordHash, uid) === 1
    );
  }

  /** Replaces the hash of the same password; false where the password has changed. */
  replacePasswordHash(uid: number, from: PasswordHash, to: PasswordHash): boolean {
    const update = 'UPDATE users SET password_hash = ? WHERE uid = ? AND password_hash = ?';
    return this.#store.run(update, to, uid, from) === 1;
  }

  /** Users whose address contains `query` or whose uid it is, newest first; pages start at 1. */
  list({ query = '', page, pageSize }: PageQuery & { query?: string }): Page<User> {
    const where = "WHERE email LIKE ?1 ESCAPE '\\' OR uid = ?2";
    const like = `%${query.replace(/[\\%_]/g, '\\$&')}%`;
    const uid = /^\d{1,15}$/.test(query) ? Number(query) : -1;
    const total = this.#store.count(`SELECT count(*) AS n FROM users ${where}`, like, uid);
    const items = this.#store.all<User>(
      `SELECT ${COLUMNS} FROM users ${where} ORDER BY uid DESC LIMIT ?3 OFFSET ?4`,
      like,
      uid,
      pageSize,
      (page - 1) * pageSize,
    );
    return { items, total };
  }

  /** Every uid. */
  uids(): Set<number> {
    const users = this.#store.all<Pick<User, 'uid'>>('SELECT uid FROM users');
    return new Set(users.map(({ uid }) => uid));
  }

  /**
   * The highest uid, 0 for none. Above the core's highest, this database is newer than the journal,
   * and the core would assign a uid that somebody has: the node does not start.
   */
  highestUid(): number {
    return this.#store.get<{ uid: number | null }>('SELECT max(uid) AS uid FROM users')?.uid ?? 0;
  }
}

interface PendingRegistration {
  readonly email: string;
  readonly hash: PasswordHash;
  /** The address of the first call. */
  readonly ip: string;
  readonly since: number;
}

/**
 * Registrations between their two calls, by ticket, in a bounded memory. Nothing that a stranger
 * chose goes to disk before they have shown that the email address is theirs.
 */
export class PendingRegistrations {
  readonly #byTicket = new BoundedMap<string, PendingRegistration>(MAX_PENDING);

  add(ticket: string, pending: PendingRegistration): void {
    this.#byTicket.deleteOldestWhile(({ since }) => pending.since - since >= EMAIL_CODE_MS);
    this.#byTicket.set(ticket, pending);
  }

  /** The registration that began under this ticket for this email address. */
  find(ticket: string, email: string): PendingRegistration | undefined {
    const pending = this.#byTicket.get(ticket);
    return pending?.email.toLowerCase() === email.toLowerCase() ? pending : undefined;
  }

  delete(ticket: string): void {
    this.#byTicket.delete(ticket);
  }

  /** Forgets all, as a restart does. */
  reset(): void {
    this.#byTicket.clear();
  }
}
