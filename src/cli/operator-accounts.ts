// The operator's commands for accounts: users, API keys, deposits and withdrawals, orders, income.
import type { Command } from 'commander';
import { byFeeRole, FEE_ROLES } from '../core/fee-rates.ts';
import { CliError, group } from './command.ts';
import { type OperatorTerms, operatorCommand } from './operator-command.ts';
import { cellText } from './server.ts';

/** Never from the command line, which every user of the machine can read. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY === true) {
    const { isCancel, password } = await import('@clack/prompts');
    const typed = await password({ message: 'Password of the new user' });
    if (isCancel(typed)) throw new CliError('Nothing was done.');
    return typed;
  }
  const [line = ''] = (await Bun.stdin.text()).split(/\r?\n/);
  if (line === '') throw new CliError('There is no password on standard input.');
  return line;
}

const password = {
  options: {
    password: { help: 'Set a password: asked for, or the first line of standard input.' },
  },
  ask: { password: readPassword },
} as const;

const PAGE_SIZE = { pageSize: 100 };
const enterprise = { name: 'enterprise', hint: 'ID' } as const;

const userCommand = group(
  'user',
  'Creates, lists and changes users',
  [
    operatorCommand('users', {
      name: 'list',
      summary: 'Lists users, newest first',
      examples: ['agio user list', 'agio user list --query example.com --page 2'],
      fixed: PAGE_SIZE,
      print: [
        ...['uid', 'email', 'kyc', 'status', ...FEE_ROLES, 'maxOpenOrders'],
        ...['enterpriseId', 'enterpriseAdmin'],
      ],
    }),
    operatorCommand('user', {
      name: 'show',
      summary: 'Shows one user',
      examples: ['agio user show 7'],
    }),
    operatorCommand('createUser', {
      name: 'create',
      summary: 'Creates a user',
      examples: [
        'agio user create --email ada@example.com',
        'agio user create --email ada@example.com --kyc --password    (asks for it)',
        'pass show ada | agio user create --email ada@example.com --password',
        'agio user create --email cfo@example.com --enterprise 1 --enterprise-admin',
      ],
      ask: password.ask,
      options: {
        ...password.options,
        enterpriseId: enterprise,
      },
      print: ({ row }) => `uid ${cellText(row.uid)}`,
    }),
    operatorCommand('attachUser', {
      name: 'attach',
      summary: 'Gives an email address to a user whom identity.db does not know',
      examples: [
        'agio user attach 7 ada@example.com',
        'agio user attach 7 ada@example.com --password',
      ],
      notes:
        'For a server that was started with --accept-unowned, after an older identity.db was\n' +
        'restored. Without a password, the user chooses one by a reset.',
      arguments: ['email'],
      ...password,
    }),
    operatorCommand('amendUser', {
      name: 'amend',
      summary: 'Changes KYC, status, fees, limits or enterprise of a user',
      examples: [
        'agio user amend 7 --kyc yes',
        'agio user amend 7 --status suspended',
        'agio user amend 7 --maker-fee 0.0002 --taker-fee instrument',
        'agio user amend 7 --enterprise 1 --enterprise-admin yes',
      ],
      options: {
        ...byFeeRole(() => ({ clear: 'instrument' })),
        enterpriseId: enterprise,
      },
    }),
    operatorCommand('userBalances', {
      name: 'balances',
      summary: 'Shows the balances of a user',
      examples: ['agio user balances 7'],
      print: ['asset', 'available', 'held', 'earn', 'redeeming', 'booster', 'total'],
    }),
  ],
  'list',
);

const keyCommand = group('key', 'Creates, lists and revokes API keys', [
  operatorCommand('keys', {
    name: 'list',
    summary: 'Lists the API keys of a user, newest first',
    examples: ['agio key list 7'],
    print: ['apiKey', 'alias', 'moduleIds', 'ipAllowList', 'expiresAt', 'revokedAt'],
  }),
  operatorCommand('createKey', {
    name: 'create',
    summary: 'Creates an API key and shows its secret once',
    examples: [
      'agio key create 7 --alias bot --modules 5,6',
      'agio key create 7 --alias bot --modules 5 --ip 203.0.113.7,10.0.0.0/8 --expires 2027-01-01',
    ],
    notes:
      'Modules:\n  1 earn read    2 earn create and modify    3 early redemption    ' +
      '4 enterprise admin\n  5 trading read 6 trading write',
    options: {
      alias: { hint: 'NAME' },
      moduleIds: { name: 'modules' },
      ipAllowList: { name: 'ip' },
      expiresAt: { name: 'expires' },
      replayGuard: {
        name: 'without-replay-guard',
        flag: false,
        help: 'Accept the signature of a write more than once.',
      },
    },
    hint: 'Keep the secret now: it cannot be shown again.',
  }),
  operatorCommand('revokeKey', {
    name: 'revoke',
    summary: 'Revokes an API key immediately',
    examples: ['agio key revoke 7 3f0c…'],
  }),
]);

const transfer = (
  direction: 'credit' | 'debit',
  terms: Pick<OperatorTerms, 'summary' | 'examples'>,
) =>
  operatorCommand(direction, {
    name: direction,
    ...terms,
    arguments: ['uid', 'asset', 'amount'],
  });

const orderCommand = group('order', 'Cancels orders of users and of pairs', [
  operatorCommand('cancelOrders', {
    name: 'cancel',
    summary: 'Cancels the open orders of a user, of a pair, or of a user in a pair',
    examples: [
      'agio order cancel --user 7 --reason "ticket 4711"',
      'agio order cancel --symbol BTC-USDT --reason delisted',
      'agio order cancel --user 7 --symbol BTC-USDT --reason "ticket 4711"',
    ],
    notes:
      'Works whatever the status of the pair. The owners read that the operator canceled; the\n' +
      'reason is only in the audit log. To stop an account, suspend it:\n' +
      'agio user amend 7 --status suspended.',
    options: { uid: { name: 'user', hint: 'UID' }, symbol: { hint: 'PAIR' } },
  }),
]);

const incomeCommand = group(
  'income',
  'Lists and withdraws fees, margins and surpluses of reserves',
  [
    operatorCommand('income', {
      name: 'list',
      summary: 'Lists fees, margins and reserves with the part that can be withdrawn',
      examples: ['agio income', 'agio income --json'],
      print: ['account', 'enterpriseId', 'planId', 'asset', 'balance', 'withdrawable'],
    }),
    operatorCommand('withdrawIncome', {
      name: 'withdraw',
      summary: 'Withdraws fees, a margin, or the surplus of a reserve',
      examples: [
        'agio income withdraw feeRevenue USDT 1500 --reference fees-2026-11',
        'agio income withdraw enterpriseMargin USDT 20 --enterprise 1 --reference acme-2026-11',
        'agio income withdraw reserve USDT 500 --plan 3 --reference treasury-9',
      ],
      arguments: ['account', 'asset', 'amount'],
      options: {
        planId: { name: 'plan', hint: 'ID' },
        enterpriseId: { name: 'enterprise', hint: 'ID' },
      },
    }),
    operatorCommand('venueStatement', {
      name: 'statement',
      summary: 'Lists funded reserves and withdrawn income',
      examples: ['agio income statement', 'agio income statement --page 2'],
      fixed: PAGE_SIZE,
      print: [
        ...['transferId', 'time', 'account', 'enterpriseId', 'planId', 'asset', 'amount'],
        'reference',
      ],
    }),
  ],
  'list',
);

export const accountCommands: readonly Command[] = [
  userCommand,
  keyCommand,
  transfer('credit', {
    summary: 'Credits a user with money that has arrived',
    examples: ['agio credit 7 USDT 1000 --reference wire-20260807-1'],
  }),
  transfer('debit', {
    summary: 'Debits a user for money that leaves',
    examples: ['agio debit 7 BTC 0.25 --reference withdrawal-311'],
  }),
  orderCommand,
  incomeCommand,
];
