// Texts that several pages share: states of a list, rejections, codes that prove identity, paging.
// One word for one action: *Cancel* leaves a form or a question without a change, *Keep …* leaves a
// question that would cancel an order, *Back to …* leads to an earlier page, *Close* ends a view.
import { inLanguage, plural } from './catalog.ts';

const en = {
  loading: 'Loading',
  tryAgain: 'Try again',
  noConnection: 'No connection',
  notShown: 'This could not be shown',
  unreachable: 'The exchange cannot be reached.',
  unreadable: 'The exchange answered with an error. Try again in a moment.',
  outcomeUnknown:
    'The exchange gave no clear answer. Your request may or may not have been carried out.',
  readFailed: 'Something went wrong in this page. Reload it.',
  writeFailed: 'Something went wrong in this page. Reload it; your request may have arrived.',
  use: (value: string) => `Use ${value}`,
  cancel: 'Cancel',
  keepOrders: (count: number) => plural(count, { one: 'Keep order', other: 'Keep orders' }),
  confirm: 'Confirm',
  close: 'Close',

  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],

  copy: 'Copy',
  copied: 'Copied',
  copyThe: (what: string) => `Copy ${what}`,

  newer: 'Newer',
  older: 'Older',
  page: (number: number) => `Page ${number}`,
  pagesOf: (list: string) => `Pages of the ${list}`,
  pageControl: (control: string) => `${control} page`,
  countOf: (count: string, what: string) => `${count} ${what}`,
  inTotal: 'in total',

  /** The parts of a balance. */
  balanceParts: {
    available: 'Available',
    held: 'In orders',
    earn: 'In Earn',
    redeeming: 'Redeeming',
    booster: 'Booster',
  },
  /** The same after an amount: 5 in orders. */
  amountParts: {
    available: 'available',
    held: 'in orders',
    earn: 'in Earn',
    redeeming: 'redeeming',
    booster: 'booster',
  },

  codes: {
    totp: 'Authenticator code',
    totpHelp: 'The six digits that your authenticator shows now. Each code works once.',
    recovery: 'Recovery code',
    recoveryHelp:
      'One of the codes that you saved when you set up the authenticator. Each works once.',
    useTotp: 'Use the authenticator',
    useRecovery: 'Use a recovery code',
    email: 'Code from the email',
    shortHelp: 'Six digits, valid for 10 minutes.',
    longHelp: 'Sixteen letters and digits, valid for 10 minutes.',
    emailNeeded: 'Someone tried to guess your password, so we also ask for a code by email.',
    send: 'Send code',
    sendAgain: 'Send again',
    sendAgainIn: (seconds: number) => `Send again in ${seconds} s`,
    sent: 'We emailed you a code',
    sandboxOutbox: 'A sandbox sends no emails. Find this one in the outbox of the',
    operatorConsole: 'operator console',
  },

  stepUp: {
    title: 'Confirm your identity',
    lead: 'After this you can continue for a few minutes without another code.',
    noAuthenticator: 'This needs an authenticator. Setting one up takes a minute.',
    setUp: 'Set up an authenticator',
  },

  fields: {
    check: (field: string) => `Check ${field}.`,
    labels: {
      orderQty: 'the quantity',
      quoteOrderQty: 'the amount',
      price: 'the price',
      emailAuthCode: 'the code from the email',
      googleAuthCode: 'the authenticator code',
      newPassword: 'the new password',
      password: 'the password',
      email: 'the email address',
      applyAmount: 'the amount',
      amount: 'the amount',
      lockDay: 'the number of days',
      alias: 'the name',
      moduleIds: 'the privileges',
      ipAllowList: 'the IP addresses',
      expiresAt: 'the expiry date',
    } as Readonly<Record<string, string>>,
    other: (words: string) => `the ${words}`,
  },

  input: {
    ambiguous: (text: string, first: string, second: string) =>
      `${text} can mean ${first} or ${second}. Type the one that you mean.`,
    digitsNeeded: (sign: '.' | ',', example: string) =>
      `Use digits, with a ${sign === ',' ? 'comma' : 'point'} before decimals: ${example}`,
    wholeDigitsNeeded: 'Use whole digits',
  },

  cookieNotKept:
    'Your password is correct, but this browser does not keep the session. Open the exchange by ' +
    'https. Without https, you can log in only on the server itself, at http://localhost.',
};

export const common = inLanguage({ en });
