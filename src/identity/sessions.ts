// Sessions of logged-in users: a random token, stored only as its SHA-256. A session ends by
// logout, by revocation, after 30 minutes without use, or 12 hours after the login. It has the time
// of the last authenticator code, which sensitive acts require (step-up). Figures: OWASP ASVS 5.0
// 7.2 to 7.5. Why a session ended is kept for 12 hours, for the caller who still has its token.
import { createHash, randomBytes } from 'node:crypto';
import type { IdentityStore } from './storage/identity-store.ts';
import { Uses } from './uses.ts';

export const SESSION_IDLE_MS = 30 * 60_000;
export const SESSION_ABSOLUTE_MS = 12 * 3_600_000;
/** How long after a login a session may enroll a first authenticator. */
const RECENT_MS = 10 * 60_000;
/** How long an authenticator code permits sensitive acts. */
export const STEP_UP_MS = 5 * 60_000;

/** Why a session ended: by time, or by whom. */
export type SessionEnd =
  | 'expired'
  | 'loggedOut'
  | 'revoked'
  | 'replaced'
  | 'passwordChanged'
  | 'authenticatorChanged'
  | 'suspended';

/** A revoked access. */
export type Revocation =
  | { readonly type: 'keyRevoked'; readonly keyId: number }
  | { readonly type: 'sessionEnded'; readonly sessionId: number }
  | { readonly type: 'userSuspended'; readonly uid: number };

/** Emits revocations to the part that must close an open websocket immediately. */
export class Revocations {
  #listener: ((revocation: Revocation) => void) | null = null;

  /** Sets the listener; there is at most one. */
  subscribe(listener: (revocation: Revocation) => void): void {
    this.#listener = listener;
  }

  emit(revocation: Revocation): void {
    this.#listener?.(revocation);
  }
}

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
  /** True if it is the caller's session. */
  readonly current: boolean;
}

export interface NewSession {
  readonly uid: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** True if the login had an authenticator code. */
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

const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;
/** A user's further login ends the least recently used session. */
const MAX_SESSIONS = 50;
/** Ends of all users together; later ones take the place of the earliest. */
const MAX_ENDED = 10_000;
const MAX_USER_AGENT = 256;
/** Ended sessions that a flush removes for each use that it may write. */
const ENDED_PER_USE = 4;
/** The columns of a Session. */
const COLUMNS =
  'session_id AS sessionId, uid, created_at AS createdAt, last_used_at AS lastUsedAt, ' +
  `created_at + ${SESSION_ABSOLUTE_MS} AS expiresAt, stepped_up_at AS steppedUpAt, ip, ` +
  'user_agent AS userAgent';

export class Sessions {
  readonly #store: IdentityStore;
  readonly #now: () => number;
  readonly #revocations: Revocations;
  /** By session id. */
  readonly uses = new Uses();

  constructor(store: IdentityStore, now: () => number, revocations = new Revocations()) {
    this.#revocations = revocations;
    this.#store = store;
    this.#now = now;
  }

  /** Opens a session of an existing user, with a new token. */
  create({ uid, ip, userAgent, steppedUp = false, replaces = null }: NewSession): OpenedSession {
    const now = this.#now();
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const session = this.#store.write(() => {
      if (replaces !== null) this.#end('replaced', 'token_hash = ?', hashOf(replaces));
      for (const { sessionId } of this.#liveOf(uid).slice(MAX_SESSIONS - 1)) {
        this.#end('replaced', 'session_id = ?', sessionId);
      }
      return this.#store.get<Session>(
        `INSERT INTO sessions
           (session_id, token_hash, uid, created_at, last_used_at, stepped_up_at, ip, user_agent)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
        this.#store.nextId('session'),
        hashOf(token),
        uid,
        now,
        now,
        steppedUp ? now : null,
        ip,
        userAgent?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null,
      );
    });
    // The insert returns the row or throws.
    return { token, session: session! };
  }

  /**
   * The live session of a token; undefined for none. Notes the use in memory, so that a request
   * never waits for the disk; the flush writes it once a minute. A crash loses at most that, and
   * the session ends a little earlier.
   */
  find(token: string): Session | undefined {
    if (!TOKEN_FORM.test(token)) return undefined;
    const session = this.#liveOne('token_hash = ?', hashOf(token));
    if (session === undefined) return undefined;
    const lastUsedAt = Math.max(session.lastUsedAt, this.#now());
    if (lastUsedAt > session.lastUsedAt) this.uses.note(session.sessionId, lastUsedAt);
    return { ...session, lastUsedAt };
  }

  /** Why the session of a token ended; null for a token that is live or not known. */
  endOf(token: string): SessionEnd | null {
    if (!TOKEN_FORM.test(token)) return null;
    const hash = hashOf(token);
    const reason = 'SELECT reason FROM ended_sessions WHERE token_hash = ?';
    const ended = this.#store.get<{ reason: SessionEnd }>(reason, hash);
    if (ended !== undefined) return ended.reason;
    const stored = 'SELECT 1 FROM sessions WHERE token_hash = ?';
    const isStored = this.#store.get(stored, hash) !== undefined;
    return isStored && this.#liveOne('token_hash = ?', hash) === undefined ? 'expired' : null;
  }

  /** True if a session is live; does not count as a use. */
  isLive(sessionId: number): boolean {
    return this.#liveOne('session_id = ?', sessionId) !== undefined;
  }

  /** The live sessions of a user, most recently used first; `currentId` is the caller's. */
  list(uid: number, currentId: number | null = null): SessionInfo[] {
    return this.#liveOf(uid).map((session) => ({
      ...session,
      current: session.sessionId === currentId,
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

  /** Like `rotate`, without an authenticator code. */
  renew(sessionId: number): OpenedSession | undefined {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const update = 'UPDATE sessions SET token_hash = ? WHERE session_id = ?';
    this.#store.run(update, hashOf(token), sessionId);
    const session = this.#liveOne('session_id = ?', sessionId);
    return session && { token, session };
  }

  /** Notes an authenticator code. */
  stepUp(sessionId: number): void {
    const update = 'UPDATE sessions SET stepped_up_at = ? WHERE session_id = ?';
    this.#store.run(update, this.#now(), sessionId);
  }

  /** True if the last authenticator code is less than five minutes old. */
  isSteppedUp({ steppedUpAt }: Session): boolean {
    const age = steppedUpAt === null ? Number.POSITIVE_INFINITY : this.#now() - steppedUpAt;
    // A clock that was set back prolongs a step-up by five minutes at most.
    return Math.abs(age) < STEP_UP_MS;
  }

  /** True if the login, or an authenticator code since, is less than ten minutes old. */
  isRecent({ createdAt, steppedUpAt }: Session): boolean {
    const age = this.#now() - Math.max(createdAt, steppedUpAt ?? 0);
    return Math.abs(age) < RECENT_MS;
  }

  /** Ends one session of this user; false where it is not live. */
  revoke(uid: number, sessionId: number, reason: SessionEnd = 'revoked'): boolean {
    const isOwn = this.#liveOf(uid).some((session) => session.sessionId === sessionId);
    if (isOwn) this.#end(reason, 'session_id = ?', sessionId);
    return isOwn;
  }

  /** Ends every session of the user but one; returns how many were live. */
  revokeOthers(uid: number, keepId: number, reason: SessionEnd): number {
    const ending = this.#liveOf(uid).filter(({ sessionId }) => sessionId !== keepId);
    this.#store.write(() => {
      for (const { sessionId } of ending) this.#end(reason, 'session_id = ?', sessionId);
    });
    return ending.length;
  }

  /** Ends every session of the user; returns how many were live. */
  revokeAll(uid: number, reason: SessionEnd): number {
    const live = this.#liveOf(uid).length;
    this.#end(reason, 'uid = ?', uid);
    return live;
  }

  /**
   * Writes at most `maximum` noted uses and deletes ended sessions; returns the number of uses. The
   * commit does not wait for the disk.
   */
  flush(maximum = Number.POSITIVE_INFINITY): number {
    const uses = this.uses.first(maximum);
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
    for (const [sessionId, time] of uses) this.uses.written(sessionId, time);
    return uses.length;
  }

  /** Every stored session, with a text that a session of the same id and another login lacks. */
  owners(): Map<number, string> {
    const all = this.#store.all<Session>(`SELECT ${COLUMNS} FROM sessions`);
    return new Map(all.map((row) => [row.sessionId, `${row.uid}/${row.createdAt}`]));
  }

  /** Follows another node, which has written some sessions and ended others. */
  refresh(written: readonly number[], ended: readonly number[]): void {
    for (const sessionId of ended) {
      this.uses.delete(sessionId);
      this.#revocations.emit({ type: 'sessionEnded', sessionId });
    }
    const stored = 'SELECT last_used_at AS time FROM sessions WHERE session_id = ?';
    for (const id of written) {
      this.uses.written(id, this.#store.get<{ time: number }>(stored, id)!.time);
    }
  }

  #liveOf(uid: number): Session[] {
    return this.#live('uid = ?', uid).sort(
      (a, b) => b.lastUsedAt - a.lastUsedAt || b.sessionId - a.sessionId,
    );
  }

  #liveOne(condition: Condition, value: number | Buffer): Session | undefined {
    return this.#live(condition, value)[0];
  }

  /** The live sessions, with the uses that no flush has written. */
  #live(condition: Condition, value: number | Buffer): Session[] {
    const now = this.#now();
    return this.#store
      .all<Session>(`SELECT ${COLUMNS} FROM sessions WHERE ${condition}`, value)
      .map((session) => ({
        ...session,
        lastUsedAt: this.uses.latest(session.sessionId, session.lastUsedAt),
      }))
      .filter(({ createdAt, lastUsedAt }) => {
        // A step of the clock back makes a session live twice as long at most.
        const isDue = Math.abs(now - createdAt) >= SESSION_ABSOLUTE_MS;
        return !isDue && now < lastUsedAt + SESSION_IDLE_MS;
      });
  }

  /** If the transaction around it rolls back, the closed connection can be opened again. */
  #end(reason: SessionEnd, condition: Condition, value: number | Buffer): void {
    const ended = this.#store.write(() => {
      const gone = this.#store.all<{ sessionId: number; tokenHash: Uint8Array }>(
        `DELETE FROM sessions WHERE ${condition}
         RETURNING session_id AS sessionId, token_hash AS tokenHash`,
        value,
      );
      for (const { tokenHash } of gone) this.#noteEnd(tokenHash, reason);
      return gone;
    });
    for (const { sessionId } of ended) this.#revocations.emit({ type: 'sessionEnded', sessionId });
  }

  #noteEnd(tokenHash: Uint8Array, reason: SessionEnd): void {
    const now = this.#now();
    const outdated = 'DELETE FROM ended_sessions WHERE ended_at <= ?';
    this.#store.run(outdated, now - SESSION_ABSOLUTE_MS);
    const surplus =
      'DELETE FROM ended_sessions WHERE token_hash IN (SELECT token_hash FROM ended_sessions ' +
      'ORDER BY ended_at DESC LIMIT -1 OFFSET ?)';
    this.#store.run(surplus, MAX_ENDED - 1);
    const insert =
      'INSERT OR REPLACE INTO ended_sessions (token_hash, reason, ended_at) VALUES (?, ?, ?)';
    this.#store.run(insert, tokenHash, reason, now);
  }
}

type Condition = 'session_id = ?' | 'uid = ?' | 'token_hash = ?';

/** Plain SHA-256 is enough: 256 random bits cannot be tried out. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
