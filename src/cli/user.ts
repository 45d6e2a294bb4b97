// agio user: the people of a venue.
import { password as askPassword, isCancel } from '@clack/prompts';
import { defineCommand } from 'citty';
import { about, CliError, given, naturalNumber, yesOrNo } from './command.ts';
import { OperatorClient, printRow, printRows, SERVER_ARGS } from './operator-client.ts';
import { print } from './output.ts';

const uid = { type: 'positional', required: true, description: 'The number of the user.' } as const;

/** The enterprise that was typed; "none" is none. Throws CliError. */
function enterpriseOf(typed: string | undefined): number | null | undefined {
  if (typed === undefined) return undefined;
  return typed === 'none' ? null : naturalNumber('--enterprise', typed);
}

const create = defineCommand({
  meta: about('create', 'Creates a user', [
    'agio user create --email ada@example.com',
    'agio user create --email ada@example.com --kyc --password    (asks for it)',
    'pass show ada | agio user create --email ada@example.com --password',
    'agio user create --email cfo@example.com --enterprise 1 --enterprise-admin',
  ]),
  args: {
    email: {
      type: 'string',
      required: true,
      valueHint: 'ADDRESS',
      description: 'Name of the user.',
    },
    password: {
      type: 'boolean',
      description: 'Set a password: asked for, or the first line of standard input.',
    },
    kyc: { type: 'boolean', description: 'The identity of the person was checked.' },
    enterprise: { type: 'string', valueHint: 'ID', description: 'The user is a member of it.' },
    'enterprise-admin': { type: 'boolean', description: 'And administers it.' },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const client = new OperatorClient(args);
    const secret = args.password === true ? await readPassword() : undefined;
    const body = given({
      email: args.email,
      password: secret,
      kyc: args.kyc,
      enterpriseId: enterpriseOf(args.enterprise),
      enterpriseAdmin: args['enterprise-admin'],
    });
    const answer = await client.post('users', body);
    if (args.json === true) print(answer.text);
    else print(`uid ${answer.row.uid}`);
  },
});

const attach = defineCommand({
  meta: about(
    'attach',
    'Gives an email address to a user whom identity.db does not know',
    ['agio user attach 7 ada@example.com', 'agio user attach 7 ada@example.com --password'],
    {
      notes:
        'For a server that was started with --accept-unowned, after an older identity.db was\n' +
        'restored. Without a password, the user chooses one by a reset.',
    },
  ),
  args: {
    uid,
    email: { type: 'positional', required: true, description: 'The address of the user.' },
    password: {
      type: 'boolean',
      description: 'Set a password: asked for, or the first line of standard input.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const client = new OperatorClient(args);
    const secret = args.password === true ? await readPassword() : undefined;
    const body = given({ email: args.email, password: secret });
    printRow(await client.post(`users/${naturalNumber('UID', args.uid)}/attach`, body), args);
  },
});

/** Never from the command line, which every user of the machine can read. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY === true) {
    const typed = await askPassword({ message: 'Password of the new user' });
    if (isCancel(typed)) throw new CliError('Nothing was done.');
    return typed;
  }
  const [line = ''] = (await Bun.stdin.text()).split(/\r?\n/);
  if (line === '') throw new CliError('There is no password on standard input.');
  return line;
}

const USER_FIELDS = [
  'uid',
  'email',
  'kyc',
  'status',
  'makerFee',
  'takerFee',
  'maxOpenOrders',
  'enterpriseId',
  'enterpriseAdmin',
];

const list = defineCommand({
  meta: about('list', 'Lists users, newest first', [
    'agio user list',
    'agio user list --query example.com --page 2',
  ]),
  args: {
    query: { type: 'string', valueHint: 'TEXT', description: 'A part of the address, or the uid.' },
    page: { type: 'string', valueHint: 'N', description: 'Pages of 100, from 1.', default: '1' },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const page = naturalNumber('--page', args.page);
    const query = encodeURIComponent(args.query ?? '');
    const answer = await new OperatorClient(args).get(
      `users?query=${query}&page=${page}&pageSize=100`,
    );
    printRows(answer, args, USER_FIELDS);
  },
});

const show = defineCommand({
  meta: about('show', 'Shows one user', ['agio user show 7']),
  args: { uid, ...SERVER_ARGS },
  async run({ args }) {
    printRow(await new OperatorClient(args).get(`users/${naturalNumber('UID', args.uid)}`), args);
  },
});

const balances = defineCommand({
  meta: about('balances', 'Shows what a user has', ['agio user balances 7']),
  args: { uid, ...SERVER_ARGS },
  async run({ args }) {
    const path = `users/${naturalNumber('UID', args.uid)}/balances`;
    const answer = await new OperatorClient(args).get(path);
    printRows(answer, args, [
      'asset',
      'available',
      'held',
      'earn',
      'redeeming',
      'booster',
      'total',
    ]);
  },
});

/** A fee that was typed; "instrument" gives the own fee up. */
const feeOf = (typed: string | undefined): string | null | undefined =>
  typed === 'instrument' ? null : typed;

const amend = defineCommand({
  meta: about('amend', 'Changes KYC, status, fees, limits or enterprise of a user', [
    'agio user amend 7 --kyc yes',
    'agio user amend 7 --status suspended',
    'agio user amend 7 --maker-fee 0.0002 --taker-fee instrument',
    'agio user amend 7 --enterprise 1 --enterprise-admin yes',
  ]),
  args: {
    uid,
    kyc: { type: 'string', valueHint: 'yes|no', description: 'Whether the identity was checked.' },
    status: {
      type: 'string',
      valueHint: 'active|suspended',
      description: 'A suspended user reads and changes nothing; open orders are canceled.',
    },
    'maker-fee': {
      type: 'string',
      valueHint: 'RATE',
      description: 'Own rate; "instrument" returns to that of the instrument.',
    },
    'taker-fee': { type: 'string', valueHint: 'RATE', description: 'As --maker-fee.' },
    'max-open-orders': { type: 'string', valueHint: 'N', description: 'Open orders at a time.' },
    enterprise: {
      type: 'string',
      valueHint: 'ID|none',
      description: 'The enterprise that the user belongs to.',
    },
    'enterprise-admin': {
      type: 'string',
      valueHint: 'yes|no',
      description: 'Whether the user administers it.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const limit = args['max-open-orders'];
    const admin = args['enterprise-admin'];
    const body = given({
      kyc: args.kyc === undefined ? undefined : yesOrNo('--kyc', args.kyc),
      status: args.status,
      makerFee: feeOf(args['maker-fee']),
      takerFee: feeOf(args['taker-fee']),
      maxOpenOrders: limit === undefined ? undefined : naturalNumber('--max-open-orders', limit),
      enterpriseId: enterpriseOf(args.enterprise),
      enterpriseAdmin: admin === undefined ? undefined : yesOrNo('--enterprise-admin', admin),
    });
    const path = `users/${naturalNumber('UID', args.uid)}`;
    printRow(await new OperatorClient(args).patch(path, body), args);
  },
});

export const userCommand = defineCommand({
  meta: about('user', 'Creates, lists and changes users', []),
  default: 'list',
  subCommands: { list, show, create, attach, amend, balances },
});
