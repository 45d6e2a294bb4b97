// What the user centre answers, and what it shares with the operator's view of people and keys.
import type { Decimal } from './decimal.ts';

/** Goes back with the code that was mailed. */
export interface Ticket {
  readonly ticket: string;
  readonly expiresAt: number;
}

export interface Registered {
  readonly uid: number;
}

export interface Login {
  readonly token: string;
  /** The latest that the session ends. */
  readonly expiresAt: number;
}

export interface SteppedUp extends Login {
  readonly steppedUpUntil: number;
}

export interface Me {
  readonly uid: number;
  readonly email: string;
  readonly kyc: boolean;
  readonly totpActive: boolean;
  readonly recoveryCodesLeft: number;
  readonly enterpriseId: number | null;
  readonly enterpriseAdmin: boolean;
  readonly createdAt: number;
}

/** Shown this once. */
export interface TotpEnrolment {
  readonly secret: string;
  readonly otpauthUrl: string;
}

/** Shown this once. */
export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

/** Of a change of what protects the account: the session goes on under this token, the old one is dead. */
export interface RenewedSession {
  /** Not for a browser, whose cookie is replaced. */
  readonly token?: string;
}

export interface ActivatedTotp extends RecoveryCodes {
  /** As of RenewedSession. */
  readonly token?: string;
}

/** Shown this once. */
export interface NewKey {
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface Key {
  readonly apiKey: string;
  readonly alias: string;
  /** 1 earn read, 2 subscribe, 3 redeem, 4 enterprise, 5 trading read, 6 trading write. */
  readonly moduleIds: readonly number[];
  readonly ipAllowList: readonly string[] | null;
  readonly expiresAt: number | null;
  readonly strictClOrdId: boolean;
  readonly replayGuard: boolean;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface RevokedKey {
  readonly apiKey: string;
  readonly revokedAt: number;
}

export interface Session {
  readonly sessionId: number;
  /** The one that asks. */
  readonly current: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface RevokedSessions {
  /** How many ended. */
  readonly revoked: number;
}

/** What was done with the account. */
export interface OwnAuditEntry {
  /** Counts the account's entries from the oldest. */
  readonly id: number;
  readonly time: number;
  readonly actor: 'self' | 'anonymous' | 'operator';
  readonly action: string;
  readonly object: string | null;
  readonly result: string;
  readonly ip: string | null;
}

export interface FaucetCredit {
  readonly asset: string;
  readonly amount: Decimal;
}
