// The commands of README.md, docs/rest.md and docs/binance.md work as printed, in a first run: a
// checkout without data, in every shell of this machine.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHmac, createPrivateKey } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Place, readSandbox } from '../support/cli.ts';
import { freePort } from '../support/postgres.ts';
import { ROOT, run } from '../support/program.ts';
import { until } from '../support/waiting.ts';

const SHELLS = ['dash', 'bash', 'zsh', 'busybox'].filter((name) => Bun.which(name) !== null);
/** Files that a copy of the repository lacks, and those that the server writes. */
const ABSENT = ['data', '.git', 'test-artifacts'];

const place = new Place();
const checkout = place.path('agio');
const port = String(freePort());
const blocks = ['README.md', 'docs/rest.md', 'docs/binance.md'].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(
    ([, text]) => text!,
  ),
);
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('AGIO_')),
);
const env = { ...environment, AGIO_ENV_FILE: '' };

let server: Bun.Subprocess;
beforeAll(async () => {
  mkdirSync(checkout);
  for (const name of readdirSync(ROOT).filter((each) => !ABSENT.includes(each))) {
    symlinkSync(join(ROOT, name), join(checkout, name));
  }
  server = Bun.spawn(['bin/agio', 'start', '--port', port], {
    ...{ cwd: checkout, env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  });
  await until(async () => {
    const noted = await Bun.file(join(checkout, 'data/sandbox.json'))
      .json()
      .catch(() => ({}));
    return noted.demo !== undefined;
  });
  // The demo market opens its books in turn.
  const path = 'market-data-server/api/public/v1/orderbook?symbol=BTC-USDT';
  const book = `http://127.0.0.1:${port}/${path}`;
  await until(
    async () => ((await (await fetch(book)).json()) as { asks: unknown[] }).asks.length > 0,
  );
});
afterAll(async () => {
  server.kill('SIGKILL');
  await server.exited;
  place[Symbol.dispose]();
});

const blockWith = (text: string): string => blocks.find((block) => block.includes(text))!;

async function type(
  text: string,
  shell = 'sh',
  more: Record<string, string> = {},
): Promise<string> {
  const command = [...(shell === 'busybox' ? ['busybox', 'sh'] : [shell]), '-e', '-c'];
  const own = text.replaceAll('8080', port).replaceAll('/tmp/agio', place.path(shell));
  const { code, stdout, stderr } = await run([...command, own], {
    cwd: checkout,
    env: { ...env, ...more },
  });
  expect({ text, code, stderr: code === 0 ? '' : stderr }).toMatchObject({ code: 0 });
  return stdout;
}

test.each(SHELLS)('the book, signed calls and the operator’s side, in %s', async (shell) => {
  expect(await type(blockWith('orderbook?symbol='), shell)).toContain('"symbol":"BTC-USDT"');
  const [order, orders, rejected] = (await type(blockWith('agio POST'), shell)).trim().split('\n');
  expect(order).toContain('"orderId":');
  expect(orders).toContain('"ordStatus":2');
  expect(rejected).toContain('"code":"100208"');
  const printed = await type(blockWith('npx agio backup'), shell);
  expect(printed).toMatch(/^instrumentStatus +LIVE$/m);
  expect(printed).toMatch(/ is as it should be\.$/m);
});

test.each(SHELLS)(
  'the signed calls and the operator’s call of docs/rest.md, in %s',
  async (shell) => {
    const printed = await type(blockWith('URL=http://127.0.0.1'), shell);
    expect(printed).toContain('"orderId":');
    expect(printed).toContain('"pagination":');
    const AGIO_OPERATOR_TOKEN = readSandbox(join(checkout, 'data')).operatorToken;
    const credited = await type(blockWith('ledger/credit'), shell, { AGIO_OPERATOR_TOKEN });
    expect(credited).toContain('"transferId":');
  },
);

test.each(SHELLS)('the private key of docs/binance.md, in %s', async (shell) => {
  const SECRET = readSandbox(join(checkout, 'data')).demo!.secretKey;
  await type(blockWith('agio ed25519'), shell, { SECRET });
  const pem = readFileSync(join(checkout, 'agio.pem'), 'utf8');
  const seed = createHmac('sha256', SECRET).update('agio ed25519').digest();
  expect(createPrivateKey(pem).export({ format: 'jwk' }).d).toBe(seed.toString('base64url'));
});

test('the stream', async () => {
  const watching = Bun.spawn(['sh', '-c', blockWith('new WebSocket').replaceAll('8080', port)], {
    ...{ cwd: checkout, env, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore', detached: true },
  });
  const { value } = await watching.stdout.getReader().read();
  process.kill(-watching.pid, 'SIGKILL');
  expect(new TextDecoder().decode(value)).toContain('"channel":"trades"');
});

test('ninety days of interest', async () => {
  expect(await type(blockWith('examples/earn.ts'))).toMatch(/their sum is the preview's: true/);
});
