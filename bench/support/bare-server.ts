// The references of part `http`: a `Bun.serve` that looks up the key of a signed JSON request,
// checks the HMAC with node:crypto, parses the body and answers a small JSON, without state.
// `durable` also makes one O_DSYNC write of the bodies of a batch before it
// answers them, while the next batch gathers, as the journal does: the limit for the same promise.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { constants, openSync, write, writeSync } from 'node:fs';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { program } from './processes.ts';

const secrets = new Map<string, string>();

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
function durableLog(path: string): (body: string) => Promise<void> {
  const { O_CREAT, O_DSYNC, O_RDWR } = constants;
  const file = openSync(path, O_RDWR | O_CREAT | O_DSYNC, 0o600);
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

interface Body {
  readonly clOrdId?: string;
  readonly origClOrdId?: string;
}

export const { start: startBare } = program(import.meta, {
  /** `bodies`: the file that they are written to; null for none. Returns the port. */
  listen(keys: readonly ApiKey[], bodies: string | null): number {
    for (const { apiKey, secretKey } of keys) secrets.set(apiKey, secretKey);
    const log = bodies === null ? null : durableLog(bodies);
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
        const about = { orderId, symbol: 'BTC-USDT', clOrdId: clOrdId ?? origClOrdId };
        const type = { 'Content-Type': 'application/json' };
        return new Response(JSON.stringify(about), { headers: type });
      },
    });
    return server.port!;
  },
});
