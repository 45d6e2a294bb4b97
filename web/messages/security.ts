// Texts of the security page: its checklist, the authenticator, the password, sessions, and the
// account's activity.
import { counted, inLanguage, plural } from './catalog.ts';

const en = {
  title: 'Security',
  continue: 'Continue',
  password: 'Password',

  checklist: {
    allDone: 'Your account is secure',
    stepsLeft: (steps: number) => `${counted(steps, 'step')} left to secure your account`,
    done: 'Done',
    toDo: 'To do',
    note: 'Note',
    authenticatorSet: 'An authenticator is set up',
    authenticatorMissing:
      'Set up an authenticator: without it, the password alone gives access to your account',
    codesLeft: (codes: number) => `${codes} recovery codes are left`,
    fewCodesLeft: (codes: number) => {
      if (codes === 0) return 'No recovery code is left: create new ones';
      const left = plural(codes, {
        one: '1 recovery code is',
        other: `${codes} recovery codes are`,
      });
      return `Only ${left} left: create new ones`;
    },
    keysLimited: 'All API keys have an IP allowlist',
    keysFromAnywhere: (keys: number) =>
      plural(keys, {
        one: '1 API key works from any address: add an IP allowlist',
        other: `${keys} API keys work from any address: add IP allowlists`,
      }),
    identityVerified: 'Identity: verified',
    identityNotVerified:
      'Identity: not verified. Some plans require it; ask the operator of this exchange.',
  },

  authenticator: {
    title: 'Authenticator',
    on: 'On',
    off: 'Off',
    onEffect: 'Logins and sensitive actions need a code from your authenticator.',
    offEffect:
      'An app on your phone shows a new code every 30 seconds. With it, logins need the code and ' +
      'the password.',
    codesLeft: (codes: number) =>
      `Recovery codes left: ${codes}. To move to another phone, turn the authenticator off and ` +
      'set it up again.',
    setUp: 'Set up',
    newCodes: 'New recovery codes',
    turnOff: 'Turn off',
    firstSetUp: 'First, set up an authenticator',
    setUpLong: 'Set up an authenticator',
  },

  disable: {
    title: 'Turn off the authenticator',
    warning:
      'After this, the password alone gives access to your account, and you cannot create API ' +
      'keys. Your other sessions end, and the recovery codes no longer work.',
    submit: 'Turn off',
    done: 'Authenticator turned off',
  },

  setup: {
    title: 'Set up an authenticator',
    isSetUp: 'An authenticator is set up',
    getApp: '1. Get an authenticator app',
    getAppHow:
      'Use any app for time-based codes (TOTP): your password manager, Aegis, Google ' +
      'Authenticator, 2FAS and others. You scan a code with it in the next step.',
    notNow: 'Not now',
    scan: '2. Scan this code with the app',
    qrCode: 'The secret for your authenticator, as a QR code',
    typeInstead: 'On this device, or without a camera: type or copy this secret instead.',
    secretName: 'secret',
    secretNote:
      'Time-based, 6 digits, 30 seconds. Keep it secret: anyone who has it can create your codes.',
    enterCode: '3. Enter the code from the app',
    codeHelp: 'Six digits. The app shows a new code every 30 seconds.',
    effect: 'This ends all your other sessions.',
    submit: 'Turn on',
  },

  recovery: {
    saveTitle: 'Save your recovery codes',
    saveWhy:
      'If you lose your authenticator, each code logs you in once. This is the only time the ' +
      'codes are shown. Keep them away from your phone: in a password manager or on paper.',
    codes: 'Recovery codes',
    copyAll: 'Copy all',
    copied: 'Copied',
    download: 'Download as text',
    saved: 'I saved the recovery codes',
    newTitle: 'New recovery codes',
    newEffect: (left: number) =>
      `This creates ten new codes. The previous codes (${left} left) no longer work.`,
    create: 'Create new codes',
    needsAuthenticator: 'Recovery codes replace an authenticator, and you have not set one up.',
  },

  changePassword: {
    effect: 'A change ends all your other sessions. API keys stay valid.',
    change: 'Change',
    current: 'Current password',
    new: 'New password',
    submit: 'Change password',
    done: 'Password changed',
  },

  sessions: {
    title: 'Sessions',
    endOthers: 'End all other sessions',
    endedOthers: 'Ended all other sessions',
    ended: 'Ended the session',
    current: 'This session',
    from: (ip: string | null) => (ip === null ? 'Unknown address' : `From ${ip}`),
    since: 'since',
    lastUsed: 'last used',
    end: 'End',
    endOf: (browser: string) => `End the session with ${browser}`,
    unknownProgram: 'Unknown program',
    program: (name: string) => `A program (${name})`,
    programOn: (system: string) => `A program on ${system}`,
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  },

  activity: {
    title: 'Account activity',
    none: 'No activity yet',
    time: 'Time',
    action: 'Action',
    result: 'Result',
    actor: 'Actor',
    address: 'IP address',
    whoFrom: (who: string, ip: string | null) => (ip === null ? who : `${who}, from ${ip}`),
    done: 'Done',
    notCompleted: (reason: string) => `Not completed: ${reason}`,
    actors: { operator: 'The operator', anonymous: 'Before login', self: 'You' },
    actions: {
      'account.register': 'Account created',
      'session.login': 'Login',
      'session.logout': 'Logout',
      'session.revoke': 'Session ended on another device',
      'session.revokeOthers': 'All other sessions ended',
      'password.change': 'Password changed',
      'password.reset': 'Password reset by email',
      'totp.enroll': 'Authenticator setup started',
      'totp.activate': 'Authenticator set up',
      'totp.disable': 'Authenticator turned off',
      'totp.stepUp': 'Confirmed with the authenticator',
      'totp.recoveryCodes': 'New recovery codes',
      'email.codeSent': 'Code sent by email',
      'key.create': 'API key created',
      'key.revoke': 'API key revoked',
      'faucet.credit': 'Test money',
    } as Readonly<Record<string, string>>,
    reasons: {
      credentialsWrong: 'wrong password',
      totpNeeded: 'authenticator code needed',
      totpWrong: 'wrong authenticator code',
      totpActive: 'an authenticator was active already',
      totpInactive: 'no authenticator was set up',
      emailCodeNeeded: 'code from the email needed',
      emailCodeWrong: 'wrong email code',
      tooManyAttempts: 'too many failed attempts',
      tooManyCodes: 'too many codes requested',
      crossOrigin: 'sent by another site',
      sessionInvalid: 'the session had expired',
      stepUpNeeded: 'confirmation needed',
      loginNotRecent: 'the last login was too long ago',
      faucetUsed: 'already drawn that day',
      invalidField: 'a field was not valid',
      notFound: 'not available here',
      overloaded: 'the server was busy',
    } as Readonly<Record<string, string>>,
  },
};

export const security = inLanguage({ en });
