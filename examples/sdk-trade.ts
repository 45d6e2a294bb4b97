// Buys a little, places a bid, cancels it, and prints both orders, in ten lines.
// Run: npx bun examples/sdk-trade.ts [DATA]
import { readFileSync } from 'node:fs';
import { AgioClient } from 'agio/sdk';

const { url, demo } = JSON.parse(readFileSync(`${process.argv[2] ?? 'data'}/sandbox.json`, 'utf8'));
const client = new AgioClient({ url, ...demo });
const pair = { symbol: 'BTC-USDT', side: 1 } as const;
await client.createOrder({ ...pair, ordType: 1, quoteOrderQty: 100 });
const bid = await client.createOrder({ ...pair, ordType: 2, price: 40000, orderQty: '0.01' });
await client.cancelOrder({ orderId: bid.orderId });
const { data } = await client.orders({ type: 'COMPLETED', size: 2 });
for (const { orderId, ordStatus, cumQty } of data) console.log(orderId, ordStatus, cumQty);
