// agio key: the API keys of users.
import { defineCommand } from 'citty';
import { about, CliError, given, naturalNumber } from './command.ts';
import { OperatorClient, printRow, printRows, SERVER_ARGS } from './operator-client.ts';
import { printError } from './output.ts';

const uid = { type: 'positional', required: true, description: 'The number of the user.' } as const;

const create = defineCommand({
  meta: about(
    'create',
    'Creates an API key; its secret is shown once',
    [
      'agio key create 7 --alias bot --modules 5,6',
      'agio key create 7 --alias bot --modules 5 --ip 203.0.113.7,10.0.0.0/8 --expires 2027-01-01',
    ],
    {
      notes:
        'MODULES\n\n  1 earn read    2 earn create and modify    3 early redemption    ' +
        '4 enterprise admin\n  5 trading read 6 trading write',
    },
  ),
  args: {
    uid,
    alias: { type: 'string', required: true, valueHint: 'NAME', description: 'What it is for.' },
    modules: { type: 'string', required: true, valueHint: 'LIST', description: 'What it may do.' },
    ip: {
      type: 'string',
      valueHint: 'LIST',
      description: 'From where: addresses and CIDR ranges.',
    },
    expires: {
      type: 'string',
      valueHint: 'DATE',
      description: 'Until when, as 2027-01-31T12:00Z.',
    },
    'strict-cl-ord-id': {
      type: 'boolean',
      description: 'Refuse a clOrdId that an open order already has.',
    },
    'without-replay-guard': {
      type: 'boolean',
      description: 'Let a signature of a write be used again.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const body = given({
      alias: args.alias,
      moduleIds: listOf(args.modules).map((id) => naturalNumber('--modules', id)),
      ipAllowList: args.ip === undefined ? undefined : listOf(args.ip),
      expiresAt: args.expires === undefined ? undefined : timeOf(args.expires),
      strictClOrdId: args['strict-cl-ord-id'],
      replayGuard: args['without-replay-guard'] === true ? false : undefined,
    });
    const path = `users/${naturalNumber('UID', args.uid)}/keys`;
    printRow(await new OperatorClient(args).post(path, body), args);
    if (args.json !== true) printError('Keep the secret now: it cannot be shown again.');
  },
});

const listOf = (text: string): string[] => text.split(',').map((item) => item.trim());

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new CliError(`--expires is a date such as 2027-01-31 or 2027-01-31T12:00Z, not "${text}".`);
}

const list = defineCommand({
  meta: about('list', 'Lists the API keys of a user, newest first', ['agio key list 7']),
  args: { uid, ...SERVER_ARGS },
  async run({ args }) {
    const path = `users/${naturalNumber('UID', args.uid)}/keys`;
    const answer = await new OperatorClient(args).get(path);
    printRows(answer, args, [
      'apiKey',
      'alias',
      'moduleIds',
      'ipAllowList',
      'expiresAt',
      'revokedAt',
    ]);
  },
});

const revoke = defineCommand({
  meta: about('revoke', 'Ends an API key at once', ['agio key revoke 7 3f0c…']),
  args: {
    uid,
    apiKey: {
      type: 'positional',
      required: true,
      description: 'The key, as "agio key list" shows it.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const key = encodeURIComponent(args.apiKey);
    const path = `users/${naturalNumber('UID', args.uid)}/keys/${key}/revoke`;
    printRow(await new OperatorClient(args).post(path), args);
  },
});

export const keyCommand = defineCommand({
  meta: about('key', 'Creates, lists and revokes API keys', []),
  subCommands: { list, create, revoke },
});
