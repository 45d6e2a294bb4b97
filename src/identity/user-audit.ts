// The acts of users in the audit log: their names, and bounds on the entries that callers without a
// session can cause. An entry is synced to disk and permanent, so a flood of guesses is logged
// until it is evident. Further ones are counted by account, and its owner can read the count: a
// flood can neither fill the log nor hide anything in it.

import { type Actor, type AuditLog, REJECTED } from './audit.ts';
import { DecayingCounter, ROUNDING } from './decaying-counter.ts';
import { addressRange } from './ip.ts';

/** Every act of the user center. The names are permanent, since people search for them. */
export const USER_ACTIONS = [
  'account.register',
  'session.login',
  'session.logout',
  'session.revoke',
  'session.revokeOthers',
  'password.change',
  'password.reset',
  'totp.enroll',
  'totp.activate',
  'totp.disable',
  'totp.stepUp',
  'totp.recoveryCodes',
  'email.codeSent',
  'key.create',
  'key.revoke',
  'faucet.credit',
] as const;

export type UserAction = (typeof USER_ACTIONS)[number];

/** Counts acts without an entry of their own, with the object `uid:7/attempts:37`. */
const UNWRITTEN = 'attempts.unwritten';

export interface UserFacts {
  readonly action: UserAction;
  /** The logged-in user; null for a caller without a session. */
  readonly uid: number | null;
  readonly ip: string | null;
  readonly requestId: string | null;
  /** `ok`, or the name of the rejection. */
  readonly result: string;
  /** The typed email address, which may have no account; null where the call has none. */
  readonly email?: string | null;
  /** The object of the act, such as a key; by default the user. */
  readonly object?: string | null;
  /** Never a code, token, password or secret; the log removes fields with such names. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `burst` entries immediately, then one in each `decayMs`. */
interface Bound {
  readonly key: string;
  readonly burst: number;
  readonly decayMs: number;
}

const MINUTE = 60_000;
/** About one account, from everywhere. */
const ACCOUNT = { burst: 20, decayMs: 5 * MINUTE };
/** From one network, about all accounts. */
const NETWORK = { burst: 60, decayMs: MINUTE };
/** In total: 43,000 a day, about 20 MB. */
const TOTAL = { burst: 600, decayMs: MINUTE / 30 };
const MAX_COUNTS = 50_000;
/** Accounts with a count of their own; further ones share one count. */
const MAX_ACCOUNTS = 10_000;
/** How long an account's count grows before it is written, unless its owner acts first. */
const SUMMARY_AFTER_MS = 10 * MINUTE;
const SUMMARIES_AT_ONCE = 10;

/** Acts of one account without an entry of their own. */
interface UnwrittenActs {
  count: number;
  /** The time of the first one: by the wall clock, and by the steady clock, ms. */
  readonly since: number;
  readonly sinceSteady: number;
}

export class UserAudit {
  readonly #audit: AuditLog;
  readonly #now: () => number;
  readonly #steady: () => number;
  readonly #written: DecayingCounter;
  /** By uid. */
  readonly #ofAccounts = new Map<number, UnwrittenActs>();
  /** Without an account; the next anonymous entry has this count. */
  #withoutAccount = 0;

  /** `now` is the wall clock, ms. */
  constructor(audit: AuditLog, now: () => number, steady: () => number) {
    this.#audit = audit;
    this.#now = now;
    this.#steady = steady;
    this.#written = new DecayingCounter(steady, MAX_COUNTS);
  }

  /**
   * Writes the outcome of an act. A logged-in user's success is always written, after the count of
   * unwritten acts. Rejected and anonymous acts are written within the bounds; a malformed field of
   * a caller without a session is not written.
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
    const left =
      uid !== null || this.#withoutAccount === 0 ? {} : { unwritten: this.#withoutAccount };
    const details = { ...facts.details, ...left };
    this.#audit.record({ actor, ip, action, object, result, requestId, details });
    if (uid === null) this.#withoutAccount = 0;
  }

  /** Forgets all counts, as a restart does. */
  reset(): void {
    this.#written.clear();
    this.#ofAccounts.clear();
    this.#withoutAccount = 0;
  }

  /** Writes counts that have grown long enough, a few at a time; called once a minute. */
  flush(): void {
    const due = this.#steady() - SUMMARY_AFTER_MS;
    const grown = [...this.#ofAccounts].filter(([, { sinceSteady }]) => sinceSteady <= due);
    for (const [uid] of grown.slice(0, SUMMARIES_AT_ONCE)) this.#summarize(uid);
  }

  /**
   * Counts by the typed address, whether or not it has an account: the time of an answer shows
   * whether an entry was written, and must not show who has an account.
   */
  #take({ uid, email, ip }: UserFacts): boolean {
    // A typed `uid:7` must not use up the bound of that user.
    const account = uid === null ? `address ${email?.toLowerCase() ?? ''}` : `uid ${uid}`;
    const bounds: Bound[] = [
      { key: `account by ${account}`, ...ACCOUNT },
      { key: `network ${addressRange(ip)}`, ...NETWORK },
      { key: 'everybody', ...TOTAL },
    ];
    const isFull = ({ key, burst, decayMs }: Bound) =>
      this.#written.levelOf(key, decayMs) + 1 > burst + ROUNDING;
    if (bounds.some(isFull)) return false;
    for (const { key, decayMs } of bounds) this.#written.add(key, decayMs);
    return true;
  }

  #leaveOut(uid: number | null): void {
    const unwritten = uid === null ? undefined : this.#ofAccounts.get(uid);
    if (unwritten !== undefined) unwritten.count += 1;
    else if (uid === null || this.#ofAccounts.size >= MAX_ACCOUNTS) this.#withoutAccount += 1;
    else {
      const [since, sinceSteady] = [this.#now(), this.#steady()];
      this.#ofAccounts.set(uid, { count: 1, since, sinceSteady });
    }
  }

  #summarize(uid: number): void {
    const unwritten = this.#ofAccounts.get(uid);
    if (unwritten === undefined) return;
    const { count, since } = unwritten;
    this.#ofAccounts.delete(uid);
    this.#audit.record({
      actor: 'anonymous',
      ip: null,
      action: UNWRITTEN,
      object: `uid:${uid}/attempts:${count}`,
      result: REJECTED,
      requestId: null,
      details: { count, since },
    });
  }
}

/** The account of an object. */
function accountIn(object: string | null): number | null {
  const uid = /^uid:(\d{1,15})(?:\/|$)/.exec(object ?? '')?.[1];
  return uid === undefined ? null : Number(uid);
}
