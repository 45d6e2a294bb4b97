// The surface for unknown callers: methods, paths that look like files, headers, text that could be
// markup, errors; and what production omits.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { loadConfig } from '../../src/config.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import { startNode } from '../../src/node.ts';
import { BALANCES, TestNode, TIME } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { CENTER, Person, tamper } from '../support/person.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectError, expectErrorShape, expectOk } from '../support/shape.ts';

const node = TestNode.forFile();

test('TRACE and other methods are rejected', async () => {
  const connection = new RawConnection(node.port);
  for (const method of ['TRACE', 'PUT', 'DELETE', 'PROPFIND', 'CONNECT']) {
    const { status, body } = await connection.exchange(rawRequest(method, TIME));
    expect({ method, rejected: [400, 405, 501].includes(status) }).toEqual({
      method,
      rejected: true,
    });
    expect(body).not.toContain('businessTime');
  }
  connection.close();
});

test('paths do not lead to files', async () => {
  const connection = new RawConnection(node.port);
  const paths = ['/.git/config', '/.env', '/package.json', '/src/main.ts', '/data/master.key'];
  const climbing = [
    '/../package.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
  ];
  for (const path of [...paths, ...climbing, '/assets/', '/assets/%2e%2e/package.json']) {
    const { status, body } = await connection.exchange(rawRequest('GET', path));
    expect({ path, status }).toEqual({ path, status: 404 });
    expectErrorShape(JSON.parse(body));
  }
  connection.close();
});

describe('every answer', () => {
  const callable = routes.filter(({ path }) => !path.includes('{'));

  test('has its media type, is not cached, and reveals nothing about the server', async () => {
    for (const { method, path } of callable) {
      const answer = method === 'GET' ? await node.get(path) : await node.post(path, {});
      const { headers } = answer;
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
      expect([path, headers.get('server'), headers.get('x-powered-by')]).toEqual([
        path,
        null,
        null,
      ]);
      expect([
        path,
        /^(application\/json|text\/plain)/.test(headers.get('content-type') ?? ''),
      ]).toEqual([path, true]);
    }
  });

  test('redirects nobody', async () => {
    for (const { method, path } of callable) {
      const body = method === 'GET' ? {} : { body: '{}' };
      const sent = { method, redirect: 'manual', headers: { 'Content-Type': 'application/json' } };
      const { status, headers } = await node.request(path, { ...sent, ...body } as RequestInit);
      expect([path, status >= 300 && status < 400]).toEqual([path, false]);
      expect([path, headers.get('location')]).toEqual([path, null]);
    }
  });

  test('to a script elsewhere runs, frames and leaks nothing', async () => {
    const { headers } = await node.request(TIME, {
      headers: { Origin: 'https://evil.example.com' },
    });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });
});

test('markup in a stored text comes back as text', async () => {
  const person = await Person.join(node, { totp: true });
  const alias = '<img src=x onerror=alert(1)>"\'</script>';
  const codes = { emailAuthCode: await person.keyCode(), googleAuthCode: person.spare() };
  expectOk(await person.post('api/create', { alias, moduleIds: [5], ...codes }));
  const list = await person.get('api/list');
  expect<unknown>(expectOk(list)[0]!.alias).toBe(alias);
  expect(list.headers.get('content-type')).toBe('application/json');
  expect(list.headers.get('x-content-type-options')).toBe('nosniff');
  const [mail] = await person.mails();
  expect(mail!.subject).toBe('New API key for your account');
});

test('an internal error reveals nothing and gives no access', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) });
  await using broken = await TestNode.start({ log });
  const person = await Person.join(broken);
  expectOk(await person.get('me'));
  tamper(broken, 'ALTER TABLE sessions RENAME TO gone');
  for (const path of [`${CENTER}/me`, BALANCES]) {
    const answer = await broken.request(path, { headers: person.headers });
    expectError(answer, 500, 100500);
    expect(answer.text).not.toMatch(/sql|table|sessions|\.ts|at /i);
  }
  expect(lines.join('')).toContain('no such table');
  expect(lines.join('')).not.toContain(person.token);
  tamper(broken, 'ALTER TABLE gone RENAME TO sessions');
  expectOk(await person.get('me'));
});

test('production has no faucet, knows nobody, and lets nobody move its clock', async () => {
  const data = mkdtempSync(join(tmpdir(), 'agio-production-'));
  const operatorToken = 'a-token-for-production';
  const production = await startNode({
    config: loadConfig({
      argv: ['--production', '--host', '127.0.0.1', '--port', '0', '--data', data],
      env: {
        AGIO_OPERATOR_TOKEN: operatorToken,
        AGIO_MASTER_KEY: '7'.repeat(64),
        AGIO_SMTP_URL: 'smtp://localhost:2525',
      },
    }),
    operatorToken,
    log: pino({ level: 'silent' }),
    onFailure: (error) => {
      throw error;
    },
  });
  try {
    const { url, services } = production;
    const { engine, identity } = services;
    const boss = new Operator({ url, services, operatorToken });
    expectError(await boss.post('clock/advance', { ms: 1 }), 403, 100403);
    expect(boss.audited()[0]).toMatchObject({ action: 'clock.advance', result: '100403' });
    expect<unknown>(expectOk(await boss.get('clock'))).toMatchObject({ offset: 0 });
    expect(engine.seq).toBe(0);
    expect(identity.users.highestUid()).toBe(0);
    const reservation = identity.users.reserveEmail('first@example.com');
    const { outcome } = await engine.submit({ type: 'createUser', kyc: false });
    if (!reservation.ok || !outcome.ok) throw new Error('the user was not created');
    const { uid } = outcome.result;
    identity.users.completeUser(reservation.value, uid);
    const { token } = identity.sessions.create({ uid, ip: null, userAgent: null });
    const answer = await fetch(`${url}${CENTER}/faucet`, {
      method: 'POST',
      body: '{"asset":"USDT"}',
      headers: { 'Content-Type': 'application/json', 'exchange-token': token },
    });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: '100404' });
  } finally {
    await production.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
