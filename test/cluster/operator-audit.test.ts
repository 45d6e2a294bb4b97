// The audit log of a cluster: an operator's call that was executed has an entry, whatever
// happens to the leader.
import { expect, spyOn, test } from 'bun:test';
import { TestCluster } from '../support/cluster.ts';
import { Operator } from '../support/operator.ts';

test('a credit of a leader that is lost before its answer has an entry', async () => {
  await using cluster = await TestCluster.start(['a', 'b']);
  const [a, b] = cluster.nodes as [(typeof cluster.nodes)[0], (typeof cluster.nodes)[0]];
  const uid = await a.node.user({});
  const body = { uid, asset: 'BTC', amount: '2', reference: 'the-last-one' };
  const append = a.store.append.bind(a.store);
  spyOn(a.store, 'append').mockImplementation(async (record) => {
    await append(record);
    cluster.kill(a);
    // No answer gets back.
    await append(record);
  });
  const credit = new Operator(a.node).post('ledger/credit', body).catch(() => undefined);
  await cluster.leader([b]);
  expect(b.node.balance(uid, 'BTC').available).toBe('2');
  const { items } = b.node.services.identity.audit.list({ page: 1, pageSize: 10 });
  expect(items).toMatchObject([{ action: 'ledger.credit', result: 'begun', details: body }]);
  await credit;
});
