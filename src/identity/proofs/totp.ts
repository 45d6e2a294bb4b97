// Who has which authenticator: enrolment, activation by a valid code, the one-time use of codes,
// and ten recovery codes for the day the telephone is gone. The secret is sealed at rest for its
// row. Checking a code and using it up are two steps, since a code is used up only by a call that
// succeeds in everything else (proofs.ts).
import { createHash, randomBytes } from 'node:crypto';
import { type PersonRefusal, refusePerson } from '../refusal.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import { totpPlace } from '../storage/sealed-secrets.ts';
import { base32, matchingStep, otpauthUrl } from './totp-code.ts';

/** The only time that the secret is shown. */
export interface Enrolment {
  readonly ok: true;
  /** base32, to be typed. */
  readonly secret: string;
  /** To be shown as a QR code. */
  readonly otpauthUrl: string;
}

/** The only time that the recovery codes are shown. */
export interface Activation {
  readonly ok: true;
  readonly recoveryCodes: readonly string[];
}

/** A code that was found to be right and is not used up yet. */
export type CheckedTotp =
  | { readonly ok: true; readonly uid: number; readonly step: number }
  | { readonly ok: true; readonly uid: number; readonly recoveryHash: Buffer };

interface TotpRow {
  readonly uid: number;
  readonly sealed_secret: string;
  readonly created_at: number;
  readonly activated_at: number | null;
  readonly last_step: number;
}

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const ISSUER = 'agio';
const RECOVERY_CODES = 10;
/** 80 bits, so that a plain hash of them cannot be searched; 16 characters of base32. */
const RECOVERY_BYTES = 10;
const RECOVERY_FORM = /^[A-Z2-7]{16}$/;
const NO_STEP = -1;

export class Totp {
  readonly #store: IdentityStore;
  readonly #now: () => number;
  /** How many secrets were moved to the current master key when this was opened. */
  readonly resealed: number;

  constructor(store: IdentityStore, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.resealed = this.#reseal();
  }

  /** Whether a code of the authenticator is asked of this user. */
  isActive(uid: number): boolean {
    return typeof this.#row(uid)?.activated_at === 'number';
  }

  /** Recovery codes that are left. */
  recoveryCodesLeft(uid: number): number {
    const count = this.#store
      .query<{ n: number }, [number]>('SELECT count(*) AS n FROM recovery_codes WHERE uid = ?')
      .get(uid);
    return count?.n ?? 0;
  }

  /**
   * Begins an enrolment with a new secret, which replaces one that was never activated. Nothing is
   * asked of the user until `activate`. Refused with `totpActive` where one is active: it has to be
   * disabled first, by a code of it. `account` is what the application shows (the e-mail address).
   */
  enroll(uid: number, account: string): Enrolment | PersonRefusal {
    if (this.isActive(uid)) {
      const text = 'Two-factor authentication is active already. Disable it first.';
      return refusePerson('totpActive', 'googleAuthCode', text);
    }
    const secret = randomBytes(SECRET_BYTES);
    const now = this.#now();
    const sealed = this.#store.sealer.seal(totpPlace({ uid, created_at: now }), secret);
    this.#store.write(() =>
      this.#store
        .query(
          `INSERT OR REPLACE INTO totp (uid, sealed_secret, created_at, activated_at, last_step)
           VALUES (?, ?, ?, NULL, ?)`,
        )
        .run(uid, sealed, now, NO_STEP),
    );
    const shown = { secret: base32(secret), otpauthUrl: otpauthUrl(ISSUER, account, secret) };
    secret.fill(0);
    return { ok: true, ...shown };
  }

  /**
   * Ends an enrolment with a code of the new secret, which is used up by it, and makes the recovery
   * codes. Refused with `totpInactive` (no enrolment), `totpActive` (done already), `totpWrong`.
   */
  activate(uid: number, code: string): Activation | PersonRefusal {
    const row = this.#row(uid);
    if (row === null) return notEnrolled();
    if (row.activated_at !== null) {
      const text = 'Two-factor authentication is active already.';
      return refusePerson('totpActive', 'googleAuthCode', text);
    }
    const step = this.#matchingStep(row, code);
    if (step === undefined) return wrongCode();
    const recoveryCodes = this.#store.write(() => {
      this.#store
        .query('UPDATE totp SET activated_at = ?, last_step = ? WHERE uid = ?')
        .run(this.#now(), step, uid);
      return this.renewRecoveryCodes(uid);
    });
    return { ok: true, recoveryCodes };
  }

  /**
   * Ten new recovery codes; those of before are worth nothing. Call it in the transaction of what
   * allows it.
   */
  renewRecoveryCodes(uid: number): readonly string[] {
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    this.#store.write(() => {
      this.#store.query('DELETE FROM recovery_codes WHERE uid = ?').run(uid);
      for (const recoveryCode of recoveryCodes) {
        this.#store
          .query('INSERT INTO recovery_codes (uid, code_hash) VALUES (?, ?)')
          .run(uid, recoveryHash(uid, normalized(recoveryCode)));
      }
    });
    return recoveryCodes;
  }

  /**
   * Whether this is a code of the user's active authenticator that was not used before, or one of
   * the recovery codes; nothing is used up. Refused with `totpInactive` or `totpWrong`. Failures
   * are counted by the caller (lockout.ts).
   */
  check(uid: number, code: string): CheckedTotp | PersonRefusal {
    const row = this.#row(uid);
    if (row === null || row.activated_at === null) return notEnrolled();
    const recovery = normalized(code);
    if (RECOVERY_FORM.test(recovery)) return this.#checkRecovery(uid, recovery);
    const step = this.#matchingStep(row, code);
    return step === undefined ? wrongCode() : { ok: true, uid, step };
  }

  /**
   * Uses up what `check` found; false when it was used in between, and then nothing changes. Call
   * it in the transaction of what the code is given for.
   */
  consume(checked: CheckedTotp): boolean {
    const { changes } = this.#store.write(() =>
      'step' in checked
        ? this.#store
            .query(
              `UPDATE totp SET last_step = ?1
               WHERE uid = ?2 AND activated_at IS NOT NULL AND last_step < ?1`,
            )
            .run(checked.step, checked.uid)
        : this.#store
            .query('DELETE FROM recovery_codes WHERE uid = ? AND code_hash = ?')
            .run(checked.uid, checked.recoveryHash),
    );
    return changes === 1;
  }

  /** Ends two-factor authentication and destroys the secret; false when there was none. */
  disable(uid: number): boolean {
    return this.#store.write(() => {
      this.#store.query('DELETE FROM recovery_codes WHERE uid = ?').run(uid);
      return this.#store.query('DELETE FROM totp WHERE uid = ?').run(uid).changes === 1;
    });
  }

  #checkRecovery(uid: number, code: string): CheckedTotp | PersonRefusal {
    const hash = recoveryHash(uid, code);
    const found = this.#store
      .query('SELECT 1 FROM recovery_codes WHERE uid = ? AND code_hash = ?')
      .get(uid, hash);
    return found === null ? wrongCode() : { ok: true, uid, recoveryHash: hash };
  }

  #matchingStep(row: TotpRow, code: string): number | undefined {
    const secret = this.#store.sealer.open(totpPlace(row), row.sealed_secret);
    const step = matchingStep(secret, code.replaceAll(' ', ''), this.#now(), row.last_step);
    secret.fill(0);
    return step;
  }

  #row(uid: number): TotpRow | null {
    return this.#store.query<TotpRow, [number]>('SELECT * FROM totp WHERE uid = ?').get(uid);
  }

  /** Moves secrets under older master keys to the current one. */
  #reseal(): number {
    const stale = this.#store
      .query<TotpRow, []>('SELECT * FROM totp')
      .all()
      .filter((row) => !this.#store.sealer.isCurrent(row.sealed_secret));
    const update = this.#store.query('UPDATE totp SET sealed_secret = ? WHERE uid = ?');
    const { sealer } = this.#store;
    this.#store.writeEach(stale, (row) => {
      update.run(sealer.reseal(totpPlace(row), row.sealed_secret), row.uid);
    });
    return stale.length;
  }
}

/** XXXX-XXXX-XXXX-XXXX, easy to copy from paper. */
function newRecoveryCode(): string {
  return base32(randomBytes(RECOVERY_BYTES)).replace(/.{4}(?=.)/g, '$&-');
}

/** Whether a code has the form of a recovery code, right or wrong. */
export const isRecoveryCode = (code: string): boolean => RECOVERY_FORM.test(normalized(code));

const normalized = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** With the owner in it, so that a row that is copied to another user is of no use there. */
function recoveryHash(uid: number, code: string): Buffer {
  return createHash('sha256').update(`${uid}|${code}`, 'utf8').digest();
}

function notEnrolled(): PersonRefusal {
  const text = 'Two-factor authentication is not set up for this user. Enrol first.';
  return refusePerson('totpInactive', 'googleAuthCode', text);
}

function wrongCode(): PersonRefusal {
  const text =
    'The code is not valid, or was used already. Wait for the next one of your authenticator.';
  return refusePerson('totpWrong', 'googleAuthCode', text);
}
