// The network in memory, and with it how channels stand delays, cuts and crashes in simulated time.
import { describe, expect, test } from 'bun:test';
import type { Channel } from '../../src/cluster/link/transport.ts';
import { SimulatedTime } from '../sim/simulated-time.ts';
import { MemoryNetwork } from '../support/memory-transport.ts';
import { Prng } from '../support/prng.ts';

const time = SimulatedTime.forEachTest();

function record(channel: Channel) {
  const seen = { frames: [] as number[], at: [] as number[], closed: [] as string[] };
  channel.attach({
    onFrame: ([first]) => {
      seen.frames.push(first!);
      seen.at.push(time.now);
    },
    onClose: (reason) => seen.closed.push(reason),
  });
  return seen;
}

async function pair(network: MemoryNetwork) {
  let far!: Channel;
  network.of('b').listen('b:1', (channel) => {
    far = channel;
  });
  const near = await time.until(network.of('a').dial('b:1'));
  return { near, far, atNear: record(near), atFar: record(far) };
}

const SILENT = ['the peer was silent for 2 s'];
const CLOSED = ['the peer closed the connection'];

test('an idle channel lives on its heartbeats', async () => {
  const { near, far, atNear, atFar } = await pair(new MemoryNetwork(() => 100));
  await time.pass(60_000);
  expect([near.closed, far.closed]).toEqual([null, null]);
  expect([...atNear.frames, ...atFar.frames]).toEqual([]);
});

test('frames take their time, and none overtakes another', async () => {
  const random = new Prng(1);
  const { near, atFar } = await pair(new MemoryNetwork(() => random.below(200)));
  const sent = Array.from({ length: 100 }, (_, i) => i);
  for (const i of sent) {
    near.send(Uint8Array.of(i));
    await time.pass(10);
  }
  await time.pass(200);
  expect(atFar.frames).toEqual(sent);
  expect(atFar.at.some((at, i) => at > i * 10 + 50)).toBe(true);
});

describe('a cut', () => {
  test('is noticed by both sides from the silence', async () => {
    const network = new MemoryNetwork();
    const { near, atNear, atFar } = await pair(network);
    network.cut('b', 'a');
    near.send(Uint8Array.of(1));
    await time.pass(1900);
    expect([...atNear.closed, ...atFar.closed]).toEqual([]);
    await time.pass(700);
    expect({ near: atNear.closed, far: atFar.closed }).toEqual({ near: SILENT, far: SILENT });
    expect(atFar.frames).toEqual([]);
  });

  test('that heals in time loses nothing', async () => {
    const network = new MemoryNetwork();
    const { near, atNear, atFar } = await pair(network);
    network.cut('a', 'b');
    near.send(Uint8Array.of(1));
    await time.pass(1500);
    near.send(Uint8Array.of(2));
    expect(atFar.frames).toEqual([]);
    network.heal('a', 'b');
    await time.pass(10_000);
    expect(atFar.frames).toEqual([1, 2]);
    expect([...atNear.closed, ...atFar.closed]).toEqual([]);
  });

  test('lets no dial through', async () => {
    const network = new MemoryNetwork();
    network.of('b').listen('b:1', () => {});
    network.cut('a', 'b');
    const dialing = network.of('a').dial('b:1');
    dialing.catch(() => {});
    await expect(time.until(dialing)).rejects.toThrow('no answer came');
    expect(time.now).toBeGreaterThanOrEqual(2000);
  });
});

describe('a crash', () => {
  test('closes the channels of the peers, and the dead node hears of nothing', async () => {
    const network = new MemoryNetwork();
    const { far, atNear, atFar } = await pair(network);
    network.crash('b');
    far.send(Uint8Array.of(1));
    await time.pass(10_000);
    expect(atNear).toMatchObject({ frames: [], closed: CLOSED });
    expect(atFar.closed).toEqual([]);
    await expect(time.until(network.of('a').dial('b:1'))).rejects.toThrow('was not opened');
  });

  test('frees the address', async () => {
    const network = new MemoryNetwork();
    await pair(network);
    expect(() => network.of('b').listen('b:1', () => {})).toThrow('it is taken');
    network.crash('b');
    network.of('b').listen('b:1', () => {});
    expect((await time.until(network.of('a').dial('b:1'))).closed).toBeNull();
  });
});
