// agio income: fees, margins of enterprises and reserves, and how they leave the venue.
import { defineCommand } from 'citty';
import { about, given, naturalNumber } from './command.ts';
import { OperatorClient, printRow, printRows, SERVER_ARGS } from './operator-client.ts';

const list = defineCommand({
  meta: about('list', 'Lists fees, margins and reserves with what can be withdrawn', [
    'agio income',
    'agio income --json',
  ]),
  args: SERVER_ARGS,
  async run({ args }) {
    printRows(await new OperatorClient(args).get('ledger/income'), args, [
      'account',
      'enterpriseId',
      'planId',
      'asset',
      'balance',
      'withdrawable',
    ]);
  },
});

const withdraw = defineCommand({
  meta: about('withdraw', 'Withdraws fees, a margin, or what a reserve has beyond its debts', [
    'agio income withdraw feeRevenue USDT 1500 --reference fees-2026-11',
    'agio income withdraw enterpriseMargin USDT 20 --enterprise 1 --reference acme-2026-11',
    'agio income withdraw reserve USDT 500 --plan 3 --reference treasury-9',
  ]),
  args: {
    account: {
      type: 'positional',
      required: true,
      description: 'feeRevenue, enterpriseMargin or reserve.',
    },
    asset: { type: 'positional', required: true, description: 'Such as USDT.' },
    amount: { type: 'positional', required: true, description: 'A decimal number.' },
    reference: {
      type: 'string',
      required: true,
      valueHint: 'TEXT',
      description: 'Names this transfer for ever; repeated, it moves nothing.',
    },
    plan: { type: 'string', valueHint: 'ID', description: 'Of a reserve: its plan.' },
    enterprise: { type: 'string', valueHint: 'ID', description: 'Of margins: who earned them.' },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const { account, asset, amount, reference, plan, enterprise } = args;
    const enterpriseId =
      enterprise === undefined ? undefined : naturalNumber('--enterprise', enterprise);
    const body = given({ account, asset, amount, reference, planId: plan, enterpriseId });
    printRow(await new OperatorClient(args).post('ledger/withdraw-income', body), args);
  },
});

const statement = defineCommand({
  meta: about('statement', 'Lists reserves that were funded and income that was withdrawn', [
    'agio income statement',
    'agio income statement --page 2',
  ]),
  args: {
    page: { type: 'string', valueHint: 'N', description: 'Pages of 100, from 1.', default: '1' },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const page = naturalNumber('--page', args.page);
    const path = `ledger/venue-statement?page=${page}&pageSize=100`;
    printRows(await new OperatorClient(args).get(path), args, [
      'transferId',
      'time',
      'account',
      'enterpriseId',
      'planId',
      'asset',
      'amount',
      'reference',
    ]);
  },
});

export const incomeCommand = defineCommand({
  meta: about('income', 'Lists and withdraws fees, margins and surpluses of reserves', []),
  default: 'list',
  subCommands: { list, withdraw, statement },
});
