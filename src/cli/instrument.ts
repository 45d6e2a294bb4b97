// agio instrument: what is traded, on which terms, and whether now.
import { defineCommand } from 'citty';
import { about, given } from './command.ts';
import { OperatorClient, printRow, printRows, SERVER_ARGS } from './operator-client.ts';

const symbol = { type: 'positional', required: true, description: 'Such as BTC-USDT.' } as const;

const terms = {
  'maker-fee': { type: 'string', valueHint: 'RATE', description: '0.001 is 0.1 %.' },
  'taker-fee': { type: 'string', valueHint: 'RATE', description: '0.001 is 0.1 %.' },
  'self-trade': {
    type: 'string',
    valueHint: 'none|cancelNewest|cancelOldest|cancelBoth',
    description: 'Which order goes when an account would trade with itself.',
  },
  'price-band': {
    type: 'string',
    valueHint: 'RATE',
    description: 'Largest distance from the last price; 0: none.',
  },
  status: {
    type: 'string',
    valueHint: 'LIVE|POST_ONLY|CANCEL_ONLY|HALTED',
    description: 'What is accepted now.',
  },
} as const;

const termsOf = (args: { readonly [name in keyof typeof terms]?: string | undefined }) => ({
  makerFee: args['maker-fee'],
  takerFee: args['taker-fee'],
  selfTradePrevention: args['self-trade'],
  priceBand: args['price-band'],
  instrumentStatus: args.status,
});

const list = defineCommand({
  meta: about('list', 'Lists the instruments', [
    'agio instrument list',
    'agio instrument list --json',
  ]),
  args: SERVER_ARGS,
  async run({ args }) {
    printRows(await new OperatorClient(args).get('instruments'), args, [
      'securityId',
      'symbol',
      'instrumentStatus',
      'quoteAssetIncrement',
      'baseAssetIncrement',
      'makerFee',
      'takerFee',
      'selfTradePrevention',
      'priceBand',
      'lastPrice',
    ]);
  },
});

const create = defineCommand({
  meta: about('create', 'Lists a new instrument', [
    'agio instrument create BTC-USDT --tick 0.01 --lot 0.000001 --min-base 0.00001 --min-quote 0.1',
  ]),
  args: {
    symbol,
    tick: { type: 'string', required: true, valueHint: 'DECIMAL', description: 'Price increment.' },
    lot: {
      type: 'string',
      required: true,
      valueHint: 'DECIMAL',
      description: 'Quantity increment. Neither ever changes.',
    },
    'min-base': {
      type: 'string',
      required: true,
      valueHint: 'DECIMAL',
      description: 'Least quantity of an order.',
    },
    'min-quote': {
      type: 'string',
      required: true,
      valueHint: 'DECIMAL',
      description: 'Least price × quantity of an order.',
    },
    ...terms,
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const body = given({
      symbol: args.symbol,
      quoteAssetIncrement: args.tick,
      baseAssetIncrement: args.lot,
      baseAssetMinOrderSize: args['min-base'],
      quoteAssetMinOrderSize: args['min-quote'],
      ...termsOf(args),
    });
    printRow(await new OperatorClient(args).post('instruments', body), args);
  },
});

const amend = defineCommand({
  meta: about('amend', 'Changes the terms or the status of an instrument', [
    'agio instrument amend BTC-USDT --status HALTED          halts it',
    'agio instrument amend BTC-USDT --status CANCEL_ONLY     takes no new orders',
    'agio instrument amend BTC-USDT --status LIVE            resumes trading',
    'agio instrument amend BTC-USDT --taker-fee 0.001 --price-band 0.1',
  ]),
  args: {
    symbol,
    'min-base': { type: 'string', valueHint: 'DECIMAL', description: 'Least quantity.' },
    'min-quote': { type: 'string', valueHint: 'DECIMAL', description: 'Least price × quantity.' },
    ...terms,
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const body = given({
      baseAssetMinOrderSize: args['min-base'],
      quoteAssetMinOrderSize: args['min-quote'],
      ...termsOf(args),
    });
    const path = `instruments/${encodeURIComponent(args.symbol)}`;
    printRow(await new OperatorClient(args).patch(path, body), args);
  },
});

export const instrumentCommand = defineCommand({
  meta: about('instrument', 'Lists, creates, changes, halts and resumes instruments', []),
  default: 'list',
  subCommands: { list, create, amend },
});
