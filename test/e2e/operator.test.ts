// The operator console in a browser: listings, transfers, a plan, a halt and a suspension, and
// what a customer then sees.
import { expect } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

let stage: Stage;
let operator: Tab;
let trader: Tab;

withStage(async (set) => {
  stage = set;
  operator = await stage.console();
  trader = await stage.customer();
});

const main = () => operator.page.getByRole('main');
const dialog = () => operator.page.getByRole('dialog');
const choose = (label: string, option: string) => main().getByLabel(label).selectOption(option);
const fill = (label: string, value: string) => main().getByLabel(label).fill(value);
const press = (name: string | RegExp) => main().getByRole('button', { name }).click();

browserTest('a listed asset and pair appear on the trading page', async () => {
  await operator.visit('/operator/markets/new-asset');
  await fill('Name', 'sol');
  await fill('Decimals', '8');
  await press('List asset');
  await operator.page.getByText('Listed SOL.').waitFor();
  await operator.visit('/operator/markets/new');
  await choose('Base asset', 'SOL');
  await choose('Quote asset', 'USDT');
  await fill('Quantity increment', '0.001');
  await fill('Price increment', '0.01');
  await fill('Minimum quantity', '0.0105');
  await fill('Minimum value', '1');
  await press('List pair');
  // The server says what is nearest, and the form takes it.
  await press('Use 0.01');
  expect(await main().getByLabel('Minimum quantity').inputValue()).toBe('0.01');
  // The browser logs the rejection.
  operator.errors.length = 0;
  await operator.screenshot('journey-11-list-a-pair');
  await press('List pair');
  await operator.page.getByText('Listed SOL-USDT.').waitFor();
  await trader.visit('/trade/SOL-USDT');
  await trader.page.getByRole('heading', { name: /Order for SOL-USDT/ }).waitFor();
});

browserTest('fee tiers appear in the wallet, and an empty table removes them', async () => {
  await operator.visit('/operator/markets');
  await main().getByRole('link', { name: 'Edit fee tiers' }).click();
  await choose('Volumes in', 'USDT');
  await fill('Tier 1: volume from (optional)', '1000000000');
  await main().getByLabel('Maker fee').first().fill('0.05');
  await main().getByLabel('Taker fee').first().fill('0.1');
  await main().getByText('From 1,000,000,000 USDT on, makers pay 0.05%').waitFor();
  await operator.screenshot('fee-tiers');
  await press('Set fee tiers');
  await main()
    .getByRole('row', { name: /1,000,000,000.*0.05%.*0.10%/ })
    .waitFor();
  await trader.visit('/wallet');
  const line = trader.page.getByText(/USDT more for maker 0.05%, taker 0.10%\./);
  await line.waitFor();
  expect(await line.textContent()).toContain('30-day volume: ');
  await stage.operator.setFeeTiers({ tiers: [] });
  await operator.visit('/operator/markets');
  await main().getByText('No fee tiers').waitFor();
});

browserTest('a credit reaches the wallet once, however often it is booked', async () => {
  await stage.operator.createAsset({ asset: 'ADA', scale: 6 });
  const remove = main().getByRole('button', { name: 'Remove asset' });
  await operator.visit('/operator/markets/asset:BTC');
  await main().getByText('BTC-USDT').first().waitFor();
  expect(await remove.isDisabled()).toBe(true);
  await operator.visit('/operator/markets/asset:ADA');
  expect(await remove.isDisabled()).toBe(false);
  await operator.visit('/operator/ledger/credit');
  await main().getByRole('combobox', { name: 'Customer' }).fill('demo@example.com');
  await operator.page.getByRole('option', { name: /demo@example.com/ }).click();
  await choose('Asset', 'ADA');
  for (const outcome of ['Booked 12.5 ADA', 'This reference was already booked']) {
    await fill('Amount', '12.5');
    await fill('Reference', 'wire-2026-11-21');
    await press(/^Credit/);
    await main().getByRole('status').getByText(outcome).waitFor();
  }
  await trader.visit('/wallet');
  await trader.page.getByRole('row', { name: /ADA/ }).getByText('12.5').first().waitFor();
});

browserTest('a new plan appears on the Earn page, and an edit changes its terms', async () => {
  await operator.visit('/operator/plans/new');
  await main().getByText('Flexible', { exact: true }).first().click();
  await choose('Coin', 'USDT');
  await fill('Name', 'USDT Autumn');
  await fill('APR', '3.65');
  await fill('Minimum per customer', '1');
  await fill('Maximum per customer', '1000');
  await main().getByLabel('Open immediately').check();
  await operator.screenshot('journey-12-plan');
  await press('Create plan');
  await main().getByRole('heading', { name: 'USDT Autumn' }).waitFor();
  await fill('APR', '4');
  await fill('Maximum of all customers', '5000');
  const preview = main().getByRole('complementary', { name: 'Preview' });
  await preview.getByText('APR: 3.65% → 4.00%').waitFor();
  await preview.getByText('Unlimited → 5,000 USDT').waitFor();
  await operator.screenshot('journey-plan-edit');
  await press('Save changes');
  await operator.page.getByText('Changed the terms.').waitFor();
  await trader.visit('/earn');
  await trader.page.getByRole('link', { name: /: USDT Autumn$/ }).waitFor();
});

browserTest('the overview fits screens of any width', async () => {
  // Names of rejections are the longest texts there.
  await stage.operator
    .amendInstrument('NO-SUCH', { instrumentStatus: 'HALTED' })
    .catch(() => undefined);
  for (const width of [1440, 1280, 390]) {
    await operator.page.setViewportSize({ width, height: 900 });
    await operator.visit('/operator');
    const audit = main().getByRole('table', { name: 'Entries of the audit log' });
    await audit.waitFor();
    await main().locator('button[aria-busy="false"]', { hasText: 'Refresh' }).waitFor();
    await operator.screenshot(`journey-overview-${width}`);
    const cut = await audit.evaluate(
      (table) => table.parentElement!.scrollWidth - table.parentElement!.clientWidth,
    );
    expect({ width, cut }).toEqual({ width, cut: 0 });
    const refresh = (await main().getByRole('button', { name: 'Refresh' }).boundingBox())!;
    const label = (await main().getByText('Refresh', { exact: true }).boundingBox())!;
    expect(label.y).toBeGreaterThanOrEqual(refresh.y);
    expect(label.y + label.height).toBeLessThanOrEqual(refresh.y + refresh.height);
    expect(refresh.x + refresh.width).toBeLessThanOrEqual(width);
  }
  await operator.page.setViewportSize({ width: 1440, height: 900 });
});

browserTest('a phone shows the whole email address of a user', async () => {
  const email = 'somebody-with-a-long-name@mail.of-a-company.example.com';
  await stage.operator.createUser({ email });
  await using phone = await stage.console({ size: 'phone' });
  await phone.visit('/operator/users');
  const link = phone.page.getByRole('link', { name: email });
  const text = link.locator('span');
  expect(await text.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await link.click();
  await phone.page.getByRole('main').getByText(email).first().waitFor();
});

browserTest('a withdrawal from a reserve appears in the statement', async () => {
  await operator.visit('/operator/ledger/income');
  const row = main().getByRole('table', { name: 'Income and reserves' }).getByRole('row');
  await row
    .filter({ hasText: 'Reserve of plan 1' })
    .getByRole('button', { name: /^Withdraw/ })
    .click();
  await fill('Amount', '12.5');
  await fill('Reference', 'treasury-out-1');
  await main().getByRole('button', { name: 'Withdraw…', exact: true }).last().click();
  await dialog().getByRole('button', { name: 'Withdraw' }).click();
  await main().getByRole('status').getByText('Booked 12.5').waitFor();
  const statement = main().getByRole('table', { name: 'Funded and withdrawn' });
  await statement.getByText('treasury-out-1').waitFor();
  await operator.screenshot('journey-income');
});

browserTest('a trader sees a halt immediately', async () => {
  await trader.visit('/trade/ETH-USDT');
  await operator.visit('/operator/markets/ETH-USDT');
  await press('Halt trading: ETH-USDT');
  await dialog().getByRole('button', { name: 'Halt trading' }).click();
  await trader.page
    .getByText(/halted/i)
    .first()
    .waitFor();
  const buy = trader.page.getByRole('button', { name: 'Buy ETH' });
  expect(await buy.isDisabled()).toBe(true);
  await trader.screenshot('journey-13-halted');
  expect(trader.errors).toEqual([]);
  expect(operator.errors).toEqual([]);
});

browserTest('the operator cancels the orders of a customer, and suspends the account', async () => {
  const login = { email: 'ben@example.com', password: 'quiet lantern over snow' };
  const { uid } = await stage.operator.createUser({ ...login, kyc: true });
  await stage.operator.credit({ uid, asset: 'USDT', amount: '50000', reference: 'ben-1' });
  const key = await stage.operator.createKey(uid, { alias: 'bot', moduleIds: [5, 6] });
  const client = new AgioClient({ url: stage.server.url, ...key });
  const order = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '30000' } as const;
  await client.createOrder({ ...order, orderQty: '0.1' });
  await using customer = await stage.customer(login);
  await customer.visit('/trade/BTC-USDT');
  const open = customer.page.getByRole('button', { name: /^Cancel: Buy BTC-USDT/ });
  await open.waitFor();

  await operator.visit(`/operator/users/${uid}`);
  await press('Cancel open orders…');
  await dialog().getByLabel('Reason').fill('ticket 4711');
  await dialog().getByRole('button', { name: 'Cancel orders' }).click();
  await operator.page.getByText(`Canceled 1 order of user ${uid}.`).waitFor();
  await open.waitFor({ state: 'detached' });

  await client.createOrder({ ...order, orderQty: '0.2' });
  await press('Suspend…');
  await operator.screenshot('journey-suspend');
  await dialog().getByRole('button', { name: 'Suspend' }).click();
  await main().getByText('Suspended: can read, cannot change anything').waitFor();
  expect((await client.orders({ type: 'OPEN' })).data).toEqual([]);
  await customer.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();

  await press('Activate…');
  await dialog().getByRole('button', { name: 'Activate user' }).click();
  // The user's own status; the API keys below have one too.
  await main().locator('dl').getByText('Active', { exact: true }).waitFor();
  expect(operator.errors).toEqual([]);
});

browserTest('the alarms of the overview refresh themselves and show their age', async () => {
  await using console = await stage.console();
  const { page } = console;
  await console.visit('/operator');
  const alarms = page.getByRole('main').locator('section', { hasText: 'Needs attention' });
  await alarms.getByText(/^Checked \d+ s ago$/).waitFor();
  const terms = { planName: 'Unfunded', planType: 1, coin: 'USDT', apr: '0.05' } as const;
  const amounts = { userAmountMin: '1', userAmountMax: '100' } as const;
  const { planId } = await stage.operator.createPlan({ ...terms, ...amounts, status: 'open' });
  const notice = alarms.getByText('Unfunded is open, and its reserve is empty. Fund it.');
  await notice.waitFor();
  await stage.operator.amendInstrument('ETH-USDT', { instrumentStatus: 'HALTED' });
  await alarms.getByText('ETH-USDT is halted.').waitFor();
  await stage.operator.amendInstrument('ETH-USDT', { instrumentStatus: 'LIVE' });
  await alarms.getByText('ETH-USDT is halted.').waitFor({ state: 'detached' });
  await console.screenshot('operator-alarms');
  await stage.operator.fundReserve(planId, { amount: '10', reference: 'first money' });
  await notice.waitFor({ state: 'detached' });
  expect(console.errors).toEqual([]);
});
