// Places a bid on one node of a cluster and reads it on another, which waits until it has the bid.
// Run: npx bun examples/sdk-cluster.ts DATA URL URL
import { readFileSync } from 'node:fs';
import { AgioClient } from 'agio/sdk';

const [data, here = '', there = ''] = process.argv.slice(2);
const { demo } = JSON.parse(readFileSync(`${data}/sandbox.json`, 'utf8'));
const [first, second] = [here, there].map((url) => new AgioClient({ url, ...demo })) as [
  AgioClient,
  AgioClient,
];
const bid = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 40000, orderQty: '0.01' } as const;
const { orderId } = await first.createOrder(bid);
const minSeq = first.lastSeq;
const { data: found } = await second.orders({ type: 'SINGLE', orderId }, { minSeq });
console.log(`order ${orderId}, placed at ${here}, has status ${found[0]?.ordStatus} at ${there}`);
await second.cancelOrder({ orderId });
