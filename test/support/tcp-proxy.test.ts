// The proxy that breaks networks, against an echo over real sockets.
import { afterEach, expect, test } from 'bun:test';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Direction, TcpProxy } from './tcp-proxy.ts';
import { until } from './waiting.ts';

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** A server that answers with what it receives, behind a proxy. */
async function echo() {
  const received: string[] = [];
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received.push(chunk.toString());
      socket.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await TcpProxy.open((server.address() as { port: number }).port);
  opened.push(proxy, server);
  return { proxy, received };
}

interface DialedSocket {
  readonly socket: Socket;
  readonly state: { text: string; ended: string | null };
}

function dial(proxy: TcpProxy): DialedSocket {
  const socket = connect(proxy.port, '127.0.0.1');
  const state: DialedSocket['state'] = { text: '', ended: null };
  socket.on('data', (chunk) => {
    state.text += chunk.toString();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    state.ended = error.code ?? error.message;
  });
  socket.on('close', () => {
    state.ended ??= 'closed';
  });
  return { socket, state };
}

async function talking(proxy: TcpProxy): Promise<DialedSocket> {
  const dialed = dial(proxy);
  dialed.socket.write('one');
  await until(() => dialed.state.text === 'one');
  return dialed;
}

test('it passes what both sides send, and an end', async () => {
  const { proxy } = await echo();
  const { socket, state } = await talking(proxy);
  socket.write('two');
  await until(() => state.text === 'onetwo');
  socket.end();
  await until(() => state.ended === 'closed' && proxy.openConnections === 0);
});

test('a cut resets open connections and new ones, until it is healed', async () => {
  const { proxy } = await echo();
  const before = await talking(proxy);
  proxy.cut();
  await until(() => before.state.ended !== null);
  expect(before.state.ended).toBe('ECONNRESET');
  const during = dial(proxy);
  during.socket.write('one');
  await until(() => during.state.ended !== null);
  expect(during.state.text).toBe('');
  proxy.heal();
  await talking(proxy);
});

test.each([
  [['up'], []],
  [['down'], ['two']],
  [['up', 'down'], []],
] as [Direction[], string[]][])(
  'what is held in %j is delivered once it is healed',
  async (directions, arrived) => {
    const { proxy, received } = await echo();
    const held = await talking(proxy);
    received.length = 0;
    proxy.hold(directions);
    held.socket.write('two');
    await until(() => received.length === arrived.length);
    await roundTrips();
    expect(received).toEqual(arrived);
    expect(held.state).toEqual({ text: 'one', ended: null });
    proxy.heal();
    await until(() => held.state.text === 'onetwo');
  },
);

test('a choice is made for each connection, which is reset where there is none', async () => {
  const { proxy } = await echo();
  let port: number | null = proxy.port;
  const balancer = await TcpProxy.open(async () => port);
  opened.push(balancer);
  await talking(balancer);
  port = null;
  const { state } = dial(balancer);
  await until(() => state.ended !== null);
  expect(state.text).toBe('');
});

test('what is delayed comes later, in its order, and immediately once it is healed', async () => {
  const { proxy } = await echo();
  const { socket, state } = await talking(proxy);
  proxy.delay(10);
  for (const text of ['2', '3', '4']) socket.write(text);
  await until(() => state.text === 'one234');
  proxy.delay(3_600_000);
  socket.write('5');
  await roundTrips();
  expect(state.text).toBe('one234');
  proxy.heal();
  await until(() => state.text === 'one2345');
});

/** Some round trips of another connection, in which any other could have made its own. */
async function roundTrips(): Promise<void> {
  const { proxy } = await echo();
  const { socket, state } = await talking(proxy);
  for (let i = 0; i < 20; i++) {
    const { length } = state.text;
    socket.write('x');
    await until(() => state.text.length > length);
  }
}
