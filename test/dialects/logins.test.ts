// A login of the Binance websocket API: its signature opens one connection, and what was signed for
// another method opens none. The reads that sign what a login signs come from the list of methods.
import { afterEach, describe, expect, test } from 'bun:test';
import { byMethod } from '../../src/dialects/binance/endpoints.ts';
import { TestCluster } from '../support/cluster.ts';
import { type Json, TestNode } from '../support/node.ts';
import { until } from '../support/waiting.ts';
import { BinanceClient, BinanceSocket, type Parameters } from './client.ts';

const API = 'ws-api/v3';
const node = TestNode.forFile();
const opened: BinanceSocket[] = [];

afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

async function open(at: Pick<TestNode, 'url'> = node): Promise<BinanceSocket> {
  const socket = await BinanceSocket.open(at, API);
  opened.push(socket);
  return socket;
}

/** The params of a message, signed as Binance's documents say. */
function sign(client: BinanceClient, parameters: Parameters = {}): Parameters {
  const { apiKey } = client.credentials;
  // A busy machine must not make a signature too old before its replay.
  const recvWindow = 60_000;
  const params = { recvWindow, ...parameters, apiKey, timestamp: client.timestamp() };
  const names = Object.keys(params).sort();
  const payload = names.map((name) => `${name}=${(params as Parameters)[name]}`).join('&');
  return { ...params, signature: client.sign(payload) };
}

const ORDER = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' } as const;
const order = () => ({ ...ORDER, price: '9', quantity: '1', timestamp: Date.now() });
const codeOf = ({ error }: Json) => (error as unknown as { code: number } | undefined)?.code;

/** The codes of a login with these params, and of what a session could do after it. */
async function replay(params: Parameters, at?: TestNode): Promise<(number | undefined)[]> {
  const socket = await open(at);
  const answers = [await socket.ask('session.logon', params)];
  answers.push(await socket.ask('userDataStream.subscribe', {}));
  answers.push(await socket.ask('order.place', order()));
  answers.push(await socket.ask('userDataStream.subscribe.signature', params));
  return answers.map(codeOf);
}

const NOTHING = [-1022, -2015, -2014, -1022];

describe('the signature of a login opens one connection', () => {
  test('not a second one, and the first trades on', async () => {
    const client = await BinanceClient.of(node);
    const first = await open();
    const params = sign(client);
    expect(codeOf(await first.ask('session.logon', params))).toBeUndefined();
    expect(await replay(params)).toEqual(NOTHING);
    expect((await first.ask('order.place', order())).result).toMatchObject({ status: 'NEW' });
  });

  test('nor does that of a user data stream, which is no session', async () => {
    const client = await BinanceClient.of(node);
    const socket = await open();
    const params = sign(client);
    const subscribed = await socket.ask('userDataStream.subscribe.signature', params);
    expect(subscribed.result).toEqual({ subscriptionId: 0 } as never);
    expect(codeOf(await socket.ask('order.place', order()))).toBe(-2014);
    expect(await replay(params)).toEqual(NOTHING);
  });

  test('after a restart', async () => {
    await using own = await TestNode.start();
    const client = await BinanceClient.of(own);
    const [login, read] = [sign(client), sign(client)];
    const socket = await open(own);
    await socket.ask('session.logon', login);
    await socket.ask('account.status', read);
    await own.restart();
    for (const params of [login, read]) expect(await replay(params, own)).toEqual(NOTHING);
  });

  test('of two at the same time, on two nodes of a cluster', async () => {
    await using cluster = await TestCluster.start(['a', 'b'], ['--rate-limits', 'off']);
    const nodes = cluster.nodes.map((member) => member.node);
    const { credentials } = await nodes[0]!.client();
    await cluster.settled();
    const params = sign(new BinanceClient(nodes[0]!, credentials));
    const sockets = await Promise.all(nodes.map(open));
    const answers = await Promise.all(sockets.map((one) => one.ask('session.logon', params)));
    expect(answers.map(codeOf).sort()).toEqual([-1022, undefined] as never);
    for (const at of nodes) expect(await replay(params, at)).toEqual(NOTHING);
  });
});

/** The parameters that any message may have, beside its key, timestamp and signature. */
const TERMS: readonly Parameters[] = [{}, { recvWindow: 50_000 }, { returnRateLimits: 'false' }];

describe('only a login is a login', () => {
  const methods = [...byMethod]
    .filter(([, { call, keyOnly }]) => call.access !== 'public' && !keyOnly)
    .map(([method]) => method);

  test.each(methods)('%s signs no login', async (method) => {
    const client = await BinanceClient.of(node);
    for (const more of TERMS) {
      const params = sign(client, more);
      await (await open()).ask(method, params);
      expect(await replay(params)).toEqual(NOTHING);
    }
  });

  test('a login has no parameters of another method', async () => {
    const client = await BinanceClient.of(node);
    const others: readonly Parameters[] = [
      { ...ORDER, price: '9', quantity: '1' },
      { symbol: 'BTCUSDT' },
      { omitZeroBalances: 'true' },
    ];
    for (const more of others) {
      const [logon, , placed, subscribed] = await replay(sign(client, more));
      expect([logon, placed, subscribed]).toEqual([-1104, -2014, -1104]);
    }
  });
});

/** Few requests of a key pass, so that the others are rejected. */
const FEW = { flags: ['--rate-limits', 'private=1/1/3'] };

describe('a message that was rejected before it spent its signature', () => {
  const unsigned = ['session.status', 'session.logout', 'session.subscriptions', 'ping', 'time'];
  const others = ['userDataStream.subscribe', 'userDataStream.unsubscribe', 'no.such.method', ''];
  const keyOnly = [...byMethod].filter(([, { keyOnly: only }]) => only).map(([name]) => name);

  test.each([...unsigned, ...others, ...keyOnly])('as %p, signs no login', async (method) => {
    const client = await BinanceClient.of(node);
    for (const more of TERMS) {
      const params = sign(client, more);
      await (await open()).ask(method, params);
      expect(await replay(params)).toEqual(NOTHING);
    }
  });

  test('with an id or an option that is not valid', async () => {
    const client = await BinanceClient.of(node);
    const socket = await open();
    const params = sign(client);
    socket.say({ id: { no: 'id' }, method: 'account.status', params });
    await socket.ask('ping', {});
    expect(await replay(params)).toEqual(NOTHING);
  });

  test('since its timestamp was ahead', async () => {
    const client = await BinanceClient.of(node);
    const { apiKey } = client.credentials;
    const timestamp = Date.now() + 2000;
    const signature = client.sign(`apiKey=${apiKey}&timestamp=${timestamp}`);
    const params = { apiKey, timestamp, signature };
    expect(codeOf(await (await open()).ask('account.status', params))).toBe(-1021);
    await until(() => Date.now() > timestamp - 500);
    expect(codeOf(await (await open()).ask('session.logon', params))).toBe(-1022);
  });

  test.each(['account', 'openOrders', 'ping', 'nothing', '../ws-api/v3'])(
    'as a request of REST: %s',
    async (path) => {
      const client = await BinanceClient.of(node);
      const { apiKey } = client.credentials;
      for (const method of ['GET', 'POST']) {
        const timestamp = client.timestamp();
        const signature = client.sign(`apiKey=${apiKey}&timestamp=${timestamp}`);
        const query = `apiKey=${apiKey}&timestamp=${timestamp}&signature=${signature}`;
        await node.request(`/binance/api/v3/${path}?${query}`, {
          method,
          headers: { 'X-MBX-APIKEY': apiKey },
        });
        expect(await replay({ apiKey, timestamp, signature })).toEqual(NOTHING);
      }
    },
  );

  test('by a limit, also after a restart and once the limit admits it', async () => {
    await using own = await TestNode.start(FEW);
    const client = await BinanceClient.of(own);
    const socket = await open(own);
    let params = sign(client);
    for (let left = 20; left > 0; left--) {
      params = sign(client);
      if (codeOf(await socket.ask('account.status', params)) === -1003) break;
    }
    const login = sign(client);
    expect(codeOf(await (await open(own)).ask('session.logon', login))).toBe(-1003);
    await own.restart();
    for (const rejected of [params, login]) {
      expect(codeOf(await (await open(own)).ask('session.logon', rejected))).toBe(-1022);
      expect(codeOf(await (await open(own)).ask('order.place', order()))).toBe(-2014);
    }
  });

  test('a login has no further parameters in the text of another one', async () => {
    const client = await BinanceClient.of(node);
    const read = sign(client, { returnRateLimits: 'false', symbol: 'BTCUSDT' });
    const { symbol, ...params } = read;
    const returnRateLimits = `false&symbol=${symbol}`;
    expect(codeOf(await (await open()).ask('session.logon', { ...params, returnRateLimits }))).toBe(
      -1100,
    );
  });
});

describe('unchanged clients', () => {
  test('may sign a read and a login with one timestamp, on one connection', async () => {
    const client = await BinanceClient.of(node);
    const socket = await open();
    const params = sign(client);
    const answers = await Promise.all([
      socket.ask('account.status', params),
      socket.ask('openOrders.status', params),
      socket.ask('userDataStream.subscribe.signature', params),
      socket.ask('session.logon', params),
    ]);
    expect(answers.map(codeOf)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('need not wait for the answer to a login', async () => {
    const client = await BinanceClient.of(node);
    const socket = await open();
    const answers = await Promise.all([
      socket.ask('session.logon', sign(client)),
      socket.ask('order.place', order()),
      socket.ask('userDataStream.subscribe', {}),
    ]);
    expect(answers.map(codeOf)).toEqual([undefined, undefined, undefined]);
    await until(() => socket.received.some(({ id }) => id === (3 as never)));
  });
});
