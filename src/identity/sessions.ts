// Sessions of logged-in users: a random token, stored only as its SHA-256. A session ends by
// logout, by revocation, after 30 minutes without use, or 12 hours after the login. It has the time
// of the last authenticator code, which sensitive acts require (step-up). Figures: OWASP ASVS 5.0
// 7.2 to 7.5.
import { createHash, randomBytes } from 'node:crypto';
import { Revocations } from './revocations.ts';
import type { IdentityStore } from './storage/identity-store.ts';

export const SESSION_IDLE_MS = 30 * 60_000;
export const SESSION_ABSOLUTE_MS = 12 * 3_600_000;
/** How long after a login a session may enroll a first authenticator. */
const RECENT_MS = 10 * 60_000;
/** How long an authenticator code permits sensitive acts. */
export const STEP_UP_MS = 5 * 60_000;

export interface Session {
  readonly sessionId: number;
  readonly uid: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** The latest end; an unused session ends earlier. */
  readonly expiresAt: number;
  /** The time of the last authenticator code; null for none. */
  readonly steppedUpAt: number | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** A session as its owner sees it in the list. */
export interface SessionInfo extends Session {
  /** Whether it is the caller's session. */
  readonly current: boolean;
}

export interface NewSession {
  readonly uid: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Whether the login had an authenticator code. */
  readonly steppedUp?: boolean;
  /**
   * The caller's previous token, whose session ends: a token from before the login must not gain
   * anything by it (session fixation).
   */
  readonly replaces?: string | null;
}

/** The only time that the token is shown. */
export interface OpenedSession {
  readonly token: string;
  readonly session: Session;
}

interface SessionRow {
  readonly session_id: number;
  readonly uid: number;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly stepped_up_at: number | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
}

const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;
/** A user's further login ends the least recently used session. */
const MAX_SESSIONS = 50;
const MAX_USER_AGENT = 256;
/** Ended sessions that a flush removes for each use that it may write. */
const ENDED_PER_USE = 4;

export class Sessions {
  readonly #store: IdentityStore;
  readonly #now: () => number;
  readonly #revocations: Revocations;
  /** Uses since the last flush: session id → wall clock, ms. */
  readonly #used = new Map<number, number>();

  constructor(store: IdentityStore, now: () => number, revocations = new Revocations()) {
    this.#revocations = revocations;
    this.#store = store;
    this.#now = now;
  }

  /** Opens a session of an existing user, with a new token. */
  create(wanted: NewSession): OpenedSession {
    const now = this.#now();
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const row = this.#store.write(() => {
      if (typeof wanted.replaces === 'string') this.#endToken(wanted.replaces);
      this.#makeRoom(wanted.uid);
      return this.#store
        .query<SessionRow, (number | string | null | Buffer)[]>(
          `INSERT INTO sessions
             (token_hash, uid, created_at, last_used_at, stepped_up_at, ip, user_agent)
           VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *`,
        )
        .get(
          hashOf(token),
          wanted.uid,
          now,
          now,
          wanted.steppedUp === true ? now : null,
          wanted.ip,
          wanted.userAgent?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null,
        );
    });
    // The insert returns the row or throws.
    return { token, session: this.#sessionOf(row!) };
  }

  /**
   * The live session of a token; undefined for none. Notes the use in memory, so that a request
   * never waits for the disk; the flush writes it once a minute. A crash loses at most that, and
   * the session ends a little earlier.
   */
  find(token: string): Session | undefined {
    if (!TOKEN_FORM.test(token)) return undefined;
    const row = this.#store
      .query<SessionRow, [Buffer]>('SELECT * FROM sessions WHERE token_hash = ?')
      .get(hashOf(token));
    if (row === null || !this.#isLive(row)) return undefined;
    const now = this.#now();
    if (now > this.#lastUsed(row)) this.#used.set(row.session_id, now);
    return this.#sessionOf(row);
  }

  /** Whether a session is live; does not count as a use. */
  isLive(sessionId: number): boolean {
    const row = this.#store
      .query<SessionRow, [number]>('SELECT * FROM sessions WHERE session_id = ?')
      .get(sessionId);
    return row !== null && this.#isLive(row);
  }

  /** The live sessions of a user, most recently used first; `currentId` is the caller's. */
  list(uid: number, currentId: number | null = null): SessionInfo[] {
    return this.#liveOf(uid).map((row) => ({
      ...this.#sessionOf(row),
      current: row.session_id === currentId,
    }));
  }

  /**
   * A new token for a live session after an authenticator code; the old token no longer works.
   * Undefined where the session has ended. Call it in the transaction that uses the code up.
   */
  rotate(sessionId: number): OpenedSession | undefined {
    this.stepUp(sessionId);
    return this.renew(sessionId);
  }

  /** As `rotate`, without an authenticator code. */
  renew(sessionId: number): OpenedSession | undefined {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const row = this.#store.write(() =>
      this.#store
        .query<SessionRow, [Buffer, number]>(
          'UPDATE sessions SET token_hash = ? WHERE session_id = ? RETURNING *',
        )
        .get(hashOf(token), sessionId),
    );
    if (row === null || !this.#isLive(row)) return undefined;
    return { token, session: this.#sessionOf(row) };
  }

  /** Notes an authenticator code. */
  stepUp(sessionId: number): void {
    this.#store.write(() =>
      this.#store
        .query('UPDATE sessions SET stepped_up_at = ? WHERE session_id = ?')
        .run(this.#now(), sessionId),
    );
  }

  /** Whether the last authenticator code is less than five minutes old. */
  isSteppedUp({ steppedUpAt }: Session): boolean {
    const age = steppedUpAt === null ? Number.POSITIVE_INFINITY : this.#now() - steppedUpAt;
    // A clock that was set back must not prolong a step-up.
    return age >= 0 && age < STEP_UP_MS;
  }

  /**
   * Whether the login, or an authenticator code since, is less than ten minutes old.
   */
  isRecent({ createdAt, steppedUpAt }: Session): boolean {
    const age = this.#now() - Math.max(createdAt, steppedUpAt ?? 0);
    return age >= 0 && age < RECENT_MS;
  }

  /** Ends one session of this user; false where it is not live. */
  revoke(uid: number, sessionId: number): boolean {
    const known = this.#liveOf(uid).some((row) => row.session_id === sessionId);
    if (known) this.#end('session_id = ?', sessionId);
    return known;
  }

  /** Ends every session of the user but one; returns how many were live. */
  revokeOthers(uid: number, keepId: number): number {
    const ending = this.#liveOf(uid).filter((row) => row.session_id !== keepId);
    this.#store.write(() => {
      for (const row of ending) this.#end('session_id = ?', row.session_id);
    });
    return ending.length;
  }

  /** Ends every session of the user; returns how many were live. */
  revokeAll(uid: number): number {
    const live = this.#liveOf(uid).length;
    this.#end('uid = ?', uid);
    return live;
  }

  /**
   * Writes at most `maximum` noted uses and deletes ended sessions; returns the number of uses. The
   * commit does not wait for the disk.
   */
  flush(maximum = Number.POSITIVE_INFINITY): number {
    const uses = [...this.#used].slice(0, maximum);
    const now = this.#now();
    const update = this.#store.query(
      'UPDATE sessions SET last_used_at = max(last_used_at, ?) WHERE session_id = ?',
    );
    const remove = this.#store.query(
      `DELETE FROM sessions WHERE session_id IN
         (SELECT session_id FROM sessions WHERE created_at <= ? OR last_used_at <= ? LIMIT ?)`,
    );
    this.#store.writeLazily(() => {
      for (const [sessionId, time] of uses) update.run(time, sessionId);
      const limit = Number.isFinite(maximum) ? maximum * ENDED_PER_USE : -1;
      remove.run(now - SESSION_ABSOLUTE_MS, now - SESSION_IDLE_MS, limit);
    });
    for (const [sessionId, time] of uses) {
      if (this.#used.get(sessionId) === time) this.#used.delete(sessionId);
    }
    return uses.length;
  }

  #liveOf(uid: number): SessionRow[] {
    return this.#store
      .query<SessionRow, [number]>('SELECT * FROM sessions WHERE uid = ?')
      .all(uid)
      .filter((row) => this.#isLive(row))
      .sort((a, b) => this.#lastUsed(b) - this.#lastUsed(a) || b.session_id - a.session_id);
  }

  #makeRoom(uid: number): void {
    for (const row of this.#liveOf(uid).slice(MAX_SESSIONS - 1)) {
      this.#end('session_id = ?', row.session_id);
    }
  }

  #endToken(token: string): void {
    const ended = this.#store.write(() =>
      this.#store
        .query<{ session_id: number }, [Buffer]>(
          'DELETE FROM sessions WHERE token_hash = ? RETURNING session_id',
        )
        .all(hashOf(token)),
    );
    this.#emitEnded(ended);
  }

  #end(condition: 'session_id = ?' | 'uid = ?', id: number): void {
    const ended = this.#store.write(() =>
      this.#store
        .query<{ session_id: number }, [number]>(
          `DELETE FROM sessions WHERE ${condition} RETURNING session_id`,
        )
        .all(id),
    );
    this.#emitEnded(ended);
  }

  /** If the transaction around it rolls back, the closed connection can be opened again. */
  #emitEnded(rows: readonly { readonly session_id: number }[]): void {
    for (const row of rows)
      this.#revocations.emit({ type: 'sessionEnded', sessionId: row.session_id });
  }

  #lastUsed(row: SessionRow): number {
    return this.#used.get(row.session_id) ?? row.last_used_at;
  }

  #isLive(row: SessionRow): boolean {
    const now = this.#now();
    return (
      now < row.created_at + SESSION_ABSOLUTE_MS && now < this.#lastUsed(row) + SESSION_IDLE_MS
    );
  }

  #sessionOf(row: SessionRow): Session {
    return {
      sessionId: row.session_id,
      uid: row.uid,
      createdAt: row.created_at,
      lastUsedAt: this.#lastUsed(row),
      expiresAt: row.created_at + SESSION_ABSOLUTE_MS,
      steppedUpAt: row.stepped_up_at,
      ip: row.ip,
      userAgent: row.user_agent,
    };
  }
}

/** Plain SHA-256 is enough: 256 random bits cannot be tried out. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
