// Channels: the framing over a wire that a test has in its hands, and the whole over both
// transports.
import { describe, expect, test } from 'bun:test';
import { connect, createServer } from 'node:net';
import fc from 'fast-check';
import { MemoryNetwork } from '../../../test/support/memory-transport.ts';
import { until } from '../../../test/support/waiting.ts';
import { parseMasterKeys } from '../../identity/master-key.ts';
import { LINK_NAME, linkCredentials } from './credentials.ts';
import { FramedChannel } from './framed-channel.ts';
import { TlsTransport } from './tls-transport.ts';
import { type Channel, MAX_FRAME_BYTES, type Transport } from './transport.ts';

/** Records all that a channel passes on. */
function record(channel: Channel) {
  const seen = { frames: [] as Uint8Array[], closed: [] as string[], drains: 0 };
  channel.attach({
    onFrame: (frame) => seen.frames.push(frame),
    onClose: (reason) => seen.closed.push(reason),
    onDrain: () => seen.drains++,
  });
  return seen;
}

/** A channel over a wire that takes `room` bytes. */
function channelWith(room = Number.POSITIVE_INFINITY) {
  const wire = { room, writes: [] as Uint8Array[], ended: false };
  const channel = new FramedChannel({
    peer: 'peer',
    write: (bytes) => {
      const taken = Math.min(bytes.length, wire.room);
      wire.room -= taken;
      if (taken > 0) wire.writes.push(bytes.slice(0, taken));
      return taken;
    },
    end: () => {
      wire.ended = true;
    },
  });
  return { wire, channel };
}

const written = ({ writes }: { writes: readonly Uint8Array[] }) =>
  new Uint8Array(Buffer.concat(writes));

describe('frames', () => {
  test('are the same however the bytes are cut', async () => {
    const frame = fc.uint8Array({ minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(frame, { maxLength: 20 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 200 })),
        async (frames, cuts) => {
          const { wire, channel } = channelWith();
          for (const each of frames) channel.send(each);
          await Promise.resolve();
          const bytes = written(wire);
          const other = channelWith().channel;
          const { frames: received } = record(other);
          for (let at = 0; at < bytes.length; ) {
            const size = cuts.next().value;
            other.received(bytes.slice(at, at + size));
            at += size;
          }
          expect(received).toEqual(frames);
        },
      ),
    );
  });

  test('of one turn leave in one write', async () => {
    const { wire, channel } = channelWith();
    for (let i = 0; i < 100; i++) channel.send(Uint8Array.of(i));
    expect(wire.writes).toEqual([]);
    await Promise.resolve();
    expect(wire.writes.map(({ length }) => length)).toEqual([500]);
  });

  test('are copies of what was sent', async () => {
    const { wire, channel } = channelWith();
    const frame = Uint8Array.of(1, 2, 3);
    channel.send(frame);
    frame.fill(9);
    await Promise.resolve();
    expect(written(wire)).toEqual(Uint8Array.of(0, 0, 0, 3, 1, 2, 3));
  });

  test('wait for the first receiver', () => {
    const { channel } = channelWith();
    channel.received(Uint8Array.of(0, 0, 0, 1, 7, 0, 0, 0, 1, 8));
    expect(record(channel).frames).toEqual([Uint8Array.of(7), Uint8Array.of(8)]);
  });

  test('that waited go to the receiver that the first of them brings', () => {
    const { channel } = channelWith();
    channel.received(Uint8Array.of(0, 0, 0, 1, 7, 0, 0, 0, 1, 8, 0, 0, 0, 1, 9));
    const first: number[] = [];
    channel.attach({
      onFrame: ([value]) => {
        first.push(value!);
        if (value === 7) channel.attach(null);
      },
      onClose: () => {},
    });
    expect(first).toEqual([7]);
    expect(record(channel).frames).toEqual([Uint8Array.of(8), Uint8Array.of(9)]);
  });

  test('that waited end with a malformed one', async () => {
    const { channel } = channelWith();
    channel.received(Uint8Array.of(0, 0, 0, 1, 7, 0, 0, 0, 1, 8));
    const seen: unknown[] = [];
    channel.attach({
      onFrame: ([value]) => {
        seen.push(value);
        throw new Error('an unknown kind');
      },
      onClose: (reason) => seen.push(reason),
    });
    await Promise.resolve();
    expect(seen).toEqual([7, 'the peer sent a malformed frame: an unknown kind']);
  });

  test('that nobody receives are bounded', () => {
    const { channel, wire } = channelWith();
    const megabyte = new Uint8Array(4 + (1 << 20));
    new DataView(megabyte.buffer).setUint32(0, 1 << 20);
    for (let i = 0; i < 200; i++) channel.received(megabyte);
    expect(channel.closed).toBe('nobody receives the frames');
    expect(wire.ended).toBe(true);
  });

  test('without content are heartbeats', () => {
    const { channel } = channelWith();
    const { frames } = record(channel);
    channel.received(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 5, 0, 0, 0, 0));
    expect(frames).toEqual([Uint8Array.of(5)]);
    expect(() => channel.send(new Uint8Array(0))).toThrow(RangeError);
  });

  test('longer than allowed close the channel', async () => {
    const { channel, wire } = channelWith();
    const { frames, closed } = record(channel);
    const header = new Uint8Array(8);
    new DataView(header.buffer).setUint32(0, MAX_FRAME_BYTES + 1);
    channel.received(header);
    await Promise.resolve();
    expect({ frames, closed, ended: wire.ended }).toEqual({
      frames: [],
      closed: [`the peer sent a frame of ${MAX_FRAME_BYTES + 1} bytes`],
      ended: true,
    });
    expect(() => channelWith().channel.send(new Uint8Array(MAX_FRAME_BYTES + 1))).toThrow();
  });

  test('that the receiver rejects close the channel', async () => {
    const { channel } = channelWith();
    const closed: string[] = [];
    channel.attach({
      onFrame: ([first]) => {
        if (first === 2) throw new Error('an unknown kind');
      },
      onClose: (reason) => closed.push(reason),
    });
    channel.received(Uint8Array.of(0, 0, 0, 1, 1, 0, 0, 0, 1, 2, 0, 0, 0, 1, 3));
    await Promise.resolve();
    expect(closed).toEqual(['the peer sent a malformed frame: an unknown kind']);
  });
});

describe('a wire without room', () => {
  test('gets the rest later, in order', async () => {
    const { wire, channel } = channelWith(6);
    const seen = record(channel);
    channel.send(Uint8Array.of(1, 2, 3));
    await Promise.resolve();
    channel.send(Uint8Array.of(4));
    await Promise.resolve();
    expect(channel.bufferedBytes).toBe(6);
    wire.room = 2;
    channel.drained();
    expect({ left: channel.bufferedBytes, drains: seen.drains }).toEqual({ left: 4, drains: 0 });
    wire.room = 100;
    channel.drained();
    expect({ left: channel.bufferedBytes, drains: seen.drains }).toEqual({ left: 0, drains: 1 });
    expect(written(wire)).toEqual(Uint8Array.of(0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 1, 4));
  });

  test('keeps what grows while it waits', async () => {
    const { wire, channel } = channelWith(10_000);
    const frames = Array.from({ length: 400 }, (_, i) => new Uint8Array(1000).fill(i));
    for (const [i, frame] of frames.entries()) {
      channel.send(frame);
      await Promise.resolve();
      wire.room = i % 7 === 0 ? 3000 : 0;
      channel.drained();
    }
    wire.room = Number.POSITIVE_INFINITY;
    channel.drained();
    const other = channelWith().channel;
    const { frames: received } = record(other);
    other.received(written(wire));
    expect(received).toEqual(frames);
  });

  test('costs the peer the channel where too much waits', async () => {
    const { wire, channel } = channelWith(0);
    const { closed } = record(channel);
    const frame = new Uint8Array(60 << 20);
    for (let i = 0; i < 3; i++) {
      channel.send(frame);
      await Promise.resolve();
    }
    await Promise.resolve();
    expect(closed).toEqual([`the peer left ${2 * (4 + frame.length)} bytes unread`]);
    expect({ ended: wire.ended, kept: channel.bufferedBytes }).toEqual({ ended: true, kept: 0 });
  });
});

describe('a closed channel', () => {
  test('says so once, to a late receiver as well, and passes nothing on', async () => {
    const { wire, channel } = channelWith();
    channel.close('enough');
    channel.close('again');
    channel.ended('and again');
    const seen = record(channel);
    channel.send(Uint8Array.of(1));
    channel.received(Uint8Array.of(0, 0, 0, 1, 1));
    await Promise.resolve();
    expect(seen).toEqual({ frames: [], closed: ['enough'], drains: 0 });
    expect(wire.writes).toEqual([]);
  });

  test('has sent what was sent before', () => {
    const { wire, channel } = channelWith();
    channel.send(Uint8Array.of(1));
    channel.close('enough');
    expect(written(wire)).toEqual(Uint8Array.of(0, 0, 0, 1, 1));
  });
});

const credentials = linkCredentials(parseMasterKeys('11'.repeat(32))!);

function overTls(): { a: Transport; b: Transport; address: string } {
  const transport = new TlsTransport({ credentials, onRejected: () => {} });
  return { a: transport, b: transport, address: '127.0.0.1:0' };
}

function inMemory(): { a: Transport; b: Transport; address: string } {
  const network = new MemoryNetwork();
  return { a: network.of('a'), b: network.of('b'), address: 'b:1' };
}

describe.each([
  ['TLS', overTls],
  ['memory', inMemory],
] as const)('over %s', (_name, make) => {
  async function pair() {
    const { a, b, address } = make();
    const accepted: Channel[] = [];
    const listener = b.listen(address, (channel) => accepted.push(channel));
    const near = await a.dial(listener.address);
    await until(() => accepted.length > 0);
    listener.close();
    return { near, far: accepted[0]! };
  }

  test('10,000 frames arrive in order, both ways', async () => {
    const { near, far } = await pair();
    const [atNear, atFar] = [record(near), record(far)];
    const expected = Array.from({ length: 10_000 }, (_, i) => Uint8Array.of(i >> 8, i));
    for (const [i, frame] of expected.entries()) {
      near.send(frame);
      far.send(frame);
      if (i % 100 === 0) await Bun.sleep(0);
    }
    await until(() => atNear.frames.length === 10_000 && atFar.frames.length === 10_000);
    expect(atNear.frames).toEqual(expected);
    expect(atFar.frames).toEqual(expected);
    near.close('over');
  });

  test('a frame of 60 MiB arrives, and what follows it', async () => {
    const { near, far } = await pair();
    const [atNear, atFar] = [record(near), record(far)];
    const large = new Uint8Array(60 << 20);
    for (let at = 0; at < large.length; at += 65_537) large[at] = at;
    near.send(large);
    near.send(Uint8Array.of(1));
    await until(() => atFar.frames.length === 2);
    expect(Buffer.compare(atFar.frames[0]!, large)).toBe(0);
    await until(() => atNear.drains === 1);
    expect(near.bufferedBytes).toBe(0);
    near.close('over');
  });

  test('the end of one side is the end of the other', async () => {
    const { near, far } = await pair();
    const [atNear, atFar] = [record(near), record(far)];
    near.send(Uint8Array.of(7));
    near.close('enough');
    await until(() => atFar.closed.length > 0);
    expect(atNear.closed).toEqual(['enough']);
    expect(atFar.closed).toEqual(['the peer closed the connection']);
    expect(atFar.frames).toEqual([Uint8Array.of(7)]);
  });
});

/** A peer with the master key that is not a channel. */
async function rawPeer(onOpen: (socket: Bun.Socket) => void) {
  const { cert, key, ca } = credentials;
  const terms = { cert, key, ca: [...ca], requestCert: true, serverName: LINK_NAME };
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    tls: terms,
    socket: { handshake: onOpen, data: () => {} },
  });
  const { a } = overTls();
  const channel = await a.dial(`127.0.0.1:${server.port}`);
  server.stop();
  return channel;
}

describe('over TLS', () => {
  test('a peer that never reads loses the channel', async () => {
    let paused = false;
    const channel = await rawPeer((socket) => {
      socket.pause();
      paused = true;
    });
    const { closed } = record(channel);
    await until(() => paused);
    const frame = new Uint8Array(60 << 20);
    for (let i = 0; i < 3 && channel.closed === null; i++) {
      channel.send(frame);
      await Bun.sleep(0);
    }
    await until(() => closed.length > 0);
    expect(closed[0]).toMatch(/^the peer left \d+ bytes unread$/);
  });

  test('a peer that says nothing is dead', async () => {
    const channel = await rawPeer(() => {});
    const { closed } = record(channel);
    await until(() => closed.length > 0);
    expect(closed).toEqual(['the peer was silent for 2 s']);
  });

  test('a connection that the peer does not end is ended without it', async () => {
    const { a, b } = overTls();
    const target = b.listen('127.0.0.1:0', () => {});
    let isCut = false;
    let lost = false;
    const proxy = createServer({ allowHalfOpen: true }, (near) => {
      const [host, port] = target.address.split(':');
      const far = connect({ host: host!, port: Number(port) });
      near.on('data', (data) => isCut || far.write(data)).on('error', () => {});
      far.on('data', (data) => isCut || near.write(data)).on('error', () => {});
      near.on('close', () => {
        lost = true;
        far.destroy();
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const channel = await a.dial(`127.0.0.1:${(proxy.address() as { port: number }).port}`);
    isCut = true;
    channel.close('enough');
    await until(() => lost);
    proxy.close();
    target.close();
  });
});
