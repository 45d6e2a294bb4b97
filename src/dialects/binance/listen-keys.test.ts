// Listen keys: one an API key, kept alive, closed, expired, and bounded.
import { expect, test } from 'bun:test';
import { Problem } from '../../contract/problem.ts';
import { LiveKey } from '../../identity/live-key.ts';
import { ListenKeys } from './listen-keys.ts';

const HOUR = 60 * 60 * 1000;

const keyOf = (keyId: number): LiveKey =>
  new LiveKey(
    {
      keyId,
      apiKey: `key-${keyId}`,
      uid: keyId,
      alias: 'test',
      moduleIds: [5],
      ipAllowList: null,
      expiresAt: null,
      strictClOrdId: false,
      replayGuard: true,
    },
    Buffer.from('secret'),
  );

function opened() {
  const clock = { now: 0 };
  return { clock, listenKeys: new ListenKeys(() => clock.now) };
}

test('a key has one, which every start and ping keeps alive', () => {
  const { clock, listenKeys } = opened();
  const key = keyOf(1);
  const name = listenKeys.start(key);
  clock.now = HOUR - 1;
  expect(listenKeys.start(key)).toBe(name);
  clock.now += HOUR - 1;
  listenKeys.keepAlive(key, name);
  clock.now += HOUR - 1;
  expect(listenKeys.find(name)).toBe(key);
  clock.now += 1;
  expect(listenKeys.find(name)).toBeUndefined();
  expect(() => listenKeys.keepAlive(key, name)).toThrow(Problem);
  expect(listenKeys.start(key)).not.toBe(name);
  expect(listenKeys.size).toBe(1);
});

test('it ends when it is closed, and with its API key; only its owner may close it', () => {
  const { listenKeys } = opened();
  const [one, other] = [keyOf(1), keyOf(2)];
  const name = listenKeys.start(one);
  expect(() => listenKeys.close(other, name)).toThrow(Problem);
  listenKeys.close(one, name);
  expect(listenKeys.find(name)).toBeUndefined();
  const next = listenKeys.start(one);
  one.markRevoked();
  expect(listenKeys.find(next)).toBeUndefined();
});

test('there are 20,000 at most; expired ones make room', () => {
  const { clock, listenKeys } = opened();
  for (let id = 1; id <= 20_000; id++) listenKeys.start(keyOf(id));
  expect(() => listenKeys.start(keyOf(20_001))).toThrow(Problem);
  clock.now = HOUR;
  listenKeys.start(keyOf(20_001));
  expect(listenKeys.size).toBe(1);
});
