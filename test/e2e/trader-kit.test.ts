// The trader's kit: favorites above the desk, keys that cancel, drawings, the zoom of the chart,
// both orders of an OCO pair in the table, the profit of a pair, and the settings.
import { expect } from 'bun:test';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';
import { until } from '../support/waiting.ts';

let stage: Stage;
let tab: Tab;

withStage(
  async (set) => {
    stage = set;
    tab = await stage.customer();
  },
  { demo: true },
);

const main = () => tab.page.getByRole('main');
const symbol = 'BTC-USDT';
const chart = () => main().getByRole('img', { name: /^Candles of BTC-USDT/ });
const kept = (key: string) => tab.page.evaluate((name) => localStorage.getItem(name), key);
const open = async () => (await stage.demo.orders({ type: 'OPEN' })).data;
const limit = (price: string) =>
  stage.demo.createOrderV2({ symbol, side: 1, ordType: 2, price, orderQty: '0.01' });

browserTest('favorite pairs stand above the desk, and lead to their own', async () => {
  await tab.visit(`/trade/${symbol}`);
  const bar = main().getByRole('navigation', { name: 'Favorites' });
  expect(await bar.count()).toBe(0);
  await main()
    .getByRole('button', { name: /choose another pair$/ })
    .click();
  await tab.page.getByRole('button', { name: 'Add ETH-USDT to your favorites' }).click();
  await tab.page.keyboard.press('Escape');
  await tab.visit(`/trade/${symbol}`);
  await bar.getByRole('link', { name: /^ETH-USDT/ }).click();
  await tab.page.waitForURL('**/trade/ETH-USDT');
  expect(await bar.getByRole('link').getAttribute('aria-current')).toBe('page');
  expect(await tab.accessibility()).toEqual([]);
});

browserTest('keys cancel the newest order, those of the pair, and all', async () => {
  await tab.visit(`/trade/${symbol}`);
  for (const price of ['30000', '30001', '30002']) await limit(price);
  await stage.demo.createOrderV2({
    ...{ symbol: 'ETH-USDT', side: 1, ordType: 2, price: '1000', orderQty: '0.1' },
  });
  await main().getByRole('tab', { name: 'Open orders (4)' }).waitFor();
  // A field takes the letter.
  await main().locator('#order-quantity').press('x');
  await tab.page.keyboard.press('Escape');
  await tab.page.keyboard.press('c');
  await until(async () => (await open()).length === 3);
  expect((await open()).some(({ price }) => price === '30002')).toBe(false);
  await tab.page.keyboard.press('x');
  const question = tab.page.getByRole('dialog', { name: 'Cancel all 2 orders?' });
  expect(await open()).toHaveLength(3);
  await question.getByRole('button', { name: 'Cancel 2 orders' }).click();
  await until(async () => (await open()).length === 1);
  await question.waitFor({ state: 'hidden' });
  await tab.page.evaluate(() => localStorage.setItem('agio.confirmations', 'never'));
  await tab.page.keyboard.press('a');
  await until(async () => (await open()).length === 0);
  await tab.page.evaluate(() => localStorage.removeItem('agio.confirmations'));
});

browserTest('by setting, each order is confirmed', async () => {
  await tab.visit('/settings');
  await main().getByText('Always', { exact: true }).click();
  await tab.visit(`/trade/${symbol}`);
  await main().locator('#order-price').fill('30000');
  await main().locator('#order-quantity').fill('0.01');
  await main().getByRole('button', { name: 'Buy BTC' }).click();
  const question = tab.page.getByRole('dialog', { name: 'Buy 0.01 BTC?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await open()).toHaveLength(0);
  await tab.page.evaluate(() => localStorage.removeItem('agio.confirmations'));
});

/** The candle under the pointer, at a part of the width of the chart. */
async function candleAt(part: number): Promise<string> {
  const { x, y, width, height } = (await chart().boundingBox())!;
  await tab.page.mouse.move(x + width * part - 2, y + height / 3);
  await tab.page.mouse.move(x + width * part, y + height / 3);
  return main().locator('[class*="legend"] > span').first().innerText();
}

browserTest('a drawing stays with its pair, at every interval, until it is removed', async () => {
  const key = `agio.drawings.${symbol}`;
  await tab.visit(`/trade/${symbol}`);
  await main().getByRole('button', { name: 'Draw' }).click();
  await tab.page.getByRole('menuitem', { name: 'Trend line' }).click();
  await tab.page.getByText('Press two points. Esc cancels.').waitFor();
  const { x, y, width, height } = (await chart().boundingBox())!;
  for (const part of [0.3, 0.6]) {
    await tab.page.mouse.move(x + width * part, y + height * part);
    await tab.page.mouse.down();
    await tab.page.mouse.up();
  }
  const remove = main().getByRole('button', { name: 'Remove trend line' });
  await remove.waitFor();
  expect(await kept(key)).toStartWith('trend ');
  expect(await tab.accessibility()).toEqual([]);
  await tab.visit(`/trade/${symbol}`);
  expect(await kept(key)).toStartWith('trend ');
  expect(await kept('agio.drawings.ETH-USDT')).toBeNull();
  // A press on its middle selects it.
  const press = async () => {
    await tab.page.mouse.click(x + width * 0.45, y + height * 0.45);
    return remove.isVisible();
  };
  await until(press);
  await tab.page.keyboard.press('Delete');
  await until(async () => (await kept(key)) === null);
});

browserTest('the chart keeps its zoom while the depth is shown', async () => {
  await tab.visit(`/trade/${symbol}`);
  await chart().focus();
  for (let n = 0; n < 4; n++) await tab.page.keyboard.press('+');
  const before = await candleAt(0.1);
  const view = (name: string) =>
    main().getByRole('radiogroup', { name: 'Chart view' }).getByText(name, { exact: true });
  await view('Depth').click();
  await main()
    .getByRole('slider', { name: /^Depth of/ })
    .waitFor();
  await view('Prices').click();
  await chart().waitFor();
  await until(async () => (await candleAt(0.1)) === before);
});

browserTest('both orders of a pair can be changed in the table', async () => {
  await tab.visit(`/trade/${symbol}`);
  const { orderId, stopOrderId } = await stage.demo.createOco({
    ...{ symbol, side: 2, orderQty: '0.01', price: '90000', stopPx: '30000' },
  });
  const change = async (field: string, id: number, value: string) => {
    const name = `Change the ${field} of order ${id}`;
    await main().getByRole('button', { name }).click();
    const input = main().getByRole('textbox', { name });
    await input.fill(value);
    await input.press('Enter');
    await input.waitFor({ state: 'detached' });
  };
  await change('price', orderId, '91000');
  await change('trigger', stopOrderId, '31000');
  await change('quantity', stopOrderId, '0.02');
  await until(async () => {
    const found = new Map((await open()).map((order) => [order.orderId, order]));
    const [pair, stop] = [found.get(orderId)!, found.get(stopOrderId)!];
    return (
      pair.price === '91000' &&
      stop.stopPx === '31000' &&
      [pair, stop].every(({ orderQty }) => orderQty === '0.02')
    );
  });
  await stage.demo.massCancel({});
});

browserTest('a position has its profit beside the price', async () => {
  await stage.demo.createOrderV2({ symbol, side: 1, ordType: 1, orderQty: '0.01' });
  await tab.visit(`/trade/${symbol}`);
  await main().getByText('Your profit, USDT').waitFor();
  await main().getByRole('heading', { name: 'Your position in this pair' }).waitFor();
});

browserTest('all times are in the zone of the settings', async () => {
  await tab.visit('/settings');
  await main().getByLabel('Time zone').selectOption('Asia/Tokyo');
  await main()
    .getByText(/^Now .* · Asia\/Tokyo$/)
    .waitFor();
  expect(await tab.accessibility()).toEqual([]);
  await tab.visit(`/trade/${symbol}`);
  const cell = main()
    .getByRole('table', { name: /^Last trades/ })
    .locator('tbody td[title]');
  const trades = main().getByRole('tab', { name: 'Trades' });
  if (await trades.isVisible()) await trades.click();
  const title = (await cell.first().getAttribute('title'))!;
  const [local, utc] = title
    .split(', ')
    .map((text) => Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`));
  expect(local! - utc!).toBe(9 * 3_600_000);
  expect(tab.errors).toEqual([]);
});
