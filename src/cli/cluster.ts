// agio cluster: the schema of the shared database, and the nodes of a running cluster.
import { migrate } from '../cluster/postgres/schema.ts';
import { CliError, command, group } from './command.ts';
import { DATABASE_ARG, requireDatabaseUrl } from './database.ts';
import { print, table } from './output.ts';
import { type Answer, cellText, cellTimeText, type Row, SERVER_ARGS, Server } from './server.ts';

/** A handover takes less than a second; a failover after a failed one takes three. */
const LEAD_LIMIT_MS = 15_000;
const LOOK_MS = 100;

const migrateCommand = command({
  name: 'migrate',
  summary: 'Creates or upgrades the schema agio in PostgreSQL, and gives the nodes their rights',
  examples: [
    'agio cluster migrate --database-url postgres://agio_owner@db-1/agio --role agio_node',
    'AGIO_DATABASE_URL=postgres://… agio cluster migrate --role agio_node',
  ],
  notes:
    'The URL is that of the owner of the database. The role is the one in the URL of the nodes;\n' +
    'it must exist. It can add to the journal and the audit log and cannot change them. Nodes\n' +
    'never migrate. A second run changes nothing. Nodes may run: before a rolling upgrade, run\n' +
    'this command of the new release.',
  args: {
    ...DATABASE_ARG,
    role: {
      type: 'string',
      required: true,
      valueHint: 'ROLE',
      description: 'The role of the nodes.',
    },
  },
  async run(args) {
    const version = await migrate(requireDatabaseUrl(args), args.role);
    print(`The schema agio has version ${version}, and nodes can use it as ${args.role}.`);
  },
});

const statusCommand = command({
  name: 'status',
  summary: 'Shows the nodes, the leader and how far behind each node is',
  examples: ['agio cluster status', 'agio cluster status --url http://agio-2:8080 --json'],
  notes: 'Any node answers, as long as one leads.',
  args: SERVER_ARGS,
  async run(args) {
    const answer = await new Server(args).call('cluster');
    print(args.json === true ? answer.text : statusText(answer));
  },
});

function statusText({ row }: Answer): string {
  if (row.mode === 'single') return 'This server is a single machine, not a node of a cluster.';
  const nodes = row.nodes as readonly Row[];
  const headings = ['node', 'role', 'seq', 'lag', 'connected since', 'link'];
  const rows = nodes.map(({ node, role, seq, lag, connectedSince, address }) => [
    ...[node, role, seq, lag].map(cellText),
    cellTimeText(connectedSince),
    cellText(address),
  ]);
  const leads = `${cellText(row.leader)} leads since ${cellTimeText(row.since)}`;
  return `${leads}, term ${cellText(row.epoch)}.\n\n${table(headings, rows)}`;
}

const leadCommand = command({
  name: 'lead',
  summary: 'Hands the lead over to a node',
  examples: ['agio cluster lead agio-2'],
  notes:
    'Writes of customers wait for the next leader, for less than a second. Calls of operators\n' +
    'that write get 503 meanwhile.',
  args: {
    node: { type: 'positional', required: true, description: 'Its name, as status shows it.' },
    ...SERVER_ARGS,
  },
  async run(args) {
    const server = new Server(args);
    const { row } = await server.call('handOver', { node: args.node });
    const answer = await nextTerm(server, Number(row.epoch));
    if (answer.row.leader !== args.node) {
      const { leader, epoch } = answer.row;
      throw new CliError(`${cellText(leader)} leads instead, in term ${cellText(epoch)}.`);
    }
    print(args.json === true ? answer.text : statusText(answer));
  },
});

/** The status once a later term than `epoch` has begun. Throws CliError when none does. */
async function nextTerm(server: Server, epoch: number): Promise<Answer> {
  const deadline = performance.now() + LEAD_LIMIT_MS;
  for (;;) {
    try {
      const answer = await server.call('cluster');
      if (Number(answer.row.epoch) > epoch) return answer;
    } catch (error) {
      // Nobody leads for a moment.
      if (!(error instanceof CliError) || performance.now() > deadline) throw error;
    }
    if (performance.now() > deadline) {
      throw new CliError('The lead has not moved; "agio cluster status" and the log say why.');
    }
    await Bun.sleep(LOOK_MS);
  }
}

export const clusterCommand = group(
  'cluster',
  'Shows the nodes, hands the lead over, and prepares the database',
  [statusCommand, leadCommand, migrateCommand],
  'status',
);
