// Gateway threads: a revocation, a suspension, a halt and a limit hold in all. A thread that
// ends or hangs costs its clients their connections, and nobody an answered write.

import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { TRADING_COMMANDS } from '../../src/contract/trading/commands.ts';
import { InstrumentStatus } from '../../src/core/fix.ts';
import { sentRequestId } from '../../src/gateway/http/incoming.ts';
import { type Client, TestNode } from '../support/node.ts';
import { pairTerms } from '../support/pair-terms.ts';
import { jumpAhead, until } from '../support/waiting.ts';

const ORDER = TRADING_COMMANDS.placeOrder.call.path;
const ORDER_V2 = TRADING_COMMANDS.placeOrderV2.call.path;
const MASS_CANCEL = TRADING_COMMANDS.massCancel.call.path;
const BATCH = TRADING_COMMANDS.orderBatch.call.path;
const THREADS = 3;
/** The clock runs so much faster while a thread hangs that others still show themselves alive. */
const TIMES_FASTER = 6;
const QUARTER_MS = 250;
const BID = {
  symbol: 'BTC-USDT',
  side: 1,
  ordType: 2,
  timeInForce: 1,
  price: '10.00',
  orderQty: '1',
};

/** The workers that this file has started, to end and to block them. */
const workers: Worker[] = [];
const RealWorker = globalThis.Worker;
const BLOCKABLE = new URL('./blockable-thread.ts', import.meta.url).href;
const BLOCK = { type: 'block' };

beforeAll(() => {
  globalThis.Worker = class extends RealWorker {
    constructor(script: string) {
      const isGateway = script.includes('gateway-thread');
      super(isGateway ? BLOCKABLE : script);
      if (isGateway) workers.push(this);
    }
  } as typeof Worker;
});
afterAll(() => {
  globalThis.Worker = RealWorker;
});

const node = TestNode.forFile({
  flags: ['--gateways', String(THREADS), '--rate-limits', 'off'],
});

/** A request on a connection of its own, so that the system chooses a thread for it. */
const alone = { headers: { Connection: 'close' } };

/** The status of each order; 0 for a connection that broke. */
const placeMany = (client: Client, count: number): Promise<number[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      client.post(ORDER, BID, alone).then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  );

const countOf = (statuses: readonly number[], wanted: number): number =>
  statuses.filter((status) => status === wanted).length;

/** Orders that the core has carried out: none of them trades, and other commands come meanwhile. */
const openOrdersOf = ({ uid }: Client): number => node.state.orders.countOf(uid);

/** A client whose key every thread has met, and checks itself. */
async function knownClient(): Promise<Client> {
  const client = await node.client();
  // The main thread looks a key up only for a request that a thread could not check itself.
  const lookup = spyOn(node.services.identity.apiKeys, 'lookup');
  do {
    lookup.mockClear();
    await placeMany(client, 20 * THREADS);
  } while (lookup.mock.calls.length > 0);
  lookup.mockRestore();
  await client.post(MASS_CANCEL, {});
  return client;
}

describe('over all threads', () => {
  test('each order is carried out once', async () => {
    const client = await knownClient();
    expect(countOf(await placeMany(client, 300), 200)).toBe(300);
    expect(openOrdersOf(client)).toBe(300);
  });

  test('each batch is carried out once, and has the answers of its entries', async () => {
    const client = await knownClient();
    const orders = [
      { op: 'place', ...BID },
      { op: 'place', ...BID, orderQty: '0.000001' },
      { op: 'amend', symbol: 'BTC-USDT', orderId: 999_999_999, price: '11' },
    ];
    const send = () => client.post(BATCH, { orders }, alone);
    const answers = await Promise.all(Array.from({ length: 30 }, send));
    for (const { body } of answers) {
      const codes = (body.orders as unknown as readonly { code?: string }[]).map(
        ({ code }) => code,
      );
      expect(codes).toEqual([undefined, '100207', '100203']);
    }
    expect(openOrdersOf(client)).toBe(30);
    await client.post(MASS_CANCEL, {});
  });

  test('an answer repeats the id of its request, or has a new one', async () => {
    const client = await knownClient();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => client.post(ORDER, BID, alone)),
    );
    const ids = new Set(answers.map(({ headers }) => headers.get('x-request-id')!));
    expect(ids.size).toBe(60);
    // Each is one that a client may send itself.
    for (const id of ids) expect(sentRequestId(new Headers({ 'X-Request-Id': id }))).toBe(id);
    const own = { headers: { ...alone.headers, 'X-Request-Id': 'of-the-client' } };
    const { headers } = await client.post(ORDER, BID, own);
    expect(headers.get('x-request-id')).toBe('of-the-client');
  });

  test('an Idempotency-Key is the same in both versions of the call', async () => {
    const client = await knownClient();
    const headers = { ...alone.headers, 'Idempotency-Key': 'either' };
    const answers = await Promise.all(
      [ORDER, ORDER_V2, ORDER, ORDER_V2].map((path) => client.post(path, BID, { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(openOrdersOf(client)).toBe(1);
    await client.post(MASS_CANCEL, {});
  });

  test('a signature works once', async () => {
    const client = await knownClient();
    const timestamp = client.timestamp();
    const copies = Array.from({ length: 12 }, () =>
      client.post(ORDER, BID, { ...alone, timestamp }),
    );
    const answers = await Promise.all(copies);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a timestamp is checked by the clock of the main thread', async () => {
    const client = await knownClient();
    const wallClock = Date.now;
    const timestamps = Array.from({ length: 20 }, () => client.timestamp());
    Date.now = () => wallClock() - 11 * 60_000;
    const send = (timestamp: number) => client.post(ORDER, BID, { ...alone, timestamp });
    const answers = await Promise.all(timestamps.map(send)).finally(() => {
      Date.now = wallClock;
    });
    expect(new Set(answers.map(({ body }) => String(body.code)))).toEqual(new Set(['100402']));
  });

  test('a cancel of all follows every order that was answered before', async () => {
    const client = await knownClient();
    for (let round = 0; round < 10; round++) {
      await placeMany(client, 20);
      expect((await client.post(MASS_CANCEL, {}, alone)).status).toBe(200);
      expect(node.balance(client.uid, 'USDT').held).toBe('0');
    }
  });

  test('a revoked key places nothing after the revocation', async () => {
    const client = await knownClient();
    const placing = placeMany(client, 200);
    node.services.identity.apiKeys.revoke(client.credentials.apiKey);
    await placing;
    const placed = openOrdersOf(client);
    expect(countOf(await placeMany(client, 60), 401)).toBe(60);
    expect(openOrdersOf(client)).toBe(placed);
  });

  test('a suspended account and a halted pair take no order', async () => {
    const client = await knownClient();
    await node.amendUser(client.uid, { suspended: true });
    expect(countOf(await placeMany(client, 60), 403)).toBe(60);
    await node.amendUser(client.uid, { suspended: false });
    await node.amend('BTC-USDT', { status: InstrumentStatus.HALTED });
    expect(countOf(await placeMany(client, 60), 200)).toBe(0);
    await node.amend('BTC-USDT', { status: InstrumentStatus.LIVE });
    expect(countOf(await placeMany(client, 60), 200)).toBe(60);
  });

  test('the metrics have the bytes that wait for each reader of a ring', async () => {
    const rings = async (of: TestNode): Promise<string[]> =>
      (await of.get('/metrics')).text.match(/^agio_gateway_ring_bytes\S+ \d+$/gm) ?? [];
    const readers = (await rings(node)).map((line) => line.split('"')[1]);
    expect(readers).toEqual(['gateway', 'main']);
    await using without = await TestNode.start({ flags: ['--gateways', '0'] });
    expect(await rings(without)).toEqual([]);
  });

  test('a new pair can be traded', async () => {
    const client = await knownClient();
    const securityId = await node.must(
      pairTerms('ETH-BTC', {
        tick: '0.0001',
        lot: '0.001',
        minQuantity: '0.001',
        minNotional: '0',
      }),
    );
    expect(securityId).toBeDefined();
    const bid = { ...BID, symbol: 'ETH-BTC', price: '0.0500' };
    const again = await Promise.all(
      Array.from({ length: 30 }, () => client.post(ORDER, bid, alone)),
    );
    expect(again.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });
});

describe('a thread that', () => {
  /**
   * Places orders until `isOver`. An order without an answer may be refused as a copy: the client
   * sends a request again when its connection breaks.
   */
  async function placeUntil(client: Client, isOver: () => Promise<unknown>) {
    const before = openOrdersOf(client);
    let [sent, answered, over] = [0, 0, false];
    const placing = (async () => {
      while (!over) {
        const statuses = await placeMany(client, 2 * THREADS);
        sent += statuses.length;
        answered += countOf(statuses, 200);
      }
    })();
    await isOver();
    over = true;
    await placing;
    return { sent, answered, carriedOut: openOrdersOf(client) - before };
  }

  test('ends is replaced, and every answered order is there', async () => {
    const client = await knownClient();
    const before = workers.length;
    const { sent, answered, carriedOut } = await placeUntil(client, async () => {
      workers.at(-1)!.terminate();
      await until(() => workers.length > before);
    });
    expect(carriedOut).toBeGreaterThanOrEqual(answered);
    expect(carriedOut).toBeLessThanOrEqual(sent);
    await until(async () => countOf(await placeMany(client, 20 * THREADS), 200) === 20 * THREADS);
  });

  test('hangs is replaced, while the others go on', async () => {
    const client = await knownClient();
    const before = workers.length;
    workers.at(-1)!.postMessage(BLOCK);
    const { answered, carriedOut } = await placeUntil(client, async () => {
      await until(async () => {
        await Bun.sleep(QUARTER_MS);
        jumpAhead(QUARTER_MS * TIMES_FASTER);
        return workers.length > before;
      });
    });
    expect(answered).toBeGreaterThan(0);
    expect(carriedOut).toBeGreaterThanOrEqual(answered);
    // The clock has jumped, so the node may believe itself busy and shed orders.
    await until(async () => countOf(await placeMany(client, 20 * THREADS), 0) === 0);
  });
});

test('a rate limit counts all threads together', async () => {
  const flags = ['--gateways', String(THREADS), '--rate-limits', 'order=50/86400/50'];
  await using limited = await TestNode.start({ flags });
  const client = await limited.client();
  // The first ones are served whole, and the others as commands.
  const statuses = [...(await placeMany(client, 30)), ...(await placeMany(client, 120))];
  expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([50, 100]);
});
