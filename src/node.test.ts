// A node rejects a clock that cannot be right: it would pay interest for days that have not passed.
import { afterAll, beforeAll, expect, setSystemTime, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { until } from '../test/support/waiting.ts';
import { loadConfig } from './config.ts';
import { ClockError } from './engine/clock.ts';
import { type Node, startNode } from './node.ts';

const DAY_MS = 86_400_000;
/** The interval in which the node looks for due work. */
const POLL_MS = 20;
const dataDir = mkdtempSync(join(tmpdir(), 'agio-clock-'));
let lines: string[];

/** A node in production whose clock shows `ahead` ms more than the right time. */
const startAt = (ahead: number, ...flags: string[]): Promise<Node> =>
  start(ahead, flags, (error) => {
    throw error;
  });

function start(
  ahead: number,
  flags: readonly string[],
  onFailure: (error: unknown) => void,
): Promise<Node> {
  setSystemTime(new Date(began + ahead));
  lines = [];
  return startNode({
    config: loadConfig({
      argv: ['--production', '--host', '127.0.0.1', '--port', '0', '--data', dataDir, ...flags],
      env: {
        AGIO_OPERATOR_TOKEN: 'a-token-for-production',
        AGIO_MASTER_KEY: '7'.repeat(64),
        AGIO_SMTP_URL: 'smtp://localhost:2525',
      },
    }),
    operatorToken: 'a-token-for-production',
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    onFailure,
  });
}

const began = Date.now();
/** More than the monotonic clock adds to business time while a test runs. */
const MARGIN_MS = 3_600_000;

beforeAll(async () => {
  const node = await startAt(0);
  await node.services.engine.submit({ type: 'createAsset', asset: 'BTC', scale: 8, fiat: false });
  await node.stop();
});

afterAll(() => {
  setSystemTime();
  rmSync(dataDir, { recursive: true, force: true });
});

test('production does not start long after the last command unless that is meant', async () => {
  const rejected = startAt(30 * DAY_MS + MARGIN_MS);
  await expect(rejected).rejects.toThrow(ClockError);
  await expect(rejected).rejects.toThrow('start it with --max-pause-days 31');
  await expect(startAt(7 * DAY_MS + 1000)).rejects.toThrow(ClockError);
  // Nothing was held or changed.
  const node = await startAt(6 * DAY_MS);
  expect(node.services.engine.seq).toBe(1);
  await node.stop();
});

async function aheadSeconds({ services }: Node): Promise<number> {
  const [, seconds] =
    /^agio_business_ahead_seconds (\S+)/m.exec(await services.metrics.text()) ?? [];
  return Number(seconds);
}

test('a clock behind the last command is in the log and the metrics', async () => {
  const ahead = await startAt(30 * DAY_MS, '--max-pause-days', '31');
  await ahead.services.engine.submit({ type: 'createAsset', asset: 'ETH', scale: 8, fiat: false });
  expect(await aheadSeconds(ahead)).toBeLessThan(60);
  await ahead.stop();
  expect(lines.join('')).not.toContain('the clock is behind');
  const right = await startAt(0);
  expect(await aheadSeconds(right)).toBeCloseTo((30 * DAY_MS) / 1000, -2);
  expect(lines.join('')).toContain('the clock is behind the last command');
  const clock = await fetch(`${right.url}/operator/v1/clock`, {
    headers: { Authorization: 'Bearer a-token-for-production' },
  });
  const { offset, ahead: aheadMs } = (await clock.json()) as Record<string, number>;
  expect(offset).toBe(0);
  expect(aheadMs! / (30 * DAY_MS)).toBeCloseTo(1, 2);
  await right.stop();
});

test('a clock that jumps while the node runs stops it before anything falls due', async () => {
  const failures: unknown[] = [];
  const node = await start(31 * DAY_MS, ['--max-pause-days', '7'], (error) => failures.push(error));
  const { engine } = node.services;
  const { outcome } = await engine.submit({ type: 'createUser', kyc: true });
  if (!outcome.ok) throw new Error(outcome.reject.name);
  const { uid } = outcome.result;
  const arm = () =>
    engine.submit({
      type: 'cancelAllAfter',
      uid,
      signature: null,
      idempotency: null,
      timeout: 60_000,
    });
  const { seq } = await arm();
  // Days within the limit: the switch fires.
  setSystemTime(new Date(began + 33 * DAY_MS));
  await until(() => engine.seq !== seq);
  expect([engine.seq, failures]).toEqual([seq + 1, []]);
  await arm();
  const before = engine.now;
  setSystemTime(new Date(began + 50 * DAY_MS + MARGIN_MS));
  await until(() => failures.length !== 0);
  // The timers of the node run five more times, each before this one, and no due work runs.
  await Bun.sleep(5 * POLL_MS);
  expect(failures).toEqual([expect.any(ClockError)]);
  expect(String(failures[0])).toContain('start it with --max-pause-days 18');
  expect(engine.seq).toBe(seq + 2);
  expect(engine.now - before).toBeLessThan(60_000);
  await node.stop();
  // The proposed limit is enough, also a second later; a day less is not.
  const later = 50 * DAY_MS + 1000;
  await expect(startAt(later, '--max-pause-days', '17')).rejects.toThrow(ClockError);
  await (await startAt(later, '--max-pause-days', '18')).stop();
});
