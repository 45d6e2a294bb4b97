// Guessing is slowed down to nothing, and nobody can use that to lock an owner out.
import { beforeEach, describe, expect, test } from 'bun:test';
import { newDatabase, storeOver } from '../../../test/support/identity-store.ts';
import { KnownNetworks } from './known-networks.ts';
import { type Attempt, Lockout } from './lockout.ts';

const MINUTE = 60_000;
const ANN = 'ann@example.com';
const HOME = '203.0.113.7';
const THIEF = '198.51.100.9';

let now: number;
let networks: KnownNetworks;
let lockout: Lockout;
beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  const database = newDatabase();
  const store = storeOver(database);
  networks = new KnownNetworks(store, () => now);
  lockout = new Lockout(() => now, networks);
});

function admitted(user: string, ip: string): Attempt {
  const attempt = lockout.begin('password', user, ip);
  if (!attempt.ok) throw new Error(`has to wait ${attempt.retryAfterMs} ms`);
  return attempt.value;
}
const fail = (user: string, ip: string) => admitted(user, ip).fail();
const waitOf = (user: string, ip: string) => {
  const attempt = lockout.begin('password', user, ip);
  if (!attempt.ok) return attempt.retryAfterMs!;
  attempt.value.withdraw();
  return 0;
};
/** Addresses that are all in different networks. */
const network = (i: number) => `10.${i >> 8}.${i & 255}.1`;

describe('one network that guesses at one user', () => {
  test('waits after five failures, twice as long after each further one, up to 15 minutes', () => {
    for (let i = 0; i < 5; i += 1) fail(ANN, THIEF);
    const waits: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      const wait = waitOf(ANN, THIEF);
      waits.push(wait / 1000);
      now += wait - 1;
      expect(waitOf(ANN, THIEF)).toBe(1);
      now += 1;
      fail(ANN, THIEF);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 480, 900, 900]);
  });

  test('has some hundred tries a day', () => {
    let tries = 0;
    for (const end = now + 24 * 60 * MINUTE; now < end; ) {
      const attempt = lockout.begin('password', ANN, THIEF);
      if (attempt.ok) {
        attempt.value.fail();
        tries += 1;
      } else now += attempt.retryAfterMs!;
    }
    expect(tries).toBeGreaterThan(50);
    expect(tries).toBeLessThan(120);
  });

  test('gains nothing by a thousand parallel tries, neighboring addresses or capitals', () => {
    const at = (i: number) => ['198.51.100.1', '198.51.100.2', '::ffff:198.51.100.3'][i % 3]!;
    const names = [ANN, 'ANN@example.com'];
    const answers = Array.from({ length: 1000 }, (_, i) =>
      lockout.begin('password', names[i % 2]!, at(i)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
  });

  test('does not stop the owner, who is elsewhere, nor other users there', () => {
    for (let i = 0; i < 5; i += 1) fail(ANN, THIEF);
    expect(waitOf(ANN, THIEF)).toBeGreaterThan(0);
    expect(waitOf(ANN, HOME)).toBe(0);
    expect(waitOf('bob@example.com', THIEF)).toBe(0);
    expect(lockout.begin('totp', ANN, THIEF).ok).toBe(true);
  });
});

describe('attempts of an unknown caller at a user’s password', () => {
  const HOMES = '203.0.113.0/24';

  test('is never the count of another one’s network', () => {
    for (const typed of [`${ANN}|${HOMES}`, `|${HOMES}`, `","${HOMES}`, `${ANN}","${HOMES}`]) {
      for (let i = 0; i < 60; i += 1) lockout.begin('password', typed, network(i));
    }
    expect(waitOf(ANN, HOME)).toBe(0);
    expect(waitOf('bob@example.com', HOME)).toBe(0);
  });

  test('is never the count of a user who has logged in', () => {
    for (let i = 0; i < 60; i += 1) lockout.begin('password', 'uid:7', network(i));
    const again = lockout.begin('passwordAgain', 'uid:7', network(0));
    expect(again).toMatchObject({ ok: true, value: { needsEmailCode: false, delayMs: 0 } });
  });
});

describe('a known browser of the user', () => {
  const inBrowser = (name: string) => lockout.begin('password', ANN, HOME, name);

  test('does not wait for what neighbors in its network do, nor for anybody else', () => {
    for (let i = 0; i < 5; i += 1) fail(ANN, HOME);
    expect(waitOf(ANN, HOME)).toBeGreaterThan(0);
    for (let i = 0; i < 200; i += 1) {
      lockout.begin('password', `user${i}`, HOME);
      lockout.begin('password', ANN, network(i));
    }
    expect(inBrowser('mine')).toMatchObject({
      ok: true,
      value: { delayMs: 0, needsEmailCode: false },
    });
  });

  test('has a count of its own, which a stolen cookie uses up for itself alone', () => {
    for (let i = 0; i < 5; i += 1) {
      const attempt = inBrowser('stolen');
      if (attempt.ok) attempt.value.fail();
    }
    const waiting = inBrowser('stolen');
    expect(waiting.ok ? 0 : waiting.retryAfterMs).toBe(30_000);
    expect(inBrowser('mine').ok).toBe(true);
    expect(waitOf(ANN, HOME)).toBe(0);
  });

  test('starts afresh with a success, and makes its network known', () => {
    for (let i = 0; i < 4; i += 1) inBrowser('mine');
    const attempt = inBrowser('mine');
    if (attempt.ok) attempt.value.succeed();
    expect(inBrowser('mine').ok).toBe(true);
    expect(lockout.knows('password', ANN, HOME)).toBe(true);
  });
});

describe('many networks that guess at one user', () => {
  const attack = () => {
    for (let i = 0; i < 200; i += 1) fail(ANN, network(i));
  };

  test('never stop the owner: the password works immediately from a known network', () => {
    admitted(ANN, HOME).succeed();
    attack();
    expect(lockout.knows('password', ANN, '203.0.113.99')).toBe(true);
    expect(lockout.knows('password', ANN, THIEF)).toBe(false);
    const owner = admitted(ANN, HOME);
    expect([owner.delayMs, owner.needsEmailCode]).toEqual([0, false]);
  });

  test('a restart forgets the failures, and not where the owner has been', () => {
    admitted(ANN, HOME).succeed();
    lockout = new Lockout(() => now, networks);
    expect(lockout.knows('password', ANN, HOME)).toBe(true);
    attack();
    expect(admitted(ANN, HOME).needsEmailCode).toBe(false);
    expect(admitted(ANN, THIEF).needsEmailCode).toBe(true);
  });

  test('and from elsewhere with an e-mail code, after at most two seconds', () => {
    attack();
    const owner = admitted(ANN, HOME);
    expect(owner.delayMs).toBe(2_000);
    expect(owner.needsEmailCode).toBe(true);
    owner.succeed();
    expect(admitted(ANN, HOME).needsEmailCode).toBe(false);
  });

  test('are slowed down and need the mailbox from the twenty-first failure on', () => {
    for (let i = 0; i < 20; i += 1) {
      const attempt = admitted(ANN, network(i));
      expect([attempt.delayMs, attempt.needsEmailCode]).toEqual([0, false]);
      attempt.fail();
    }
    const next = admitted(ANN, network(20));
    expect([next.delayMs, next.needsEmailCode]).toEqual([100, true]);
    next.withdraw();
    now += 3 * MINUTE;
    expect(admitted(ANN, network(21)).needsEmailCode).toBe(false);
  });
});

describe('one network that guesses at many users', () => {
  test('waits after fifty failures, a minute at most', () => {
    for (let i = 0; i < 50; i += 1) fail(`u${i}@example.com`, THIEF);
    expect(waitOf('new@example.com', THIEF)).toBe(10_000);
    expect(waitOf('new@example.com', HOME)).toBe(0);
    for (let i = 0; i < 20; i += 1) {
      const wait = waitOf('new@example.com', THIEF);
      expect(wait).toBeLessThanOrEqual(MINUTE);
      now += wait;
      fail(`v${i}@example.com`, THIEF);
    }
  });

  test('does not wash its count away with an account of its own', () => {
    for (let i = 0; i < 49; i += 1) {
      fail(`u${i}@example.com`, THIEF);
      admitted('thief@example.com', THIEF).succeed();
    }
    expect(waitOf('new@example.com', THIEF)).toBe(0);
    fail('last@example.com', THIEF);
    expect(waitOf('new@example.com', THIEF)).toBeGreaterThan(0);
  });
});

test('who succeeds has a clean count; who was not looked at, the one from before', () => {
  for (let i = 0; i < 4; i += 1) fail(ANN, HOME);
  const unseen = admitted(ANN, HOME);
  unseen.withdraw();
  unseen.withdraw();
  const right = admitted(ANN, HOME);
  right.succeed();
  right.fail();
  for (let i = 0; i < 5; i += 1) expect(waitOf(ANN, HOME)).toBe(0);
  for (let i = 0; i < 4; i += 1) fail(ANN, HOME);
  expect(waitOf(ANN, HOME)).toBe(0);
});

test('the memory is bounded, and what changed last is kept', () => {
  lockout = new Lockout(() => now, networks, 100);
  for (let i = 0; i < 1_000; i += 1) fail(`u${i}@example.com`, network(i));
  expect(lockout.size).toBe(100);
  for (let i = 0; i < 5; i += 1) fail(ANN, THIEF);
  expect(waitOf(ANN, THIEF)).toBeGreaterThan(0);
});
