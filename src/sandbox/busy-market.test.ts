// The demo market before a server that is busy or broken.
import { afterEach, expect, test } from 'bun:test';
import { until } from '../../test/support/waiting.ts';
import { startDemoMarket } from './demo-market.ts';

const USERS = ['maker', 'taker'].map((name) => ({ apiKey: name, secretKey: name }));
const BUSY = { code: '100503', msg: 'x', userMsg: 'The history catches up.', details: {} };

let calls = 0;
let answer = (): Response => Response.json(BUSY, { status: 503, headers: { 'Retry-After': '0' } });
const busy = answer;
const server = Bun.serve({
  port: 0,
  fetch() {
    calls++;
    return answer();
  },
});

afterEach(() => {
  answer = busy;
  calls = 0;
});

async function warningsAfter(attempts: number, patienceMs?: number): Promise<string[]> {
  const warnings: string[] = [];
  const market = startDemoMarket({
    url: server.url.origin,
    users: USERS,
    ...(patienceMs === undefined ? {} : { patienceMs }),
    log: { warn: (...line: unknown[]) => void warnings.push(JSON.stringify(line)) },
  });
  await until(() => calls >= attempts);
  await market.stop();
  return warnings;
}

test('a server that still fills its history is no warning', async () => {
  expect(await warningsAfter(3)).toEqual([]);
});

test('a server that is busy for longer than the patience is one', async () => {
  expect((await warningsAfter(3, 0))[0]).toContain('demo market: opening failed');
});

test('a server that rejects the market is one immediately', async () => {
  answer = () => Response.json({ ...BUSY, code: '100400' }, { status: 400 });
  expect((await warningsAfter(2))[0]).toContain('demo market: opening failed');
});
