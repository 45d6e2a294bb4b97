// The codes that a user sends for one act: checked together, and used up together with the act, in
// one transaction. An act that fails leaves every code as good as before.
import type { ApiKeys, CreatedApiKey, NewApiKey } from '../api-keys.ts';
import { type Denial, DeniedError, deny, type Result, reject, success } from '../result.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import type { CodeScope, EmailCodeMatch, EmailCodes } from './email-codes.ts';
import type { Attempt, Lockout } from './lockout.ts';
import type { Totp, TotpMatch } from './totp.ts';

/** The codes of one act; a code that is left out is not checked. */
export interface CodeCheck {
  readonly uid: number;
  readonly ip: string | null;
  /** The name of one of the user's known browsers. */
  readonly device?: string | null;
  /** A code of the authenticator, or a recovery code. */
  readonly totp?: string;
  readonly email?: { readonly scope: CodeScope; readonly code: string };
}

/** Codes that are right and not used up yet. */
export interface CodeMatches {
  readonly totp: TotpMatch | null;
  readonly email: EmailCodeMatch | null;
}

interface ProofParts {
  readonly store: IdentityStore;
  readonly totp: Totp;
  readonly emailCodes: EmailCodes;
  readonly lockout: Lockout;
}

export class Proofs {
  readonly #store: IdentityStore;
  readonly #totp: Totp;
  readonly #emailCodes: EmailCodes;
  readonly #lockout: Lockout;

  constructor(parts: ProofParts) {
    this.#store = parts.store;
    this.#totp = parts.totp;
    this.#emailCodes = parts.emailCodes;
    this.#lockout = parts.lockout;
  }

  /**
   * Checks all codes. The lockout counts the authenticator's: five failures, then waits. The email
   * code is checked only when that one is right, so that its five tries need the authenticator.
   * Rejections: totpWrong, totpInactive, tooManyAttempts, emailCodeNeeded, emailCodeWrong.
   */
  check({ uid, ip, device = null, totp, email }: CodeCheck): Result<CodeMatches> {
    const first =
      totp === undefined ? null : this.#checkTotp({ uid, ip, device }, totp, email !== undefined);
    if (first !== null && !first.ok) return first;
    const second = email === undefined ? null : this.#emailCodes.check(email.scope, email.code);
    if (second !== null && !second.ok) {
      // The network becomes known only with both codes.
      first?.value.attempt.withdraw();
      return second;
    }
    first?.value.attempt.succeed();
    return success({ totp: first?.value.match ?? null, email: second?.value ?? null });
  }

  /**
   * Uses the codes up and does the act, in one transaction. An act that throws undoes all of it,
   * so it must be complete when it returns and have no effect outside of the database. Rejections:
   * DeniedErrors of the act, and totpWrong or emailCodeWrong for a code that was used meanwhile.
   */
  spend<T>(codes: CodeMatches, act: () => T): Result<T> {
    return returned(() =>
      this.#store.write(() => {
        this.#consume(codes);
        return success(act());
      }),
    );
  }

  /** Creates an API key and uses the codes up, or does neither. */
  createKey(codes: CodeMatches, wanted: NewApiKey, keys: ApiKeys): Result<CreatedApiKey> {
    return returned(() => keys.create(wanted, () => this.#consume(codes)));
  }

  /** The caller ends the attempt of a right code, once the email code is checked. */
  #checkTotp(
    { uid, ip, device }: Required<Pick<CodeCheck, 'uid' | 'ip' | 'device'>>,
    code: string,
    hasEmailCode: boolean,
  ): Result<{ readonly match: TotpMatch; readonly attempt: Attempt }> {
    const begun = this.#lockout.begin('totp', `uid:${uid}`, ip, device);
    if (!begun.ok) return begun;
    const attempt = begun.value;
    const match = this.#totp.check(uid, code);
    if (!match.ok) {
      if (match.name === 'totpInactive') attempt.withdraw();
      else attempt.fail();
      return match;
    }
    if (attempt.needsEmailCode && !hasEmailCode) {
      attempt.withdraw();
      return emailCodeNeeded();
    }
    return success({ match: match.value, attempt });
  }

  #consume({ totp, email }: CodeMatches): void {
    const text = 'This code was already used. Request a new one, or wait for the next one.';
    if (totp !== null && !this.#totp.consume(totp)) {
      reject(deny('totpWrong', 'googleAuthCode', { text }));
    }
    if (email !== null && !this.#emailCodes.consume(email)) {
      reject(deny('emailCodeWrong', 'emailAuthCode', { text }));
    }
  }
}

/** The result of a transaction, also where a rejection has undone it. */
function returned<T>(act: () => Result<T>): Result<T> {
  try {
    return act();
  } catch (error) {
    if (error instanceof DeniedError) return error.denial as Denial;
    throw error;
  }
}

/** Rejects a right proof from a network that is unknown to a user under attack. */
export function emailCodeNeeded(): Denial {
  const text = 'Someone tried to guess this account. Also send the code that we email you.';
  return deny('emailCodeNeeded', 'emailAuthCode', { text });
}
