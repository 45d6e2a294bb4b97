// The references of part `http`: a `Bun.serve` that looks up the key of a signed JSON request,
// checks the HMAC with node:crypto, parses the body and answers a small JSON, without state.
// `durable` also makes one O_DSYNC write of the bodies of a batch before it
// answers them, while the next batch gathers, as the journal does: the limit for the same promise.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { constants, openSync, readFileSync, write, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';

const keysFile = process.argv[2] ?? '';
const keys = JSON.parse(readFileSync(keysFile, 'utf8')) as ApiKey[];
const secrets = new Map(keys.map(({ apiKey, secretKey }) => [apiKey, secretKey]));

function isSigned(apiKey: string, text: string, signature: string): boolean {
  const secret = secrets.get(apiKey);
  if (secret === undefined) return false;
  const digest = createHmac('sha256', secret).update(text).digest();
  const claimed = Buffer.from(signature, 'hex');
  return claimed.length === digest.length && timingSafeEqual(digest, claimed);
}

/** Written from the start again when it is full. */
const FILE_BYTES = 32 * 1024 * 1024;

/** Resolves when the body is on the disk. */
function durableLog(): (body: string) => Promise<void> {
  const { O_CREAT, O_DSYNC, O_RDWR } = constants;
  const file = openSync(join(dirname(keysFile), 'bodies'), O_RDWR | O_CREAT | O_DSYNC, 0o600);
  writeSync(file, Buffer.alloc(FILE_BYTES));
  let [bodies, waiting]: [string[], (() => void)[]] = [[], []];
  let [offset, isWriting] = [0, false];
  const writeNext = (): void => {
    const [bytes, answered] = [Buffer.from(bodies.join('\n')), waiting];
    [bodies, waiting] = [[], []];
    isWriting = true;
    if (offset + bytes.length > FILE_BYTES) offset = 0;
    write(file, bytes, 0, bytes.length, offset, (error, written) => {
      if (error !== null || written < bytes.length) throw error ?? new Error('a write was short');
      isWriting = false;
      for (const resolve of answered) resolve();
      if (waiting.length > 0) writeNext();
    });
    offset += bytes.length;
  };
  return (body) =>
    new Promise((resolve) => {
      bodies.push(body);
      waiting.push(resolve);
      // A turn of the event loop gathers the first batch.
      if (!isWriting && waiting.length === 1) setImmediate(writeNext);
    });
}

const log = process.argv[3] === 'durable' ? durableLog() : null;

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
    if (log !== null) await log(body);
    orderId++;
    const answer = JSON.stringify({ orderId, symbol: 'BTC-USDT', clOrdId: clOrdId ?? origClOrdId });
    return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
  },
});

console.log(`bare server listening on http://127.0.0.1:${server.port}`);
