// A bot in ten lines: it buys for 100 USDT, bids below the market, and cancels the bid.
// Run: npx bun examples/bot-first.ts [DATA]
import { readFileSync } from 'node:fs';
import { register } from 'agio/ccxt';
import ccxt from 'ccxt';

register(ccxt);
const { url, demo } = JSON.parse(readFileSync(`${process.argv[2] ?? 'data'}/sandbox.json`, 'utf8'));
const { apiKey, secretKey: secret } = demo;
const exchange = new ccxt.pro.agio({ apiKey, secret, hostname: new URL(url).host, sandbox: true });
const { id } = await exchange.createMarketBuyOrderWithCost('BTC/USDT', 100);
const { filled, average } = await exchange.fetchOrder(id!);
console.log(`bought ${filled} BTC at ${average}`);
const { bids } = await exchange.watchOrderBook('BTC/USDT', 5);
const bid = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.01, bids[4]![0]! * 0.99);
console.log((await exchange.cancelOrder(bid.id!)).status);
await exchange.close();
