// Starts the servers of parts `large` and `cluster` on the history of a data directory: a single
// node, and a cluster.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { masterKeyFile } from '../../src/identity/master-key.ts';
import { freePort, NO_POSTGRES } from '../../test/support/postgres.ts';
import { createStoreServer, NODE_ROLE } from '../../test/support/postgres-store.ts';
import { caughtUp, startNode } from './load.ts';
import { runAgio } from './processes.ts';

const OPERATOR = { AGIO_OPERATOR_TOKEN: 'token-of-the-operator' } as const;
export const OPERATOR_TOKEN = OPERATOR.AGIO_OPERATOR_TOKEN;
const NODES = ['a', 'b', 'c'];

export interface Stage extends AsyncDisposable {
  /** The nodes; the first one leads. */
  readonly urls: readonly string[];
}

/** A node on a copy of a data directory. */
export async function startSingle(directory: string, source: string): Promise<Stage> {
  const dataDir = join(directory, 'single');
  cpSync(source, dataDir, { recursive: true });
  const node = await startNode(dataDir, [], OPERATOR);
  await caughtUp(node.url);
  return { urls: [node.url], [Symbol.asyncDispose]: node[Symbol.asyncDispose] };
}

/** Three nodes over PostgreSQL with a standby. */
export async function startCluster(directory: string, source: string): Promise<Stage> {
  if (NO_POSTGRES) throw new Error('A cluster needs PostgreSQL: install postgresql.');
  await using stack = new AsyncDisposableStack();
  const primary = stack.use(await createStoreServer());
  stack.use(await primary.addStandby());
  const AGIO_DATABASE_URL = primary.url(NODE_ROLE);
  await runAgio(['journal', 'copy', '--to', AGIO_DATABASE_URL, '--data', source]);
  const AGIO_MASTER_KEY = readFileSync(masterKeyFile(source), 'utf8').trim();
  const urls: string[] = [];
  for (const name of NODES) {
    const flags = ['--node', name, '--link', `127.0.0.1:${freePort()}`];
    const environment = { ...OPERATOR, AGIO_DATABASE_URL, AGIO_MASTER_KEY };
    const node = stack.use(await startNode(join(directory, name), flags, environment));
    urls.push(node.url);
  }
  await Promise.all(urls.map(caughtUp));
  const all = stack.move();
  return { urls, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
