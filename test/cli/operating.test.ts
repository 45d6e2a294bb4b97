// The commands that act on a running server, each once as an operator types it: the text for
// people, the server's own JSON for programs, and one sentence for a rejection.
import { describe, expect, test } from 'bun:test';
import { agio, expectRejected, Sandbox } from '../support/cli.ts';

const sandbox = Sandbox.forFile();

/** Runs a command against the sandbox. */
const run = (line: string) => agio(`${line} --data ${sandbox.data}`);

/** Runs a command that has to succeed; returns its output. */
async function done(line: string): Promise<string> {
  const { code, stdout, stderr } = await run(line);
  expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
  return stdout;
}

/** The same, with its answer as JSON. */
async function json<T = unknown>(line: string): Promise<T> {
  return JSON.parse(await done(`${line} --json`)) as T;
}

const TRANSFER = { transferId: expect.any(Number), seq: expect.any(Number) };

/** The same reference again moves nothing and has the same answer. */
async function transferTwice(line: string): Promise<void> {
  const first = await json(line);
  expect(first).toMatchObject(TRANSFER);
  expect(await json(line)).toEqual(first);
}

test('users, keys and money', async () => {
  expect(await done('user create --email ada@example.com --kyc')).toMatch(/^uid \d+\n$/);
  const { items } = await json<{ items: { uid: number }[] }>('user list --query ada@');
  const { uid } = items[0]!;
  const secret = 'a password from a pipe';
  const create = `user create --email bob@example.com --password --data ${sandbox.data}`;
  const piped = await agio(create, { stdin: `${secret}\n` });
  expect(piped).toMatchObject({ code: 0, stderr: '' });
  expect(piped.stdout).not.toContain(secret);
  expect(await done('user')).toContain('bob@example.com');
  const user = await done(`user show ${uid}`);
  expect(user).toMatch(/^email +ada@example.com$/m);
  expect(user).toMatch(/^createdAt +\d{4}-\d\d-\d\dT[\d:.]+Z$/m);
  const amend = `user amend ${uid}`;
  expect(await json(`${amend} --maker-fee 0.0002 --status suspended`)).toMatchObject({
    makerFee: 0.0002,
    status: 'suspended',
  });
  expect(await json(`${amend} --maker-fee instrument --status active`)).toMatchObject({
    makerFee: null,
    status: 'active',
  });

  const key = await json<{ apiKey: string; secretKey: string }>(
    `key create ${uid} --alias bot --modules 5,6 --ip 127.0.0.1`,
  );
  expect(key.secretKey).toMatch(/^[0-9a-f]{64}$/);
  const keys = await done(`key list ${uid}`);
  expect(keys).toContain(key.apiKey);
  expect(keys).not.toContain(key.secretKey);
  expect(await json(`key revoke ${uid} ${key.apiKey}`)).toMatchObject({ apiKey: key.apiKey });

  await transferTwice(`credit ${uid} USDT 1000.5 --reference wire-1`);
  expect(await done(`debit ${uid} USDT 0.5 --reference out-1`)).toMatch(/^transferId/);
  expect(await done(`user balances ${uid}`)).toMatch(/^USDT +1000 +0 /m);
  expect(await done(`credit ${uid} USDT 5e4 --reference wire-2`)).toMatch(/^transferId/);
  expect(await done(`credit ${uid} BTC 1e-05 --reference wire-3`)).toMatch(/^transferId/);
  const owned = await done(`user balances ${uid}`);
  expect(owned).toMatch(/^USDT +51000 +0 /m);
  expect(owned).toMatch(/^BTC +0.00001 +0 /m);
});

test('assets and instruments', async () => {
  const asset = await json('asset create CHF --scale 2 --fiat');
  expect(asset).toMatchObject({ asset: 'CHF', fiat: true });
  expect(await done('asset')).toMatch(/CHF +2 +yes/);
  const terms = '--tick 0.1 --lot 0.1 --min-base 0.1 --min-quote 5 --self-trade none';
  expect(await json(`instrument create ETH-CHF ${terms}`)).toMatchObject({
    symbol: 'ETH-CHF',
    quoteAssetIncrement: 0.1,
    selfTradePrevention: 'none',
  });
  const set = 'fee-tiers set --volume-asset USDT --rates CHF=1.1 --tiers';
  const tiers = await done(`${set} 1000:0.0005/0.001,5000:0/0.0002`);
  expect(tiers).toContain('1 CHF counts as 1.1 USDT');
  expect(tiers).toMatch(/^ *5000 +0 +0.0002$/m);
  expect(await done('fee-tiers')).toBe(tiers);
  expectRejected(await run(`${set} 1000`), /--tiers is like/);
  expect(await done('fee-tiers remove')).toContain('There are no fee tiers.');

  const halted = await json('instrument amend ETH-CHF --status HALTED');
  expect(halted).toMatchObject({ instrumentStatus: 'HALTED', open: false });
  expect(await done('instrument')).toMatch(/ETH-CHF +HALTED/);
  const live = await json('instrument amend ETH-CHF --status LIVE --price-band 0.1');
  expect(live).toMatchObject({ instrumentStatus: 'LIVE', priceBand: 0.1 });
});

test('plans and their reserves', async () => {
  const bounds = '--min 10 --max 1000';
  const created = await json<{ planId: string }>(
    `plan create "Ninety Days" --type fixed --coin USDT --days 90 --apr 0.1 ${bounds} ` +
      '--reward-every 7 --capacity 5000 --redeem-lock-hours 24 --early-redemption yes ' +
      '--auto-renew yes --kyc yes --label New --booster MMX:0.5:0.02 --status closed',
  );
  expect(created).toEqual({ planId: expect.stringMatching(/^\d+$/) });
  const { planId } = created;
  expect(await json(`plan show ${planId}`)).toMatchObject({
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
  const removed = '--capacity none --booster none --label none';
  const others = '--name "90 Days" --apr 0.09 --kyc no --status open';
  expect(await json(`plan edit ${planId} ${removed} ${others}`)).toMatchObject({
    planName: '90 Days',
    apr: 0.09,
    poolCapacity: null,
    booster: null,
    label: '',
    requiresKyc: false,
    supportAutoRenew: true,
    status: 'open',
  });
  await transferTwice(`plan fund ${planId} 250.5 --reference reserve-1`);
  expect(await done('plan')).toMatch(
    /^ *\d+ +90 Days +fixed +USDT +open +0\.09 +90 +0 +250\.5 +– +no$/m,
  );

  const range = `--type customized --coin BTC --days 7-365 ${bounds}`;
  await done(`plan create Term ${range} --min-apr 0.01 --max-apr 0.03`);
  expect(await done('plan list')).toMatch(/Term +customized +BTC +open +0\.01 to 0\.03 +7 to 365/);
  const flexible = '--type flexible --coin USDT --apr 0.04 --auto-compound';
  await done(`plan create Compounding ${flexible} ${bounds}`);
  const plans = await json<{ planName: string }[]>('plan');
  expect(plans.at(-1)).toMatchObject({ planName: 'Compounding', autoCompound: true, planType: 1 });
});

test('income, and orders of others', async () => {
  const { items } = await json<{ items: { account: string; planId: string }[] }>('income');
  const { planId } = items.find(({ account }) => account === 'reserve')!;
  const withdraw = `income withdraw reserve USDT 1.5 --plan ${planId}`;
  await transferTwice(`${withdraw} --reference out-of-reserve`);
  expect(await done('income')).toMatch(/^reserve +– +1 +USDT +999998\.5 /m);
  expect(await done('income statement')).toMatch(/reserve +– +1 +USDT +-1\.5 +out-of-reserve/);
  const canceled = await json('order cancel --symbol BTC-USDT --reason "a test"');
  expect(canceled).toMatchObject({ remaining: 0 });
  expect(await done('audit --page-size 1')).toMatch(/orders\.cancel +BTC-USDT +ok/);
});

test('enterprises and their members', async () => {
  const created = await json<{ enterpriseId: number }>('enterprise create "Example Treasury"');
  const { enterpriseId } = created;
  const member = `--enterprise ${enterpriseId}`;
  await done(`user create --email cfo@example.com ${member} --enterprise-admin`);
  await done(`user create --email clerk@example.com ${member}`);
  const { items } = await json<{ items: [{ uid: number }] }>('user list --query clerk@');
  const [clerk] = items;
  expect(clerk).toMatchObject({ enterpriseId, enterpriseAdmin: false, kyc: false });
  const prevents = `enterprise amend ${enterpriseId} --self-trade-prevention yes`;
  expect(await json(prevents)).toEqual({ enterpriseId, selfTradePrevention: true });
  const row = new RegExp(`^ *${enterpriseId} +Example Treasury +2 +yes$`, 'm');
  expect(await done('enterprise')).toMatch(row);
  const amend = `user amend ${clerk.uid}`;
  const admin = await json(`${amend} --kyc yes --enterprise-admin yes`);
  expect(admin).toMatchObject({ enterpriseId, enterpriseAdmin: true, kyc: true });
  const left = await json(`${amend} --enterprise none`);
  expect(left).toMatchObject({ enterpriseId: null, enterpriseAdmin: false });
});

test('head, clock and audit log', async () => {
  expect(await done('head')).toMatch(
    /^seq +\d+\ntime +\d{4}-\d\d-\d\dT\S+Z\nchainHash +[0-9a-f]{64}\nstateHash +[0-9a-f]{16}\n$/,
  );
  const before = await json<{ offset: number }>('clock');
  await done('clock advance 1d12h');
  const after = await json<{ offset: number }>('clock');
  expect(after.offset - before.offset).toBe(36 * 3_600_000);
  expect(await done('clock')).toMatch(
    /^business time +\d{4}-\d\d-\d\dT\S+Z\nwall clock +\S+Z\nahead +\d{8,} ms\n$/,
  );
  expect(await done('audit --page-size 5')).toMatch(/operator +127\.0\.0\.1 +clock\.advance/);
});

test('an asset: excluded increments come first, and the hint counts the others', async () => {
  const others = Array.from({ length: 10 }, (_, at) => `HINT${at}`);
  for (const asset of others) await done(`asset create ${asset} --scale 1`);
  // The last of the assets is the only one of these that the scale of USDX excludes.
  await done('asset amend HINT9 --scale 8');
  const { stderr } = await run('asset create USDX --scale 4');
  expect(stderr).toMatch(/^ +HINT9-USDX +--tick 0\.01 fits --lot 0\.01 and coarser, not 0\.001: /m);
  expect(stderr.match(/^ +\w+-\w+ +--tick /gm)).toHaveLength(20);
  expect(stderr).toMatch(/^ {2}and \d+ more pairs$/m);
  for (const asset of [...others, 'USDX']) await done(`asset remove ${asset}`);
});

test('an asset: its increments, a correction and its removal', async () => {
  const created = await run('asset create USDX --scale 4');
  expect(created).toMatchObject({ code: 0 });
  expect(created.stderr).toContain('In a pair that USDX quotes, the decimals of --tick and --lot');
  expect(created.stderr).toMatch(
    /^ +BTC-USDX +--tick 0\.01 fits --lot 0\.01 and coarser, not 0\.001: .* need --scale 5$/m,
  );
  expect(created.stderr).toMatch(/^ +USDX-USDT +--tick 0\.01 fits --lot 0\.0001 and coarser$/m);
  expect(await json('asset amend USDX --scale 8')).toMatchObject({ asset: 'USDX', scale: 8 });
  await done('asset amend USDX --scale 4');
  const terms = '--lot 0.001 --min-base 0.1 --min-quote 5';
  expectRejected(
    await run(`instrument create BTC-USDX --tick 0.01 ${terms}`),
    /^agio: Invalid option: --tick\. .* at most 1 decimal: with the 3 of --lot .*agio asset amend/m,
  );
  await done('asset remove USDX');
  expect(await done('asset')).not.toContain('USDX');
  expectRejected(await run('asset remove BTC'), /money .*\(100227, HTTP 409\)$/m);
});

test('the trial balance has each kind of account, and their sum', async () => {
  const { assets } = await json<{ assets: { asset: string }[] }>('trial-balance');
  const text = await done('trial-balance');
  expect(text).toMatch(/^USDT +customerAvailable +\d/m);
  expect(text).toMatch(/^USDT +external +-\d/m);
  for (const { asset } of assets) expect(text).toMatch(new RegExp(`^${asset} +sum +0$`, 'm'));
});

test('a single machine is no cluster', async () => {
  expect(await done('cluster')).toBe('This server is a single machine, not a node of a cluster.\n');
  expect(await json('cluster status')).toMatchObject({ mode: 'single', nodes: [] });
  expectRejected(await run('cluster lead b'), /single machine.* \(100702, HTTP 409\)$/m);
});

const NEW_PLAN = 'plan create x --coin USDT --min 1 --max 2';

describe('a rejection is one sentence', () => {
  test.each([
    [
      'debit 1 USDT 99999999 --reference x',
      /^agio: Invalid field: amount\. .* \(100206, HTTP 400\)$/m,
    ],
    ['user show 999', /No such user\. \(100220/],
    [
      'plan edit 999 --apr 0.01',
      /^agio: Invalid field: planId\. No such plan\. .*\(100200, HTTP 400\)$/m,
    ],
    ['head --url ftp://x', /is not a URL/],
    ['user show ada', /^agio: UID is a whole number, not "ada"\./],
    ['clock advance tomorrow', /A duration is like/],
    ['user create', /--email/],
    [`${NEW_PLAN} --type fix`, /^agio: --type is one of flexible\|fixed\|customized, not "fix"\./],
    [`${NEW_PLAN} --type fixed --days 7-30-90`, /^agio: --days is /],
    [`${NEW_PLAN} --type fixed --days "a week"`, /^agio: --days is /],
    [`${NEW_PLAN} --type fixed --booster MMX:0.5`, /^agio: --booster is /],
    [`${NEW_PLAN} --type fixed --kyc perhaps`, /^agio: --kyc is /],
    ['user amend 1 --enterprise all', /^agio: --enterprise is a whole number/],
    ['key create 1 --alias x --modules all', /--modules/],
  ])('%s', async (line, sentence) => {
    expectRejected(await run(line), sentence);
  });

  test('without a server, and without a token', async () => {
    const env = { AGIO_OPERATOR_TOKEN: 'some-token' };
    const nobody = await agio('head --url http://127.0.0.1:1', { env });
    expectRejected(nobody, /^agio: No answer from http:\/\/127\.0\.0\.1:1/);
    const none = await agio(`head --data ${sandbox.place.path('none')}`);
    expectRejected(none, /^agio: No operator token: set AGIO_OPERATOR_TOKEN/);
    const wrong = await agio(`head --url ${sandbox.server.url}`, { env });
    expectRejected(wrong, /\(100401, HTTP 401\)/);
  });
});

test('environment variables name the server and the token', async () => {
  const { operatorToken } = sandbox.access;
  const { hostname, port } = new URL(sandbox.server.url);
  const env = { AGIO_HOST: hostname, AGIO_PORT: port, AGIO_OPERATOR_TOKEN: operatorToken };
  expect(await agio('head', { env })).toMatchObject({ code: 0, stderr: '' });
});
