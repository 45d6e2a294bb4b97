// Every name that users and operators choose stays text: each page shows markup as it was typed,
// and runs none of it.
import { expect } from 'bun:test';
import { browserTest, type Tab } from '../support/browser.ts';
import { withStage } from '../support/browser-people.ts';

/** Runs on a page that treats it as markup. */
const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const MARKUP = '<svg/onload=window.hacked=1>';

let customer: Tab;
let operator: Tab;

withStage(async (stage) => {
  const { demo } = stage.sandbox;
  const { operator: client } = stage;
  const name = HOSTILE.slice(0, 60);
  await client.createKey(demo!.uid, { alias: name, moduleIds: [5] });
  await client.credit({ uid: demo!.uid, asset: 'USDT', amount: '1', reference: name });
  await client.createEnterprise({ name });
  await client.createPlan({
    planName: name,
    label: '<b>hot</b>',
    planType: 1,
    coin: 'USDT',
    apr: '0.01',
    userAmountMin: 1,
    userAmountMax: 1000,
    status: 'open',
  });
  await client.createUser({ email: `o'brien+tag&co@example.com` });
  const order = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '40000' } as const;
  await stage.demo.createOrder({ ...order, orderQty: '0.001', clOrdId: MARKUP });
  customer = await stage.tab();
  await customer.page.context().setExtraHTTPHeaders({ 'User-Agent': HOSTILE });
  await customer.logIn(demo!.email, demo!.password);
  operator = await stage.console();
});

async function expectHarmless(tab: Tab, path: string): Promise<void> {
  await tab.visit(path);
  const hacked = await tab.page.evaluate(() => 'hacked' in window);
  expect({ path, hacked }).toEqual({ path, hacked: false });
}

browserTest('the pages of a customer run no stored markup', async () => {
  for (const path of ['/earn', '/wallet', '/keys', '/security', '/trade/BTC-USDT']) {
    await expectHarmless(customer, path);
  }
  await customer.visit('/keys');
  await customer.page.getByText('<img src=x onerror="window.hacked=1">').first().waitFor();
  await customer.visit('/earn');
  await customer.page.getByText('<b>hot</b>').first().waitFor();
});

browserTest('the operator console runs no stored markup', async () => {
  const areas = ['', '/users', '/users/1', '/ledger', '/plans', '/enterprises', '/system'];
  for (const area of areas) await expectHarmless(operator, `/operator${area}`);
  await operator.visit('/operator/enterprises');
  await operator.page.getByText('<img src=x onerror="window.hacked=1">').first().waitFor();
  await operator.visit('/operator/users');
  await operator.page.getByText(`o'brien+tag&co@example.com`).first().waitFor();
});
