// The reference of part `http`: a `Bun.serve` that looks up the key of a signed JSON request,
// checks the HMAC, parses the body and answers a small JSON, without state and disk. `usual` checks
// with node:crypto. `prepared` has the key schedule ready and compares texts, which is the fastest.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ApiKey } from '../src/cli/bench/order-script.ts';

const keys = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ApiKey[];

/** Whether `signature` is that of `text`, by the key of that name. */
type Check = (apiKey: string, text: string, signature: string) => boolean;

function usual(): Check {
  const secrets = new Map(keys.map(({ apiKey, secretKey }) => [apiKey, secretKey]));
  return (apiKey, text, signature) => {
    const secret = secrets.get(apiKey);
    if (secret === undefined) return false;
    const digest = createHmac('sha256', secret).update(text).digest();
    const claimed = Buffer.from(signature, 'hex');
    return claimed.length === digest.length && timingSafeEqual(digest, claimed);
  };
}

function prepared(): Check {
  const hashers = new Map(
    keys.map(({ apiKey, secretKey }) => [apiKey, new Bun.CryptoHasher('sha256', secretKey)]),
  );
  return (apiKey, text, signature) => {
    const keyed = hashers.get(apiKey);
    if (keyed === undefined) return false;
    const hasher = keyed.copy();
    hasher.update(text);
    return hasher.digest('hex') === signature;
  };
}

const isSigned = process.argv[3] === 'usual' ? usual() : prepared();

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
    const path = url.slice(url.indexOf('/', 'http://'.length));
    const text = `${headers.get('exchange-api-timestamp')}${method}${path}${body}`;
    const signature = headers.get('exchange-api-sign') ?? '';
    if (!isSigned(headers.get('exchange-api-key') ?? '', text, signature)) {
      return new Response(null, { status: 401 });
    }
    const { clOrdId, origClOrdId } = JSON.parse(body) as Body;
    orderId++;
    const answer = JSON.stringify({ orderId, symbol: 'BTC-USDT', clOrdId: clOrdId ?? origClOrdId });
    return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
  },
});

console.log(`bare server listening on http://127.0.0.1:${server.port}`);
