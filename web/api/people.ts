// The user centre: registering, logging in, and what a person does about their own safety.
import { call } from './transport.ts';

const CENTER = '/user-center/v1';

export interface Me {
  readonly uid: string;
  readonly email: string;
  readonly kyc: boolean;
  readonly totpActive: boolean;
  readonly recoveryCodesLeft: string;
  readonly enterpriseId: string | null;
  readonly enterpriseAdmin: boolean;
  readonly createdAt: string;
}

export interface Login {
  readonly email: string;
  readonly password: string;
  readonly googleAuthCode?: string;
  readonly emailAuthCode?: string;
}

export const me = (signal?: AbortSignal) => call<Me>('GET', `${CENTER}/me`, { signal });

/** The token stays in the cookie that the answer sets; nothing here reads it. */
export const login = (body: Login) => call<object>('POST', `${CENTER}/login`, { body });

export const logout = () => call<object>('POST', `${CENTER}/logout`);

/** A mailed code is on its way, if there is anybody to send it to; the ticket goes back with it. */
export interface Ticket {
  readonly ticket: string;
  readonly expiresAt: string;
}

/** What proves a person beyond the password; which of them is asked for, the refusals say. */
export interface Proof {
  readonly googleAuthCode?: string;
  readonly emailAuthCode?: string;
}

export const register = (body: { readonly email: string; readonly password: string }) =>
  call<Ticket>('POST', `${CENTER}/register`, { body });

export const confirmRegistration = (body: {
  readonly email: string;
  readonly ticket: string;
  readonly emailAuthCode: string;
}) => call<{ readonly uid: string }>('POST', `${CENTER}/register/confirm`, { body });

export const resetPassword = (body: { readonly email: string }) =>
  call<Ticket>('POST', `${CENTER}/password/reset`, { body });

export interface ResetConfirmation {
  readonly email: string;
  readonly ticket: string;
  readonly emailAuthCode: string;
  readonly newPassword: string;
  readonly googleAuthCode?: string;
}

export const confirmReset = (body: ResetConfirmation) =>
  call<object>('POST', `${CENTER}/password/reset/confirm`, { body });

export const changePassword = (
  body: { readonly password: string; readonly newPassword: string } & Proof,
) => call<object>('POST', `${CENTER}/password/change`, { body });

/** What a mailed code is for: 7 a new API key, 6 any other act that asks for one. */
export type MailPurpose = 6 | 7;

export const sendEmailCode = (operationType: MailPurpose) =>
  call<object>('POST', '/user-center/common/sendEmailAuthCode', { body: { operationType } });

/** The one time that the secret is shown. */
export interface Enrolment {
  readonly secret: string;
  readonly otpauthUrl: string;
}

/** The one time that the codes are shown. */
export interface RecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

export const enrollTotp = () => call<Enrolment>('POST', `${CENTER}/totp/enroll`);

export const activateTotp = (googleAuthCode: string) =>
  call<RecoveryCodes>('POST', `${CENTER}/totp/activate`, { body: { googleAuthCode } });

export const disableTotp = (body: { readonly password: string } & Proof) =>
  call<object>('POST', `${CENTER}/totp/disable`, { body });

export const newRecoveryCodes = (body: Proof) =>
  call<RecoveryCodes>('POST', `${CENTER}/totp/recoveryCodes`, { body });

/** Proves the authenticator again, for acts that were answered with stepUpNeeded. The cookie is renewed. */
export const stepUp = (body: Proof) =>
  call<{ readonly steppedUpUntil: string }>('POST', `${CENTER}/stepUp`, { body });

/** A login that is still good. */
export interface OpenSession {
  readonly sessionId: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export const sessions = (signal?: AbortSignal) =>
  call<readonly OpenSession[]>('GET', `${CENTER}/sessions`, { signal });

export const endSession = (sessionId: string) =>
  call<{ readonly revoked: string }>('POST', `${CENTER}/sessions/revoke`, {
    body: { sessionId: Number(sessionId) },
  });

export const endOtherSessions = () =>
  call<{ readonly revoked: string }>('POST', `${CENTER}/sessions/revoke`, { body: { all: true } });

/** Something that was done with the account; `result` is ok or the name of the refusal. */
export interface AuditEntry {
  readonly time: string;
  /** `anonymous`: somebody who had not logged in. */
  readonly actor: 'self' | 'operator' | 'anonymous';
  readonly action: string;
  readonly object: string | null;
  readonly result: string;
  readonly ip: string | null;
}

export interface AuditPage {
  readonly items: readonly AuditEntry[];
  readonly currentPage: string;
  readonly totalNum: string;
  readonly totalPage: string;
}

/** Newest first; pages count from 1. */
export const audit = (page: number, pageSize: number, signal?: AbortSignal) =>
  call<AuditPage>('GET', `${CENTER}/audit`, { query: { page, pageSize }, signal });
