// A read changes nothing in the core: no field of any object that the state consists of, private
// ones included. Every call that only reads is made, and every channel opened, with a look before
// and after. Private fields can be seen in a process of their own alone (open-fields.ts).
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { operations } from '../../docs/reference/openapi.ts';
import { planReserves } from '../../src/contract/operator/plan-reserve.ts';
import { snapshot } from '../../src/core/snapshot.ts';
import type { State } from '../../src/core/state.ts';
import { recordAll } from '../docs/reference-calls.ts';
import { createPlan, EARN, passDays, saver, subscribe, units } from '../support/earn.ts';
import { type TestNode, TRADING } from '../support/node.ts';
import { run } from '../support/program.ts';
import { OWN_ACCOUNT, OWN_ORDERS, PUBLIC, StreamClient } from '../support/stream.ts';

/** Fields for subscribers of events, which are no part of the state. */
const ASIDE = new Set(['eventFilter', 'events', '$$watches']);

/** A digest of all that the state consists of: every field, in the order in which it is kept. */
function digestOf(state: State): string {
  // The state hash comes first: it settles the balances that wait to be hashed.
  const hash = new Bun.CryptoHasher('sha256').update(state.stateHash()).update(snapshot(state));
  const text: string[] = [];
  const seen = new Map<object, number>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) {
      text.push(`${typeof value} ${String(value)};`);
      return;
    }
    const known = seen.get(value);
    text.push(`object ${known ?? seen.size};`);
    if (known !== undefined) return;
    seen.set(value, seen.size);
    if (ArrayBuffer.isView(value)) hash.update(value as Uint8Array<ArrayBuffer>);
    else if (value instanceof Map || value instanceof Set) for (const entry of value) walk(entry);
    else {
      for (const name of Object.keys(value).filter((each) => !ASIDE.has(each))) {
        text.push(`${name}:`);
        walk((value as Record<string, unknown>)[name]);
      }
    }
  };
  walk(state);
  return hash.update(text.join('')).digest('hex');
}

/** Looks before and after; a read adds no command either. */
class Watch {
  readonly changed = new Set<string>();
  readonly seen = new Set<string>();

  async over<T>(node: TestNode, name: string, read: () => Promise<T>): Promise<T> {
    const before = `${node.seq} ${digestOf(node.state)}`;
    const answer = await read();
    if (`${node.seq} ${digestOf(node.state)}` !== before) this.changed.add(name);
    this.seen.add(name);
    return answer;
  }
}

const READS = operations()
  .filter(({ call: { repeat } }) => repeat === 'read')
  .map(({ operationId, call: { method, path } }) => ({
    operationId,
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

/**
 * Two subscriptions wait for interest. The reserve is funded and the first one takes its share, so
 * the queue has a gap at its head until the timers run. Reads a reserve at that moment.
 */
async function readBetweenSlices(node: TestNode, watch: Watch): Promise<void> {
  const planId = await createPlan(node, { reserve: '0' });
  const [first, second] = [await saver(node), await saver(node)];
  const applyId = Number(await subscribe(first, planId, '1000'));
  await subscribe(second, planId, '1000');
  await passDays(node, 3);
  const money = { amount: units('0.25'), reference: 'for the first' };
  const all = { uid: first.uid, applyId, amount: units('1000'), ...unsigned };
  await Promise.all([
    node.must({ type: 'fundReserve', planId: Number(planId), ...money }),
    node.must({ type: 'redeemPlan', ...all }),
  ]);
  expect(node.state.earn.retrying).toEqual([Number(planId)]);
  const { state } = node;
  const before = digestOf(state);
  const reserves = planReserves(state, 7);
  expect(reserves.find(({ plan }) => plan.planId === Number(planId))!.overdue).toBe(true);
  if (digestOf(state) !== before) watch.changed.add('planReserves');
}

const unsigned = { signature: null, idempotency: null } as const;

const SUBSCRIPTIONS = [
  [PUBLIC, { channel: 'orderbook', symbol: 'BTC-USDT', depth: 20 }],
  [PUBLIC, { channel: 'l3orderbook', symbol: 'BTC-USDT' }],
  [PUBLIC, { channel: 'trades', symbol: 'BTC-USDT' }],
  [PUBLIC, { channel: 'ticker', symbol: 'BTC-USDT' }],
  [PUBLIC, { channel: 'candles', symbol: 'BTC-USDT', interval: '1m' }],
  [PUBLIC, { channel: 'instruments' }],
  [OWN_ORDERS, { channel: 'orders' }],
  [OWN_ACCOUNT, { channel: 'balances' }],
  [OWN_ACCOUNT, { channel: 'subscriptions' }],
  [OWN_ACCOUNT, { channel: 'interest' }],
] as const;

async function openChannels(node: TestNode, watch: Watch): Promise<void> {
  const client = await node.client(undefined, { moduleIds: [...EARN, ...TRADING] });
  await client.limit(1, '100', '1');
  for (const [path, asked] of SUBSCRIPTIONS) {
    // A login spends its signature, which is a command.
    await using stream =
      path === PUBLIC
        ? await StreamClient.open(node, path)
        : await StreamClient.login(node, path, client);
    await watch.over(node, `channel ${asked.channel}`, async () => {
      stream.say({ op: 'subscribe', id: 1, ...asked });
      await stream.take({ op: 'subscribed' });
    });
  }
}

const isOpen = process.env.AGIO_OPEN_FIELDS === '1';

test.if(isOpen)('reads change nothing', async () => {
  const watch = new Watch();
  await recordAll(async (node) => {
    expect(Object.keys(node.state.ledger)).toContain('$$balances');
    await readBetweenSlices(node, watch);
    await openChannels(node, watch);
    return ({ method, path }, make) => {
      const read = READS.find((each) => each.method === method && each.pattern.test(path));
      return read === undefined ? make() : watch.over(node, read.operationId, make);
    };
  });
  expect([...watch.changed]).toEqual([]);
  const expected = [
    ...READS.map(({ operationId }) => operationId),
    ...SUBSCRIPTIONS.map(([, { channel }]) => `channel ${channel}`),
  ];
  expect([...watch.seen].sort()).toEqual(expected.sort());
});

test.if(!isOpen)('reads change nothing, private fields of the core included', async () => {
  const preload = join(import.meta.dir, '../support/open-fields.ts');
  const { code, stderr: said } = await run(
    [process.execPath, 'test', '--preload', preload, import.meta.path],
    { env: { ...process.env, AGIO_OPEN_FIELDS: '1' } },
  );
  expect(code === 0 ? '' : said).toBe('');
  expect(said).toContain('(pass) reads change nothing');
});
