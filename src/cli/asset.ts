// agio asset: what can be owned.
import { defineCommand } from 'citty';
import { about, given, naturalNumber } from './command.ts';
import { OperatorClient, printRow, printRows, SERVER_ARGS } from './operator-client.ts';

const list = defineCommand({
  meta: about('list', 'Lists the assets', ['agio asset list']),
  args: SERVER_ARGS,
  async run({ args }) {
    const answer = await new OperatorClient(args).get('assets');
    printRows(answer, args, ['assetId', 'asset', 'scale', 'fiat']);
  },
});

const create = defineCommand({
  meta: about('create', 'Lists a new asset', [
    'agio asset create BTC --scale 8',
    'agio asset create AED --scale 2 --fiat',
  ]),
  args: {
    asset: { type: 'positional', required: true, description: 'Capital letters and digits.' },
    scale: {
      type: 'string',
      required: true,
      valueHint: '0-18',
      description: 'Decimals of the smallest unit; it never changes.',
    },
    fiat: { type: 'boolean', description: 'It is issued by a state.' },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const { asset, fiat } = args;
    const body = given({ asset, scale: naturalNumber('--scale', args.scale), fiat });
    printRow(await new OperatorClient(args).post('assets', body), args);
  },
});

export const assetCommand = defineCommand({
  meta: about('asset', 'Lists and creates assets', []),
  default: 'list',
  subCommands: { list, create },
});
