// agio enterprise: companies whose members save together. Users join and leave with agio user.
import { defineCommand } from 'citty';
import { about } from './command.ts';
import { OperatorClient, printRow, printRows, SERVER_ARGS } from './operator-client.ts';

const list = defineCommand({
  meta: about('list', 'Lists enterprises with their members and margins', ['agio enterprise list']),
  args: SERVER_ARGS,
  async run({ args }) {
    const answer = await new OperatorClient(args).get('enterprises');
    printRows(answer, args, ['enterpriseId', 'name', 'members', 'margins']);
  },
});

const create = defineCommand({
  meta: about('create', 'Creates an enterprise', ['agio enterprise create "Example Treasury"'], {
    notes:
      'Users join with agio user amend UID --enterprise ID. An admin (--enterprise-admin yes)\n' +
      'needs an API key with module 4: agio key create UID --alias treasury --modules 4.',
  }),
  args: {
    name: { type: 'positional', required: true, description: 'Each names one enterprise.' },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    printRow(await new OperatorClient(args).post('enterprises', { name: args.name }), args);
  },
});

export const enterpriseCommand = defineCommand({
  meta: about('enterprise', 'Lists and creates enterprises', []),
  default: 'list',
  subCommands: { list, create },
});
