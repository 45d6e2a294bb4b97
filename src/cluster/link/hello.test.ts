// Nodes that belong together learn of each other; others are rejected with a reason on both sides.
import { describe, expect, test } from 'bun:test';
import { SimulatedTime } from '../../../test/sim/simulated-time.ts';
import { MemoryNetwork } from '../../../test/support/memory-transport.ts';
import { RULES } from '../../core/rules.ts';
import { exchangeHello, type Hello, helloFrame } from './hello.ts';
import type { Channel } from './transport.ts';

const time = SimulatedTime.forEachTest();

const clusterId = new Uint8Array(32).fill(7);
const helloOf = (node: string, changes: Partial<Hello> = {}): Hello => ({
  node,
  address: `${node}:1`,
  instance: `process of ${node}`,
  leads: false,
  clusterId,
  epoch: 3,
  seq: 12,
  chainHash: new Uint8Array(32).fill(1),
  identityVersion: 5,
  ...changes,
});

async function pair() {
  const network = new MemoryNetwork(() => 1);
  let far!: Channel;
  network.of('b').listen('b:1', (channel) => {
    far = channel;
  });
  const near = await time.until(network.of('a').dial('b:1'));
  return { near, far };
}

/** Both sides' results of the exchange. */
async function outcomes(a: Hello, b: Hello) {
  const { near, far } = await pair();
  const both = Promise.allSettled([exchangeHello(near, a), exchangeHello(far, b)]);
  const settled = await time.until(both);
  return { near, far, settled };
}

const reasonsOf = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((each) => (each.status === 'rejected' ? (each.reason as Error).message : null));

test('both sides learn of each other', async () => {
  const [a, b] = [helloOf('a'), helloOf('b', { seq: 99, epoch: 4, identityVersion: 6 })];
  const { settled, near, far } = await outcomes(a, b);
  const more = { protocol: 1, rules: RULES };
  expect(settled.map((each) => 'value' in each && each.value)).toEqual([
    { ...b, ...more },
    { ...a, ...more },
  ]);
  await time.pass(10_000);
  expect([near.closed, far.closed]).toEqual([null, null]);
});

test('frames after the hello wait for their receiver', async () => {
  const { near, far } = await pair();
  near.attach(null);
  near.send(helloFrame(helloOf('a')));
  near.send(Uint8Array.of(42));
  await time.until(exchangeHello(far, helloOf('b')));
  await time.pass(100);
  const frames: Uint8Array[] = [];
  far.attach({ onFrame: (frame) => frames.push(frame), onClose: () => {} });
  expect(frames).toEqual([Uint8Array.of(42)]);
});

describe('both sides reject, and say why', () => {
  test('another cluster', async () => {
    const other = { clusterId: new Uint8Array(32).fill(8) };
    const { settled, near, far } = await outcomes(helloOf('a'), helloOf('b', other));
    expect(reasonsOf(settled)).toEqual([
      'The link with b was rejected: node b belongs to another cluster; ' +
        'check --database-url on both nodes.',
      'The link with a was rejected: node a belongs to another cluster; ' +
        'check --database-url on both nodes.',
    ]);
    expect(near.closed).toContain('another cluster');
    expect(far.closed).toContain('another cluster');
  });

  test('the same name', async () => {
    const { settled } = await outcomes(helloOf('a'), helloOf('a'));
    for (const reason of reasonsOf(settled)) expect(reason).toContain('Another node named a runs');
  });
});

describe('a peer of another release', () => {
  /** A node's result of the exchange with a peer that sends this. */
  async function judged(frame: Uint8Array) {
    const { near, far } = await pair();
    far.attach({ onFrame: () => {}, onClose: () => {} });
    far.send(frame);
    const both = Promise.allSettled([exchangeHello(near, helloOf('a'))]);
    const [settled] = await time.until(both);
    return { settled: settled!, near };
  }
  const from = (terms: { protocol?: number; rules?: number }) =>
    judged(helloFrame(helloOf('b'), terms));

  test.each([0, 1, 2])('with version %i of the link is accepted', async (protocol) => {
    const { settled } = await from({ protocol });
    expect(settled).toMatchObject({ value: { node: 'b', protocol: Math.min(protocol, 1) } });
  });

  test('with a version two apart is rejected, whatever follows', async () => {
    const { settled, near } = await from({ protocol: 3 });
    expect(reasonsOf([settled])[0]).toContain('version 3 of the link and this node version 1');
    expect(near.closed).toContain('version 3');
  });

  test.each([-1, 0, 1])(
    'with rules %i apart is accepted: the store knows which it reads',
    async (apart) => {
      const { settled } = await from({ rules: RULES + apart });
      expect(settled).toMatchObject({ value: { rules: RULES + apart } });
    },
  );

  test('that is no node is rejected', async () => {
    const { settled } = await judged(new TextEncoder().encode('GET / HTTP/1.1\r\n\r\n'));
    expect(settled.status).toBe('rejected');
  });

  test('with a cut hello is rejected', async () => {
    const frame = helloFrame(helloOf('b'));
    for (const length of [1, 9, 10, 20, frame.length - 1]) {
      const { settled } = await judged(frame.slice(0, length));
      expect(settled.status).toBe('rejected');
    }
    const longer = await judged(Uint8Array.of(...frame, 0));
    expect(reasonsOf([longer.settled])[0]).toContain('a malformed hello');
  });
});

test('a peer without a hello is rejected after 2 s', async () => {
  const { near, far } = await pair();
  far.attach({ onFrame: () => {}, onClose: () => {} });
  const [settled] = await time.until(Promise.allSettled([exchangeHello(near, helloOf('a'))]));
  expect(reasonsOf([settled!])[0]).toContain('sent no hello within 2 s');
  expect(near.closed).toContain('sent no hello');
});

test('a channel that closes before the hello is a rejection', async () => {
  const { near, far } = await pair();
  far.close('over');
  const [settled] = await time.until(Promise.allSettled([exchangeHello(near, helloOf('a'))]));
  expect(reasonsOf([settled!])[0]).toContain('the peer closed the connection');
});
