// A store in PostgreSQL with its schema, and connections of nodes to it, as tests need them.
import type { KnownDatabase } from '../../src/cluster/postgres/known-database.ts';
import { PostgresStore } from '../../src/cluster/postgres/postgres-store.ts';
import { migrate } from '../../src/cluster/postgres/schema.ts';
import { PostgresServer } from './postgres.ts';

/** The role of nodes, with their privileges and no others. */
export const NODE_ROLE = 'agio_node';

/** A server with the schema and the role of nodes. */
export async function createStoreServer(settings = ''): Promise<PostgresServer> {
  const server = await PostgresServer.create(settings);
  await server.query(`CREATE ROLE ${NODE_ROLE} LOGIN`);
  await migrate(server.url(), NODE_ROLE);
  return server;
}

/** Empties the store, as an owner could who disables the triggers. */
export async function emptyStore(server: PostgresServer): Promise<void> {
  await server.query(`
    SET session_replication_role = replica;
    TRUNCATE agio.journal, agio.identity, agio.member;
    UPDATE agio.lease SET epoch = 0, node = '', address = '', instance = '', rules = NULL,
      renewal = '';
    UPDATE agio.identity_head SET version = 0, epoch = 0, mac = ''`);
}

/** The connection of a node to these servers of one database. */
export function connectNode(
  node: string,
  servers: readonly Pick<PostgresServer, 'port'>[],
  timeoutMs?: number,
  known?: KnownDatabase,
): PostgresStore {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `postgres://${NODE_ROLE}@${hosts}/agio`;
  return new PostgresStore({ url, node, timeoutMs, known });
}

export async function expireLease(server: PostgresServer): Promise<void> {
  await server.query("UPDATE agio.lease SET renewal = ''");
}
