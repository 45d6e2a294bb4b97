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
