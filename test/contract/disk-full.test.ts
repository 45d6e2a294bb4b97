// A disk that is really full, in a small file system of its own: the node starts on it, is read,
// answers writes that it cannot store 503 and never 500, and goes on without a restart when there
// is room. Needs the right to mount one.
import { afterAll, describe, expect, test } from 'bun:test';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '../support/node.ts';
import {
  BALANCES,
  type Client,
  ORDER,
  ORDERBOOK,
  ORDERS,
  TestNode,
  TRADES,
} from '../support/node.ts';
import { Operator } from '../support/operator.ts';

const place = mkdtempSync(join(tmpdir(), 'agio-full-'));
const run = (...command: string[]): boolean => Bun.spawnSync(command).exitCode === 0;
const mounted = run('mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', place);

afterAll(() => {
  if (mounted) run('umount', '-l', place);
  rmSync(place, { recursive: true, force: true });
});

const filler = join(place, 'filler');
const BLOCK = new Uint8Array(4096);

/** Takes all the room that is left. */
function fill(): void {
  const file = openSync(filler, 'a');
  try {
    for (;;) writeSync(file, BLOCK);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}

const OPEN = 'type=OPEN';
const BUY = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '0.001' };

function expectFull({ status, headers, body }: Answer): void {
  expect({ status, code: body.code as unknown }).toEqual({ status: 503, code: '100503' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

/** Orders until one is not stored; every answer before it is a success. */
async function orderUntilFull(client: Client): Promise<Answer> {
  for (let orders = 0; orders < 5000; orders++) {
    const answer = await client.post(ORDER, BUY);
    if (answer.status !== 200) return answer;
  }
  throw new Error('the journal always found room');
}

const statusOf = async (node: TestNode): Promise<unknown> => (await node.get('/ready')).body.status;

async function expectReadable(node: TestNode, client: Client): Promise<void> {
  expect((await node.get(ORDERBOOK, 'symbol=BTC-USDT')).status).toBe(200);
  expect((await client.get(BALANCES)).status).toBe(200);
  expect((await new Operator(node).send('GET', `users/${client.uid}/balances`)).status).toBe(200);
}

describe.if(mounted)('a full disk', () => {
  test('rejects writes with 503, serves reads, and recovers without a restart', async () => {
    const node = await TestNode.start({
      dataDir: join(place, 'data'),
      bounds: { segmentBytes: 16_384 },
      readDeadlineMs: 1_000,
    });
    try {
      const client = await node.client();
      await client.limit(2, '200', '1');
      await client.get(ORDERS, OPEN);
      fill();
      expectFull(await orderUntilFull(client));
      expect(await statusOf(node)).toBe('readOnly');
      const notReady = { ready: false, reason: 'storageFull' };
      expect((await node.get('/health')).body).toMatchObject(notReady);
      expect((await node.get('/metrics')).text).toContain('agio_storage_full 1\n');
      await expectReadable(node, client);
      // Entries without room in the audit log wait.
      expect(node.services.identity.audit.deferred).toBeGreaterThan(0);

      fill();
      await node.restart();
      await expectReadable(node, client);
      expectFull(await orderUntilFull(client));
      const trades = await node.get(TRADES, 'symbol=BTC-USDT');
      expect([200, 503]).toContain(trades.status);
      const user = await new Operator(node).send('POST', 'users', { email: 'new@example.com' });
      expectFull(user);

      rmSync(filler);
      let answer = await client.post(ORDER, BUY);
      while (answer.status !== 200) {
        expectFull(answer);
        await Bun.sleep(50);
        answer = await client.post(ORDER, BUY);
      }
      expect(await statusOf(node)).toBe('ready');
      let history = await client.get(ORDERS, OPEN);
      while (history.status !== 200) {
        expectFull(history);
        await Bun.sleep(50);
        history = await client.get(ORDERS, OPEN);
      }
      expect((await new Operator(node).send('GET', 'audit')).status).toBe(200);
      expect(node.services.identity.audit.deferred).toBe(0);
    } finally {
      await node.stop();
    }
  });
});
