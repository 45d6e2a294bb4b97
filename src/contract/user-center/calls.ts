// The calls of the user center. Success uses up a code, so no client repeats them.
import * as answer from '../answer.ts';
import { calls } from '../call.ts';
import { pageQuery } from '../paging.ts';
import * as answers from './answers.ts';
import * as requests from './user-center.ts';

const CENTER = '/user-center/v1';
const entrance = { method: 'POST', access: 'public' } as const;
const read = { method: 'GET', access: 'session' } as const;
const act = { method: 'POST', access: 'session' } as const;

const CODES = ['emailCodeNeeded', 'emailCodeWrong', 'tooManyAttempts'] as const;
const FACTOR = ['totpNeeded', 'totpWrong'] as const;

export const userCenterCalls = calls('userCenter', 'userCenter', {
  register: {
    ...entrance,
    path: `${CENTER}/register`,
    summary: 'Begins a registration: the server emails a code, unless the address has an account.',
    body: requests.registerBody,
    answer: answers.ticket,
    rejections: ['tooManyCodes', 'tooManyAttempts', 'overloaded'],
  },
  confirmRegistration: {
    ...entrance,
    path: `${CENTER}/register/confirm`,
    summary: 'Completes a registration with the emailed code; the account then exists.',
    body: requests.confirmBody,
    answer: answers.registered,
    rejections: ['emailCodeWrong', 'tooManyAttempts', 'overloaded'],
  },
  login: {
    ...entrance,
    path: `${CENTER}/login`,
    summary: 'Opens a session. Later calls send its token in the header exchange-token.',
    body: requests.loginBody,
    answer: answers.login,
    rejections: ['credentialsWrong', ...FACTOR, ...CODES, 'overloaded'],
  },
  logout: {
    ...act,
    path: `${CENTER}/logout`,
    summary: 'Ends the caller’s session; its token no longer works.',
    answer: answer.done,
  },
  resetPassword: {
    ...entrance,
    path: `${CENTER}/password/reset`,
    summary: 'Begins a password reset: the server emails a code, if the address has an account.',
    body: requests.resetBody,
    answer: answers.ticket,
    rejections: ['tooManyCodes', 'tooManyAttempts', 'overloaded'],
  },
  confirmPasswordReset: {
    ...entrance,
    path: `${CENTER}/password/reset/confirm`,
    summary: 'Completes a password reset with the emailed code. All sessions end; none opens.',
    body: requests.confirmResetBody,
    answer: answer.done,
    rejections: ['emailCodeWrong', ...FACTOR, 'tooManyAttempts', 'overloaded'],
  },
  me: {
    ...read,
    path: `${CENTER}/me`,
    summary: 'The customer of the session.',
    answer: answers.me,
  },
  enrollTotp: {
    ...act,
    path: `${CENTER}/totp/enroll`,
    summary: 'A new secret for an authenticator app; nothing changes until it is activated.',
    answer: answers.totpEnrolment,
    rejections: ['userSuspended', 'totpActive', 'loginNotRecent'],
  },
  activateTotp: {
    ...act,
    path: `${CENTER}/totp/activate`,
    summary: 'Switches two-factor authentication on, with a code of the new secret.',
    about: 'Other sessions end, and this one continues under a new token.',
    body: requests.activateBody,
    answer: answers.activatedTotp,
    rejections: [
      'userSuspended',
      'loginNotRecent',
      'totpActive',
      'totpInactive',
      'totpWrong',
      'tooManyAttempts',
    ],
  },
  stepUp: {
    ...act,
    path: `${CENTER}/stepUp`,
    summary: 'Proves the authenticator again; the session continues under a new token.',
    body: requests.stepUpBody,
    answer: answers.steppedUp,
    rejections: ['totpInactive', 'totpWrong', ...CODES],
  },
  disableTotp: {
    ...act,
    path: `${CENTER}/totp/disable`,
    summary: 'Switches two-factor authentication off and destroys its secret.',
    about: 'Other sessions end, and this one continues under a new token.',
    body: requests.disableTotpBody,
    answer: answers.renewedSession,
    rejections: [
      'userSuspended',
      'credentialsWrong',
      'totpInactive',
      'totpWrong',
      ...CODES,
      'overloaded',
    ],
  },
  renewRecoveryCodes: {
    ...act,
    path: `${CENTER}/totp/recoveryCodes`,
    summary: 'Ten new recovery codes; the previous ones no longer work.',
    body: requests.recoveryCodesBody,
    answer: answers.recoveryCodes,
    rejections: ['userSuspended', 'totpInactive', 'totpWrong', ...CODES],
  },
  sendEmailCode: {
    ...act,
    path: '/user-center/common/sendEmailAuthCode',
    summary:
      'Emails a code: 7 to create a key, 6 for another call, which was rejected with 100306.',
    about: 'The code is valid in this session.',
    body: requests.sendCodeBody,
    answer: answer.done,
    rejections: ['tooManyCodes'],
  },
  createKey: {
    ...act,
    path: `${CENTER}/api/create`,
    summary: 'Creates an API key. Only this answer has its secret.',
    body: requests.createOwnKeyBody,
    answer: answers.newKey,
    rejections: ['userSuspended', 'totpInactive', 'totpWrong', ...CODES],
  },
  keys: {
    ...read,
    path: `${CENTER}/api/list`,
    summary: 'The caller’s API keys, newest first, also revoked ones; never their secrets.',
    answer: answer.list(answers.key),
  },
  deleteKey: {
    ...act,
    path: `${CENTER}/api/delete`,
    summary: 'Revokes an API key immediately and destroys its secret.',
    body: requests.deleteKeyBody,
    answer: answers.revokedKey,
    rejections: [...FACTOR, ...CODES],
  },
  sessions: {
    ...read,
    path: `${CENTER}/sessions`,
    summary: 'The caller’s live sessions, most recently used first.',
    answer: answer.list(answers.session),
  },
  revokeSession: {
    ...act,
    path: `${CENTER}/sessions/revoke`,
    summary: 'Ends one session of the caller, or with `all: true` all except this one.',
    body: requests.revokeSessionBody,
    answer: answers.revokedSessions,
  },
  changePassword: {
    ...act,
    path: `${CENTER}/password/change`,
    summary: 'Changes the password; all other sessions end.',
    about: 'This session continues under a new token.',
    body: requests.changePasswordBody,
    answer: answers.renewedSession,
    rejections: ['userSuspended', 'credentialsWrong', ...FACTOR, ...CODES, 'overloaded'],
  },
  audit: {
    ...read,
    path: `${CENTER}/audit`,
    summary: 'The events of the caller’s account, newest first: one page.',
    query: pageQuery,
    answer: answer.page(answers.ownAuditEntry),
  },
  faucet: {
    ...act,
    path: `${CENTER}/faucet`,
    summary: 'Sandbox only: credits a fixed amount of an asset, once a day (UTC).',
    body: requests.faucetBody,
    answer: answers.faucetCredit,
    rejections: ['userSuspended', 'assetUnknown', 'faucetUsed', 'notFound', 'overloaded'],
  },
});
