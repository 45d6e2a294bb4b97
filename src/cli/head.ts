// agio head: the end of a running server's journal, to be noted or compared.
import { defineCommand } from 'citty';
import { about } from './command.ts';
import { OperatorClient, printRow, SERVER_ARGS } from './operator-client.ts';

export const headCommand = defineCommand({
  meta: about(
    'head',
    'Shows the journal’s position, its hash and the hash of the state',
    ['agio head', 'agio head --json >> /safe/place/heads.jsonl'],
    {
      notes:
        'A head that is noted on another machine proves later that nothing before it was cut or\n' +
        'changed: agio verify --journal-head SEQ:CHAINHASH.',
    },
  ),
  args: SERVER_ARGS,
  async run({ args }) {
    printRow(await new OperatorClient(args).get('journal/head'), args);
  },
});
