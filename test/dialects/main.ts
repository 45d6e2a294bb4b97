// The difference stream of a sandbox with its demo market, kept by Binance's recipe, equals depth:
// npm run local-book -- --minutes 10
import { parseArgs } from 'node:util';
import { CcxtSandbox } from '../ccxt/sandbox.ts';
import type { Json } from '../support/node.ts';
import { BinanceSocket } from './client.ts';
import { LocalBook } from './local-book.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const deadline = performance.now() + Number(values.minutes) * 60_000;
if (!(Number(values.minutes) > 0)) throw new Error('--minutes above 0');

await using venue = await CcxtSandbox.start({ demo: true });
const { url } = venue.info;
const socket = await BinanceSocket.open({ url }, 'ws/btcusdt@depth@100ms');

async function depth(): Promise<Json> {
  const answer = await fetch(`${url}/binance/api/v3/depth?symbol=BTCUSDT&limit=5000`);
  return (await answer.json()) as Json;
}

await socket.receive(({ u }) => u);
const book = new LocalBook(await depth());
const report = { minutes: Number(values.minutes), events: 0, updates: 0, compared: 0 };
const first = book.at;
while (performance.now() < deadline) {
  const now = await depth();
  await socket.receive(({ u }) => Number(u) >= Number(now.lastUpdateId));
  while (socket.received.length > 0 && book.at < Number(now.lastUpdateId)) {
    book.apply(socket.received.shift()!);
    report.events++;
  }
  // An event may end beyond the update of the answer; then there is nothing to compare.
  if (book.at !== Number(now.lastUpdateId)) continue;
  book.expectEqual(now);
  report.compared++;
}
report.updates = book.at - first;
process.stdout.write(`${JSON.stringify(report)}\n`);
socket.close();
