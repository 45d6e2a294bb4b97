// The store in PostgreSQL keeps the contract of the port, as the role of nodes.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { acquireAs } from '../../../test/support/members.ts';
import { NO_POSTGRES, type PostgresServer } from '../../../test/support/postgres.ts';
import {
  connectNode,
  createStoreServer,
  emptyStore,
  expireLease,
  NODE_ROLE,
} from '../../../test/support/postgres-store.ts';
import { appendRecords, storeContract } from '../../../test/support/store-contract.ts';

describe.skipIf(NO_POSTGRES)('PostgreSQL', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await createStoreServer();
  });
  afterAll(() => server?.dispose());

  storeContract('the store in PostgreSQL', async () => {
    await emptyStore(server);
    return {
      connect: (node) => connectNode(node, [server]),
      expireLease: () => expireLease(server),
      dispose: async () => undefined,
    };
  });

  test('a node has four connections, which say whose they are', async () => {
    await emptyStore(server);
    const store = connectNode('north', [server]);
    await acquireAs(store, 'north', 'north:1');
    await appendRecords(store, 1, [10]);
    await store.writeIdentity(1, 1, { removed: [], added: [], mac: '' });
    const rows = await server.query(
      "SELECT usename FROM pg_stat_activity WHERE application_name = 'agio/north'",
    );
    expect(rows.map(({ usename }) => usename)).toEqual(Array(4).fill(NODE_ROLE));
    await store.close();
  });
});
