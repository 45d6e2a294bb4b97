// The private websockets: login, the messages of each channel, and that a revoked access closes its
// connections.
import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import { HEARTBEAT_SECONDS, LOGIN_DEADLINE_MS } from '../../src/streams/limits.ts';
import { createPlan, EARN, passDays, subscribe } from '../support/earn.ts';
import {
  BALANCES,
  type Client,
  type Json,
  MASS_CANCEL,
  ORDERS,
  TestNode,
} from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { CENTER, Person } from '../support/person.ts';
import { expectOk } from '../support/shape.ts';
import {
  expectChain,
  loginMessage,
  OWN_ACCOUNT,
  OWN_ORDERS,
  StreamClient,
} from '../support/stream.ts';
import { jumpAhead, until } from '../support/waiting.ts';

const node = TestNode.forFile();
let owner: Client;
let other: Client;
beforeAll(async () => {
  owner = await node.client();
  other = await node.client();
});

const rowsOf = (message: Json): Json[] => message.data as unknown as Json[];

describe('login', () => {
  test('by a message', async () => {
    await using stream = await StreamClient.open(node, OWN_ORDERS);
    const before = await stream.ask({ op: 'subscribe', channel: 'orders' });
    expect<unknown>(before).toMatchObject({ op: 'error', code: '100401' });
    const timestamp = owner.timestamp();
    const answer = await stream.ask(loginMessage(owner.credentials, OWN_ORDERS, timestamp));
    expect<unknown>(answer).toMatchObject({ op: 'loggedIn', uid: owner.uid });
    await stream.subscribe({ channel: 'orders' });
    const again = await stream.ask(loginMessage(owner.credentials, OWN_ORDERS, timestamp));
    expect<unknown>(again).toMatchObject({ op: 'error', code: '100200' });
  });

  const bad: Readonly<Record<string, () => object>> = {
    'of another path': () => loginMessage(owner.credentials, OWN_ACCOUNT, owner.timestamp()),
    'by an unknown key': () =>
      loginMessage({ ...owner.credentials, apiKey: 'nobody' }, OWN_ORDERS, owner.timestamp()),
    'with a wrong secret': () =>
      loginMessage({ ...owner.credentials, secretKey: 'no' }, OWN_ORDERS, owner.timestamp()),
    'of another time': () => loginMessage(owner.credentials, OWN_ORDERS, Date.now() - 700_000),
  };
  for (const [name, message] of Object.entries(bad)) {
    test(`a signature ${name} ends the connection`, async () => {
      await using stream = await StreamClient.open(node, OWN_ORDERS);
      stream.say({ ...message(), id: 9 });
      const error = await stream.take({ op: 'error', id: 9 });
      expect(['100401', '100402']).toContain(String(error.code));
      expect(await stream.closed).toEqual({ code: 1008, reason: 'the login failed' });
    });
  }

  test('a bad signature in the headers is rejected as of any call', async () => {
    const headers = {
      'EXCHANGE-API-KEY': owner.credentials.apiKey,
      'EXCHANGE-API-TIMESTAMP': String(Date.now()),
      'EXCHANGE-API-SIGN': 'ab'.repeat(32),
      Upgrade: 'websocket',
    };
    const answer = await node.request(OWN_ORDERS, { headers });
    expect([answer.status, String(answer.body.code)]).toEqual([401, '100401']);
    await expect(StreamClient.open(node, OWN_ORDERS, headers)).rejects.toThrow('rejected');
  });

  test('opens one connection, by headers or by message, also after a restart', async () => {
    await using own = await TestNode.start();
    const client = await own.client();
    const attempts = (path: typeof OWN_ORDERS | typeof OWN_ACCOUNT, at: number) => ({
      byMessage: async () => {
        await using stream = await StreamClient.open(own, path);
        const { op, code } = await stream.ask(loginMessage(client.credentials, path, at));
        if (op === ('error' as never)) expect((await stream.closed).code).toBe(1008);
        return code ?? op;
      },
      byHeaders: async () => {
        const headers = { ...client.headersOf(path, '', at), Upgrade: 'websocket' };
        const { status, body } = await own.request(path, { headers });
        return `${status} ${body.code}`;
      },
    });
    const spent = [];
    for (const path of [OWN_ORDERS, OWN_ACCOUNT] as const) {
      const login = attempts(path, client.timestamp());
      expect<unknown>(await login.byMessage()).toBe('loggedIn');
      spent.push(login);
      const headers = client.headersOf(path, '', client.timestamp());
      await using first = await StreamClient.open(own, path, headers);
      await first.take({ op: 'loggedIn' });
      spent.push(attempts(path, Number(headers['EXCHANGE-API-TIMESTAMP'])));
    }
    for (const restart of [false, true]) {
      if (restart) await own.restart();
      for (const { byMessage, byHeaders } of spent) {
        expect<unknown>(await byMessage()).toBe('100405');
        expect(await byHeaders()).toBe('409 100405');
      }
    }
  });

  test('opens none once a limit has rejected it, also after a restart', async () => {
    await using own = await TestNode.start({ flags: ['--rate-limits', 'private=1/60/1'] });
    const client = await own.client();
    const logIn = async (at: number) => {
      await using stream = await StreamClient.open(own, OWN_ORDERS);
      const { op, code } = await stream.ask(loginMessage(client.credentials, OWN_ORDERS, at));
      return String(code ?? op);
    };
    expect(await logIn(client.timestamp())).toBe('loggedIn');
    const captured = client.timestamp();
    expect(await logIn(captured)).toBe('100429');
    await own.restart();
    expect(await logIn(captured)).toBe('100405');
  });

  test('failures count as those of calls do', async () => {
    const flags = ['--rate-limits', 'failedAuth=3/60/3'];
    await using strict = await TestNode.start({ flags });
    const client = await strict.client();
    const wrong = { ...client.credentials, secretKey: 'wrong' };
    const codes: string[] = [];
    for (let i = 0; i < 5; i++) {
      await using stream = await StreamClient.open(strict, OWN_ORDERS);
      stream.say(loginMessage(wrong, OWN_ORDERS, Date.now()));
      codes.push(String((await stream.take({ op: 'error' })).code));
    }
    expect(codes).toEqual(['100401', '100401', '100401', '100429', '100429']);
  });

  test('a key needs the privilege of the channel', async () => {
    const writer = node.key(owner.uid, { moduleIds: [6] });
    await using orders = await StreamClient.open(node, OWN_ORDERS);
    orders.say(loginMessage(writer.credentials, OWN_ORDERS, writer.timestamp()));
    expect<unknown>(await orders.take({ op: 'error' })).toMatchObject({ code: '100403' });
    await orders.closed;

    const reader = node.key(owner.uid, { moduleIds: [5] });
    await using account = await StreamClient.login(node, OWN_ACCOUNT, reader);
    await account.subscribe({ channel: 'balances' });
    for (const channel of ['subscriptions', 'interest']) {
      const answer = await account.ask({ op: 'subscribe', channel });
      expect<unknown>(answer).toMatchObject({ op: 'error', code: '100403' });
    }
    const saver = node.key(owner.uid, { moduleIds: [2] });
    await using earn = await StreamClient.login(node, OWN_ACCOUNT, saver);
    await earn.subscribe({ channel: 'interest' });
    const answer = await earn.ask({ op: 'subscribe', channel: 'balances' });
    expect<unknown>(answer).toMatchObject({ op: 'error', code: '100403' });
    // Cancel on disconnect needs the privilege to write.
    await using reading = await StreamClient.login(node, OWN_ORDERS, reader);
    const cancels = { op: 'subscribe', channel: 'orders', cancelOnDisconnect: true };
    expect<unknown>(await reading.ask(cancels)).toMatchObject({ op: 'error', code: '100403' });
  });

  test('a key with an allow-list works from its addresses only', async () => {
    const elsewhere = node.key(owner.uid, { ipAllowList: ['203.0.113.9'] });
    await using stream = await StreamClient.open(node, OWN_ORDERS);
    stream.say(loginMessage(elsewhere.credentials, OWN_ORDERS, elsewhere.timestamp()));
    expect<unknown>(await stream.take({ op: 'error' })).toMatchObject({ code: '100403' });
  });

  test('by a session: the header, or the cookie from a page of this service', async () => {
    const person = await Person.join(node);
    await using byHeader = await StreamClient.open(node, OWN_ACCOUNT, person.headers);
    await byHeader.take({ op: 'loggedIn', uid: person.uid });
    await byHeader.subscribe({ channel: 'subscriptions' });
    const cookie = `agio=${person.token}`;
    const here = { Cookie: cookie, Origin: node.url };
    await using byCookie = await StreamClient.open(node, OWN_ORDERS, here);
    await byCookie.take({ op: 'loggedIn', uid: person.uid });
    const elsewhere = { Cookie: cookie, Origin: 'https://example.org' };
    await expect(StreamClient.open(node, OWN_ORDERS, elsewhere)).rejects.toThrow('rejected');
    const answer = await node.request(OWN_ORDERS, {
      headers: { ...elsewhere, Upgrade: 'websocket' },
    });
    expect([answer.status, String(answer.body.code)]).toEqual([403, '100310']);
  });

  test('a connection without one is closed', async () => {
    await using stream = await StreamClient.open(node, OWN_ACCOUNT);
    jumpAhead(LOGIN_DEADLINE_MS);
    const { code, reason } = await stream.closed;
    expect([code, reason]).toEqual([1008, 'no login in time']);
  });
});

describe('orders', () => {
  test('the open orders as getOrders has them, then every report', async () => {
    await owner.post(MASS_CANCEL, {});
    const resting = await owner.limit(1, '90', '1');
    await using stream = await StreamClient.login(node, OWN_ORDERS, owner);
    const snapshot = await stream.subscribe({ channel: 'orders' });
    const open = expectOk(await owner.get(ORDERS, { type: 'OPEN' }));
    expect<unknown>(snapshot.data).toEqual(open.data);
    await other.limit(2, '90', '0.4');
    const fill = await stream.take({ channel: 'orders', type: 'update' });
    expect<unknown>(fill.data).toEqual([await owner.row(resting)]);
    expect<unknown>(fill.data![0]).toMatchObject({ lastPx: 90, lastQty: 0.4, execType: 1 });
    await owner.post(MASS_CANCEL, {});
    const end = await stream.take({ channel: 'orders', type: 'update' });
    expect<unknown>(end.data![0]).toMatchObject({ orderId: resting, ordStatus: 4, cumQty: 0.4 });
    expectChain(stream.of('orders'));
  });

  test('an order that fills immediately has all its reports in one message', async () => {
    await other.limit(2, '91', '1');
    await using stream = await StreamClient.login(node, OWN_ORDERS, owner);
    await stream.subscribe({ channel: 'orders' });
    await owner.limit(1, '91', '1');
    const message = await stream.take({ type: 'update' });
    expect(rowsOf(message).map(({ ordStatus }) => Number(ordStatus))).toEqual([0, 2]);
  });

  test('an account gets only its own reports', async () => {
    await using stream = await StreamClient.login(node, OWN_ORDERS, other);
    await stream.subscribe({ channel: 'orders' });
    await owner.limit(1, '10', '1');
    await stream.settle();
    expect(stream.of('orders')).toHaveLength(1);
    await owner.post(MASS_CANCEL, {});
  });
});

describe('account', () => {
  test('subscriptions and interest, through a day and an end', async () => {
    const saver = await node.client({ USDT: '1000' }, { moduleIds: [5, ...EARN] });
    const planId = await createPlan(node);
    await using stream = await StreamClient.login(node, OWN_ACCOUNT, saver);
    for (const channel of ['balances', 'subscriptions', 'interest']) {
      await stream.subscribe({ channel });
    }
    const applyId = await subscribe(saver, planId, '100');
    const current = async () =>
      (
        expectOk(await saver.get('/earn-api/v1/user/apply/currentList')).data as unknown as Json[]
      )[0]!;
    const applied = await stream.take({ channel: 'subscriptions', type: 'update' });
    expect(rowsOf(applied)).toEqual([await current()]);
    await passDays(node, 2);
    const interest = await stream.take({ channel: 'interest', type: 'update' });
    expect<unknown>(interest.data![0]).toMatchObject({ applyId, coin: 'USDT' });
    await stream.settle();
    const last = stream.of('subscriptions').at(-1)!;
    expect(rowsOf(last)).toEqual([await current()]);
    await saver.post('/earn-api/v1/user/apply/redeem', { applyId, amount: '100' });
    await passDays(node, 2);
    await stream.settle();
    const gone = rowsOf(stream.of('subscriptions').at(-1)!)[0]!;
    expect<unknown>(gone).toMatchObject({ applyId, status: 3 });
    for (const channel of ['balances', 'subscriptions', 'interest']) {
      expectChain(stream.of(channel));
    }
    const balances = rowsOf(stream.of('balances').at(-1)!);
    const rest = expectOk(await saver.get(BALANCES)) as unknown as Json[];
    expect(balances).toEqual(rest.filter(({ asset }) => String(asset) === 'USDT'));
  });
});

describe('an access that ends', () => {
  const opened = async (client: Client) => {
    const streams = await Promise.all([
      StreamClient.login(node, OWN_ORDERS, client),
      StreamClient.login(node, OWN_ACCOUNT, client),
    ]);
    await streams[1].subscribe({ channel: 'balances' });
    return streams;
  };

  test('a revoked key closes its connections, and no others', async () => {
    const key = node.key(owner.uid);
    await using kept = await StreamClient.login(node, OWN_ORDERS, owner);
    const streams = await opened(key);
    node.services.identity.apiKeys.revoke(key.credentials.apiKey);
    for (const stream of streams) {
      expect(await stream.closed).toEqual({ code: 1008, reason: 'the API key was revoked' });
    }
    await kept.settle();
  });

  test('a suspended account', async () => {
    const client = await node.client();
    const streams = await opened(client);
    const operator = new Operator(node);
    expectOk(await operator.patch(`users/${client.uid}`, { status: 'suspended' }));
    for (const stream of streams) {
      expect(await stream.closed).toEqual({ code: 1008, reason: 'the account was suspended' });
    }
  });

  test('a session that logs out', async () => {
    const person = await Person.join(node);
    const stream = await StreamClient.open(node, OWN_ACCOUNT, person.headers);
    await stream.take({ op: 'loggedIn' });
    expectOk(await node.post(`${CENTER}/logout`, {}, person.headers));
    expect(await stream.closed).toEqual({ code: 1008, reason: 'the session has ended' });
  });

  test('every session of a user, but not the API keys', async () => {
    const person = await Person.join(node);
    const stream = await StreamClient.open(node, OWN_ORDERS, person.headers);
    await stream.take({ op: 'loggedIn' });
    await using byKey = await StreamClient.login(node, OWN_ORDERS, node.key(person.uid));
    node.services.identity.sessions.revokeAll(person.uid, 'revoked');
    expect(await stream.closed).toEqual({ code: 1008, reason: 'the session has ended' });
    await byKey.settle();
  });

  test('a key that expires', async () => {
    const expiresAt = Date.now() + 300_000;
    const key = node.key(owner.uid, { expiresAt });
    const stream = await StreamClient.login(node, OWN_ORDERS, key);
    setSystemTime(expiresAt + 1);
    jumpAhead(HEARTBEAT_SECONDS * 1000);
    try {
      const { code, reason } = await stream.closed;
      expect([code, reason]).toEqual([1008, 'the API key has expired']);
    } finally {
      setSystemTime();
    }
  });
});

describe('cancel on disconnect', () => {
  const subscribed = async (client: Client) => {
    const stream = await StreamClient.login(node, OWN_ORDERS, client);
    await stream.subscribe({ channel: 'orders', cancelOnDisconnect: true });
    await client.limit(1, '20', '1');
    return stream;
  };
  const gone = (client: Client) => until(() => node.state.orders.countOf(client.uid) === 0);

  test('a connection that is closed, cut off, or taken away', async () => {
    const client = await node.client();
    await (await subscribed(client)).close();
    await gone(client);
    await (await subscribed(client)).cut();
    await gone(client);
    const key = node.key(client.uid);
    await subscribed(key);
    node.services.identity.apiKeys.revoke(key.credentials.apiKey);
    await gone(client);
  });
});
