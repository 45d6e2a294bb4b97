// The user centre: registering, logging in, and what a person does about their own safety.
import type { Page } from '../../src/sdk/answers.ts';
import type * as sdk from '../../src/sdk/answers-people.ts';
import type { CallOptions } from '../../src/sdk/index.ts';
import type * as requests from '../../src/sdk/requests-user-center.ts';
import { userCenter } from './clients.ts';
import { inTexts, type Texts } from './texts.ts';

export type Me = sdk.Me;
export type Login = requests.UserCenterLoginRequest;
/** A mailed code is on its way, if there is anybody to send it to; the ticket goes back with it. */
export type Ticket = Texts<sdk.Ticket>;
/** The one time that the secret is shown. */
export type Enrolment = sdk.TotpEnrolment;
/** The one time that the codes are shown. */
export type RecoveryCodes = sdk.RecoveryCodes;
/** A login that is still good. */
export type OpenSession = Texts<sdk.Session>;
/** Something that was done with the account; `result` is ok or the name of the refusal. */
export type AuditEntry = Texts<sdk.OwnAuditEntry>;
export type AuditPage = Texts<Page<sdk.OwnAuditEntry>>;
export type ResetConfirmation = requests.UserCenterConfirmPasswordResetRequest;
/** What a mailed code is for: 7 a new API key, 6 any other act that asks for one. */
export type MailPurpose = requests.UserCenterSendEmailCodeRequest['operationType'];

/** What proves a person beyond the password; which of them is asked for, the refusals say. */
export interface Proof {
  readonly googleAuthCode?: string;
  readonly emailAuthCode?: string;
}

export const me = (options?: CallOptions) => userCenter.me(options);

/** The session is in the cookie that the answer sets; nothing of a page looks at the token. */
export const login = async (login: Login): Promise<void> => {
  await userCenter.login(login);
};

export const logout = () => userCenter.logout();

export const register = (body: requests.UserCenterRegisterRequest) =>
  inTexts(userCenter.register(body));

export const confirmRegistration = (body: requests.UserCenterConfirmRegistrationRequest) =>
  inTexts(userCenter.confirmRegistration(body));

export const resetPassword = (body: requests.UserCenterResetPasswordRequest) =>
  inTexts(userCenter.resetPassword(body));

export const confirmReset = (body: ResetConfirmation) => userCenter.confirmPasswordReset(body);

export const changePassword = (body: requests.UserCenterChangePasswordRequest) =>
  userCenter.changePassword(body);

export const sendEmailCode = (operationType: MailPurpose) =>
  userCenter.sendEmailCode({ operationType });

export const enrollTotp = () => userCenter.enrollTotp();

export const activateTotp = (googleAuthCode: string) => userCenter.activateTotp({ googleAuthCode });

/** What was not typed is left out: the refusal then says which code is needed. */
const asTyped = <B extends Proof>(body: B) => body as B & { readonly googleAuthCode: string };

export const disableTotp = (body: { readonly password: string } & Proof) =>
  userCenter.disableTotp(asTyped(body));

export const newRecoveryCodes = (body: Proof) => userCenter.renewRecoveryCodes(asTyped(body));

/** Proves the authenticator again, for acts that were answered with stepUpNeeded. The cookie is renewed. */
export const stepUp = async (body: Proof): Promise<void> => {
  await userCenter.stepUp(asTyped(body));
};

export const sessions = (options?: CallOptions) => inTexts(userCenter.sessions(options));

export const endSession = (sessionId: string) =>
  inTexts(userCenter.revokeSession({ sessionId: Number(sessionId) }));

export const endOtherSessions = () => inTexts(userCenter.revokeSession({ all: true }));

/** Newest first; pages count from 1. */
export const audit = (page: number, pageSize: number, options?: CallOptions) =>
  inTexts(userCenter.audit({ page, pageSize }, options));
