// What people do with their accounts, in the audit log: the names of the actions, and a bound on
// what callers who are not logged in can make it write. An entry is synced to disk and stays for
// ever, so guessing is logged until it is evident, and what is left out is told as a number.
import type { Actor, AuditLog } from './audit.ts';

/** Every action of the user centre. Permanent: people search for them. */
export type PersonAction =
  | 'account.register'
  | 'session.login'
  | 'session.logout'
  | 'session.revoke'
  | 'session.revokeOthers'
  | 'password.change'
  | 'password.reset'
  | 'totp.enroll'
  | 'totp.activate'
  | 'totp.disable'
  | 'totp.stepUp'
  | 'totp.recoveryCodes'
  | 'email.codeSent'
  | 'key.create'
  | 'key.revoke'
  | 'faucet.credit';

export interface PersonFacts {
  readonly action: PersonAction;
  /** Who is logged in; null for a caller without a session. */
  readonly uid: number | null;
  readonly ip: string | null;
  readonly requestId: string | null;
  /** `ok`, or the name of the refusal. */
  readonly result: string;
  /** What it was done to; by default the person. */
  readonly object?: string | null;
  /** Never a code, a token, a password or a secret; the log strips what is named like one. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Of callers without a session, and of refusals: a burst, then so many a minute. */
const BURST = 60;
const A_MINUTE = 12;

export class PersonAudit {
  readonly #audit: AuditLog;
  readonly #now: () => number;
  #left = BURST;
  #leftAt: number;
  #unwritten = 0;

  constructor(audit: AuditLog, now: () => number) {
    this.#audit = audit;
    this.#now = now;
    this.#leftAt = now();
  }

  /**
   * Writes what a person did or was refused. What succeeded is always written; of what was refused
   * or came without a session, as much as the bound allows, and the next entry says how many were
   * left out (`unwritten`).
   */
  record(facts: PersonFacts): void {
    const { action, uid, ip, requestId, result } = facts;
    const isBounded = uid === null || result !== 'ok';
    if (isBounded && !this.#take()) {
      this.#unwritten += 1;
      return;
    }
    const actor: Actor = uid === null ? 'anonymous' : `uid:${uid}`;
    const left = this.#unwritten === 0 ? {} : { unwritten: this.#unwritten };
    this.#audit.append({
      actor,
      ip,
      action,
      object: facts.object ?? (uid === null ? null : `uid:${uid}`),
      result,
      requestId,
      details: { ...facts.details, ...left },
    });
    this.#unwritten = 0;
  }

  #take(): boolean {
    const now = this.#now();
    const gained = (Math.max(0, now - this.#leftAt) / 60_000) * A_MINUTE;
    this.#left = Math.min(BURST, this.#left + gained);
    this.#leftAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
