// Follows a book with checksums, and the orders of an account, for ten seconds.
// Run: npx bun examples/sdk-streams.ts [DATA] [SECONDS]
import { readFileSync } from 'node:fs';
import { AgioClient, decimal } from 'agio/sdk';

const [data = 'data', seconds = '10'] = process.argv.slice(2);
const { url, demo } = JSON.parse(readFileSync(`${data}/sandbox.json`, 'utf8'));
const client = new AgioClient({ url, ...demo });
setTimeout(() => client.streams.close(), Number(seconds) * 1000);

const orders = client.streams.orders({ cancelOnDisconnect: true });
orders.on(({ data: reports }) => {
  for (const { orderId, ordStatus, leavesQty } of reports) {
    console.log(`order ${orderId} has status ${ordStatus}, ${leavesQty} left`);
  }
});

const book = client.streams.orderbook({ symbol: 'BTC-USDT', depth: 5 });
await Promise.all([orders.ready, book.ready]);
const [lowest] = book.bids.at(-1)!;
const price = decimal.floorTo(decimal.multiply(lowest, '0.99'), '0.01');
const bid = { symbol: 'BTC-USDT', side: 1, ordType: 2, price, orderQty: '0.001' } as const;
await client.createOrder(bid);

let last = '';
for await (const { bids, asks, seq } of book) {
  const top = `${bids[0]?.[0]} / ${asks[0]?.[0]}`;
  if (top !== last) console.log(`best ${top} at ${seq}`);
  last = top;
}
