// The log about the link: rejected connections to its port cannot fill a disk.
import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import pino from 'pino';
import { parseMasterKeys } from '../../src/identity/master-key.ts';
import { REAL_CLUSTER } from '../../src/node-cluster.ts';
import { TestCluster } from '../support/cluster.ts';
import { jumpAhead, until } from '../support/waiting.ts';

const COUNT = 200;
const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

test('a flood of rejected connections writes few lines, the next with their number', async () => {
  const transport = REAL_CLUSTER.openTransport(parseMasterKeys('5a'.repeat(32))!, log);
  const listener = transport.listen('127.0.0.1:0', () => {});
  const port = Number(listener.address.split(':').at(-1));
  const knock = () =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end('no TLS'));
      socket.on('error', () => {}).on('close', () => resolve());
      socket.resume();
    });
  for (let n = 0; n < COUNT; n++) await knock();
  expect(lines.length).toBeWithin(1, 30);
  const written = lines.length;
  jumpAhead(60_000);
  await until(async () => {
    await knock();
    return lines.length > written;
  });
  const omitted = Number(JSON.parse(lines[written]!).omitted);
  expect(omitted).toBeGreaterThanOrEqual(COUNT - written);
  listener.close();
});

test('a flood of channels that a node closes writes few lines', async () => {
  await using cluster = new TestCluster();
  const { node } = await cluster.add('a');
  await node.list();
  await cluster.add('b', { log });
  const closed = () => lines.filter((line) => line.includes('The channel of ')).length;
  const stranger = cluster.network.of('stranger');
  for (let n = 0; n < COUNT; n++) {
    const channel = await stranger.dial('b:1');
    await until(() => channel.closed !== null);
  }
  expect(closed()).toBeWithin(1, 30);
});
