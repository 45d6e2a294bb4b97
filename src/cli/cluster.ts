// agio cluster: the schema of the shared database, and the nodes of a running cluster.
import { migrate } from '../cluster/postgres/schema.ts';
import { CliError, command, group } from './command.ts';
import { DATABASE_ARG, requireDatabaseUrl } from './database.ts';
import { operatorCommand } from './operator-command.ts';
import { print, table } from './output.ts';
import {
  type Answer,
  type Cell,
  cellText,
  cellTimeText,
  type Row,
  SERVER_ARGS,
  Server,
} from './server.ts';

/** A handover takes less than a second; a failover after a failed one takes three. */
const LEAD_LIMIT_MS = 15_000;
const LOOK_MS = 100;
const NODE_HELP = 'Its name, as status shows it.';

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

const statusCommand = operatorCommand('cluster', {
  name: 'status',
  summary: 'Shows the nodes, the leader and how far behind each node is',
  examples: ['agio cluster status', 'agio cluster status --url http://agio-2:8080 --json'],
  notes:
    'Any node answers. While nobody leads, the answer is what that node knows: which nodes the\n' +
    'database has, and when it last had a sign of each.',
  print: statusText,
});

function statusText({ row }: Answer): string {
  if (row.mode === 'single') return 'This server is a single machine, not a node of a cluster.';
  const nodes = row.nodes as readonly Row[];
  const headings = [
    'node',
    'role',
    'seq',
    'lag',
    'connected since',
    'last seen',
    'release',
    'link',
  ];
  const rows = nodes.map(({ node, role, seq, lag, connectedSince, lastSeen, release, address }) => [
    ...[node, role, seq, lag].map(cellText),
    ...[connectedSince, lastSeen].map(cellTimeText),
    ...[release, address].map(cellText),
  ]);
  const term = `term ${cellText(row.epoch)}`;
  const leads =
    row.leader === null
      ? `Nobody leads; the last was ${term}.`
      : `${cellText(row.leader)} leads since ${cellTimeText(row.since)}, ${term}.`;
  return [`${leads}\n`, table(headings, rows), ...noticesOf(row, nodes)].join('\n');
}

/** Findings that need an operator, a line each. */
function noticesOf(row: Row, nodes: readonly Row[]): string[] {
  const lines: string[] = [];
  if (row.trouble !== null) lines.push(`The node that answers has no leader: ${row.trouble}`);
  if (row.reason === 'storageFull')
    lines.push('The leader rejects writes: PostgreSQL has no room.');
  const lost = nodes.filter(({ role }) => role === 'lost').map(({ node }) => cellText(node));
  if (lost.length > 0) lines.push(`Lost: ${lost.join(', ')}.`);
  if (row.standbysLost !== '0') {
    const [left, gone] = [cellText(row.standbys), cellText(row.standbysLost)];
    lines.push(`The database has lost ${gone} of its standbys and has ${left} left.`);
  }
  const others = (row.otherTokens as readonly Cell[]).map(cellText);
  if (others.length > 0) lines.push(`Another operator token is set on ${others.join(', ')}.`);
  if (row.newRules !== row.rules) {
    lines.push(
      `The journal has version ${cellText(row.rules)} of the rules. "agio cluster upgrade" ` +
        `raises it to ${cellText(row.newRules)}.`,
    );
  }
  return lines.length === 0 ? [] : ['', ...lines];
}

const leadCommand = command({
  name: 'lead',
  summary: 'Hands the lead over to a node',
  examples: ['agio cluster lead agio-2'],
  notes:
    'Writes of customers wait for the next leader, for less than a second. Calls of operators\n' +
    'that write get 503 meanwhile.',
  args: {
    node: { type: 'positional', required: true, description: NODE_HELP },
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

const upgradeCommand = operatorCommand('upgradeCluster', {
  name: 'upgrade',
  summary: 'Ends a rolling upgrade: the cluster uses what the new release can',
  examples: ['agio cluster upgrade --dry-run', 'agio cluster upgrade'],
  notes:
    'Every node must have the new release; the command names those that do not. Until then,\n' +
    'nodes of the older release work and can come back; afterwards they do not start.',
  options: { dryRun: { help: 'Only say what the command would do.' } },
  print: upgradeText,
});

function upgradeText({ row: { from, to, dryRun, olderNodes } }: Answer): string {
  const older = (olderNodes as readonly Cell[]).map(cellText);
  const [before, after] = [cellText(from), cellText(to)];
  if (older.length > 0) return `Version ${after} of the rules is too new for ${older.join(', ')}.`;
  if (before === after) return `The journal has version ${after} of the rules, the newest.`;
  const would = dryRun === true ? 'would go' : 'goes';
  return `The journal ${would} from version ${before} of the rules to version ${after}.`;
}

const forgetCommand = operatorCommand('forgetNode', {
  name: 'forget',
  summary: 'Removes a node that is gone and does not come back',
  examples: ['agio cluster forget agio-3'],
  notes: 'A node that runs is rejected. A node that was removed by mistake registers again.',
  arguments: ['node'],
  options: { node: { help: NODE_HELP } },
  print: ({ row: { node } }) => `${cellText(node)} no longer belongs to the cluster.`,
});

export const clusterCommand = group(
  'cluster',
  'Shows the nodes, hands the lead over, ends an upgrade, prepares the database',
  [statusCommand, leadCommand, upgradeCommand, forgetCommand, migrateCommand],
  'status',
);
