// One-time codes that are sent by e-mail: six digits, or 80 bits for a reset, which asks for nothing else
// where there is no authenticator. Ten minutes, bound to the user, to the session (or to the ticket of
// someone who has none) and to one type of operation, five tries.
// Kept as an HMAC under a key derived from the master key: six digits under a plain hash could be
// searched by who reads the file. Checking and using up are two steps, since a code is used up
// only by a call that succeeds in everything else (proofs.ts). Figures: OWASP ASVS 5.0 6.5, 6.6.
import { createHmac, type KeyObject, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { addressRange } from '../address-range.ts';
import { type PersonRefusal, refusePerson } from '../refusal.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import { base32 } from './totp-code.ts';

/** What a code is good for, as `operationType` on the wire. 7 is of the contract. */
export const Operation = {
  registration: 1,
  passwordReset: 2,
  login: 3,
  passwordChange: 4,
  totpDisable: 5,
  /** Any other act of a person with a session, where `emailCodeNeeded` asks for one. */
  confirmation: 6,
  keyCreation: 7,
} as const;

export type OperationType = (typeof Operation)[keyof typeof Operation];

const OPERATION_TYPES: readonly number[] = Object.values(Operation);

export function isOperationType(n: number): n is OperationType {
  return OPERATION_TYPES.includes(n);
}

/** What a code is bound to. A code of one scope is wrong in every other. */
export interface CodeScope {
  /** `uid:7`, or the address of someone who is no user (yet), or may be none. */
  readonly subject: `uid:${number}` | `email:${string}`;
  /** The session that asked; the ticket of `newTicket` where there is no session. */
  readonly holder: `session:${number}` | `ticket:${string}`;
  readonly operation: OperationType;
}

/** To be mailed, never to be answered. */
export interface IssuedCode {
  readonly ok: true;
  readonly code: string;
  readonly expiresAt: number;
}

/** A code that was found to be right and is not used up yet. */
export interface CheckedEmailCode {
  readonly ok: true;
  readonly scopeHash: Buffer;
  readonly codeHash: Buffer;
}

interface CodeRow {
  readonly code_hash: Uint8Array;
  readonly expires_at: number;
  readonly tries: number;
}

/** At most `most` in the last `withinMs`. */
interface SendLimit {
  readonly key: string;
  readonly withinMs: number;
  readonly most: number;
  /** What is said to whoever meets it; true whether they or somebody else have asked before. */
  readonly text: string;
}

export const EMAIL_CODE_MS = 10 * 60_000;
const MAX_TRIES = 5;
const CODE_FORM = /^\d{6}$/;
const RESET_BYTES = 10;
const RESET_FORM = /^[A-Z2-7]{16}$/;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Of callers without a session: from one network, whatever addresses it asks for. */
const SENDS_OF_RANGE = 30;
/**
 * Of callers without a session: to one address, whoever asks from networks where its owner has not
 * been. Strangers with many networks can use it up; where the owner is known it does not count.
 */
const SENDS_TO_SUBJECT = 20;
const ASKED_HERE =
  'A code was asked for from here a short while ago. Use that one, or ask again later.';
const ASKED_BY_NETWORK = 'Too many codes were asked for from your network. Ask again later.';
const ASKED_ELSEWHERE =
  'Too many codes for this address were asked for from elsewhere. Ask again later, or from a ' +
  'network where you have logged in before.';
const TICKET_BYTES = 16;

/**
 * A ticket for a caller without a session (registration, password reset): it is answered to who
 * asks for the code and has to come back with it. So a stranger who asks for a code of somebody
 * else's can neither burn nor replace the one that the owner asked for.
 */
export function newTicket(): string {
  return randomBytes(TICKET_BYTES).toString('base64url');
}

export class EmailCodes {
  readonly #store: IdentityStore;
  readonly #pepper: KeyObject;
  readonly #now: () => number;

  constructor(store: IdentityStore, now: () => number) {
    this.#store = store;
    this.#pepper = store.sealer.pepper('email codes');
    this.#now = now;
  }

  /**
   * A new code of this scope, which replaces the one before it. Refused with `tooManyCodes`: one in
   * 60 seconds and five an hour, for a user with a session; without one, the same for each network
   * that asks for an address, and wider limits for the network, and for the address over all networks
   * but those where its owner is known (`isKnown`).
   */
  issue(scope: CodeScope, ip: string | null, isKnown = false): IssuedCode | PersonRefusal {
    const now = this.#now();
    const limits = limitsOf(scope, ip, isKnown);
    const waits = limits.map((limit) => ({ ...limit, ms: this.#waitFor(limit, now) }));
    const longest = waits.reduce((most, wait) => (wait.ms > most.ms ? wait : most));
    if (longest.ms > 0) {
      return refusePerson('tooManyCodes', 'operationType', longest.text, longest.ms);
    }
    const code = newCode(scope.operation);
    const scopeHash = this.#scopeHash(scope);
    const expiresAt = now + EMAIL_CODE_MS;
    this.#store.write(() => {
      this.#store.query('DELETE FROM email_sends WHERE sent_at <= ?').run(now - HOUR);
      this.#store.query('DELETE FROM email_codes WHERE expires_at <= ?').run(now);
      for (const key of new Set(limits.map((limit) => limit.key))) {
        this.#store
          .query('INSERT INTO email_sends (limit_key, sent_at) VALUES (?, ?)')
          .run(key, now);
      }
      this.#store
        .query(
          `INSERT OR REPLACE INTO email_codes (scope_hash, code_hash, expires_at, tries)
           VALUES (?, ?, ?, 0)`,
        )
        .run(scopeHash, this.#codeHash(scopeHash, normalized(scope, code)), expiresAt);
    });
    return { ok: true, code, expiresAt };
  }

  /**
   * Whether this is the code of the scope; nothing is used up. A wrong one counts as a try, and the
   * fifth burns the code. Refused with `emailCodeWrong`, which does not say why.
   */
  check(scope: CodeScope, code: string): CheckedEmailCode | PersonRefusal {
    const scopeHash = this.#scopeHash(scope);
    const row = this.#store
      .query<CodeRow, [Buffer]>('SELECT * FROM email_codes WHERE scope_hash = ?')
      .get(scopeHash);
    const codeHash = this.#codeHash(scopeHash, normalized(scope, code));
    if (row === null || this.#now() >= row.expires_at) return wrongCode();
    if (timingSafeEqual(row.code_hash, codeHash)) return { ok: true, scopeHash, codeHash };
    this.#countTry(scopeHash, row.tries + 1);
    return wrongCode();
  }

  /**
   * Uses up what `check` found; false when it was used, burnt or replaced in between, and then
   * nothing changes. Call it in the transaction of what the code is given for.
   */
  consume({ scopeHash, codeHash }: CheckedEmailCode): boolean {
    const { changes } = this.#store.write(() =>
      this.#store
        .query('DELETE FROM email_codes WHERE scope_hash = ? AND code_hash = ? AND expires_at > ?')
        .run(scopeHash, codeHash, this.#now()),
    );
    return changes === 1;
  }

  #countTry(scopeHash: Buffer, tries: number): void {
    this.#store.write(() => {
      if (tries >= MAX_TRIES) {
        this.#store.query('DELETE FROM email_codes WHERE scope_hash = ?').run(scopeHash);
      } else {
        this.#store
          .query('UPDATE email_codes SET tries = ? WHERE scope_hash = ?')
          .run(tries, scopeHash);
      }
    });
  }

  /** How long until one more may be sent under this limit. */
  #waitFor({ key, withinMs, most }: SendLimit, now: number): number {
    const sent = this.#store
      .query<{ sent_at: number }, [string, number, number]>(
        `SELECT sent_at FROM email_sends WHERE limit_key = ? AND sent_at > ?
         ORDER BY sent_at DESC LIMIT ?`,
      )
      .all(key, now - withinMs, most);
    const oldest = sent[most - 1];
    // After a clock was set back the times lie ahead: nobody waits for longer than the window.
    return oldest === undefined ? 0 : Math.min(withinMs, oldest.sent_at + withinMs - now);
  }

  #scopeHash({ subject, holder, operation }: CodeScope): Buffer {
    return this.#hash(['scope', subject.toLowerCase(), holder, operation]);
  }

  #codeHash(scopeHash: Buffer, code: string): Buffer {
    return this.#hash(['code', scopeHash.toString('hex'), code]);
  }

  #hash(parts: readonly (string | number)[]): Buffer {
    return createHmac('sha256', this.#pepper).update(JSON.stringify(parts), 'utf8').digest();
  }
}

/** Six digits, or XXXX-XXXX-XXXX-XXXX in base32. */
function newCode(operation: OperationType): string {
  if (operation !== Operation.passwordReset) {
    return String(randomInt(1_000_000)).padStart(6, '0');
  }
  return base32(randomBytes(RESET_BYTES)).replace(/.{4}(?=.)/g, '$&-');
}

/** A code as it is hashed, however it was typed; empty where it has not the form of one. */
function normalized({ operation }: CodeScope, code: string): string {
  const text = code.replace(/[\s-]/g, '').toUpperCase();
  const form = operation === Operation.passwordReset ? RESET_FORM : CODE_FORM;
  return form.test(text) ? text : '';
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
    { key: `any|${range}`, withinMs: HOUR, most: SENDS_OF_RANGE, text: ASKED_BY_NETWORK },
    ...(isKnown
      ? []
      : [{ key: `${to}|any`, withinMs: HOUR, most: SENDS_TO_SUBJECT, text: ASKED_ELSEWHERE }]),
  ];
}

const sendLimits = (key: string): SendLimit[] => [
  { key, withinMs: MINUTE, most: 1, text: ASKED_HERE },
  { key, withinMs: HOUR, most: 5, text: ASKED_HERE },
];

function wrongCode(): PersonRefusal {
  const text = 'The e-mail code is wrong or has expired. Check it, or ask for a new one.';
  return refusePerson('emailCodeWrong', 'emailAuthCode', text);
}
