// Resuming the channels of an account: after a gap, a reconnect or a restart of the server a client
// has every message once.
import { beforeAll, beforeEach, expect, test } from 'bun:test';
import type { OwnChannel } from '../../src/contract/streams/requests.ts';
import { MESSAGE_ROWS } from '../../src/streams/limits.ts';
import { type Resuming, Resumptions } from '../../src/streams/resume.ts';
import { BALANCES, type Client, type Json, MASS_CANCEL, TestNode } from '../support/node.ts';
import { Prng } from '../support/prng.ts';
import { expectOk } from '../support/shape.ts';
import { expectChain, OWN_ACCOUNT, OWN_ORDERS, StreamClient } from '../support/stream.ts';
import { jumpAhead } from '../support/waiting.ts';

const node = TestNode.forFile({ flags: ['--snapshot-every', '100', '--rate-limits', 'off'] });
let owner: Client;
let other: Client;
beforeAll(async () => {
  owner = await node.client();
  other = await node.client();
  // Reports that a resumption from the first command reads.
  for (let i = 0; i < 60; i++) await owner.limit(1, '1', '0.1');
  await owner.post(MASS_CANCEL, {});
});

/** Each test begins with full budgets. */
beforeEach(() => jumpAhead(30_000));

const reportsOf = (messages: readonly Json[]): Json[] =>
  messages.flatMap((message) => message.data as unknown as Json[]);
const idsOf = (messages: readonly Json[]): number[] =>
  reportsOf(messages).map(({ execId }) => Number(execId));

/** Orders, fills and cancels of both. */
async function trade(rounds: number, random: Prng): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    const client = random.oneIn(2) ? owner : other;
    const side = random.oneIn(2) ? 1 : 2;
    await client.limit(side, String(95 + random.below(10)), `0.${1 + random.below(9)}`);
    if (random.oneIn(15)) await client.post(MASS_CANCEL, {});
  }
}

async function resume(path: string, channel: OwnChannel, from: number, to: number) {
  const stream = await StreamClient.login(node, path, owner);
  for (;;) {
    const isRejected = ({ op }: Json): boolean => String(op) === 'error';
    const isLast = (message: Json): boolean =>
      String(message.channel) === channel && Number(message.seq) >= to;
    let message = await stream.ask({ op: 'subscribe', channel, resumeFrom: from });
    if (!isRejected(message)) message = await stream.take((one) => isRejected(one) || isLast(one));
    if (!isRejected(message)) return stream;
    // A busy machine may use up the time budget of the account.
    expect<unknown>(message.code).toBe('100429');
    jumpAhead(Number(message.details!.retryAfterMs));
  }
}

test('orders: every report once, wherever the connection broke', async () => {
  await using live = await StreamClient.login(node, OWN_ORDERS, owner);
  const first = await live.subscribe({ channel: 'orders' });
  await trade(150, new Prng(1));
  await owner.limit(1, '1', '1');
  await live.settle();
  const all = live.of('orders');
  const last = Number(all.at(-1)!.seq);
  const random = new Prng(2);
  const places = [
    Number(first.seq),
    last - 1,
    ...Array.from({ length: 6 }, () => random.between(Number(first.seq), last - 1)),
  ];
  for (const from of places) {
    await using stream = await resume(OWN_ORDERS, 'orders', from, last);
    const missed = stream.of('orders');
    expect(idsOf(missed)).toEqual(
      idsOf(all.filter(({ seq, type }) => Number(seq) > from && String(type) === 'update')),
    );
    expect<unknown>(missed[0]!.prevSeq).toBe(from);
    expectChain(missed);
  }
});

test('an order with very many fills comes in parts, and again from before it', async () => {
  await owner.post(MASS_CANCEL, {});
  await other.post(MASS_CANCEL, {});
  await using live = await StreamClient.login(node, OWN_ORDERS, owner);
  await live.subscribe({ channel: 'orders' });
  const fills = 2 * MESSAGE_ROWS;
  for (let i = 0; i < fills; i++) await other.limit(2, '100', '0.01');
  await owner.limit(1, '100', `${fills / 100}`);
  const { seq } = node;
  await live.settle();
  const parts = live.of('orders').filter(({ type }) => String(type) === 'update');
  expect<unknown>(parts.map((part) => part.seq)).toEqual([seq - 1, seq - 1, seq]);
  expectChain(parts);
  expect(idsOf(parts)).toHaveLength(fills + 1);
  await using again = await resume(OWN_ORDERS, 'orders', seq - 1, seq);
  expect(idsOf(again.of('orders'))).toEqual(idsOf(parts));
  await owner.limit(1, '1', '0.1');
  await using after = await resume(OWN_ORDERS, 'orders', seq, node.seq);
  expect(idsOf(after.of('orders'))).toHaveLength(1);
});

test('new messages during a replay follow it', async () => {
  const from = node.seq;
  await using live = await StreamClient.login(node, OWN_ORDERS, owner);
  await live.subscribe({ channel: 'orders' });
  await trade(60, new Prng(3));
  await using stream = await StreamClient.login(node, OWN_ORDERS, owner);
  stream.say({ op: 'subscribe', channel: 'orders', resumeFrom: from });
  await trade(60, new Prng(4));
  await owner.limit(1, '1', '1');
  await stream.take((message) => Number(message.seq) >= node.seq);
  await live.settle();
  const updates = live.of('orders').filter(({ type }) => String(type) === 'update');
  expect(idsOf(stream.of('orders'))).toEqual(idsOf(updates));
  expectChain(stream.of('orders'));
});

test('the same through a restart of the server', async () => {
  const live = await StreamClient.login(node, OWN_ORDERS, owner);
  await live.subscribe({ channel: 'orders' });
  await trade(40, new Prng(5));
  await live.settle();
  const known = live.of('orders');
  const from = Number(known.at(-1)!.seq);
  const stopped = live.closed;
  await node.restart();
  expect(live.messages.some(({ op }) => String(op) === 'serverShutdown')).toBe(true);
  expect((await stopped).code).toBe(1001);
  await owner.limit(1, '2', '1');
  const last = node.seq;
  await using stream = await resume(OWN_ORDERS, 'orders', from, last);
  expect(idsOf(stream.of('orders'))).toEqual([
    Number((await owner.row(Number(reportsOf(stream.of('orders'))[0]!.orderId))).execId),
  ]);
  // And from before the restart, the same as was heard live.
  const middle = Number(known[3]!.seq);
  await using again = await resume(OWN_ORDERS, 'orders', middle, last);
  const heard = known.filter(({ seq, type }) => Number(seq) > middle && String(type) === 'update');
  expect(idsOf(again.of('orders')).slice(0, -1)).toEqual(idsOf(heard));
});

test('balances: a client that applies the missed messages has what REST says', async () => {
  await using live = await StreamClient.login(node, OWN_ACCOUNT, owner);
  const snapshot = await live.subscribe({ channel: 'balances' });
  await trade(60, new Prng(6));
  await owner.limit(1, '3', '1');
  await live.settle();
  const messages = live.of('balances');
  const half = messages[Math.floor(messages.length / 2)]!;
  const at = Number(half.seq);
  const rows = new Map<string, Json>();
  const take = (list: readonly Json[]) => {
    for (const row of reportsOf(list)) rows.set(String(row.asset), row);
  };
  take([snapshot, ...messages.filter(({ seq }) => Number(seq) <= at)]);
  await using stream = await resume(OWN_ACCOUNT, 'balances', at, Number(messages.at(-1)!.seq));
  take(stream.of('balances'));
  expect<unknown>([...rows.values()]).toEqual(expectOk(await owner.get(BALANCES)));
  const later = messages.filter(({ seq }) => Number(seq) > at);
  expect(stream.of('balances').map(({ data }) => data)).toEqual(later.map(({ data }) => data));
});

test('a place that is not there yet is rejected and changes nothing', async () => {
  await using stream = await StreamClient.login(node, OWN_ORDERS, owner);
  const answer = await stream.ask({ op: 'subscribe', channel: 'orders', resumeFrom: node.seq + 1 });
  expect<unknown>(answer).toMatchObject({
    op: 'error',
    code: '100200',
    details: { field: 'resumeFrom' },
  });
  await stream.subscribe({ channel: 'orders' });
});

test('a subscription that ends while its past is read gets no more messages', async () => {
  await using stream = await StreamClient.login(node, OWN_ORDERS, owner);
  stream.say({ op: 'subscribe', channel: 'orders', resumeFrom: 1 });
  await stream.ask({ op: 'unsubscribe', channel: 'orders' });
  // Resumptions run one after the other.
  await using later = await resume(OWN_ORDERS, 'orders', 1, 1);
  expect(later.of('orders').length).toBeGreaterThan(0);
  await stream.settle();
  expect(stream.of('orders')).toEqual([]);
});

const patient: Resuming = {
  isWanted: () => true,
  requireBudget: () => undefined,
  spend: () => undefined,
  deliver: () => Promise.resolve(),
};

/** Resumptions from the files of the node, and the orders of the owner from the first command. */
function fromTheNode(bounds: { maxCommands?: number; maxText?: number } = {}) {
  const { snapshotKeys } = node.services.node;
  const resumptions = new Resumptions({ dataDir: node.dataDir, snapshotKeys, ...bounds });
  const job = { uid: owner.uid, channel: 'orders', fromSeq: 1, uptoSeq: node.seq } as const;
  return { resumptions, job };
}

test.each([{ maxCommands: 10 }, { maxText: 1000 }])('more than %j is rejected', async (bounds) => {
  const { resumptions, job } = fromTheNode(bounds);
  const rejection = expect.objectContaining({ code: '100601' });
  await expect(resumptions.run(job, patient)).rejects.toEqual(rejection);
  resumptions.close();
});

test('more waiting resumptions than the server allows are rejected', async () => {
  const { resumptions, job } = fromTheNode();
  try {
    let missed = 0;
    const count: Resuming = {
      ...patient,
      deliver: async ({ length }) => {
        missed += length;
      },
    };
    await resumptions.run(job, count);
    expect(missed).toBeGreaterThan(50);
    const many = Array.from({ length: 100 }, () =>
      resumptions.run(job, patient).then(
        () => 'done',
        ({ code }) => code,
      ),
    );
    const answers = await Promise.all(many);
    expect(new Set(answers)).toEqual(new Set(['done', '100503']));
  } finally {
    resumptions.close();
  }
});

test('accounts take turns, and a resumption that nobody waits for is dropped', async () => {
  const { resumptions, job } = fromTheNode();
  const answers: string[] = [];
  const ask = (who: string, uid: number, isWanted = () => true) =>
    resumptions.run({ ...job, uid }, { ...patient, isWanted }).then(
      () => answers.push(who),
      ({ code }) => answers.push(`${who} ${code}`),
    );
  try {
    // Each replaces the one before.
    let last = 0;
    const again = Array.from({ length: 1000 }, (_, i) => {
      last = i;
      return ask('again', owner.uid, () => last === i);
    });
    await Promise.all(again);
    expect(new Set(answers)).toEqual(new Set(['again']));
    answers.length = 0;
    const many = Array.from({ length: 40 }, () => ask('many', owner.uid));
    await Promise.all([...many, ask('other', owner.uid + 1)]);
    // One runs and 32 wait; the other account comes next.
    expect(answers.filter((answer) => answer === 'many 100503')).toHaveLength(40 - 1 - 32);
    const done = answers.filter((answer) => !answer.endsWith('100503'));
    expect(done.indexOf('other')).toBe(1);
  } finally {
    resumptions.close();
  }
});
