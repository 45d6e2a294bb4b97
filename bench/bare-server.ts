// What `Bun.serve` can do at most with a signed JSON request: look up the key, check the HMAC with a prepared hasher, parse
// the body and answer a small JSON. It keeps no state and no disk waits for it. The yardstick of part `http`.
import { readFileSync } from 'node:fs';
import type { ApiKey } from './support/requests.ts';

const keys = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ApiKey[];
const hashers = new Map(
  keys.map(({ apiKey, secretKey }) => [apiKey, new Bun.CryptoHasher('sha256', secretKey)]),
);

interface Body {
  readonly clOrdId?: string;
  readonly origClOrdId?: string;
}

let orderId = 0;

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { headers, url, method } = request;
    const body = await request.text();
    const keyed = hashers.get(headers.get('exchange-api-key') ?? '');
    if (keyed === undefined) return new Response(null, { status: 401 });
    const hasher = keyed.copy();
    const path = url.slice(url.indexOf('/', 'http://'.length));
    hasher.update(`${headers.get('exchange-api-timestamp')}${method}${path}${body}`);
    if (hasher.digest('hex') !== headers.get('exchange-api-sign')) {
      return new Response(null, { status: 401 });
    }
    const { clOrdId, origClOrdId } = JSON.parse(body) as Body;
    orderId++;
    const answer = JSON.stringify({ orderId, symbol: 'BTC-USDT', clOrdId: clOrdId ?? origClOrdId });
    return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
  },
});

console.log(`bare server listening on http://127.0.0.1:${server.port}`);
