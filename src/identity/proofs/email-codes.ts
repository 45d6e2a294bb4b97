// One-time codes by email: six digits, or 80 bits for a reset. A code is valid for ten minutes and
// five tries, and bound to the user, the session or ticket, and one operation (OWASP ASVS 5.0 6.5).
// The database has its HMAC, since a reader of the file could search six digits under a plain hash.
// Checking and using up are two steps: only a call that succeeds uses its code up (proofs.ts).
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { addressRange } from '../ip.ts';
import { type Denial, deny, type Result, success } from '../result.ts';
import type { ValuesHash } from '../sealing.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import { isLongCode, newLongCode, normalized } from './totp-code.ts';

/** The operation that a code confirms, as `operationType` on the wire. */
export const Operation = {
  registration: 1,
  passwordReset: 2,
  login: 3,
  passwordChange: 4,
  totpDisable: 5,
  /** Any other act in a session, where `emailCodeNeeded` asks for a code. */
  confirmation: 6,
  keyCreation: 7,
} as const;

export type OperationType = (typeof Operation)[keyof typeof Operation];

/** The binding of a code, which is wrong in every other scope. */
export interface CodeScope {
  /** `uid:7`, or an email address that may have no user. */
  readonly subject: `uid:${number}` | `email:${string}`;
  /** The session that requested it; without a session, a ticket of `newTicket`. */
  readonly holder: `session:${number}` | `ticket:${string}`;
  readonly operation: OperationType;
}

/** The code goes into an email and never into an answer. */
interface IssuedCode {
  readonly code: string;
  readonly expiresAt: number;
}

/** A code that is right and not used up yet. */
export interface EmailCodeMatch {
  readonly scopeHash: Buffer;
  readonly codeHash: Buffer;
}

interface CodeRow {
  readonly code_hash: Uint8Array;
  readonly expires_at: number;
  readonly tries: number;
}

/** At most `maximum` in the last `withinMs`. */
interface SendLimit {
  readonly key: string;
  readonly withinMs: number;
  readonly maximum: number;
  /** The sentence of the rejection; true whether the caller or somebody else used up the limit. */
  readonly text: string;
}

export const EMAIL_CODE_MS = 10 * 60_000;
const LATEST_EXPIRY_MS = 2 * EMAIL_CODE_MS;
const MAX_TRIES = 5;
const CODE_FORM = /^\d{6}$/;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Without a session: from one network, for all addresses together. */
const SENDS_OF_RANGE = 30;
/**
 * Without a session: to one address, from all networks where its owner is unknown. Strangers with
 * many networks can use it up, so it does not count where the owner is known.
 */
const SENDS_TO_SUBJECT = 20;
const ASKED_HERE =
  'We sent you a code a short while ago. Use that one, or request another one later.';
const ASKED_IN_VAIN =
  'We sent you a code a short while ago. It does not work here: it was for something else, or it ' +
  'has been used. Request another one later.';
const ASKED_BY_NETWORK = 'Your network requested too many codes. Try again later.';
const ASKED_ELSEWHERE =
  'Other networks requested too many codes for this address. Try again later, or from a network ' +
  'where you have logged in before.';
const TICKET_BYTES = 16;

/**
 * A ticket for a caller without a session: the answer to the request of a code has it, and it comes
 * back with the code. So a stranger cannot burn or replace a code that the owner requested.
 */
export function newTicket(): string {
  return randomBytes(TICKET_BYTES).toString('base64url');
}

export class EmailCodes {
  readonly #store: IdentityStore;
  readonly #hash: ValuesHash;
  readonly #now: () => number;
  /** The wall clock of the start plus the time since, ms: a step does not change a limit. */
  readonly #sendTime: () => number;

  constructor(store: IdentityStore, now: () => number, steady: () => number) {
    this.#store = store;
    this.#hash = store.sealer.peppered('email codes');
    this.#now = now;
    const origin = now() - steady();
    this.#sendTime = () => Math.floor(origin + steady());
  }

  /**
   * Creates a code, which replaces the scope's previous one. A user with a session gets one in 60
   * seconds and five an hour; without a session, each network gets that for an address. Wider
   * limits hold for a network, and for an address where its owner is unknown. Rejection:
   * tooManyCodes.
   */
  issue(scope: CodeScope, ip: string | null, isKnown = false): Result<IssuedCode> {
    const [now, sentAt] = [this.#now(), this.#sendTime()];
    const limits = limitsOf(scope, ip, isKnown);
    const waits = limits.map((limit) => ({ ...limit, ms: this.#waitFor(limit, sentAt) }));
    const longest = waits.reduce((found, wait) => (wait.ms > found.ms ? wait : found));
    if (longest.ms > 0) {
      const { ms: retryAfterMs } = longest;
      const text = longest.text === ASKED_HERE ? this.#askedHere(scope, now) : longest.text;
      return deny('tooManyCodes', 'operationType', { text, retryAfterMs });
    }
    const code = newCode(scope.operation);
    const scopeHash = this.#scopeHash(scope);
    const expiresAt = now + EMAIL_CODE_MS;
    this.#store.write(() => {
      // A restart after a step back, or another leader, finds times that are still to come.
      const outside = 'DELETE FROM email_sends WHERE sent_at <= ? OR sent_at > ?';
      this.#store.run(outside, sentAt - HOUR, sentAt);
      const dead = 'DELETE FROM email_codes WHERE expires_at <= ? OR expires_at > ?';
      this.#store.run(dead, now, now + LATEST_EXPIRY_MS);
      for (const key of new Set(limits.map((limit) => limit.key))) {
        this.#store.run('INSERT INTO email_sends (limit_key, sent_at) VALUES (?, ?)', key, sentAt);
      }
      this.#store.run(
        `INSERT OR REPLACE INTO email_codes (scope_hash, code_hash, expires_at, tries)
         VALUES (?, ?, ?, 0)`,
        scopeHash,
        this.#codeHash(scopeHash, hashedForm(scope, code)),
        expiresAt,
      );
    });
    return success({ code, expiresAt });
  }

  /** Without a session, the caller may still have the ticket of the code before. */
  #askedHere(scope: CodeScope, now: number): string {
    if (scope.holder.startsWith('ticket:')) return ASKED_HERE;
    const sent = this.#rowOf(this.#scopeHash(scope));
    return sent !== undefined && isLive(sent, now) ? ASKED_HERE : ASKED_IN_VAIN;
  }

  /**
   * Checks the code of the scope without using it up. A wrong one counts as a try, and the fifth
   * burns the code. Rejection: emailCodeWrong, without a reason.
   */
  check(scope: CodeScope, code: string): Result<EmailCodeMatch> {
    const scopeHash = this.#scopeHash(scope);
    const row = this.#rowOf(scopeHash);
    const codeHash = this.#codeHash(scopeHash, hashedForm(scope, code));
    if (row === undefined || !isLive(row, this.#now())) return emailCodeWrong();
    if (timingSafeEqual(row.code_hash, codeHash)) return success({ scopeHash, codeHash });
    this.#countTry(scopeHash, row.tries + 1);
    return emailCodeWrong();
  }

  /**
   * Uses a code up, in the transaction of its act; false where it was used, burnt or replaced since
   * `check`.
   */
  consume({ scopeHash, codeHash }: EmailCodeMatch): boolean {
    const remove =
      'DELETE FROM email_codes WHERE scope_hash = ? AND code_hash = ? AND expires_at > ?';
    return this.#store.run(remove, scopeHash, codeHash, this.#now()) === 1;
  }

  #rowOf(scopeHash: Buffer): CodeRow | undefined {
    return this.#store.get('SELECT * FROM email_codes WHERE scope_hash = ?', scopeHash);
  }

  #countTry(scopeHash: Buffer, tries: number): void {
    if (tries >= MAX_TRIES) {
      this.#store.run('DELETE FROM email_codes WHERE scope_hash = ?', scopeHash);
    } else {
      this.#store.run('UPDATE email_codes SET tries = ? WHERE scope_hash = ?', tries, scopeHash);
    }
  }

  /** How long until this limit permits one more, ms. */
  #waitFor({ key, withinMs, maximum }: SendLimit, now: number): number {
    const oldest = this.#store.get<{ sentAt: number }>(
      `SELECT sent_at AS sentAt FROM email_sends
       WHERE limit_key = ? AND sent_at > ? AND sent_at <= ? ORDER BY sent_at DESC LIMIT 1 OFFSET ?`,
      key,
      now - withinMs,
      now,
      maximum - 1,
    );
    return oldest === undefined ? 0 : oldest.sentAt + withinMs - now;
  }

  #scopeHash({ subject, holder, operation }: CodeScope): Buffer {
    return this.#hash(['scope', subject.toLowerCase(), holder, operation]);
  }

  #codeHash(scopeHash: Buffer, code: string): Buffer {
    return this.#hash(['code', scopeHash.toString('hex'), code]);
  }
}

/** A step of the clock back makes a code live twice as long at most. */
const isLive = ({ expires_at }: CodeRow, now: number): boolean =>
  expires_at > now && expires_at <= now + LATEST_EXPIRY_MS;

/** Six digits, or a long code for a reset. */
const newCode = (operation: OperationType): string =>
  operation === Operation.passwordReset
    ? newLongCode()
    : String(randomInt(1_000_000)).padStart(6, '0');

/** A code in the form that is hashed; empty for text that is not a code. */
function hashedForm({ operation }: CodeScope, code: string): string {
  const text = normalized(code);
  const isCode = operation === Operation.passwordReset ? isLongCode(text) : CODE_FORM.test(text);
  return isCode ? text : '';
}

function limitsOf(
  { subject, holder }: CodeScope,
  ip: string | null,
  isKnown: boolean,
): SendLimit[] {
  const to = subject.toLowerCase();
  if (holder.startsWith('session:')) return sendLimits(`${to}|session`);
  const range = addressRange(ip);
  return [
    ...sendLimits(`${to}|${range}`),
    { key: `any|${range}`, withinMs: HOUR, maximum: SENDS_OF_RANGE, text: ASKED_BY_NETWORK },
    ...(isKnown
      ? []
      : [{ key: `${to}|any`, withinMs: HOUR, maximum: SENDS_TO_SUBJECT, text: ASKED_ELSEWHERE }]),
  ];
}

const sendLimits = (key: string): SendLimit[] => [
  { key, withinMs: MINUTE, maximum: 1, text: ASKED_HERE },
  { key, withinMs: HOUR, maximum: 5, text: ASKED_HERE },
];

/** Rejects every code that is not right, without a reason. */
export const emailCodeWrong = (): Denial => deny('emailCodeWrong', 'emailAuthCode');
