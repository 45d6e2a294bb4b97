// Codes that a person gives for one act: checked together, used up together, and only when the act
// itself succeeds. Either the act is done and every code is used up, in one transaction, or
// nothing has changed and the codes are as good as before.

import type { ApiKeys, CreatedApiKey, NewApiKey } from '../api-keys.ts';
import { type PersonRefusal, type Refusal, refusePerson } from '../refusal.ts';
import type { IdentityStore } from '../storage/identity-store.ts';
import type { CheckedEmailCode, CodeScope, EmailCodes } from './email-codes.ts';
import type { Attempt, Lockout, Waiting } from './lockout.ts';
import type { CheckedTotp, Totp } from './totp.ts';

/** The codes that an act asks for. What is left out is not asked for. */
export interface GivenCodes {
  readonly uid: number;
  readonly ip: string | null;
  /** The name of one of the user's known browsers. */
  readonly device?: string | null;
  /** A code of the authenticator, or a recovery code. */
  readonly totp?: string;
  readonly email?: { readonly scope: CodeScope; readonly code: string };
}

/** Codes that were found to be right and are not used up yet. */
export interface CheckedCodes {
  readonly ok: true;
  readonly totp: CheckedTotp | null;
  readonly email: CheckedEmailCode | null;
}

interface ProofParts {
  readonly store: IdentityStore;
  readonly totp: Totp;
  readonly emailCodes: EmailCodes;
  readonly lockout: Lockout;
}

/** Undoes the transaction when a code was used in between. */
class SpentError extends Error {
  override readonly name = 'SpentError';
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
   * Whether all of the codes are right. The authenticator's is looked at first, and counted by the
   * lockout: five failures, then waits (`tooManyAttempts`). The e-mail code is looked at only when
   * that is right, so that its five tries are not there for who has no authenticator. Where the
   * lockout asks for an e-mail code and none was given: `emailCodeNeeded`.
   */
  check({ uid, ip, device = null, totp, email }: GivenCodes): CheckedCodes | PersonRefusal {
    const attempt =
      totp === undefined ? null : this.#lockout.begin('totp', `uid:${uid}`, ip, device);
    const first =
      attempt === null ? null : this.#checkTotp(uid, totp!, attempt, email !== undefined);
    if (first !== null && !first.ok) return first;
    const second = email === undefined ? null : this.#emailCodes.check(email.scope, email.code);
    if (second !== null && !second.ok) {
      // Not a success yet: the network becomes known only by the e-mail code as well, a right one.
      first?.attempt.withdraw();
      return second;
    }
    first?.attempt.succeed();
    return { ok: true, totp: first?.totp ?? null, email: second };
  }

  /**
   * Uses the codes up and does the act, in one transaction. An act that throws or answers with
   * `ok: false` undoes all of it. The act must be done when it returns: no promise, and no effect
   * outside of the database. Refused with `totpWrong` or `emailCodeWrong` when a code was used up
   * since it was checked.
   */
  spend<T>(codes: CheckedCodes, act: () => T): T | PersonRefusal {
    return this.#unlessSpent(() => {
      let answer: T | undefined;
      try {
        this.#store.write(() => {
          this.#consume(codes);
          answer = act();
          if (isRefusal(answer)) throw new RefusedAct();
        });
      } catch (error) {
        if (!(error instanceof RefusedAct)) throw error;
      }
      return answer as T;
    });
  }

  /** A new API key for these codes: the key is there and the codes are used up, or neither. */
  createKey(codes: CheckedCodes, wanted: NewApiKey, keys: ApiKeys) {
    return this.#unlessSpent<CreatedApiKey | Refusal>(() =>
      keys.create(wanted, () => this.#consume(codes)),
    );
  }

  /** The attempt is to be ended by who asks, when everything else is known. */
  #checkTotp(
    uid: number,
    code: string,
    attempt: Attempt | Waiting,
    hasEmailCode: boolean,
  ): { readonly ok: true; readonly totp: CheckedTotp; readonly attempt: Attempt } | PersonRefusal {
    if (!attempt.ok) return waitFirst('googleAuthCode', attempt);
    const checked = this.#totp.check(uid, code);
    if (!checked.ok) {
      if (checked.name === 'totpInactive') attempt.withdraw();
      else attempt.fail();
      return checked;
    }
    if (attempt.needsEmailCode && !hasEmailCode) {
      attempt.withdraw();
      return emailCodeNeeded();
    }
    return { ok: true, totp: checked, attempt };
  }

  #consume({ totp, email }: CheckedCodes): void {
    if (totp !== null && !this.#totp.consume(totp)) throw new SpentError('totp');
    if (email !== null && !this.#emailCodes.consume(email)) throw new SpentError('email');
  }

  #unlessSpent<T>(act: () => T): T | PersonRefusal {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof SpentError)) throw error;
      const text = 'The code was used already. Ask for a new one, or wait for the next one.';
      return error.message === 'totp'
        ? refusePerson('totpWrong', 'googleAuthCode', text)
        : refusePerson('emailCodeWrong', 'emailAuthCode', text);
    }
  }
}

/** Undoes the transaction of an act that was refused. */
class RefusedAct extends Error {}

function isRefusal(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === false;
}

/** The refusal of an attempt that is right, and comes from where nobody knows the user. */
export function emailCodeNeeded(): PersonRefusal {
  const text =
    'Someone has been trying to guess this account. Give the code that is sent by e-mail as well.';
  return refusePerson('emailCodeNeeded', 'emailAuthCode', text);
}

/** The refusal of an attempt that has to wait. */
export function waitFirst(field: string, { retryAfterMs }: Waiting): PersonRefusal {
  const text = 'Too many failed attempts. Wait a little, then try again.';
  return refusePerson('tooManyAttempts', field, text, retryAfterMs);
}
