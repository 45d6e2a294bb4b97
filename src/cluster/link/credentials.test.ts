// Only a node with a master key of the cluster gets a channel over TLS.
import { afterEach, describe, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { createServer, connect as tcp } from 'node:net';
import { connect as tls } from 'node:tls';
import { until } from '../../../test/support/waiting.ts';
import { parseMasterKeys } from '../../identity/master-key.ts';
import { LINK_NAME, linkCredentials } from './credentials.ts';
import { TlsTransport } from './tls-transport.ts';
import type { Channel, Listener } from './transport.ts';

const [ONE, TWO, OTHER] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [
  string,
  string,
  string,
];
const credentialsOf = (...keys: string[]) => linkCredentials(parseMasterKeys(keys.join(','))!);
const open: { close(): void }[] = [];

afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

function node(...keys: string[]) {
  const rejected: string[] = [];
  const transport = new TlsTransport({
    credentials: credentialsOf(...keys),
    onRejected: (_peer, reason) => rejected.push(reason),
  });
  const channels: Channel[] = [];
  const texts: string[] = [];
  const listen = (): Listener => {
    const listener = transport.listen('127.0.0.1:0', (channel) => {
      channels.push(channel);
      channel.attach({
        onFrame: (frame) => {
          texts.push(new TextDecoder().decode(frame));
          channel.send(frame);
        },
        onClose: () => {},
      });
    });
    open.push(listener);
    return listener;
  };
  return { transport, rejected, channels, texts, listen };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('certificates', () => {
  test('every node with the master key has the same authority', () => {
    const [a, b] = [credentialsOf(ONE), credentialsOf(ONE)];
    const [one, other] = [a, b].map(({ ca }) => new X509Certificate(ca[0]!));
    expect(one!.publicKey.equals(other!.publicKey)).toBe(true);
    expect(one!.subject).toBe(other!.subject);
    expect(new X509Certificate(a.cert).verify(other!.publicKey)).toBe(true);
    expect(new X509Certificate(a.cert).checkHost(LINK_NAME)).toBe(LINK_NAME);
  });

  test('another master key has another authority', () => {
    const [a, b] = [ONE, TWO].map((key) => new X509Certificate(credentialsOf(key).ca[0]!));
    expect(a!.publicKey.equals(b!.publicKey)).toBe(false);
    expect(a!.subject).not.toBe(b!.subject);
  });

  test('they are valid for any clock of this century', () => {
    const { cert, ca } = credentialsOf(ONE);
    for (const pem of [cert, ...ca]) {
      const { validFrom, validTo } = new X509Certificate(pem);
      expect(new Date(validFrom).toISOString()).toBe('2020-01-01T00:00:00.000Z');
      expect(new Date(validTo).toISOString()).toBe('2120-01-01T00:00:00.000Z');
    }
  });
});

describe('a channel is opened', () => {
  test('between nodes with the same master key', async () => {
    const server = node(ONE);
    const channel = await node(ONE).transport.dial(server.listen().address);
    channel.send(bytes('hello'));
    await until(() => server.texts.includes('hello'));
    channel.close('over');
  });

  test('while a rotation has the keys in another order on each node', async () => {
    const server = node(ONE, TWO);
    const channel = await node(TWO, ONE).transport.dial(server.listen().address);
    channel.send(bytes('hello'));
    await until(() => server.texts.includes('hello'));
    channel.close('over');
  });
});

describe('no channel is opened', () => {
  /** The listener has rejected it, and no channel came of it. */
  async function expectRejected(server: ReturnType<typeof node>): Promise<void> {
    await until(() => server.rejected.length > 0);
    expect(server.channels).toEqual([]);
  }

  test('to a node with another master key', async () => {
    const server = node(ONE);
    const dialing = node(OTHER).transport.dial(server.listen().address);
    await expect(dialing).rejects.toThrow('does not prove that it has the master key');
    await expectRejected(server);
  });

  test('to a node that trusts everybody and has another master key', async () => {
    const server = node(ONE);
    const { address } = server.listen();
    const { cert, key } = credentialsOf(OTHER);
    const socket = tls({ ...partsOf(address), cert, key, rejectUnauthorized: false });
    socket.on('secureConnect', () => socket.write('hello')).on('error', () => {});
    await expectRejected(server);
    expect(server.rejected[0]).toContain('does not prove that it has the master key');
    await until(() => socket.destroyed);
  });

  test('without a certificate', async () => {
    const server = node(ONE);
    const { address } = server.listen();
    const socket = tls({ ...partsOf(address), rejectUnauthorized: false });
    socket.on('secureConnect', () => socket.write('hello')).on('error', () => {});
    await expectRejected(server);
    await until(() => socket.destroyed);
  });

  test('by TLS 1.2', async () => {
    const server = node(ONE);
    const { address } = server.listen();
    const { cert, key, ca } = credentialsOf(ONE);
    const terms = { cert, key, ca: [...ca], servername: LINK_NAME };
    const socket = tls({ ...partsOf(address), ...terms, maxVersion: 'TLSv1.2' });
    socket.on('error', () => {});
    await expectRejected(server);
    await until(() => socket.destroyed);
  });

  test('by plain TCP', async () => {
    const server = node(ONE);
    const socket = tcp(partsOf(server.listen().address));
    socket.on('error', () => {}).write('\x00\x00\x00\x05hello');
    await expectRejected(server);
    await until(() => socket.destroyed);
  });

  test('beyond 64 that do not get on with their handshake', async () => {
    const server = node(ONE);
    const { address } = server.listen();
    const sockets = Array.from({ length: 70 }, () => tcp(partsOf(address)).on('error', () => {}));
    open.push(...sockets.map((socket) => ({ close: () => void socket.destroy() })));
    await until(() => server.rejected.length === 6);
    expect(new Set(server.rejected)).toEqual(new Set(['too many connections are being opened']));
    expect(server.channels).toEqual([]);
  });

  test('to a server that is not a node', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => plain.close() });
    const { port } = plain.address() as { port: number };
    await expect(node(ONE).transport.dial(`127.0.0.1:${port}`)).rejects.toThrow('was not opened');
  });

  test('to nobody', async () => {
    const listener = node(ONE).listen();
    listener.close();
    await expect(node(ONE).transport.dial(listener.address)).rejects.toThrow('was not opened');
  });

  test('where the address is taken', () => {
    const { address } = node(ONE).listen();
    expect(() => node(ONE).transport.listen(address, () => {})).toThrow('is in use');
  });
});

test('the bytes on the wire do not show what is sent', async () => {
  const server = node(ONE);
  const target = partsOf(server.listen().address);
  const seen: Buffer[] = [];
  const proxy = createServer((near) => {
    const far = tcp(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (data) => {
        seen.push(data as Buffer);
        to.write(data);
      });
      from.on('close', () => to.destroy()).on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => proxy.close() });
  const { port } = proxy.address() as { port: number };
  const channel = await node(ONE).transport.dial(`127.0.0.1:${port}`);
  let echoed = '';
  channel.attach({
    onFrame: (frame) => {
      echoed = new TextDecoder().decode(frame);
    },
    onClose: () => {},
  });
  const secret = 'nobody reads this '.repeat(10);
  channel.send(bytes(secret));
  await until(() => echoed === secret);
  channel.close('over');
  const wire = Buffer.concat(seen);
  expect(wire.length).toBeGreaterThan(2 * secret.length);
  expect(wire.includes('nobody reads')).toBe(false);
  // A certificate of TLS 1.3 is encrypted, too.
  expect(wire.includes('agio cluster')).toBe(false);
});

function partsOf(address: string): { host: string; port: number } {
  const [host, port] = address.split(':');
  return { host: host!, port: Number(port) };
}
