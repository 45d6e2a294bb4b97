// Starts the servers of parts `large`, `flood` and `cluster` on the history of a data directory: a
// single node, and a cluster.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { masterKeyFile } from '../../src/identity/master-key.ts';
import { freePort, NO_POSTGRES } from '../../test/support/postgres.ts';
import { createStoreServer, NODE_ROLE } from '../../test/support/postgres-store.ts';
import { caughtUp, startNode } from './load.ts';
import { runAgio, type Service } from './processes.ts';

const OPERATOR = { AGIO_OPERATOR_TOKEN: 'token-of-the-operator' } as const;
export const OPERATOR_TOKEN = OPERATOR.AGIO_OPERATOR_TOKEN;
const NODES = ['a', 'b', 'c'];

/** A node on a copy of a data directory. */
export async function startSingle(
  directory: string,
  source: string,
  flags: readonly string[] = [],
): Promise<Service> {
  const dataDir = join(directory, 'single');
  cpSync(source, dataDir, { recursive: true });
  const node = await startNode(dataDir, flags, OPERATOR);
  await caughtUp(node.url);
  return node;
}

/** Three nodes over PostgreSQL with a standby; the first one leads. */
export async function startCluster(directory: string, source: string): Promise<Service> {
  if (NO_POSTGRES) throw new Error('A cluster needs PostgreSQL: install postgresql.');
  await using stack = new AsyncDisposableStack();
  const primary = stack.use(await createStoreServer());
  stack.use(await primary.addStandby());
  const AGIO_DATABASE_URL = primary.url(NODE_ROLE);
  await runAgio(['journal', 'copy', '--to', AGIO_DATABASE_URL, '--data', source]);
  const AGIO_MASTER_KEY = readFileSync(masterKeyFile(source), 'utf8').trim();
  const nodes: Service[] = [];
  for (const name of NODES) {
    const flags = ['--node', name, '--link', `127.0.0.1:${freePort()}`];
    const environment = { ...OPERATOR, AGIO_DATABASE_URL, AGIO_MASTER_KEY };
    nodes.push(stack.use(await startNode(join(directory, name), flags, environment)));
  }
  const urls = nodes.map(({ url }) => url);
  await Promise.all(urls.map(caughtUp));
  const all = stack.move();
  return { ...nodes[0], urls, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
