// agio audit: who did what, when, from where, with what result.
import { defineCommand } from 'citty';
import { about, naturalNumber } from './command.ts';
import { OperatorClient, SERVER_ARGS, shown, shownTime } from './operator-client.ts';
import { print, table } from './output.ts';

export const auditCommand = defineCommand({
  meta: about('audit', 'Shows the audit log, newest first', ['agio audit', 'agio audit --page 2']),
  args: {
    page: { type: 'string', valueHint: 'N', description: 'From 1.', default: '1' },
    'page-size': { type: 'string', valueHint: 'N', description: 'At most 100.', default: '50' },
    ...SERVER_ARGS,
  },
  async run({ args }) {
    const page = naturalNumber('--page', args.page);
    const pageSize = naturalNumber('--page-size', args['page-size']);
    const answer = await new OperatorClient(args).get(`audit?page=${page}&pageSize=${pageSize}`);
    if (args.json === true) {
      print(answer.text);
      return;
    }
    const rows = answer.rows.map((entry) => [
      shown(entry.id),
      shownTime(entry.time),
      shown(entry.actor),
      shown(entry.ip),
      shown(entry.action),
      shown(entry.object),
      shown(entry.result),
      shown(entry.details),
    ]);
    print(table(['id', 'time', 'actor', 'ip', 'action', 'object', 'result', 'details'], rows));
  },
});
