// The Binance dialect on a node that does not lead: orders, user data streams, listen keys, and a
// key that another node made a moment ago.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { TestCluster } from '../support/cluster.ts';
import type { Json, TestNode } from '../support/node.ts';
import { BinanceClient, BinanceSocket, formOf } from './client.ts';

let cluster: TestCluster;
let leader: TestNode;
let follower: TestNode;
const sockets: BinanceSocket[] = [];

beforeEach(async () => {
  cluster = await TestCluster.start(['a', 'b'], ['--rate-limits', 'off']);
  [leader, follower] = cluster.nodes.map(({ node }) => node) as [TestNode, TestNode];
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await cluster[Symbol.asyncDispose]();
});

async function open(node: TestNode, path: string): Promise<BinanceSocket> {
  const socket = await BinanceSocket.open(node, path);
  sockets.push(socket);
  return socket;
}

/** A new customer of the leader, as a client of both nodes. */
async function customer(): Promise<[onLeader: BinanceClient, onFollower: BinanceClient]> {
  const { credentials } = await leader.client();
  return [new BinanceClient(leader, credentials), new BinanceClient(follower, credentials)];
}

const read = (orderId: unknown) => ({ symbol: 'BTCUSDT', orderId: Number(orderId) });

test('a node answers with the fills of an order that the leader matched', async () => {
  const [maker] = await customer();
  const [onLeader, onFollower] = await customer();
  await maker.limit('SELL', '100', '1');
  const bought = await onFollower.limit('BUY', '100', '1.5');
  expect(bought).toMatchObject({ executedQty: '1', fills: [{ price: '100', qty: '1' }] });
  for (const client of [onFollower, onLeader]) {
    expect(await client.must('GET', 'order', read(bought.orderId))).toMatchObject({
      status: 'PARTIALLY_FILLED',
    });
  }
  const { body } = await onFollower.call('POST', 'order', {
    ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '1e6x' },
    quantity: '1',
  });
  expect(body.code).toBe(-1100 as never);
  const canceled = await onFollower.must('DELETE', 'order', read(bought.orderId));
  expect(canceled).toMatchObject({ status: 'CANCELED', executedQty: '1' });
});

test('a key works on every node from its creation on, and reads what it has written', async () => {
  for (let i = 0; i < 5; i++) {
    const [, onFollower] = await customer();
    const { orderId } = await onFollower.limit('BUY', '10', '1');
    expect(await onFollower.must('GET', 'order', read(orderId))).toMatchObject({ price: '10' });
  }
});

test('user data streams on a node, and a listen key that belongs to one node', async () => {
  const [onLeader, onFollower] = await customer();
  await onFollower.must('GET', 'account');
  const start = (client: BinanceClient) => client.send('POST', 'userDataStream');
  const { listenKey } = (await start(onFollower)).body as unknown as { listenKey: string };
  const [here, elsewhere] = [
    await open(follower, `ws/${listenKey}`),
    await open(leader, `ws/${listenKey}`),
  ];
  const { orderId } = await onLeader.limit('BUY', '10', '1');
  const isReport = (message: Json) => message.e === ('executionReport' as never);
  expect(await here.receive(isReport)).toMatchObject({ i: orderId, X: 'NEW' });
  await here.receive((message) => message.e === ('outboundAccountPosition' as never));
  expect(elsewhere.received).toEqual([]);
  const kept = await onFollower.send('PUT', 'userDataStream', formOf({ listenKey }));
  expect(kept.status).toBe(200);
  const other = await onLeader.send('PUT', 'userDataStream', formOf({ listenKey }));
  expect(other.body.code).toBe(-1125 as never);

  const api = await open(follower, 'ws-api/v3');
  const { apiKey } = onFollower.credentials;
  const params = { apiKey, timestamp: onFollower.timestamp() };
  const signature = onFollower.sign(formOf(params));
  await api.ask('userDataStream.subscribe.signature', { ...params, signature });
  await onLeader.limit('BUY', '11', '1');
  const event = await api.receive((message) => message.subscriptionId === (0 as never));
  expect(event.event).toMatchObject({ e: 'executionReport', p: '11' });
});
