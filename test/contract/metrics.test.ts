// GET /metrics: that the histograms are what Prometheus takes for one, and count each call where it
// belongs.
import { beforeAll, describe, expect, test } from 'bun:test';
import { CANCEL, type Client, ORDERS, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { Person } from '../support/person.ts';
import { until } from '../support/waiting.ts';

const CALLS = 'agio_http_request_duration_seconds';
const SYNCS = 'agio_journal_sync_duration_seconds';
const KINDS = ['write', 'read', 'public', 'user-center', 'operator'] as const;

const node = TestNode.forFile();
let client: Client;
beforeAll(async () => {
  client = await node.client();
});

/** Samples by name with labels, as Prometheus reads the lines. */
async function samples(): Promise<Map<string, number>> {
  const { text } = await node.get('/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

const countOf = (read: Map<string, number>, kind: string): number =>
  read.get(`${CALLS}_count{calls="${kind}"}`) ?? 0;

describe('how long calls take', () => {
  async function callEachKind(person: Person): Promise<void> {
    const orderId = await client.limit(1, '100', '1');
    await client.post(CANCEL, { orderId });
    await client.post(CANCEL, { orderId: 'not a number' });
    await client.get(ORDERS, 'type=OPEN');
    await node.get('/spot-api/api/public/v1/instruments');
    await person.get('me');
    await new Operator(node).send('GET', 'clock');
    await node.get('/no/such/path');
  }

  test('each is counted once, by what kind of call it is', async () => {
    const person = await Person.join(node);
    const before = await samples();
    await callEachKind(person);
    const after = await samples();
    const gained = KINDS.map((kind) => countOf(after, kind) - countOf(before, kind));
    // The metrics that were read before are a public call themselves.
    expect(gained).toEqual([3, 1, 2, 1, 1]);
  });

  test('each stage of a write is counted, of the call or of its batch', async () => {
    const stage = (read: Map<string, number>, name: string): number =>
      read.get(`agio_write_stage_duration_seconds_count{stage="${name}"}`)!;
    const before = await samples();
    await client.limit(1, '100', '1');
    const after = await samples();
    expect(stage(after, 'receive')).toBe(stage(before, 'receive') + 1);
    expect(stage(after, 'journal')).toBe(after.get(`${SYNCS}_count`)!);
    expect(stage(after, 'journal')).toBe(after.get('agio_journal_syncs_total')!);
    expect(after.get(`${SYNCS}_sum`)).toBeGreaterThan(0);
    for (const name of ['queue', 'apply']) {
      expect(stage(after, name)).toBe(stage(after, 'journal'));
    }
    // The last answer of a batch may be read before it is counted.
    await until(async () => {
      const read = await samples();
      return stage(read, 'answer') === stage(read, 'journal');
    });
  });

  test('the processor time of each thread grows with its work', async () => {
    const timeOf = async (thread: string): Promise<number> =>
      (await samples()).get(`agio_thread_cpu_seconds_total{thread="${thread}"}`)!;
    for (const thread of ['main', 'follower', 'other']) {
      expect(await timeOf(thread)).toBeGreaterThan(0);
    }
    const before = await timeOf('follower');
    await until(async () => {
      await client.limit(1, '100', '1');
      await client.get(ORDERS, 'type=OPEN');
      return (await timeOf('follower')) > before;
    });
  });

  test('buckets only grow, and the last one has all', async () => {
    await callEachKind(await Person.join(node));
    const read = await samples();
    for (const [name, labels] of [
      [SYNCS, ''],
      ...KINDS.map((kind) => [CALLS, `calls="${kind}",`]),
    ]) {
      const buckets = [...read]
        .filter(([key]) => key.startsWith(`${name}_bucket{${labels}le="`))
        .map(([key, value]) => ({ le: /le="(.+)"/.exec(key)![1]!, value }));
      const bounds =
        '0.00025 0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf';
      expect(buckets.map(({ le }) => le).join(' ')).toBe(bounds);
      const values = buckets.map(({ value }) => value);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      const suffix = labels === '' ? '' : `{${labels!.slice(0, -1)}}`;
      expect(values.at(-1)).toBe(read.get(`${name}_count${suffix}`)!);
    }
  });
});

test('emails: none are waiting or lost when they are files', async () => {
  const read = await samples();
  expect([read.get('agio_mails_waiting'), read.get('agio_mails_lost_total')]).toEqual([0, 0]);
});
