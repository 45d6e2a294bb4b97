// Frames come out as they went in, in their order, also where they wrap around the end of the ring,
// find it full, or are longer than it.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { until } from '../../../test/support/waiting.ts';
import { Link } from './link.ts';
import { Ring, ringMemory } from './ring.ts';

const BYTES = 1 << 12;

const frameOf = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (seed + i * 31) % 251);

describe('a ring', () => {
  test('returns frames of any length in their order, over many turns', () => {
    const ring = new Ring(ringMemory(BYTES));
    const random = new Prng(5);
    const waiting: Uint8Array[] = [];
    for (let seed = 0; seed < 20_000; seed++) {
      const frame = frameOf(random.below(ring.maxFrame), seed);
      if (random.below(3) > 0 && ring.write(frame)) waiting.push(frame);
      else if (waiting.length > 0) expect(ring.read()).toEqual(waiting.shift()!);
    }
    for (const frame of waiting) expect(ring.read()).toEqual(frame);
    expect(ring.read()).toBeNull();
    expect(ring.depth).toBe(0);
  });

  test('refuses a frame that does not fit, and keeps what it has', () => {
    const ring = new Ring(ringMemory(BYTES));
    let written = 0;
    while (ring.write(frameOf(ring.maxFrame, written))) written++;
    expect(written).toBeGreaterThan(1);
    for (let seed = 0; seed < written; seed++) {
      expect(ring.read()).toEqual(frameOf(ring.maxFrame, seed));
    }
  });

  test('does not rest before everything is read, and is woken once', () => {
    const ring = new Ring(ringMemory(BYTES));
    ring.write(frameOf(10, 1));
    expect(ring.rest()).toBe(false);
    expect(ring.takeRest()).toBe(false);
    ring.read();
    expect(ring.rest()).toBe(true);
    expect(ring.takeRest()).toBe(true);
    expect(ring.takeRest()).toBe(false);
  });
});

describe('a link', () => {
  /** Two ends in one thread; a wake-up comes with a later turn, as a message does. */
  function linked(receive: (frame: Uint8Array) => void) {
    const memory = [ringMemory(BYTES), ringMemory(BYTES)] as const;
    const faults: unknown[] = [];
    const sender: Link = new Link({
      outgoing: new Ring(memory[0]),
      incoming: new Ring(memory[1]),
      wakeOther: () => setImmediate(() => receiver.wake()),
      receive: () => {},
      onFault: (error) => faults.push(error),
    });
    const receiver = new Link({
      outgoing: new Ring(memory[1]),
      incoming: new Ring(memory[0]),
      wakeOther: () => setImmediate(() => sender.wake()),
      receive,
      onFault: (error) => faults.push(error),
    });
    receiver.wake();
    return { sender, receiver, faults };
  }

  test('delivers all frames in order, also long ones and with a full ring', async () => {
    const received: Uint8Array[] = [];
    const { sender, receiver } = linked((frame) => received.push(frame));
    const random = new Prng(9);
    const sent = Array.from({ length: 2000 }, (_, seed) => {
      const length = 1 + random.below(random.below(20) === 0 ? 20_000 : 200);
      return frameOf(length, seed % 200);
    });
    for (const frame of sent) sender.send(frame);
    expect(sender.depth).toBeGreaterThan(BYTES);
    expect(receiver.unread).toBeGreaterThan(0);
    await until(() => received.length === sent.length);
    expect(received).toEqual(sent);
    expect([sender.depth, receiver.unread]).toEqual([0, 0]);
  });

  test('goes on with the next frame after one that could not be handled', async () => {
    const received: number[] = [];
    const { sender, faults } = linked((frame) => {
      if (frame[1] === 2) throw new Error('this one');
      received.push(frame[1]!);
    });
    for (const number of [1, 2, 3]) sender.send(Uint8Array.of(1, number));
    await until(() => received.length === 2);
    expect(received).toEqual([1, 3]);
    expect(faults).toHaveLength(1);
  });

  test('sends and delivers nothing once it is closed', async () => {
    const received: Uint8Array[] = [];
    const { sender, receiver } = linked((frame) => received.push(frame));
    receiver.close();
    sender.close();
    sender.send(frameOf(10, 1));
    await Bun.sleep(0);
    expect(received).toEqual([]);
  });
});
