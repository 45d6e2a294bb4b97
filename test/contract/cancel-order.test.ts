// A cancel of an order that only the history knows.
import { beforeEach, test } from 'bun:test';
import { CANCEL, type Client, TestNode } from '../support/node.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
beforeEach(async () => {
  client = await node.client();
});

test('a closed order: 100205, whether filled, canceled or rejected', async () => {
  const other = await node.client();
  const filled = await other.limit(2, '100', '1', { clOrdId: 'filled' });
  await client.limit(1, '100', '1');
  expectError(await other.post(CANCEL, { orderId: filled }), 400, 100205, 'orderId');
  expectError(await other.post(CANCEL, { origClOrdId: 'filled' }), 400, 100205, 'origClOrdId');
  const both = { orderId: filled, origClOrdId: 'filled' };
  expectError(await other.post(CANCEL, both), 400, 100205);
  const canceled = await client.limit(1, '100', '1');
  expectOk(await client.post(CANCEL, { orderId: canceled }));
  expectError(await client.post(CANCEL, { orderId: canceled }), 400, 100205, 'orderId');
});
