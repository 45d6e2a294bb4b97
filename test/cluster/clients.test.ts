// Clients of a cluster: the SDK and the ccxt class with all URLs over the loss of the leader, reads
// of one's own writes, and keys and sessions that another node made or ended a moment ago.
import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { agio } from '../../src/ccxt/agio.ts';
import { StoreError } from '../../src/cluster/store.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { OutcomeUnknown } from '../../src/sdk/errors.ts';
import type { DataMessage } from '../../src/sdk/generated/types.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import type { StreamSubscription } from '../../src/sdk/subscription.ts';
import { openIds, TestCluster } from '../support/cluster.ts';
import {
  Client,
  type Credentials,
  type Json,
  ORDER,
  ORDERS,
  type TestNode,
} from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { CENTER, PASSWORD, Person } from '../support/person.ts';
import { expectError, expectOk } from '../support/shape.ts';
import {
  expectChain,
  loginMessage,
  OWN_ACCOUNT,
  OWN_ORDERS,
  StreamClient,
} from '../support/stream.ts';
import { until } from '../support/waiting.ts';

const NAMES = ['a', 'b', 'c'];
const UNLIMITED = ['--rate-limits', 'off'];
const BID = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '0.1' } as const;

/** Two nodes must not get the same order in one millisecond: its signature works once. */
let lastPrice = 100;
const nextPrice = (): string => String(++lastPrice);

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const start = () => TestCluster.start(NAMES, UNLIMITED);

/** The nodes; the first one leads. */
const nodesOf = ({ nodes }: TestCluster) =>
  nodes.map(({ node }) => node) as [TestNode, TestNode, TestNode];

/** The URLs of all nodes, first that of the node `first`. */
function urlsFrom({ nodes }: TestCluster, first: number): string[] {
  const urls = nodes.map(({ door }) => door.url);
  return [...urls.slice(first), ...urls.slice(0, first)];
}

function sdkOf(cluster: TestCluster, first: number, credentials: Credentials): AgioClient {
  const client = new AgioClient({ url: urlsFrom(cluster, first), ...credentials });
  opened.push(client.streams);
  return client;
}

function ccxtOf(cluster: TestCluster, first: number, credentials: Credentials): agio {
  const hosts = urlsFrom(cluster, first).map((url) => new URL(url).host);
  const { apiKey, secretKey: secret } = credentials;
  const exchange = new agio({ apiKey, secret, sandbox: true, rateLimit: 1, options: { hosts } });
  opened.push(exchange);
  return exchange;
}

type Place = (clOrdId: string, price: number) => Promise<unknown>;

/**
 * Places bids in as many loops, until many are placed after the leader was killed. Returns the
 * clOrdIds of the answered ones, and a node that still runs.
 */
async function placeOverLoss(cluster: TestCluster, loops: readonly Place[]) {
  const leader = await cluster.leader();
  const rest = cluster.nodes.filter((one) => one !== leader);
  const placed: string[] = [];
  let isOver = false;
  const placing = loops.map(async (place, index) => {
    for (let n = 1; !isOver; n++) {
      const clOrdId = `order-${index}-${n}`;
      await place(clOrdId, 1000 * (index + 1) + n);
      placed.push(clOrdId);
    }
  });
  const more = async (count: number) => {
    const enough = placed.length + count;
    await until(() => placed.length >= enough);
  };
  await more(20);
  cluster.kill(leader);
  await cluster.leader(rest);
  await more(20);
  isOver = true;
  await Promise.all(placing);
  await cluster.settled(rest);
  return { placed, survivor: rest[0]!.node };
}

describe('the loss of the leader', () => {
  const viaSdk = (cluster: TestCluster, first: number, credentials: Credentials): Place => {
    const client = sdkOf(cluster, first, credentials);
    return (clOrdId, price) => client.createOrder({ ...BID, price: `${price}`, clOrdId });
  };
  const viaCcxt = (cluster: TestCluster, first: number, credentials: Credentials): Place => {
    const exchange = ccxtOf(cluster, first, credentials);
    return (clientOrderId, price) =>
      exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.1, price, { clientOrderId });
  };

  test.each([
    ['the SDK', viaSdk],
    ['the ccxt class', viaCcxt],
  ])('orders of %s are placed exactly once, from whichever node', async (_, via) => {
    await using cluster = await start();
    const { uid, credentials } = await nodesOf(cluster)[0].client();
    const loops = NAMES.map((_name, first) => via(cluster, first, credentials));
    const { placed, survivor } = await placeOverLoss(cluster, loops);
    expect(openIds(survivor, uid).sort()).toEqual(placed.sort());
  });

  test('own orders and balances go on with another node, without a gap or a repeat', async () => {
    await using cluster = await start();
    const { uid, credentials } = await nodesOf(cluster)[0].client();
    // The stream of the first is on the leader, that of the second on another node.
    const clients = [0, 1].map((first) => sdkOf(cluster, first, credentials));
    const streams = clients.map(({ streams }) => {
      const orders = streams.orders();
      return { orders, messages: collect(orders), balances: streams.balances() };
    });
    await Promise.all(streams.map(({ orders }) => orders.ready));
    const { survivor } = await placeOverLoss(cluster, [
      (clOrdId, price) => clients[1]!.createOrder({ ...BID, price: `${price}`, clOrdId }),
    ]);
    const expected = openIds(survivor, uid);
    for (const { orders, messages, balances } of streams) {
      const reported = () =>
        messages.flatMap(({ type, data }) => (type === 'update' ? data : [])) as {
          clOrdId: string;
        }[];
      await until(() => reported().length >= expected.length);
      expect(reported().map(({ clOrdId }) => clOrdId)).toEqual(expected);
      expectChain(messages as never);
      // The logins of other streams have seqs as well.
      const last = messages.findLast(({ type }) => type === 'update')!;
      await until(() => balances.seq! >= last.seq);
      expect([orders.gaps, balances.gaps]).toEqual([0, 0]);
    }
  });
});

/** The code of the rejection of an order; null for an order that was placed. */
const codeOf = ({ status, error }: Json): string | null =>
  Number(status) === 200 ? null : String(error?.code);

/** All later messages. */
function collect<M extends DataMessage>(subscription: StreamSubscription<M>): M[] {
  const messages: M[] = [];
  subscription.on((message) => messages.push(message));
  return messages;
}

describe('a write whose leader is lost before the answer', () => {
  /** Sends it to a node whose leader gets it and is lost then; resolves with its end. */
  async function sendIntoLoss<T>(cluster: TestCluster, send: () => Promise<T>): Promise<T> {
    const leader = await cluster.leader();
    spyOn(leader.store, 'append').mockImplementation(() => {
      cluster.kill(leader);
      return Promise.reject(new StoreError('unreachable', 'the leader is lost'));
    });
    return send();
  }

  test.each(['an order', 'a call that was passed on'])(
    '%s has an unknown outcome',
    async (what) => {
      await using cluster = await start();
      const [, b] = nodesOf(cluster);
      const { credentials, uid } = await cluster.nodes[0]!.node.client();
      await cluster.settled();
      const credit = { uid, asset: 'BTC', amount: '1', reference: 'into-the-loss' };
      const answer = await sendIntoLoss(cluster, () =>
        what === 'an order'
          ? new Client(b, credentials).post(ORDER, BID)
          : new Operator(b).post('ledger/credit', credit),
      );
      expect(answer.headers.get('retry-after')).toBe('1');
      expectError(answer, 503, 100504);
    },
  );

  test('the SDK does not repeat an order without a key', async () => {
    await using cluster = await start();
    const { credentials } = await cluster.nodes[0]!.node.client();
    const sdk = sdkOf(cluster, 1, credentials);
    await cluster.settled();
    const placing = () => sdk.createOrder(BID, { idempotencyKey: null });
    await expect(sendIntoLoss(cluster, placing)).rejects.toBeInstanceOf(OutcomeUnknown);
  });
});

describe('a node that is some records behind', () => {
  test('a read with X-Agio-Min-Seq shows the write, on every node', async () => {
    await using cluster = await start();
    const { credentials } = await nodesOf(cluster)[0].client();
    await cluster.settled();
    const clients = nodesOf(cluster).map((node) => new Client(node, credentials));
    for (const writer of clients) {
      const { body, headers } = await writer.post(ORDER, { ...BID, price: nextPrice() });
      const { orderId } = body as unknown as { readonly orderId: number };
      const seen = { headers: { 'X-Agio-Min-Seq': headers.get('x-agio-seq')! } };
      for (const reader of clients) {
        const read = await reader.get(ORDERS, { type: 'SINGLE', orderId }, seen);
        expect(Number(read.body.data![0]!.orderId)).toBe(orderId);
      }
    }
  });

  test('a read with X-Agio-Min-Seq waits for the position', async () => {
    await using cluster = await start();
    const [a, , c] = nodesOf(cluster);
    const { credentials } = await a.client();
    await cluster.settled();
    await until(() => c.services.identity.apiKeys.lookup(credentials.apiKey));
    cluster.network.cut('a', 'c');
    const placed = await new Client(a, credentials).post(ORDER, BID);
    const seq = placed.headers.get('x-agio-seq')!;
    const reached = spyOn(c.engine, 'reach');
    const reading = new Client(c, credentials).get(
      ORDERS,
      { type: 'SINGLE', orderId: Number(placed.body.orderId) },
      { headers: { 'X-Agio-Min-Seq': seq } },
    );
    await until(() => reached.mock.calls.length > 0);
    expect(c.seq).toBeLessThan(Number(seq));
    cluster.network.heal('a', 'c');
    expect((await reading).body.data).toHaveLength(1);
  });

  test('a stream that resumes from a later position waits for it', async () => {
    await using cluster = await start();
    const [a, , c] = nodesOf(cluster);
    const client = await a.client();
    await cluster.settled();
    await until(() => c.services.identity.apiKeys.lookup(client.credentials.apiKey));
    const onC = new Client(c, client.credentials);
    await using stream = await StreamClient.login(c, OWN_ORDERS, onC);
    cluster.network.cut('a', 'c');
    await client.limit(1, '100', '1');
    const resumeFrom = a.seq;
    const reached = spyOn(c.engine, 'reach');
    stream.say({ op: 'subscribe', channel: 'orders', resumeFrom, id: 'late' });
    stream.say({ op: 'ping', id: 'next' });
    await until(() => reached.mock.calls.length > 0);
    cluster.network.heal('a', 'c');
    const answers = [await stream.take(() => true), await stream.take(() => true)];
    expect(answers.map(({ id }) => String(id))).toEqual(['late', 'next']);
    await client.limit(1, '101', '1');
    const update = await stream.take({ channel: 'orders' });
    expect(update).toMatchObject({ type: 'update', prevSeq: resumeFrom } as never);
  });

  test('a position that does not come is rejected with the one of this node', async () => {
    await using cluster = await start();
    const [a, , c] = nodesOf(cluster);
    const { credentials } = await a.client();
    await cluster.settled();
    await until(() => c.services.identity.apiKeys.lookup(credentials.apiKey));
    await using stream = await StreamClient.login(c, OWN_ORDERS, new Client(c, credentials));
    const { seq } = c;
    const answer = await stream.ask({ op: 'subscribe', channel: 'orders', resumeFrom: seq + 9 });
    expect(answer).toMatchObject({ op: 'error', code: '100200' } as never);
    expect(Number(answer.details!.limit)).toBe(seq);
  });
});

describe('keys', () => {
  const operatorOf = ({ url, operatorToken }: TestNode) =>
    new OperatorClient({ url, operatorToken });
  const NEW_KEY = { alias: 'trading', moduleIds: [5, 6] } as const;

  test('a key works on every node as soon as one has created it', async () => {
    await using cluster = await start();
    const [a, b, c] = nodesOf(cluster);
    const uid = await a.user();
    for (const creator of [a, b, c]) {
      const credentials = await operatorOf(creator).createKey(uid, NEW_KEY);
      for (const node of [c, b, a]) {
        const client = new Client(node, credentials);
        await client.limit(1, nextPrice(), '0.1');
        expectOk(await client.get(ORDERS, { type: 'OPEN' }));
      }
    }
  });

  test('a websocket logs in with a key that its node does not know yet', async () => {
    await using cluster = await start();
    const [a, , c] = nodesOf(cluster);
    const uid = await a.user();
    await cluster.settled();
    const synced = spyOn(c.services.cluster!, 'syncIdentity');
    const login = async (act: (client: Client) => Promise<StreamClient>) => {
      synced.mockClear();
      cluster.network.cut('a', 'c');
      const credentials = await operatorOf(a).createKey(uid, NEW_KEY);
      const logging = act(new Client(c, credentials));
      await until(() => synced.mock.calls.length > 0);
      cluster.network.heal('a', 'c');
      await using stream = await logging;
      await stream.subscribe({ channel: 'orders' });
    };
    await login((client) => StreamClient.login(c, OWN_ORDERS, client));
    await login(async (client) => {
      const stream = await StreamClient.open(c, OWN_ORDERS);
      stream.say(loginMessage(client.credentials, OWN_ORDERS, client.timestamp()));
      await stream.take({ op: 'loggedIn' });
      return stream;
    });
  });

  test('a connection has one question to the leader, and none outlives the link', async () => {
    const CONNECTIONS = 50;
    await using cluster = await start();
    const [a, , c] = nodesOf(cluster);
    const { credentials } = await a.client();
    await cluster.settled();
    const control = c.services.cluster!;
    const ask = control.syncIdentity.bind(control);
    let open = 0;
    let most = 0;
    using _asked = spyOn(control, 'syncIdentity').mockImplementation(async () => {
      most = Math.max(most, ++open);
      await ask().finally(() => open--);
    });
    cluster.network.cut('a', 'c');
    await using streams = new AsyncDisposableStack();
    for (let n = 0; n < CONNECTIONS; n++) {
      const stream = streams.use(await StreamClient.open(c, OWN_ORDERS));
      for (let at = 0; at < 20; at++) {
        const unknown = { ...credentials, apiKey: 'x'.repeat(64) };
        stream.say(loginMessage(unknown, OWN_ORDERS, Date.now() + at));
      }
    }
    await until(() => open === CONNECTIONS);
    cluster.kill(cluster.find('a'));
    await until(() => open === 0);
    expect(most).toBe(CONNECTIONS);
  });

  test('without a leader, a websocket with an unknown key is told to come again', async () => {
    await using cluster = await start();
    const [a, , c] = nodesOf(cluster);
    const { credentials } = await a.client();
    await cluster.settled();
    for (const { store } of cluster.nodes) store.fault = 'request';
    await until(() => c.services.cluster!.status().role === 'none');
    await using stream = await StreamClient.open(c, OWN_ORDERS);
    const unknown = { ...credentials, apiKey: 'unknown' };
    stream.say(loginMessage(unknown, OWN_ORDERS, Date.now()));
    expect(await stream.take({ op: 'error' })).toMatchObject({ code: '100503' } as never);
  });

  test('a login opens one stream, on whichever node, also after the lead has moved', async () => {
    await using cluster = await start();
    const [a, b, c] = nodesOf(cluster);
    const client = await a.client();
    await cluster.settled();
    const open = async (
      node: TestNode,
      path: typeof OWN_ORDERS | typeof OWN_ACCOUNT,
      at: number,
    ) => {
      await using stream = await StreamClient.open(node, path);
      const answer = await stream.ask(loginMessage(client.credentials, path, at));
      return answer.code ?? answer.op;
    };
    const used = [];
    for (const path of [OWN_ORDERS, OWN_ACCOUNT] as const) {
      for (const node of [b, a]) {
        const at = client.timestamp();
        expect<unknown>(await open(node, path, at)).toBe('loggedIn');
        used.push({ path, at });
      }
      const at = client.timestamp();
      const racing = await Promise.all([a, b, c].map((node) => open(node, path, at)));
      expect<unknown>(racing.sort()).toEqual(['100405', '100405', 'loggedIn']);
    }
    for (const isMoved of [false, true]) {
      if (isMoved) {
        await a.services.cluster!.handOver('b');
        await cluster.leader([cluster.find('b')]);
      }
      for (const { path, at } of used) {
        for (const node of [a, b, c]) expect<unknown>(await open(node, path, at)).toBe('100405');
      }
    }
  });

  test('no node accepts a write of a key that one has revoked', async () => {
    await using cluster = await start();
    const nodes = nodesOf(cluster);
    const [a, b, c] = nodes;
    const uid = await a.user();
    for (const revoker of nodes) {
      const credentials = await operatorOf(revoker).createKey(uid, NEW_KEY);
      const clients = nodes.map((node) => new Client(node, credentials));
      for (const client of clients) await client.limit(1, nextPrice(), '0.1');
      // c learns of it later than the caller.
      cluster.network.cut('a', 'c');
      if (revoker === c) cluster.network.heal('a', 'c');
      await operatorOf(revoker).revokeKey(uid, credentials.apiKey);
      const isKnown = c.services.identity.apiKeys.lookup(credentials.apiKey) !== undefined;
      expect(isKnown).toBe(revoker !== c);
      const late = clients[2]!.post(ORDER, { ...BID, price: nextPrice() });
      for (const client of [clients[0]!, clients[1]!]) {
        const { status } = await client.post(ORDER, { ...BID, price: nextPrice() });
        expect(status).toBe(401);
      }
      cluster.network.heal('a', 'c');
      expect((await late).status).toBe(401);
    }
    await cluster.settled();
    expect(openIds(b, uid)).toHaveLength(9);
  });

  test('an order over a websocket is rejected once its key is revoked elsewhere', async () => {
    await using cluster = await start();
    const [a, , c] = nodesOf(cluster);
    const uid = await a.user();
    const credentials = await operatorOf(a).createKey(uid, NEW_KEY);
    await using stream = await StreamClient.login(c, OWN_ORDERS, new Client(c, credentials));
    expect(codeOf(await stream.order('order.place', BID))).toBeNull();
    cluster.network.cut('a', 'c');
    await operatorOf(a).revokeKey(uid, credentials.apiKey);
    const { queueLength } = c.engine;
    stream.say({ op: 'order.place', timestamp: Date.now(), ...BID, id: 'late' });
    await until(() => c.engine.queueLength > queueLength);
    cluster.network.heal('a', 'c');
    await stream.closed;
    expect(openIds(a, uid)).toHaveLength(1);
  });
});

test('a session of one node works on every other one immediately, and its end too', async () => {
  await using cluster = await start();
  const [a, b, c] = nodesOf(cluster);
  const person = await Person.join(a);
  await a.credit(person.uid, 'USDT', '100');
  for (const home of [b, c, a]) {
    const { token } = expectOk(await home.post(`${CENTER}/login`, loginOf(person)));
    const headers = { 'exchange-token': String(token) };
    for (const node of [c, b, a]) {
      expectOk(await node.request(`${CENTER}/me`, { headers }));
      expectOk(await node.post(ORDER, BID, headers));
      await using stream = await StreamClient.open(node, OWN_ORDERS, headers);
      await stream.take({ op: 'loggedIn' });
    }
    expectOk(await home.post(`${CENTER}/logout`, {}, headers));
    for (const node of [c, b, a]) expect((await node.post(ORDER, BID, headers)).status).toBe(401);
  }
});

const loginOf = ({ email }: Person) => ({ email, password: PASSWORD });
