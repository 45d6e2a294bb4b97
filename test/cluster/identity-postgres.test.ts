// The tests of identity as on the leader of a cluster, over PostgreSQL: each store is a database.

import { afterAll, beforeAll, describe } from 'bun:test';
import { PostgresStore } from '../../src/cluster/postgres/postgres-store.ts';
import { NO_POSTGRES, type PostgresServer } from '../support/postgres.ts';
import { createStoreServer, NODE_ROLE } from '../support/postgres-store.ts';
import { describeReplicated, type SharedIdentity } from '../support/replicated-identity.ts';

let server: PostgresServer;
let databases = 0;
/** Databases that no test uses; most tests need one. */
const free: { readonly name: string; readonly store: PostgresStore }[] = [];
/** A database with connections is no template, so one is created after the other. */
let created: Promise<unknown> = Promise.resolve();

const EMPTY = `
  SET session_replication_role = replica;
  DELETE FROM agio.identity;
  DELETE FROM agio.member;
  UPDATE agio.lease SET epoch = 0, rules = NULL, renewal = '';
  UPDATE agio.identity_head SET version = 0, epoch = 0, mac = ''`;

function openDatabase(): SharedIdentity {
  const database = free.pop() ?? createDatabase();
  const { name, store } = database;
  const ready = created;
  return {
    register: async (process, replaced) => {
      await ready;
      return store.register(process, replaced);
    },
    acquire: (candidate) => store.acquire(candidate),
    readIdentity: (open) => store.readIdentity(open),
    writeIdentity: (epoch, version, change) => store.writeIdentity(epoch, version, change),
    close: async () => {
      await server.query(EMPTY, name);
      free.push(database);
    },
  };
}

function createDatabase() {
  databases++;
  const name = `identity_${databases}`;
  created = created.then(() => server.query(`CREATE DATABASE ${name} TEMPLATE agio`, 'postgres'));
  const url = `postgres://${NODE_ROLE}@127.0.0.1:${server.port}/${name}`;
  return { name, store: new PostgresStore({ url, node: 'a' }) };
}

describe.skipIf(NO_POSTGRES)('PostgreSQL', () => {
  beforeAll(async () => {
    server = await createStoreServer();
  });
  afterAll(async () => {
    for (const { store } of free) await store.close();
    await server?.dispose();
  });

  describeReplicated('PostgreSQL', openDatabase);
});
