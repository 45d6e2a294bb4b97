// The built package in Node, by `import` and by `require`: REST, a websocket, and exceptions of the
// caller's copy of ccxt; and its types.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCcxt } from '../../src/ccxt/build.ts';
import { compile, outputOf } from '../support/program.ts';
import { CcxtSandbox } from './sandbox.ts';

// Inside the repository, so that the package finds ccxt as an installed one would.
const PROJECT = join(import.meta.dir, '../../test-artifacts/ccxt');
let venue: CcxtSandbox;
let access: string;

const BODY = `
  register(ccxt);
  const exchange = new ccxt.pro.agio({ ...JSON.parse(process.argv[2]), sandbox: true });
  const main = async () => {
    const order = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 30000.01);
    // The book changes later, so the bid is copied.
    const [bid] = (await exchange.watchOrderBookForSymbols(['BTC/USDT'], 5)).bids;
    const [open] = await exchange.fetchOpenOrders('BTC/USDT');
    await exchange.cancelOrder(order.id);
    const refused = await exchange
      .createOrder('BTC/USDT', 'limit', 'buy', 1000, 30000)
      .catch((error) => error instanceof ccxt.InsufficientFunds);
    await exchange.close();
    console.log(JSON.stringify({ bid, same: open.id === order.id, refused }));
  };
  main();
`;
const HEADS = {
  'import.mjs': `import ccxt from 'ccxt'; import { register } from 'agio-ccxt';`,
  'require.cjs': `const ccxt = require('ccxt'); const { register } = require('agio-ccxt');`,
};

beforeAll(async () => {
  await buildCcxt(join(PROJECT, 'node_modules/agio-ccxt'));
  for (const [name, head] of Object.entries(HEADS)) writeFileSync(join(PROJECT, name), head + BODY);
  venue = await CcxtSandbox.start();
  const { apiKey, secretKey: secret } = venue.info.demo!;
  access = JSON.stringify({ apiKey, secret, hostname: venue.hostname });
});

afterAll(async () => {
  await venue[Symbol.asyncDispose]();
  rmSync(PROJECT, { recursive: true, force: true });
});

test.each(Object.keys(HEADS))('a bot by %s', async (name) => {
  const printed = await outputOf(['node', join(PROJECT, name), access]);
  expect(JSON.parse(printed)).toEqual({ bid: [30000.01, 0.01], same: true, refused: true });
});

test('a strict compiler accepts a bot and the types', async () => {
  const bot = `
    import { agio, register } from 'agio-ccxt';
    import ccxt from 'ccxt';
    register(ccxt);
    const exchange = new ccxt.pro.agio({ sandbox: true });
    export const main = async (): Promise<void> => {
      const { bids } = await exchange.watchOrderBookForSymbols(['BTC/USDT'], 5);
      const order = await new agio().createOrder('BTC/USDT', 'limit', 'buy', 1, bids[0]![0]);
      await exchange.earnPrivatePostPlanApply({ planId: order.id, amount: '100' });
    };`;
  writeFileSync(join(PROJECT, 'bot.mts'), bot);
  const options = '--ignoreConfig --strict --noEmit --module nodenext --target es2022'.split(' ');
  const { stdout } = await compile([...options, join(PROJECT, 'bot.mts')], { cwd: PROJECT });
  const messages = stdout.split('\n');
  // The types of ccxt itself have faults.
  expect(messages.filter((line) => line !== '' && !line.includes('node_modules/ccxt/'))).toEqual(
    [],
  );
});
