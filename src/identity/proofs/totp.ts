// The authenticators of users: enrollment, activation by a valid code, codes that work once, and
// ten recovery codes for a lost phone. The secret is sealed at rest for its row. Checking a code
// and using it up are two steps, since only a call that succeeds uses its code up (proofs.ts).
import { createHash, randomBytes } from 'node:crypto';
import { type Denial, deny, type Result, success } from '../result.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import { totpPlace } from '../storage/sealed-secrets.ts';
import {
  base32,
  isLongCode,
  matchingStep,
  newLongCode,
  normalized,
  otpauthUrl,
  stepAt,
  WINDOW,
} from './totp-code.ts';

/** The only time that the secret is shown. */
export interface Enrollment {
  /** base32, for typing. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly otpauthUrl: string;
}

/** A code that is right and not used up yet. */
export type TotpMatch =
  | { readonly uid: number; readonly step: number }
  | { readonly uid: number; readonly recoveryHash: Buffer };

interface TotpRow {
  readonly uid: number;
  readonly sealed_secret: string;
  readonly created_at: number;
  readonly activated_at: number | null;
  /** JSON: the steps of the last used codes, in order of use. */
  readonly used_steps: string;
}

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const ISSUER = 'agio';
const RECOVERY_CODES = 10;
/** After a step of the clock, time comes to steps that were used in any order (`#lastStep`). */
const MAX_USED_STEPS = 100;
const NO_STEP = -1;

export class Totp {
  readonly #store: IdentityStore;
  readonly #now: () => number;

  constructor(store: IdentityStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** True if this user has to send a code of an authenticator. */
  isActive(uid: number): boolean {
    return typeof this.#row(uid)?.activated_at === 'number';
  }

  /** The number of unused recovery codes. */
  recoveryCodesLeft(uid: number): number {
    return this.#store.count('SELECT count(*) AS n FROM recovery_codes WHERE uid = ?', uid);
  }

  /**
   * Creates a secret, which replaces one that was never activated; logins need no code until
   * `activate`. `account` is the label in the application, the email address. Rejection:
   * totpActive.
   */
  enroll(uid: number, account: string): Result<Enrollment> {
    if (this.isActive(uid)) {
      const text = 'Two-factor authentication is already active. Disable it first.';
      return deny('totpActive', 'googleAuthCode', { text });
    }
    const secret = randomBytes(SECRET_BYTES);
    const now = this.#now();
    const sealed = this.#store.sealer.seal(totpPlace({ uid, created_at: now }), secret);
    this.#store.run(
      `INSERT OR REPLACE INTO totp (uid, sealed_secret, created_at, activated_at, used_steps)
       VALUES (?, ?, ?, NULL, '[]')`,
      uid,
      sealed,
      now,
    );
    const enrollment = { secret: base32(secret), otpauthUrl: otpauthUrl(ISSUER, account, secret) };
    secret.fill(0);
    return success(enrollment);
  }

  /**
   * Activates the enrolled secret with a code of it, uses that code up, and returns the recovery
   * codes. Rejections: totpInactive (not enrolled), totpActive, totpWrong.
   */
  activate(uid: number, code: string): Result<readonly string[]> {
    const row = this.#row(uid);
    if (row === undefined) return notEnrolled();
    if (row.activated_at !== null) return deny('totpActive', 'googleAuthCode');
    const step = this.#matchingStep(row, code);
    if (step === undefined) return wrongCode();
    const recoveryCodes = this.#store.write(() => {
      this.#store.run('UPDATE totp SET activated_at = ? WHERE uid = ?', this.#now(), uid);
      this.#noteUse(row, step);
      return this.renewRecoveryCodes(uid);
    });
    return success(recoveryCodes);
  }

  /** Replaces the recovery codes, in the transaction of the act that permits it. */
  renewRecoveryCodes(uid: number): readonly string[] {
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newLongCode);
    this.#store.write(() => {
      this.#store.run('DELETE FROM recovery_codes WHERE uid = ?', uid);
      for (const recoveryCode of recoveryCodes) {
        const insert = 'INSERT INTO recovery_codes (uid, code_hash) VALUES (?, ?)';
        this.#store.run(insert, uid, recoveryHash(uid, normalized(recoveryCode)));
      }
    });
    return recoveryCodes;
  }

  /**
   * Checks an unused code of the active authenticator, or a recovery code, without using it up. The
   * caller counts failures (lockout.ts). Rejections: totpInactive, totpWrong.
   */
  check(uid: number, code: string): Result<TotpMatch> {
    const row = this.#row(uid);
    if (row === undefined || row.activated_at === null) return notEnrolled();
    const recovery = normalized(code);
    if (isLongCode(recovery)) return this.#checkRecovery(uid, recovery);
    const step = this.#matchingStep(row, code);
    return step === undefined ? wrongCode() : success({ uid, step });
  }

  /** Uses a code up, in the transaction of its act; false where it was used since `check`. */
  consume(match: TotpMatch): boolean {
    if ('recoveryHash' in match) {
      const remove = 'DELETE FROM recovery_codes WHERE uid = ? AND code_hash = ?';
      return this.#store.run(remove, match.uid, match.recoveryHash) === 1;
    }
    return this.#store.write(() => {
      const row = this.#row(match.uid);
      const isUnused = row?.activated_at != null && match.step > this.#lastStep(row);
      if (isUnused) this.#noteUse(row, match.step);
      return isUnused;
    });
  }

  /** Disables two-factor authentication and destroys the secret; false where there was none. */
  disable(uid: number): boolean {
    return this.#store.write(() => {
      this.#store.run('DELETE FROM recovery_codes WHERE uid = ?', uid);
      return this.#store.run('DELETE FROM totp WHERE uid = ?', uid) === 1;
    });
  }

  #checkRecovery(uid: number, code: string): Result<TotpMatch> {
    const hash = recoveryHash(uid, code);
    const unused = 'SELECT count(*) AS n FROM recovery_codes WHERE uid = ? AND code_hash = ?';
    return this.#store.count(unused, uid, hash) === 1
      ? success({ uid, recoveryHash: hash })
      : wrongCode();
  }

  #matchingStep(row: TotpRow, code: string): number | undefined {
    const secret = this.#store.sealer.open(totpPlace(row), row.sealed_secret);
    const step = matchingStep(secret, code.replaceAll(' ', ''), this.#now(), this.#lastStep(row));
    secret.fill(0);
    return step;
  }

  /**
   * The latest used step that is not in the future; a code of it or of an earlier step is rejected.
   * Steps in the future were used while the clock was ahead. They count again when their time
   * comes, and block no code until then.
   */
  #lastStep(row: TotpRow): number {
    const latest = stepAt(this.#now()) + WINDOW;
    return Math.max(NO_STEP, ...usedSteps(row).filter((step) => step <= latest));
  }

  #noteUse(row: TotpRow, step: number): void {
    const steps = [...usedSteps(row), step].slice(-MAX_USED_STEPS);
    const update = 'UPDATE totp SET used_steps = ? WHERE uid = ?';
    this.#store.run(update, JSON.stringify(steps), row.uid);
  }

  #row(uid: number): TotpRow | undefined {
    return this.#store.get<TotpRow>('SELECT * FROM totp WHERE uid = ?', uid);
  }
}

const usedSteps = (row: TotpRow): readonly number[] => JSON.parse(row.used_steps);

/** True if a code has the form of a recovery code, right or wrong. */
export const isRecoveryCode = (code: string): boolean => isLongCode(normalized(code));

/** Plain, since 80 bits cannot be searched; a row copied to another user is useless. */
function recoveryHash(uid: number, code: string): Buffer {
  return createHash('sha256').update(`${uid}|${code}`, 'utf8').digest();
}

const notEnrolled = (): Denial => deny('totpInactive', 'googleAuthCode');

function wrongCode(): Denial {
  const text =
    'This code is wrong or was already used. Wait for the next one of your authenticator.';
  return deny('totpWrong', 'googleAuthCode', { text });
}
