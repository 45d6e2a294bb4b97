// The requests of the user center. A rejection never repeats a password, code or token.

import { boolean, integer, oneOf, optional, text } from '../fields.ts';
import { object } from '../object.ts';
import { newKeyFields } from '../operator/users.ts';
import { invalidField } from '../problem.ts';

const email = text({ max: 254, about: 'An address such as name@example.com.' });
/** Identity judges a new password; this only bounds its length. */
const password = text({ max: 128, secret: true });
/** A code of six digits, or a recovery code with its dashes. */
const googleAuthCode = text({
  max: 32,
  secret: true,
  about: 'A code of the authenticator app, or a recovery code.',
});
const emailAuthCode = text({ max: 32, secret: true, about: 'The emailed code.' });

export const registerBody = object({
  email,
  password: optional(password),
  ticket: optional(
    text({
      max: 64,
      secret: true,
      about: 'In place of the password: that of a registration which needs another code.',
    }),
  ),
});

export const confirmBody = object({
  email,
  emailAuthCode,
  ticket: text({
    max: 64,
    secret: true,
    about: 'The ticket of the registration.',
  }),
});

export const loginBody = object({
  email,
  password,
  googleAuthCode: optional(googleAuthCode),
  emailAuthCode: optional(emailAuthCode),
});

export const resetBody = object({ email });

export const confirmResetBody = object({
  email,
  emailAuthCode: text({
    max: 32,
    secret: true,
    about: 'The emailed code: 16 letters and digits; case, spaces and dashes do not matter.',
  }),
  ticket: text({ max: 64, secret: true, about: 'The ticket of the reset.' }),
  newPassword: password,
  googleAuthCode: optional(googleAuthCode),
});

export const stepUpBody = object({ googleAuthCode, emailAuthCode: optional(emailAuthCode) });

export const disableTotpBody = object({
  password,
  googleAuthCode,
  emailAuthCode: optional(emailAuthCode),
});

export const recoveryCodesBody = object({
  googleAuthCode: text({
    max: 32,
    secret: true,
    about: 'A code of the authenticator app.',
  }),
  emailAuthCode: optional(emailAuthCode),
});

export const faucetBody = object({ asset: text({ max: 32, ascii: true }) });

export const activateBody = object({ googleAuthCode });

export const sendCodeBody = object({
  operationType: oneOf([6, 7], {
    lenient: true,
    about: '7: create a key; 6: another call, which was rejected with 100306.',
  }),
});

export const createOwnKeyBody = object({ emailAuthCode, googleAuthCode, ...newKeyFields });

export const deleteKeyBody = object({
  apiKey: text({ max: 64, ascii: true }),
  googleAuthCode: optional(googleAuthCode),
  emailAuthCode: optional(emailAuthCode),
});

export const revokeSessionBody = object({
  sessionId: optional(integer({ min: 1, zeroIsAbsent: true })),
  all: optional(boolean({ about: 'true: every session except the caller’s.' })),
});

export const changePasswordBody = object({
  password,
  newPassword: password,
  googleAuthCode: optional(googleAuthCode),
  emailAuthCode: optional(emailAuthCode),
});

/**
 * The session to end, null for all others. Throws Problem unless exactly one of the two is sent.
 */
export function toRevoked(body: {
  readonly sessionId: number | undefined;
  readonly all: boolean | undefined;
}): number | null {
  const { sessionId, all } = body;
  if (sessionId !== undefined && all !== true) return sessionId;
  if (sessionId === undefined && all === true) return null;
  throw invalidField('sessionId', 'be sent, or all: true, never both', { rule: 'exclusive' });
}
