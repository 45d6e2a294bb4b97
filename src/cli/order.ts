// agio order: cancels in the name of the operator.
import { defineCommand } from 'citty';
import { about, given, naturalNumber } from './command.ts';
import { OperatorClient, printRow, SERVER_ARGS } from './operator-client.ts';

const cancel = defineCommand({
  meta: about(
    'cancel',
    'Cancels the open orders of a user, of a pair, or of a user in a pair',
    [
      'agio order cancel --user 7 --reason "ticket 4711"',
      'agio order cancel --symbol BTC-USDT --reason delisted',
      'agio order cancel --user 7 --symbol BTC-USDT --reason "ticket 4711"',
    ],
    {
      notes:
        'Works whatever the status of the pair. The owners read that the operator canceled; the reason\n' +
        'is in the audit log alone. To stop an account, suspend it: agio user amend 7 --status suspended.',
    },
  ),
  args: {
    user: {
      type: 'string',
      valueHint: 'UID',
      description: 'Whose orders; everyone’s unless given.',
    },
    symbol: {
      type: 'string',
      valueHint: 'PAIR',
      description: 'Of which pair; of all unless given.',
    },
    reason: {
      type: 'string',
      required: true,
      valueHint: 'TEXT',
      description: 'For the audit log.',
    },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const body = given({
      uid: args.user === undefined ? undefined : naturalNumber('--user', args.user),
      symbol: args.symbol,
      reason: args.reason,
    });
    printRow(await new OperatorClient(args).post('orders/cancel', body), args);
  },
});

export const orderCommand = defineCommand({
  meta: about('order', 'Cancels orders of users and of pairs', []),
  subCommands: { cancel },
});
