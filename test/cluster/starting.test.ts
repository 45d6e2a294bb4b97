// A node that starts while its store cannot be reached: it waits, and ends where waiting is no use.
import { expect, spyOn, test } from 'bun:test';
import { Writable } from 'node:stream';
import pino from 'pino';
import { StoreError } from '../../src/cluster/store.ts';
import { TestCluster } from '../support/cluster.ts';
import { freePort } from '../support/postgres.ts';
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

test('a node that waits for its database says so, and answers 503 to other calls', async () => {
  await using cluster = await TestCluster.start(['a']);
  const store = cluster.store();
  const call = spyOn(store, 'readIdentity').mockImplementation(down('No answer.'));
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const adding = cluster.add('b', { store, flags: ['--port', String(port)] });
  await until(() => call.mock.calls.length > 1);
  const reason = 'waitingForDatabase';
  expect(await (await fetch(`${url}/health`)).json()).toEqual({
    status: 'starting',
    ready: false,
    reason,
  });
  for (const path of [
    '/ready',
    '/trade',
    '/spot-api/api/public/v2/instruments',
    '/operator/v1/x',
  ]) {
    const answer = await fetch(url + path);
    const body = await answer.json();
    expect([path, answer.status, body.code, body.details]).toEqual([
      path,
      503,
      '100503',
      { reason },
    ]);
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('\nagio_ready 0\n');
  expect(metrics).toContain('\nagio_cluster_role{role="none"} 1\n');
  call.mockRestore();
  await adding;
  await until(async () => (await fetch(`${url}/ready`)).status === 200);
  expect((await (await fetch(`${url}/health`)).json()).status).toBe('ok');
});

test('a start ends where the store rejects the node', async () => {
  await using cluster = await TestCluster.start(['a']);
  const store = cluster.store();
  const rejected = new StoreError('rejected', 'Wrong password.');
  spyOn(store, 'readIdentity').mockImplementation(() => Promise.reject(rejected));
  await expect(cluster.add('b', { store })).rejects.toBe(rejected);
});
