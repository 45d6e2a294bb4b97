// Texts of login, registration, password reset, and the first steps in a new account.
import { inLanguage } from './catalog.ts';

const en = {
  email: 'Email address',
  emailInvalid: 'Enter an address such as name@example.com.',
  password: 'Password',
  newPassword: 'New password',
  passwordHelp: 'Use several unrelated words, or let a password manager generate it.',
  passwordMinimum: (minimum: number) => `At least ${minimum} characters.`,
  passwordTooShort: (minimum: number, missing: number) =>
    `At least ${minimum} characters: ${missing} more.`,
  passwordTooLong: (maximum: number, excess: number) =>
    `At most ${maximum} characters: ${excess} fewer.`,
  passwordRejected: 'Choose another password.',
  passwordLongEnough: 'Long enough. Next, we check that it is not a common one.',

  continue: 'Continue',
  tryAgainIn: (seconds: number) => `Try again in ${seconds} s`,
  enterSentCode: (email: string) => `Enter the code that we sent to ${email}`,
  useAnotherAddress: 'Use another address',

  logIn: 'Log in',
  logOut: 'Log out',
  loggedIn: 'You are logged in',
  loggedInAs: ['As ', '. To use another account, log out first.'],
  sessionEnds: {
    expired: 'Your session expired.',
    loggedOut: 'You logged out in another tab.',
    revoked: 'You ended this session on another device.',
    replaced: 'A later login replaced this session.',
    passwordChanged: 'The password was changed, which ended this session.',
    authenticatorChanged: 'The authenticator was changed, which ended this session.',
    suspended:
      'The operator of this exchange suspended your account. You can log in to read it. ' +
      'Contact the operator.',
  } as Readonly<Record<string, string>>,
  newNetwork: 'This network is new for your account, so we emailed you a code.',
  forgotPassword: 'Forgot your password?',
  newHere: 'New here?',
  isOperator: 'Do you operate this exchange?',
  operatorConsole: 'Operator console',

  createAccount: 'Create an account',
  createLead: 'We’ll email you a code to verify your address.',
  haveAccount: 'Do you have an account?',
  verifyEmail: 'Verify your email address',
  verifyLead: ['We sent an email to ', '. It has a code if the address can have a new account.'],
  confirmAccount: 'Create account',
  accountCreated: 'Account created',
  logInNow: 'Log in with your email address and password.',

  resetPassword: 'Reset password',
  resetLead: 'If the address has an account, we email a code to it.',
  backToLogin: 'Back to login',
  resetCodeSent: ['If ', ' has an account, we emailed a code to it.'],
  resetEffect: 'This ends all your sessions. API keys stay valid.',
  changePassword: 'Change password',
  passwordChanged: 'Password changed',
  passwordChangedLead: 'All your sessions ended. Log in with the new password.',

  welcome: {
    loggedInAs: (email: string) => `You are logged in as ${email}.`,
    secure: 'Secure your account',
    secureWhy:
      'An authenticator protects your account if your password is stolen. API keys need one.',
    isSecure: 'An authenticator is set up.',
    setUp: 'Set up an authenticator',
    fund: 'Fund your account',
  },
};

export const account = inLanguage({ en });

export const sessionEndText = (reason: string): string =>
  account.sessionEnds[reason] ?? account.sessionEnds.expired!;
