// What an operator who has never seen the console does first: lists an asset and a pair, funds a
// customer, opens a plan, and halts a market, which a trader sees at once.
import { afterAll, beforeAll, expect } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { browserTest, CHROMIUM, type Tab } from '../support/browser.ts';
import { Stage } from '../support/browser-people.ts';

let stage: Stage;
let operator: Tab;
let trader: Tab;

beforeAll(async () => {
  if (CHROMIUM === null) return;
  stage = await Stage.set();
  operator = await stage.console();
  trader = await stage.tab();
  await trader.logIn(stage.sandbox.demo!.email, stage.sandbox.demo!.password);
});
afterAll(async () => {
  await trader?.[Symbol.asyncDispose]();
  await operator?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

const main = () => operator.page.getByRole('main');
const choose = (label: string, option: string) => main().getByLabel(label).selectOption(option);

browserTest(
  'lists an asset and a pair, and the trader finds it',
  async () => {
    await operator.visit('/operator/markets/new-asset');
    await main().getByLabel('Name').fill('SOL');
    await main().getByLabel('Decimals').fill('8');
    await main().getByRole('button', { name: /^List/ }).click();
    await operator.visit('/operator/markets/new');
    await choose('Base asset', 'SOL');
    await choose('Quote asset', 'USDT');
    await main().getByLabel('Quantity increment').fill('0.001');
    await main().getByLabel('Price increment').fill('0.01');
    await main().getByLabel('Minimum quantity').fill('0.01');
    await main().getByLabel('Minimum value').fill('1');
    await operator.screenshot('journey-11-list-a-pair');
    await main().getByRole('button', { name: /^List/ }).click();
    await operator.page
      .getByText(/SOL-USDT/)
      .first()
      .waitFor();
    await trader.visit('/trade/SOL-USDT');
    await trader.page.getByRole('heading', { name: /Order for SOL-USDT/ }).waitFor();
  },
  60_000,
);

browserTest(
  'funds a customer, who has it in the wallet',
  async () => {
    await operator.visit('/operator/ledger/credit');
    await main().getByRole('combobox', { name: 'Customer' }).fill('demo@example.com');
    await operator.page.getByRole('option', { name: /demo@example.com/ }).click();
    await choose('Asset', 'SOL');
    await main().getByLabel('Amount').fill('12.5');
    await main().getByLabel('Reference').fill('wire-2026-11-21');
    await main()
      .getByRole('button', { name: /^Credit/ })
      .click();
    await operator.page.getByText(/12\.5/).first().waitFor();
    await trader.visit('/wallet');
    await trader.page.getByRole('row', { name: /SOL/ }).getByText('12.5').first().waitFor();
  },
  60_000,
);

browserTest(
  'opens a plan, and the saver finds it',
  async () => {
    await operator.visit('/operator/plans/new');
    await main().getByText('Flexible', { exact: true }).first().click();
    await choose('Coin', 'SOL');
    await main().getByLabel('Name').fill('SOL Flexible');
    await main().getByLabel('APR').fill('3.65');
    await main().getByLabel('Minimum per customer').fill('1');
    await main().getByLabel('Maximum per customer').fill('1000');
    await main().getByLabel('Open immediately').check();
    await operator.screenshot('journey-12-plan');
    await main().getByRole('button', { name: 'Create plan' }).click();
    await operator.page.getByText('SOL Flexible').first().waitFor();
    await trader.visit('/earn');
    await trader.page.getByRole('link', { name: /: SOL Flexible$/ }).waitFor();
  },
  60_000,
);

browserTest(
  'sees the latest changes in full on the overview, on screens of any width',
  async () => {
    // Names of refusals are the longest that stand there.
    const [path, body] = ['instruments/NO-SUCH', { instrumentStatus: 'HALTED' }] as const;
    await stage.operate('PATCH', path, body).catch(() => undefined);
    for (const width of [1440, 1280, 390]) {
      await operator.page.setViewportSize({ width, height: 900 });
      await operator.visit('/operator');
      await main().getByRole('table', { name: 'Entries of the audit log' }).waitFor();
      await operator.screenshot(`journey-overview-${width}`);
      const cut = await operator.page
        .getByRole('table', { name: 'Entries of the audit log' })
        .evaluate((table) => table.parentElement!.scrollWidth - table.parentElement!.clientWidth);
      expect({ width, cut }).toEqual({ width, cut: 0 });
    }
    await operator.page.setViewportSize({ width: 1440, height: 900 });
  },
  60_000,
);

browserTest(
  'withdraws from a reserve, and finds it in the statement',
  async () => {
    await operator.visit('/operator/ledger/income');
    const row = main().getByRole('table', { name: 'Income and reserves' }).getByRole('row');
    await row
      .filter({ hasText: 'Reserve of plan 1' })
      .getByRole('button', { name: /^Withdraw/ })
      .click();
    await main().getByLabel('Amount').fill('12.5');
    await main().getByLabel('Reference').fill('treasury-out-1');
    await main().getByRole('button', { name: 'Withdraw…', exact: true }).last().click();
    await operator.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await main().getByRole('status').getByText('Booked 12.5').waitFor();
    const statement = main().getByRole('table', { name: 'Funded and withdrawn' });
    await statement.getByText('treasury-out-1').waitFor();
    await operator.screenshot('journey-income');
  },
  60_000,
);

browserTest(
  'halts a market, and the trader sees it without touching the page',
  async () => {
    await trader.visit('/trade/BTC-USDT');
    await operator.visit('/operator/markets/BTC-USDT');
    await main().getByRole('button', { name: 'Halt trading: BTC-USDT' }).click();
    const dialog = operator.page.getByRole('dialog');
    await dialog.getByRole('button', { name: /halt/i }).click();
    await dialog.waitFor({ state: 'detached' });
    await trader.page
      .getByText(/halted/i)
      .first()
      .waitFor();
    const buy = trader.page.getByRole('button', { name: 'Buy BTC' });
    expect(await buy.isDisabled()).toBe(true);
    await trader.screenshot('journey-13-halted');
    expect(trader.errors).toEqual([]);
    expect(operator.errors).toEqual([]);
  },
  60_000,
);

browserTest(
  'cancels the orders of a customer, then suspends the account, which ends its session',
  async () => {
    const { uid } = stage.sandbox.demo!;
    await stage.operate('PATCH', 'instruments/BTC-USDT', { instrumentStatus: 'LIVE' });
    const demo = new AgioClient({ url: stage.server.url, ...stage.sandbox.demo! });
    const order = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '30000' } as const;
    await demo.createOrder({ ...order, orderQty: '0.1' });
    await trader.visit('/trade/BTC-USDT');
    const open = trader.page.getByRole('button', { name: /^Cancel: Buy BTC-USDT/ });
    await open.waitFor();
    await operator.visit(`/operator/users/${uid}`);
    await main().getByRole('button', { name: 'Cancel open orders…' }).click();
    const dialog = operator.page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('ticket 4711');
    await dialog.getByRole('button', { name: 'Cancel orders' }).click();
    await operator.page.getByText(`Canceled 1 order of user ${uid}.`).waitFor();
    await open.waitFor({ state: 'detached' });
    await demo.createOrder({ ...order, orderQty: '0.2' });
    await main().getByRole('button', { name: 'Suspend…' }).click();
    await operator.screenshot('journey-suspend');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await main().getByText('Suspended: can read, cannot change anything').waitFor();
    expect((await demo.orders({ type: 'OPEN' })).data).toEqual([]);
    await trader.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
    await main().getByRole('button', { name: 'Activate…' }).click();
    await dialog.getByRole('button', { name: 'Activate user' }).click();
    await main().getByText('Active', { exact: true }).waitFor();
    expect(operator.errors).toEqual([]);
  },
  60_000,
);
