// A wall clock that is set back: limits, lockouts and waits last as long as they should, and no
// longer. The clock of this process is set back in each test, and only steady time passes.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { BALANCES, ORDER, TestNode } from '../support/node.ts';
import { Person, SEND_CODE } from '../support/person.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { OWN_ORDERS, StreamClient } from '../support/stream.ts';
import { jumpAhead } from '../support/waiting.ts';

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
const NAMES = ['public', 'private', 'order', 'user', 'userOrder', 'account', 'failedAuth'];
const SECOND = 1000;

const wallClock = Date.now;
/** The wall clock steps back, and this much steady time passes. */
function stepBack(ms: number, passing: number): void {
  Date.now = () => wallClock() - ms;
  jumpAhead(passing);
}
afterEach(() => {
  Date.now = wallClock;
});

describe('after a step of 15 s back', () => {
  test('no limit answers 429 once its allowance has refilled', async () => {
    const limits = NAMES.map((name) => `${name}=2/60/2`).join(',');
    await using node = await TestNode.start({ flags: ['--rate-limits', limits] });
    const client = await node.client();
    const person = await node.client();
    const wrong = { headers: { 'EXCHANGE-API-SIGN': '0'.repeat(64) } };
    const calls = {
      ready: () => node.get('/ready'),
      read: () => client.get(BALANCES),
      write: () => client.post(ORDER, LIMIT),
      failed: () => person.get(BALANCES, '', wrong),
    };
    for (const call of Object.values(calls)) for (let n = 0; n < 3; n++) await call();
    for (const call of Object.values(calls)) expect((await call()).status).toBe(429);
    stepBack(15 * SECOND, 60 * SECOND);
    for (const name of ['ready', 'read', 'write'] as const) {
      expect([name, (await calls[name]()).status]).toEqual([name, 200]);
    }
    expect((await calls.failed()).status).toBe(401);
  });

  test('a login that is new opens a stream that may trade', async () => {
    await using node = await TestNode.start();
    const client = await node.client();
    stepBack(15 * SECOND, SECOND);
    await using own = await StreamClient.login(node, OWN_ORDERS, client);
    expect((await own.order('order.place', LIMIT)).status).toBe(200 as never);
  });
});

describe('after a step of an hour back', () => {
  let node: TestNode;
  beforeEach(async () => {
    node = await TestNode.start();
  });
  afterEach(() => node.stop());

  test('wrong passwords delay the next login as long as before', async () => {
    const person = await Person.join(node);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await person.login({ password: 'wrong' })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    stepBack(3600 * SECOND, 20 * SECOND);
    expect((await person.login()).status).toBe(429);
    jumpAhead(10 * SECOND);
    expectOk(await person.login());
  });

  test('the next code is mailed a minute after the last one', async () => {
    const person = await Person.join(node);
    const ask = () => node.post(SEND_CODE, { operationType: 7 }, person.headers);
    expectOk(await ask());
    stepBack(3600 * SECOND, 40 * SECOND);
    expect((await ask()).status).toBe(429);
    jumpAhead(20 * SECOND);
    expectOk(await ask());
  });

  test('a restart forgets what was mailed in the future', async () => {
    const person = await Person.join(node);
    const ask = () => node.post(SEND_CODE, { operationType: 7 }, person.headers);
    expectOk(await ask());
    stepBack(3600 * SECOND, 0);
    await node.restart();
    expectOk(await ask());
  });
});

test('a step of 15 s back ends no step-up, no recent login and no known browser', async () => {
  await using node = await TestNode.start();
  const person = await Person.join(node, { totp: true });
  const { sessions, devices, users } = node.services.identity;
  const device = devices.issue(users.find(person.uid)!);
  stepBack(15 * SECOND, 0);
  const session = sessions.find(person.token)!;
  expect(sessions.isSteppedUp(session)).toBe(true);
  expect(sessions.isRecent(session)).toBe(true);
  expect(devices.nameOf(device, users.find(person.uid)!)).not.toBeNull();
  expect((await person.get('api/list')).status).toBe(200);
});

describe('a clock that was ahead', () => {
  const MINUTE = 60 * SECOND;
  const HOUR = 60 * MINUTE;

  test.each([
    ['two hours', 2 * HOUR],
    ['a month', 30 * 24 * HOUR],
  ])('by %s blocks no key, and no captured write works again', async (_, step) => {
    await using node = await TestNode.start({ flags: ['--max-pause-days', '60'] });
    let ahead = 0;
    Date.now = () => wallClock() + ahead;
    const client = await node.client();
    const captured: { timestamp: number; clOrdId: string }[] = [];
    /** Writes as time passes, so that the server drops earlier signatures. */
    const trade = async (lasting: number) => {
      for (const end = ahead + lasting; ahead < end; ahead += 5 * MINUTE) {
        const sent = { timestamp: Date.now(), clOrdId: `write-${captured.length}` };
        const send = ({ timestamp, clOrdId }: typeof sent) =>
          client.post(ORDER, { ...LIMIT, orderQty: 0.01, clOrdId }, { timestamp });
        expectOk(await send(sent));
        captured.push(sent);
        for (const write of captured) {
          if (Math.abs(write.timestamp - Date.now()) > 10 * MINUTE) continue;
          const again = await send(write);
          expect([again.status, `${again.body.code}`]).toEqual([409, '100405']);
        }
      }
    };
    await trade(HOUR);
    ahead += step;
    await trade(2 * HOUR);
    ahead -= step + 3 * HOUR;
    await node.restart();
    await trade(5 * HOUR);
    // Real time comes to what the clock showed before.
    ahead += step - 2 * HOUR;
    await node.restart();
    await trade(3 * HOUR);
  });

  test.each([
    ['hours', 13 * HOUR],
    ['a month', 30 * 24 * HOUR],
  ])('by %s blocks no login, and leaves no session and no code', async (_, step) => {
    await using node = await TestNode.start({ flags: ['--max-pause-days', '60'] });
    let ahead = step;
    Date.now = () => wallClock() + ahead;
    const person = await Person.join(node, { totp: true });
    const used = person.totp(1);
    expectOk(await person.login({ googleAuthCode: used }));
    expectOk(await node.post(SEND_CODE, { operationType: 7 }, person.headers));
    const mailed = { emailAuthCode: await person.code(), googleAuthCode: person.spare() };
    ahead = 0;
    await node.restart();
    expect((await person.get('api/list')).status).toBe(401);
    const googleAuthCode = person.totp();
    person.token = String(expectOk(await person.login({ googleAuthCode })).token);
    expectError(await person.login({ googleAuthCode }), 403, 100303);
    jumpAhead(MINUTE);
    const key = { alias: 'late', moduleIds: [1], ...mailed };
    expectError(await person.post('api/create', key), 403, 100307);
    // Real time comes to what the clock showed.
    ahead = step + MINUTE;
    expectError(await person.login({ googleAuthCode: used }), 403, 100303);
    expectOk(await person.login({ googleAuthCode: person.totp() }));
  });
});
