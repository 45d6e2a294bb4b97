// Starts the servers of parts `large` and `cluster`: a single node,
// and a cluster.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../src/cluster/postgres/schema.ts';
import { masterKeyFile } from '../../src/identity/master-key.ts';
import { freePort, PostgresServer } from '../../test/support/postgres.ts';
import { followerCaughtUp, startAgio } from './load.ts';
import { runAgio, type Service } from './processes.ts';

export const OPERATOR_TOKEN = 'token-of-the-operator';
const ROLE = 'agio_node';
const NODES = ['a', 'b', 'c'];

export interface Stage extends AsyncDisposable {
  /** The nodes; the first one leads. */
  readonly urls: readonly string[];
}

/** A node on a copy of a data directory. */
export async function startSingle(directory: string, source: string): Promise<Stage> {
  const dataDir = join(directory, 'single');
  cpSync(source, dataDir, { recursive: true });
  const node = await startAgio(dataDir, [], {
    AGIO_OPERATOR_TOKEN: OPERATOR_TOKEN,
  });
  await followerCaughtUp(node.ready);
  return { urls: [node.ready], [Symbol.asyncDispose]: () => node.kill() };
}

/** Three nodes over PostgreSQL with a standby, with the history of a data directory. */
export async function startCluster(directory: string, source: string): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const primary = stack.adopt(await PostgresServer.create(), (server) => server.dispose());
  stack.adopt(await primary.addStandby(), (server) => server.dispose());
  await primary.query(`CREATE ROLE ${ROLE} LOGIN`);
  await migrate(primary.url(), ROLE);
  await runAgio(['journal', 'copy', '--to', primary.url(ROLE), '--data', source]);
  const nodes: Service[] = [];
  for (const name of NODES) {
    const node = await startNode(join(directory, name), source, name, primary.url(ROLE));
    nodes.push(stack.use(node));
  }
  const urls = nodes.map(({ ready }) => ready);
  await Promise.all(urls.map(followerCaughtUp));
  const all = stack.move();
  return { urls, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Starts a node of a cluster; `source` is the data directory that its master key is from. */
function startNode(
  dataDir: string,
  source: string,
  name: string,
  databaseUrl: string,
): Promise<Service> {
  const flags = ['--node', name, '--link', `127.0.0.1:${freePort()}`];
  return startAgio(dataDir, flags, {
    AGIO_DATABASE_URL: databaseUrl,
    AGIO_MASTER_KEY: readFileSync(masterKeyFile(source), 'utf8').trim(),
    AGIO_OPERATOR_TOKEN: OPERATOR_TOKEN,
  });
}
