// The commands that act on a running server, each once as an operator types it: what it prints for
// people, the server's own JSON for programs, and one sentence when it was refused.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { agio, type Ended, Place, readSandbox, Server } from '../support/cli.ts';

let place: Place;
let data: string;
let server: Server;

beforeAll(async () => {
  place = new Place();
  data = place.path('data');
  server = await Server.start(['--data', data]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

/** Runs a command that has to succeed; returns what it printed. */
async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await agio([...args, '--data', data]);
  expect({ args, code, stderr }).toMatchObject({ args, code: 0 });
  return stdout;
}

/** The same, with its answer as JSON. */
const json = async (...args: string[]): Promise<unknown> =>
  JSON.parse(await done(...args, '--json'));

test('users, keys and money', async () => {
  expect(await done('user', 'create', '--email', 'ada@example.com', '--kyc')).toMatch(
    /^uid \d+\n$/,
  );
  const { items } = (await json('user', 'list', '--query', 'ada@')) as { items: { uid: number }[] };
  const uid = String(items[0]!.uid);
  const secret = 'a password from a pipe';
  const piped = await agio(
    ['user', 'create', '--email', 'bob@example.com', '--password', '--data', data],
    {
      stdin: `${secret}\n`,
    },
  );
  expect(piped).toMatchObject({ code: 0, stderr: '' });
  expect(piped.stdout).not.toContain(secret);
  expect(await done('user')).toContain('bob@example.com');
  const shown = await done('user', 'show', uid);
  expect(shown).toMatch(/^email +ada@example.com$/m);
  expect(shown).toMatch(/^createdAt +\d{4}-\d\d-\d\dT[\d:.]+Z$/m);
  expect(
    await json('user', 'amend', uid, '--maker-fee', '0.0002', '--status', 'suspended'),
  ).toMatchObject({
    makerFee: 0.0002,
    status: 'suspended',
  });
  expect(
    await json('user', 'amend', uid, '--maker-fee', 'instrument', '--status', 'active'),
  ).toMatchObject({
    makerFee: null,
    status: 'active',
  });

  const key = (await json(
    'key',
    'create',
    uid,
    '--alias',
    'bot',
    '--modules',
    '5,6',
    '--ip',
    '127.0.0.1',
  )) as {
    apiKey: string;
    secretKey: string;
  };
  expect(key.secretKey).toMatch(/^[0-9a-f]{64}$/);
  const keys = await done('key', 'list', uid);
  expect(keys).toContain(key.apiKey);
  expect(keys).not.toContain(key.secretKey);
  expect(await json('key', 'revoke', uid, key.apiKey)).toMatchObject({ apiKey: key.apiKey });

  const credit = ['credit', uid, 'USDT', '1000.5', '--reference', 'wire-1'];
  const first = await json(...credit);
  expect(first).toMatchObject({ transferId: expect.any(Number), seq: expect.any(Number) });
  expect(await json(...credit)).toEqual(first);
  expect(await done('debit', uid, 'USDT', '0.5', '--reference', 'out-1')).toMatch(/^transferId/);
  expect(await done('user', 'balances', uid)).toMatch(/^USDT +1000 +0 /m);
});

test('assets and instruments', async () => {
  expect(await json('asset', 'create', 'CHF', '--scale', '2', '--fiat')).toMatchObject({
    asset: 'CHF',
    fiat: true,
  });
  expect(await done('asset')).toMatch(/CHF +2 +yes/);
  const create = ['instrument', 'create', 'ETH-CHF', '--tick', '0.1', '--lot', '0.1'];
  expect(
    await json(...create, '--min-base', '0.1', '--min-quote', '5', '--self-trade', 'none'),
  ).toMatchObject({
    symbol: 'ETH-CHF',
    quoteAssetIncrement: 0.1,
    selfTradePrevention: 'none',
  });
  expect(await json('instrument', 'amend', 'ETH-CHF', '--status', 'HALTED')).toMatchObject({
    instrumentStatus: 'HALTED',
    open: false,
  });
  expect(await done('instrument')).toMatch(/ETH-CHF +HALTED/);
  expect(
    await json('instrument', 'amend', 'ETH-CHF', '--status', 'LIVE', '--price-band', '0.1'),
  ).toMatchObject({
    instrumentStatus: 'LIVE',
    priceBand: 0.1,
  });
});

test('plans and their reserves', async () => {
  const least = ['--min', '10', '--max', '1000'];
  const term = ['--type', 'fixed', '--coin', 'USDT', '--days', '90', '--apr', '0.1', ...least];
  const more = [
    ['--reward-every', '7'],
    ['--capacity', '5000'],
    ['--redeem-lock-hours', '24'],
    ['--early-redemption', 'yes'],
    ['--auto-renew', 'yes'],
    ['--kyc', 'yes'],
    ['--label', 'New'],
    ['--booster', 'MMX:0.5:0.02'],
    ['--status', 'closed'],
  ];
  const created = await json('plan', 'create', 'Ninety Days', ...term, ...more.flat());
  expect(created).toEqual({ planId: expect.stringMatching(/^\d+$/) });
  const { planId } = created as { planId: string };
  expect(await json('plan', 'show', planId)).toMatchObject({
    planName: 'Ninety Days',
    planType: 2,
    lockDay: 90,
    apr: 0.1,
    userAmountMin: 10,
    userAmountMax: 1000,
    rewardFrequency: 7,
    poolCapacity: 5000,
    redeemLockHours: 24,
    supportEarlyRedemption: true,
    supportAutoRenew: true,
    requiresKyc: true,
    label: 'New',
    booster: { coin: 'MMX', ratio: 0.5, apr: 0.02 },
    status: 'closed',
  });
  const removed = ['--capacity', 'none', '--booster', 'none', '--label', 'none'];
  const others = ['--name', '90 Days', '--apr', '0.09', '--kyc', 'no', '--status', 'open'];
  expect(await json('plan', 'edit', planId, ...removed, ...others)).toMatchObject({
    planName: '90 Days',
    apr: 0.09,
    poolCapacity: null,
    booster: null,
    label: '',
    requiresKyc: false,
    supportAutoRenew: true,
    status: 'open',
  });
  const fund = ['plan', 'fund', planId, '250.5', '--reference', 'reserve-1'];
  const first = await json(...fund);
  expect(first).toMatchObject({ transferId: expect.any(Number), seq: expect.any(Number) });
  expect(await json(...fund)).toEqual(first);
  expect(await done('plan')).toMatch(
    /^ *\d+ +90 Days +fixed +USDT +open +0\.09 +90 +0 +250\.5 +– +no$/m,
  );

  const range = ['--type', 'customized', '--coin', 'BTC', '--days', '7-365', ...least];
  await done('plan', 'create', 'Term', ...range, '--min-apr', '0.01', '--max-apr', '0.03');
  expect(await done('plan', 'list')).toMatch(
    /Term +customized +BTC +open +0\.01 to 0\.03 +7 to 365/,
  );
  const flexible = ['--type', 'flexible', '--coin', 'USDT', '--apr', '0.04', '--auto-compound'];
  await done('plan', 'create', 'Compounding', ...flexible, ...least);
  const plans = (await json('plan')) as { planName: string }[];
  expect(plans.at(-1)).toMatchObject({ planName: 'Compounding', autoCompound: true, planType: 1 });
});

test('income, and orders of others', async () => {
  const { items } = (await json('income')) as { items: { account: string; planId: string }[] };
  const reserve = items.find(({ account }) => account === 'reserve')!;
  const take = ['income', 'withdraw', 'reserve', 'USDT', '1.5', '--plan', reserve.planId];
  const first = await json(...take, '--reference', 'out-of-reserve');
  expect(first).toMatchObject({ transferId: expect.any(Number), seq: expect.any(Number) });
  expect(await json(...take, '--reference', 'out-of-reserve')).toEqual(first);
  expect(await done('income')).toMatch(/^reserve +– +1 +USDT +999998\.5 /m);
  expect(await done('income', 'statement')).toMatch(/reserve +– +1 +USDT +-1\.5 +out-of-reserve/);
  const cancel = ['order', 'cancel', '--symbol', 'BTC-USDT', '--reason', 'a test'];
  expect(await json(...cancel)).toMatchObject({ remaining: 0 });
  expect(await done('audit', '--page-size', '1')).toMatch(/orders\.cancel +BTC-USDT +ok/);
});

test('enterprises and their members', async () => {
  const created = await json('enterprise', 'create', 'Example Treasury');
  const { enterpriseId } = created as { enterpriseId: number };
  const id = String(enterpriseId);
  const admin = ['--enterprise', id, '--enterprise-admin'];
  await done('user', 'create', '--email', 'cfo@example.com', ...admin);
  await done('user', 'create', '--email', 'clerk@example.com', '--enterprise', id);
  const found = await json('user', 'list', '--query', 'clerk@');
  const [clerk] = (found as { items: [{ uid: number }] }).items;
  expect(clerk).toMatchObject({ enterpriseId, enterpriseAdmin: false, kyc: false });
  const prevents = ['enterprise', 'amend', id, '--self-trade-prevention', 'yes'];
  expect(await json(...prevents)).toEqual({ enterpriseId, selfTradePrevention: true });
  expect(await done('enterprise')).toMatch(new RegExp(`^ *${id} +Example Treasury +2 +yes$`, 'm'));
  const amend = ['user', 'amend', String(clerk.uid)];
  expect(await json(...amend, '--kyc', 'yes', '--enterprise-admin', 'yes')).toMatchObject({
    enterpriseId,
    enterpriseAdmin: true,
    kyc: true,
  });
  expect(await json(...amend, '--enterprise', 'none')).toMatchObject({
    enterpriseId: null,
    enterpriseAdmin: false,
  });
});

test('head, clock and audit log', async () => {
  expect(await done('head')).toMatch(
    /^seq +\d+\ntime +\d{4}-\d\d-\d\dT\S+Z\nchainHash +[0-9a-f]{64}\nstateHash +[0-9a-f]{16}\n$/,
  );
  const before = (await json('clock')) as { offset: number };
  await done('clock', 'advance', '1d12h');
  const after = (await json('clock')) as { offset: number };
  expect(after.offset - before.offset).toBe(36 * 3_600_000);
  expect(await done('clock')).toMatch(/^business time +\d{4}-\d\d-\d\dT/);
  expect(await done('audit', '--page-size', '5')).toMatch(/operator +127\.0\.0\.1 +clock\.advance/);
});

describe('what went wrong is said in one sentence', () => {
  const refused = (ended: Ended, sentence: string | RegExp): void => {
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ended.stderr).toMatch(sentence);
  };

  test('by the server', async () => {
    const debit = ['debit', '1', 'USDT', '99999999', '--reference', 'x', '--data', data];
    refused(await agio(debit), /^agio: Invalid field: amount\. .* \(100206, HTTP 400\)$/m);
    refused(await agio(['user', 'show', '999', '--data', data]), /No such user\. \(100220/);
    refused(
      await agio(['plan', 'edit', '999', '--apr', '0.01', '--data', data]),
      /^agio: Invalid field: planId\. No such plan\. .*\(100200, HTTP 400\)$/m,
    );
  });

  test('when there is no server, or no token', async () => {
    const AGIO_OPERATOR_TOKEN = 'some-token';
    const nobody = await agio(['head', '--url', 'http://127.0.0.1:1'], {
      env: { AGIO_OPERATOR_TOKEN },
    });
    refused(nobody, /^agio: No answer from http:\/\/127\.0\.0\.1:1/);
    refused(
      await agio(['head', '--data', place.path('none')]),
      /^agio: No operator token: set AGIO_OPERATOR_TOKEN/,
    );
    const wrong = await agio(['head', '--url', server.url], { env: { AGIO_OPERATOR_TOKEN } });
    refused(wrong, /\(100401, HTTP 401\)/);
    refused(await agio(['head', '--url', 'ftp://x', '--data', data]), /is not a URL/);
  });

  test('by the command itself', async () => {
    refused(
      await agio(['user', 'show', 'ada', '--data', data]),
      /^agio: UID is a whole number, not "ada"\./,
    );
    refused(await agio(['clock', 'advance', 'tomorrow', '--data', data]), /A duration is like/);
    refused(await agio(['user', 'create', '--data', data]), /--email/);
    const plan = ['plan', 'create', 'x', '--coin', 'USDT', '--min', '1', '--max', '2'];
    refused(
      await agio([...plan, '--type', 'fix', '--data', data]),
      /^agio: --type is one of flexible\|fixed\|customized, not "fix"\./,
    );
    for (const [flag, value] of [
      ['--days', '7-30-90'],
      ['--days', 'a week'],
      ['--booster', 'MMX:0.5'],
      ['--kyc', 'perhaps'],
    ] as const) {
      const args = [...plan, '--type', 'fixed', flag, value, '--data', data];
      refused(await agio(args), new RegExp(`^agio: ${flag} is `));
    }
    refused(
      await agio(['user', 'amend', '1', '--enterprise', 'all', '--data', data]),
      /^agio: --enterprise is a whole number/,
    );
    refused(
      await agio(['key', 'create', '1', '--alias', 'x', '--modules', 'all', '--data', data]),
      /--modules/,
    );
  });
});

test('environment names the server and the token', async () => {
  const { operatorToken } = readSandbox(data);
  const { hostname, port } = new URL(server.url);
  const env = { AGIO_HOST: hostname, AGIO_PORT: port, AGIO_OPERATOR_TOKEN: operatorToken };
  expect(await agio(['head'], { env })).toMatchObject({ code: 0, stderr: '' });
});
