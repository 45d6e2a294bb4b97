// What `agio credit` and `agio debit` have in common, which is everything but the direction.
import { defineCommand } from 'citty';
import { type About, naturalNumber } from './command.ts';
import { OperatorClient, printRow, SERVER_ARGS } from './operator-client.ts';

export function transferCommand(direction: 'credit' | 'debit', meta: About) {
  return defineCommand({
    meta,
    args: {
      uid: { type: 'positional', required: true, description: 'The number of the user.' },
      asset: { type: 'positional', required: true, description: 'Such as USDT.' },
      amount: { type: 'positional', required: true, description: 'A decimal number.' },
      reference: {
        type: 'string',
        required: true,
        valueHint: 'TEXT',
        description: 'Names this transfer for ever; repeated, it moves nothing.',
      },
      ...SERVER_ARGS,
    },
    async run({ args }) {
      const { asset, amount, reference } = args;
      const uid = naturalNumber('UID', args.uid);
      const body = { uid, asset, amount, reference };
      printRow(await new OperatorClient(args).post(`ledger/${direction}`, body), args);
    },
  });
}
