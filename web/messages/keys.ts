// Texts of the API key pages: the list, the form for a new key, and the new key itself.
import { inLanguage } from './catalog.ts';

const en = {
  title: 'API keys',
  lead: 'Programs sign requests with an API key. You choose what each key can do.',
  create: 'Create key',
  needsAuthenticator:
    'An API key can trade with your money, so creating one needs a code from your authenticator.',

  none: 'No API keys yet',
  noneUse: 'Programs use an API key to trade for you.',
  inactive: (count: number) => `Revoked and expired (${count})`,
  revoked: 'Revoked',
  expired: 'Expired',
  anyAddress: 'From any address',
  onlyFrom: (addresses: string) => `Only from ${addresses}`,
  strictNote: ' · strict client order IDs',
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  never: 'Never',
  revoke: 'Revoke',
  revokeKey: (name: string) => `Revoke ${name}`,
  revokeQuestion: 'Revoke this key?',
  revokeEffect: (name: string) =>
    `The key “${name}” stops working immediately. You cannot undo this. Its open orders stay.`,
  revokedKey: (name: string) => `Revoked the key “${name}”`,

  form: {
    title: 'Create an API key',
    nameAndPrivileges: 'Name and privileges',
    name: 'Name',
    nameHelp: 'Tells your keys apart, such as the program and its machine.',
    included: (privilege: string) => `${privilege} (included)`,
    never: 'No key can withdraw money or change your account.',
    limits: 'Limits',
    addresses: 'IP allowlist',
    addressesHelp:
      'One IP address or CIDR range per line. If empty, a stolen key works from any address.',
    expires: 'Expires',
    expiries: {
      days30: '30 days',
      days90: '90 days',
      days365: '1 year',
      date: 'On a date',
      never: 'Never',
    },
    lastDay: 'Last day',
    strict: 'Strict client order IDs',
    strictHelp:
      'The exchange rejects an order if one of your open orders has the same clOrdId. A program ' +
      'that sends an order twice by mistake places it once.',
    confirm: 'Confirm your identity',
    faults: {
      nameMissing: 'Enter a name, such as the program that uses it.',
      nameTooLong: (maximum: number) => `Use at most ${maximum} characters.`,
      nameControls: 'Remove the control characters.',
      noPrivilege: 'Choose at least one privilege.',
      tooManyAddresses: (maximum: number) => `Enter at most ${maximum} addresses or ranges.`,
      noAddress: (text: string) =>
        `“${text}” is not an address or range. Examples: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32.`,
      noDate: 'Choose the last day.',
      pastDate: 'Choose today or a later day.',
    },
  },

  privileges: {
    areas: { trading: 'Trading', earn: 'Earn' },
    other: (id: number) => `module ${id}`,
    1: { name: 'Read Earn', allows: 'Reads subscriptions, interest and previews.' },
    2: {
      name: 'Subscribe',
      allows: 'Subscribes to plans and sets auto renew. Includes Read Earn.',
    },
    3: { name: 'Redeem', allows: 'Redeems from plans, before their end too. Includes Read Earn.' },
    4: {
      name: 'Administer the enterprise',
      allows: 'Reads members’ subscriptions and sets margins. Includes Read Earn.',
    },
    5: { name: 'Read trading', allows: 'Reads balances, orders, fills, fees and the statement.' },
    6: {
      name: 'Trade',
      allows:
        'Places and cancels orders. It does not include reading: choose both for a program that ' +
        'checks its orders.',
    },
  },

  newKey: {
    title: 'API key created',
    once: 'This is the only time the secret is shown',
    store: 'Store it where only your program can read it. Anyone with the secret can use the key.',
    key: 'Key',
    keyName: 'key',
    secret: 'Secret',
    secretName: 'secret',
    saved: 'I saved the secret',
    done: 'Done',
    firstRequest: 'First request',
    requestName: (language: string) => `request for ${language}`,
    howToRun: {
      curl: 'Paste it into a terminal; it needs curl and openssl.',
      TypeScript: 'Save it as first.mts and run npx bun first.mts.',
      Python: 'Save it as first.py and run python3 first.py.',
    } as Readonly<Record<string, string>>,
    urls: 'URLs',
    urlOf: {
      agio: 'agio',
      binance: 'Binance’s Spot API',
      binanceApi: 'Binance’s websocket API',
      binanceStreams: 'Binance’s streams',
    },
    urlName: 'URL',
    urlsNote: 'A bot for Binance works with this key: change its URLs.',
    note:
      'The request contains the secret. It changes nothing: it reads, or checks an order without ' +
      'placing it.',
  },
};

export const keysText = inLanguage({ en });
