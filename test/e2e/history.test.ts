// The order history in a browser: an order opens to its fills, days limit the list, and the file
// has what the page shows.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

let stage: Stage;
let tab: Tab;

withStage(async (set) => {
  stage = set;
  tab = await stage.customer();
  const order = (side: 1 | 2, price: string, orderQty: string) =>
    stage.demo.createOrder({ symbol: 'BTC-USDT', side, ordType: 2, price, orderQty });
  await order(1, '40000', '0.25');
  await order(1, '39999.5', '0.75');
  await order(2, '39999', '1');
  await order(1, '30000', '2');
});

const main = () => tab.page.getByRole('main');

async function open(width: number, height: number): Promise<void> {
  await tab.page.setViewportSize({ width, height });
  await tab.visit('/trade/BTC-USDT');
  await main().getByRole('tab', { name: 'Order history' }).click();
}

browserTest('an order opens to its fills, on a desktop and on a phone', async () => {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await open(width, height);
    const sold = main().getByRole('button', { name: 'Fills of order 3' });
    expect(await sold.getAttribute('aria-expanded')).toBe('false');
    await sold.click();
    const fills = main().getByRole('table', { name: 'Fills of order 3' });
    await fills.getByRole('cell', { name: '39,999.50' }).waitFor();
    expect(await fills.getByRole('row').count()).toBe(3);
    expect(await tab.accessibility()).toEqual([]);
    expect(await tab.overflow()).toBe(0);
    await sold.click();
    await fills.waitFor({ state: 'detached' });
  }
});

browserTest('days limit the list, and the file has the orders with their fills', async () => {
  await open(1440, 900);
  const saved = tab.page.waitForEvent('download');
  await main().getByRole('button', { name: 'CSV' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\r\n');
  const kinds = lines.map((line) => line.split(',').slice(0, 2).join(' '));
  expect(kinds).toEqual([
    'record orderId',
    ...['order 1', 'fill 1', 'order 2', 'fill 2', 'order 3', 'fill 3', 'fill 3'],
  ]);
  await main().getByLabel('Placed within').selectOption({ label: 'Days' });
  const table = main().getByRole('table', { name: 'Order history' });
  await table.getByRole('row').nth(3).waitFor();
  const day = await main().getByLabel('First day').getAttribute('min');
  await main().getByLabel('Last day').fill(day!);
  await main().getByText('No orders match').waitFor();
  await main().getByLabel('Last day').fill('');
  await table.getByRole('row').nth(3).waitFor();
  // The open order is not history.
  expect(await table.getByRole('row').count()).toBe(4);
  expect(tab.errors).toEqual([]);
});

browserTest('the page of orders filters every list by pair, side and type', async () => {
  await tab.page.setViewportSize({ width: 1366, height: 650 });
  await tab.visit('/orders');
  const open = main().getByRole('table', { name: 'Open orders' });
  await open.getByText('30,000.00').waitFor();
  await main().getByLabel('Type', { exact: true }).selectOption('Stop');
  await main().getByText('No orders match').waitFor();
  await main().getByLabel('Type', { exact: true }).selectOption('All types');
  await open.getByText('30,000.00').waitFor();
  await main().getByLabel('Side', { exact: true }).selectOption('Sells');
  await main().getByText('No orders match').waitFor();
  await main().getByRole('tab', { name: 'Order history' }).click();
  const history = main().getByRole('table', { name: 'Order history' });
  await history.getByText('39,999.00').waitFor();
  expect(await history.getByRole('row').count()).toBe(2);
  await main().getByRole('tab', { name: 'Fills' }).click();
  const fills = main().getByRole('table', { name: 'Fills' });
  await fills.getByText('39,999.50').waitFor();
  expect(await fills.getByRole('row').count()).toBe(3);
  await main().getByLabel('Pair', { exact: true }).selectOption('ETH-USDT');
  await main().getByText('No fills yet').waitFor();
  expect(tab.errors).toEqual([]);
});
