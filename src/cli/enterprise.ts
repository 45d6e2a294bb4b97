// agio enterprise: companies whose members save together. Users join and leave with agio user.
import { defineCommand } from 'citty';
import { about, given, naturalNumber, yesOrNo } from './command.ts';
import { OperatorClient, printRow, printRows, SERVER_ARGS } from './operator-client.ts';

const list = defineCommand({
  meta: about('list', 'Lists enterprises with their members and margins', ['agio enterprise list']),
  args: SERVER_ARGS,
  async run({ args }) {
    const answer = await new OperatorClient(args).get('enterprises');
    const fields = ['enterpriseId', 'name', 'members', 'selfTradePrevention', 'margins'];
    printRows(answer, args, fields);
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
    'self-trade-prevention': {
      type: 'boolean',
      description: 'Its members do not trade with each other, where the pair prevents self-trades.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const { name, 'self-trade-prevention': selfTradePrevention } = args;
    const body = given({ name, selfTradePrevention });
    printRow(await new OperatorClient(args).post('enterprises', body), args);
  },
});

const amend = defineCommand({
  meta: about('amend', 'Says whether members of an enterprise may trade with each other', [
    'agio enterprise amend 1 --self-trade-prevention yes',
  ]),
  args: {
    id: { type: 'positional', required: true, description: 'The number of the enterprise.' },
    'self-trade-prevention': {
      type: 'string',
      required: true,
      valueHint: 'yes|no',
      description: 'From the next order on, where the pair prevents self-trades.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const flag = '--self-trade-prevention';
    const selfTradePrevention = yesOrNo(flag, args['self-trade-prevention']);
    const path = `enterprises/${naturalNumber('ID', args.id)}`;
    printRow(await new OperatorClient(args).patch(path, { selfTradePrevention }), args);
  },
});

export const enterpriseCommand = defineCommand({
  meta: about('enterprise', 'Lists, creates and changes enterprises', []),
  default: 'list',
  subCommands: { list, create, amend },
});
