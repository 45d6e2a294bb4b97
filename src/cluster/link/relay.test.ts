// Requests that a node relays to the leader, over a channel in memory.
import { afterEach, describe, expect, test } from 'bun:test';
import { MemoryNetwork } from '../../../test/support/memory-transport.ts';
import { until } from '../../../test/support/waiting.ts';
import { EngineError } from '../../engine/command-port.ts';
import type { Serve } from '../../gateway/http/incoming.ts';
import { respond } from '../../gateway/http/response.ts';
import { readDown, readUp } from './messages.ts';
import { Relay, type RelayAnswer } from './relay.ts';
import { RelayDesk, type RelayRequest } from './relay-desk.ts';
import type { Channel } from './transport.ts';

const open: Channel[] = [];

afterEach(() => {
  for (const channel of open.splice(0)) channel.close('the test is over');
});

async function relayTo(serve: Serve) {
  const network = new MemoryNetwork();
  const faults: unknown[] = [];
  network.of('leader').listen('leader:1', (channel) => {
    const desk = new RelayDesk({ channel, serve, onFault: (error) => faults.push(error) });
    channel.attach({
      onFrame: (frame) => desk.receive(readUp(frame) as RelayRequest),
      onClose: () => desk.end(),
    });
  });
  const channel = await network.of('node').dial('leader:1');
  open.push(channel);
  const relay = new Relay(channel);
  channel.attach({
    onFrame: (frame) => relay.receive(readDown(frame) as RelayAnswer),
    onClose: () => relay.end(),
  });
  return { relay, channel, network, faults };
}

const URL_OF_USER = 'http://node.example/user-center/common/sendEmailAuthCode?x=%20y';

const post = (body: string, headers = {}) =>
  new Request('http://node.example/user-center/common/sendEmailAuthCode', {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      Host: 'node.example',
      ...headers,
    },
  });

/** A streamed answer, as the exports are. */
const streamedAnswer = (body: ReadableStream) =>
  respond({
    reply: { status: 200, seq: null, headers: null, body },
    route: null,
    rate: null,
    cors: null,
    requestId: 'r',
  });

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof EngineError ? error.kind : error),
  );

test('the leader sees the request as it came, and the node gets the answer', async () => {
  const seen: unknown[] = [];
  const { relay } = await relayTo(async (request, handle) => {
    seen.push({
      method: request.method,
      path: new URL(request.url).pathname + new URL(request.url).search,
      test: request.headers.get('x-test'),
      host: request.headers.get('host'),
      body: await request.text(),
      peer: handle.requestIP(request)?.address,
      upgrade: handle.upgrade(request, { data: null as never }),
    });
    const headers = new Headers({ 'X-Agio-Seq': '7' });
    headers.append('Set-Cookie', 'a=1');
    headers.append('Set-Cookie', 'b=2');
    return new Response('{"é":1}', { status: 201, headers });
  });
  const request = post('{"a":1}', { 'X-Test': 'yes' });
  const response = await relay.relay(request, '192.0.2.7');
  const { status, headers } = response;
  expect({ status, seq: headers.get('x-agio-seq'), cookies: headers.getSetCookie() }).toEqual({
    status: 201,
    seq: '7',
    cookies: ['a=1', 'b=2'],
  });
  expect(await response.text()).toBe('{"é":1}');
  expect(seen).toEqual([
    {
      method: 'POST',
      path: '/user-center/common/sendEmailAuthCode',
      test: 'yes',
      host: 'node.example',
      body: '{"a":1}',
      peer: '192.0.2.7',
      upgrade: false,
    },
  ]);
});

test('a query stays, and an answer may have no body', async () => {
  let target = '';
  const { relay } = await relayTo(async ({ url }) => {
    target = url;
    return new Response(null, { status: 204 });
  });
  const response = await relay.relay(new Request(URL_OF_USER), '192.0.2.7');
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(target).toEndWith('/user-center/common/sendEmailAuthCode?x=%20y');
});

test('a body that cannot be read fails at the leader, which makes the rejection', async () => {
  const { relay } = await relayTo(async (request) => {
    const error = await request.bytes().then(
      () => null,
      (fault: unknown) => fault,
    );
    return Response.json({ name: (error as Error).message });
  });
  const parts = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(20_000));
      controller.close();
    },
  });
  const request = new Request('http://node.example/user-center/common/sendEmailAuthCode', {
    method: 'POST',
    body: parts,
    headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
  });
  const response = await relay.relay(request, '192.0.2.7');
  expect(await response.json()).toEqual({
    name: 'The request body is too large; at most 16384 bytes are accepted.',
  });
});

test('a request that fails at the leader is answered with 500', async () => {
  const { relay, faults } = await relayTo(async () => {
    throw new Error('a fault');
  });
  expect((await relay.relay(post('{}'), '')).status).toBe(500);
  expect(faults.map(String)).toEqual(['Error: a fault']);
});

test('a request that became a websocket is answered with 500', async () => {
  const { relay } = await relayTo(async () => undefined);
  expect((await relay.relay(post('{}'), '')).status).toBe(500);
});

describe('a streamed body', () => {
  test('comes part by part, as the client takes it', async () => {
    let made = 0;
    const { relay } = await relayTo(async () =>
      streamedAnswer(
        new ReadableStream(
          {
            pull(controller) {
              if (made === 3) controller.close();
              else controller.enqueue(new TextEncoder().encode(`part ${++made};`));
            },
          },
          { highWaterMark: 0 },
        ),
      ),
    );
    const reader = (await relay.relay(post('{}'), '')).body!.getReader();
    expect(made).toBe(0);
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toBe('part 1;');
    expect(made).toBe(1);
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('part 2;');
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('part 3;');
    expect((await reader.read()).done).toBe(true);
  });

  /** An answer that never ends, and whether the leader has given it up. */
  function endless() {
    const state = { canceled: false };
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(Uint8Array.of(1)),
      cancel: () => {
        state.canceled = true;
      },
    });
    return { state, body };
  }

  test('is canceled at the leader when the client cancels', async () => {
    const { state, body } = endless();
    const { relay } = await relayTo(async () => streamedAnswer(body));
    await (await relay.relay(post('{}'), '')).body!.cancel();
    await until(() => state.canceled);
  });

  test('is canceled at the leader when the client left before the answer', async () => {
    const { state, body } = endless();
    const client = new AbortController();
    const { relay } = await relayTo(async () => {
      client.abort();
      return streamedAnswer(body);
    });
    await relay.relay(new Request(post('{}'), { signal: client.signal }), '');
    await until(() => state.canceled);
  });

  test('breaks off on both sides when the channel closes', async () => {
    const { state, body } = endless();
    const { relay, channel } = await relayTo(async () => streamedAnswer(body));
    const reader = (await relay.relay(post('{}'), '')).body!.getReader();
    await reader.read();
    channel.close('lost');
    const reading = (async () => {
      while (!(await reader.read()).done);
    })();
    await expect(reading).rejects.toThrow('the answer broke off');
    await until(() => state.canceled);
  });

  test('that fails at the leader fails at the node', async () => {
    const { relay } = await relayTo(async () =>
      streamedAnswer(
        new ReadableStream({ pull: (controller) => controller.error(new Error('disk')) }),
      ),
    );
    await expect((await relay.relay(post('{}'), '')).text()).rejects.toThrow('broke off');
  });
});

describe('a relay is drained', () => {
  /** True if it is, after everything that is on its way has arrived. */
  async function isDrained(relay: Relay): Promise<boolean> {
    let drained = false;
    void relay.drained().then(() => {
      drained = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return drained;
  }

  test('once every request has its answer', async () => {
    const answers: (() => void)[] = [];
    const { relay } = await relayTo(
      () => new Promise((resolve) => answers.push(() => resolve(new Response('ok')))),
    );
    expect(await isDrained(relay)).toBe(true);
    const relaying = [0, 1].map(() => relay.relay(post('{}'), ''));
    await until(() => answers.length === 2);
    const drained = relay.drained();
    answers[0]!();
    await relaying[0];
    expect(await isDrained(relay)).toBe(false);
    const last = relay.drained();
    answers[1]!();
    await last;
    expect(await (await relaying[1]!).text()).toBe('ok');
    await drained;
  });

  test('once streamed answers are complete', async () => {
    let made = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          if (made++ === 2) controller.close();
          else controller.enqueue(new TextEncoder().encode('part;'));
        },
      },
      { highWaterMark: 0 },
    );
    const { relay } = await relayTo(async () => streamedAnswer(body));
    const response = await relay.relay(post('{}'), '');
    expect(await isDrained(relay)).toBe(false);
    const drained = relay.drained();
    expect(await response.text()).toBe('part;part;');
    await drained;
  });

  test('once the client has canceled, or the channel is closed', async () => {
    const endless = () =>
      streamedAnswer(new ReadableStream({ pull: (to) => to.enqueue(Uint8Array.of(1)) }));
    const { relay, channel } = await relayTo(async () => endless());
    const response = await relay.relay(post('{}'), '');
    const canceled = relay.drained();
    await response.body!.cancel();
    await canceled;
    const open = await relay.relay(post('{}'), '');
    const closed = relay.drained();
    channel.close('lost');
    await closed;
    await expect(open.text()).rejects.toThrow('the answer broke off');
  });
});

describe('without an answer', () => {
  test('the outcome is unknown where the channel closes first', async () => {
    let arrived = false;
    const { relay, network } = await relayTo(() => {
      arrived = true;
      return new Promise(() => {});
    });
    const relaying = kindOf(relay.relay(post('{}'), ''));
    await until(() => arrived);
    network.crash('leader');
    expect(await relaying).toBe('leaderLost');
  });

  test('a read can be repeated where the channel closes first', async () => {
    const { relay, channel } = await relayTo(() => new Promise(() => {}));
    const relaying = kindOf(relay.relay(new Request('http://agio/operator/v1/users'), ''));
    channel.close('lost');
    await until(() => channel.closed !== null);
    relay.end();
    expect(await relaying).toBe('noLeader');
  });

  test('nothing was done where the channel was closed before', async () => {
    let served = 0;
    const { relay, channel } = await relayTo(async () => {
      served++;
      return new Response();
    });
    channel.close('lost');
    expect(await kindOf(relay.relay(post('{}'), ''))).toBe('noLeader');
    await until(() => channel.closed !== null);
    expect(await kindOf(relay.relay(post('{}'), ''))).toBe('noLeader');
    expect(served).toBe(0);
  });

  test('1,000 requests may wait, and no more', async () => {
    const answers: (() => void)[] = [];
    const { relay } = await relayTo(
      () => new Promise((resolve) => answers.push(() => resolve(new Response('ok')))),
    );
    const waiting = Array.from({ length: 1000 }, () => relay.relay(post('{}'), ''));
    await until(() => answers.length === 1000);
    expect(await kindOf(relay.relay(post('{}'), ''))).toBe('overloaded');
    answers[500]!();
    expect(await (await waiting[500]!).text()).toBe('ok');
    const next = relay.relay(post('{}'), '');
    await until(() => answers.length === 1001);
    for (const answer of answers) answer();
    expect(await (await next).text()).toBe('ok');
    await Promise.all(waiting);
  });
});
