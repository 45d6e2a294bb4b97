// Places an order with the field of CONTRIBUTING.md, reads it back and prints the values. It runs
// in the copy of the source to which added-field.test.ts has added the field.
import { type Client, type Json, ORDER_V2, TestNode } from '../support/node.ts';
import { OWN_ORDERS, StreamClient } from '../support/stream.ts';

const BID = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 90, orderQty: 0.01 };

const node = await TestNode.start({});
const client: Client = await node.client();
await using own = await StreamClient.login(node, OWN_ORDERS, client);
await own.subscribe({ channel: 'orders' });
const { status, body } = await client.post(ORDER_V2, { ...BID, strategyId: 7 });
const orderId = Number(body.orderId);
const read = async (id: number): Promise<unknown> => (await client.row(id)).strategyId;
const before = await read(orderId);
const other = await read(await client.order(BID));
const update = await own.take({ channel: 'orders', type: 'update' });
const streamed = (update.data as unknown as readonly Json[])[0]!.strategyId;
await node.restart();
const after = await read(orderId);
await node.stop();
console.log(JSON.stringify({ answered: status, read: before, restarted: after, other, streamed }));
process.exit(0);
