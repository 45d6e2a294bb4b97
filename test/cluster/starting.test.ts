// A node that starts while its store cannot be reached: it waits, and ends where waiting is no use.
import { expect, spyOn, test } from 'bun:test';
import { Writable } from 'node:stream';
import pino from 'pino';
import { StoreError } from '../../src/cluster/store.ts';
import { TestCluster } from '../support/cluster.ts';
import { until } from '../support/waiting.ts';

/** A log, and its lines. */
function recorder() {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)).msg);
      done();
    },
  });
  return { lines, log: pino({ level: 'warn' }, stream) };
}

const down = (message: string) => () => Promise.reject(new StoreError('unreachable', message));

test.each(['readLease', 'readIdentity'] as const)(
  'a start waits while %s gets no answer, and says so when the trouble changes',
  async (method) => {
    await using cluster = await TestCluster.start(['a']);
    const store = cluster.store();
    const { lines, log } = recorder();
    const call = spyOn(store, method).mockImplementation(down('First trouble.'));
    const adding = cluster.add('b', { store, log });
    await until(() => call.mock.calls.length > 1);
    call.mockImplementation(down('Second trouble.'));
    await until(() => lines.length > 1);
    call.mockRestore();
    const { node } = await adding;
    await cluster.settled();
    expect(lines).toEqual([
      'First trouble. The start waits for it.',
      'Second trouble. The start waits for it.',
    ]);
    expect((await node.get('/ready')).status).toBe(200);
  },
);

test('a start ends where the store refuses the node', async () => {
  await using cluster = await TestCluster.start(['a']);
  const store = cluster.store();
  const rejected = new StoreError('rejected', 'Wrong password.');
  spyOn(store, 'readIdentity').mockImplementation(() => Promise.reject(rejected));
  await expect(cluster.add('b', { store })).rejects.toBe(rejected);
});
