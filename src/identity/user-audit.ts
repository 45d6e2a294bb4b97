// What people do with their accounts, in the audit log: the names of the actions, and bounds on what
// callers who are not logged in can make it write. An entry is synced to disk and stays for ever, so
// guessing is logged until it is evident. What is left out is counted by account, and its owner
// reads the number: a flood can neither fill the log nor hide anything in it.
import { addressRange } from './address-range.ts';
import type { Actor, AuditLog } from './audit.ts';
import { DecayingCounter, ROUNDING } from './decaying-counter.ts';

/** Every action of the user centre. Permanent: people search for them. */
export type UserAction =
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

/** Acts that were refused or anonymous and have no entries of their own; `uid:7/attempts:37`. */
const UNWRITTEN = 'attempts.unwritten';

export interface UserFacts {
  readonly action: UserAction;
  /** Who is logged in; null for a caller without a session. */
  readonly uid: number | null;
  readonly ip: string | null;
  readonly requestId: string | null;
  /** `ok`, or the name of the refusal. */
  readonly result: string;
  /** The address that was typed, whether or not it has an account; null where none was. */
  readonly email?: string | null;
  /** What it was done to; by default the person. */
  readonly object?: string | null;
  /** Never a code, a token, a password or a secret; the log strips what is named like one. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** So many at once, then one in each `fadeMs`. */
interface Bound {
  readonly key: string;
  readonly burst: number;
  readonly fadeMs: number;
}

const MINUTE = 60_000;
/** With one account, from everywhere. */
const ACCOUNT = { burst: 20, fadeMs: 5 * MINUTE };
/** From one network, whoever it tries. */
const NETWORK = { burst: 60, fadeMs: MINUTE };
/** All of them together: 43,000 a day, some 20 MB. */
const EVERYBODY = { burst: 600, fadeMs: MINUTE / 30 };
const MAX_COUNTS = 50_000;
/** Accounts whose unwritten acts are counted apart; beyond it they are counted together. */
const MAX_ACCOUNTS = 10_000;
/** How long an account's number grows before it is written, unless its owner comes. */
const SUMMARY_AFTER_MS = 10 * MINUTE;
const SUMMARIES_AT_ONCE = 10;

/** What has no entry of its own. */
interface Unwritten {
  count: number;
  /** When the first of them was; wall clock, ms. */
  readonly since: number;
}

export class UserAudit {
  readonly #audit: AuditLog;
  readonly #now: () => number;
  readonly #written: DecayingCounter;
  /** By uid. */
  readonly #ofAccounts = new Map<number, Unwritten>();
  /** Of no account, to be told with the next entry of a stranger. */
  #ofNobody = 0;

  constructor(audit: AuditLog, now: () => number) {
    this.#audit = audit;
    this.#now = now;
    this.#written = new DecayingCounter(now, MAX_COUNTS);
  }

  /**
   * Writes what a person did or was refused. What a person achieved is always written, and before it
   * the number of what was not. Of what was refused or came without a session, as much as the bounds
   * allow; what a stranger sent in a wrong form is no event and is not written.
   */
  record(facts: UserFacts): void {
    const { action, uid, ip, requestId, result } = facts;
    const object = facts.object ?? (uid === null ? null : `uid:${uid}`);
    if (uid === null && result === 'invalidField') return;
    if (uid === null || result !== 'ok') {
      if (!this.#take(facts)) {
        this.#leaveOut(uid ?? accountIn(object));
        return;
      }
    }
    if (uid !== null && result === 'ok') this.#summarize(uid);
    const actor: Actor = uid === null ? 'anonymous' : `uid:${uid}`;
    const left = uid !== null || this.#ofNobody === 0 ? {} : { unwritten: this.#ofNobody };
    const details = { ...facts.details, ...left };
    this.#audit.record({ actor, ip, action, object, result, requestId, details });
    if (uid === null) this.#ofNobody = 0;
  }

  /** Writes the numbers that have grown for long enough, a few at a time; to be called once a minute. */
  flush(): void {
    const due = this.#now() - SUMMARY_AFTER_MS;
    // In the order of their beginnings.
    const grown = [...this.#ofAccounts].filter(([, { since }]) => since <= due);
    for (const [uid] of grown.slice(0, SUMMARIES_AT_ONCE)) this.#summarize(uid);
  }

  /**
   * The account is the address that was typed, whether or not anybody has it: whether an entry is
   * written can be told by the time of the answer, and must not tell who has an account.
   */
  #take({ uid, email, ip }: UserFacts): boolean {
    // Told apart, or a stranger who types `uid:7` would use up what is written of that person's own acts.
    const account = uid === null ? `address ${email?.toLowerCase() ?? ''}` : `uid ${uid}`;
    const bounds: Bound[] = [
      { key: `account by ${account}`, ...ACCOUNT },
      { key: `network ${addressRange(ip)}`, ...NETWORK },
      { key: 'everybody', ...EVERYBODY },
    ];
    const isFull = ({ key, burst, fadeMs }: Bound) =>
      this.#written.levelOf(key, fadeMs) + 1 > burst + ROUNDING;
    if (bounds.some(isFull)) return false;
    for (const { key, fadeMs } of bounds) this.#written.add(key, fadeMs);
    return true;
  }

  #leaveOut(uid: number | null): void {
    const unwritten = uid === null ? undefined : this.#ofAccounts.get(uid);
    if (unwritten !== undefined) unwritten.count += 1;
    else if (uid === null || this.#ofAccounts.size >= MAX_ACCOUNTS) this.#ofNobody += 1;
    else this.#ofAccounts.set(uid, { count: 1, since: this.#now() });
  }

  #summarize(uid: number): void {
    const unwritten = this.#ofAccounts.get(uid);
    if (unwritten === undefined) return;
    this.#ofAccounts.delete(uid);
    this.#audit.record({
      actor: 'anonymous',
      ip: null,
      action: UNWRITTEN,
      object: `uid:${uid}/attempts:${unwritten.count}`,
      result: 'refused',
      requestId: null,
      details: { ...unwritten },
    });
  }
}

/** The account that an object is, or is part of. */
function accountIn(object: string | null): number | null {
  const uid = /^uid:(\d{1,15})(?:\/|$)/.exec(object ?? '')?.[1];
  return uid === undefined ? null : Number(uid);
}
