// The trading desk on screens of every kind: the book stands beside the form, no row is cut, and
// the keyboard and the thumb reach every control.
import { describe, expect } from 'bun:test';
import { browserTest, type Tab } from '../support/browser.ts';
import { withStage } from '../support/browser-people.ts';

let tab: Tab;

withStage(
  async (stage) => {
    tab = await stage.customer();
  },
  { demo: true },
);

const main = () => tab.page.getByRole('main');
const bids = () => main().getByRole('list', { name: /^Bids/ });
const quickBar = () => main().getByRole('button', { name: 'Buy', exact: true });

async function open(width: number, height: number): Promise<void> {
  await tab.page.setViewportSize({ width, height });
  await tab.visit('/trade/BTC-USDT');
}

/** For each list on the screen: its rows, and the pixels of a row that does not fit. */
const cuts = () =>
  main()
    .locator('ul[data-side], section[aria-label="Last trades"]')
    .evaluateAll((lists) =>
      lists.map((list) => {
        const { height } = list.querySelector('li, tbody tr')!.getBoundingClientRect();
        const head = list.querySelector('thead')?.getBoundingClientRect().height ?? 0;
        const room = list.clientHeight - head;
        return { rows: Math.floor(room / height), cut: room % height };
      }),
    );

describe.each([
  { width: 1024, height: 768, rows: 12 },
  { width: 1280, height: 720, rows: 8 },
  { width: 1440, height: 900, rows: 11 },
  { width: 1920, height: 1080, rows: 12 },
])('on $width × $height', ({ width, height, rows }) => {
  browserTest('shows the book and the form together, with whole rows', async () => {
    await open(width, height);
    await bids().getByRole('button').first().waitFor();
    const buy = (await main().getByRole('button', { name: 'Buy BTC' }).boundingBox())!;
    const lowest = (await bids().boundingBox())!;
    expect(buy.y + buy.height).toBeLessThan(height);
    expect(lowest.y + lowest.height).toBeLessThan(height);
    for (const list of (await cuts()).slice(0, 2)) {
      expect(list.cut).toBe(0);
      expect(list.rows).toBeGreaterThanOrEqual(rows);
    }
    const tapeTab = main().getByRole('tab', { name: 'Trades' });
    if (await tapeTab.isVisible()) await tapeTab.click();
    await main().getByRole('table', { name: 'Last trades of BTC-USDT' }).waitFor();
    expect((await cuts()).at(-1)!.cut).toBe(0);
    expect(await tab.overflow()).toBe(0);
  });
});

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Stop: ['stopPrice', 'quantity'],
  'Take profit limit': ['stopPrice', 'price', 'quantity', 'total'],
  'Trailing stop': ['trailingPercent', 'stopPrice', 'quantity'],
  OCO: ['price', 'quantity', 'total', 'stopPrice', 'stopLimit'],
  Bracket: ['price', 'quantity', 'total', 'takeProfit', 'stopPrice', 'stopLimit'],
};

browserTest('a laptop shows every field and the button of every type together', async () => {
  await open(1366, 650);
  const form = main().locator('#order-form');
  for (const [kind, fields] of Object.entries(FIELDS)) {
    await form.getByRole('button', { name: /More order types$/ }).click();
    await tab.page.getByRole('menuitem').filter({ hasText: kind }).first().click();
    const foot = (await form.locator('[class*="foot"]').boundingBox())!;
    expect(foot.y + foot.height).toBeLessThanOrEqual(650);
    for (const field of fields) {
      const { y, height } = (await form.locator(`#order-${field}`).boundingBox())!;
      expect(y).toBeGreaterThan(0);
      expect({ kind, field, bottom: y + height <= foot.y }).toEqual({ kind, field, bottom: true });
    }
  }
  expect(await tab.accessibility()).toEqual([]);
});

browserTest('the orders get the height that the user chooses, and keep it', async () => {
  await open(1366, 650);
  const orders = main().getByRole('region', { name: 'Your orders' });
  const handle = main().getByRole('separator', { name: /^Height of your orders/ });
  await orders.waitFor();
  const before = (await orders.boundingBox())!.height;
  await handle.press('ArrowUp');
  await handle.press('ArrowUp');
  await handle.press('ArrowUp');
  const after = (await orders.boundingBox())!.height;
  expect(after).toBeGreaterThan(before + 40);
  await open(1366, 650);
  await orders.waitFor();
  expect((await orders.boundingBox())!.height).toBe(after);
  await handle.dblclick();
  expect((await orders.boundingBox())!.height).toBe(before);
});

browserTest('the keyboard alone can choose another pair', async () => {
  await open(1440, 900);
  const picker = main().getByRole('button', { name: 'BTC-USDT, choose another pair' });
  await picker.press('Enter');
  const search = tab.page.getByRole('textbox', { name: 'Search pairs' });
  await search.press('ArrowDown');
  const first = await tab.page.locator(':focus').getAttribute('href');
  expect(first).toStartWith('/trade/');
  await tab.page.keyboard.press('ArrowUp');
  await search.pressSequentially('eth');
  await search.press('Enter');
  await tab.page.waitForURL('**/trade/ETH-USDT');
});

const sheet = () => tab.page.getByRole('dialog', { name: 'Order for BTC-USDT' });
const closed = () => sheet().waitFor({ state: 'hidden' });
const focused = () => tab.page.locator(':focus');

browserTest('on a phone, the order form is a sheet that Buy and Sell open', async () => {
  await open(390, 844);
  await main().getByRole('button', { name: 'Sell', exact: true }).click();
  await sheet().getByRole('button', { name: 'Sell BTC' }).waitFor();
  expect(await tab.accessibility()).toEqual([]);
  // The focus stays in the sheet.
  for (let n = 0; n < 30; n++) await tab.page.keyboard.press('Tab');
  expect(await sheet().locator(':focus').count()).toBe(1);
  await tab.page.keyboard.press('Escape');
  await closed();
  expect(await focused().innerText()).toBe('Sell');
  await quickBar().click();
  await sheet().getByRole('button', { name: 'Close' }).click();
  await closed();
  await quickBar().click();
  const grip = (await sheet().locator('[class*="grip"]').boundingBox())!;
  const [x, y] = [grip.x + grip.width / 2, grip.y + 12];
  await tab.page.mouse.move(x, y);
  await tab.page.mouse.down();
  await tab.page.mouse.move(x, y + 60);
  await tab.page.mouse.up();
  await sheet().waitFor();
  await tab.page.mouse.move(x, y);
  await tab.page.mouse.down();
  await tab.page.mouse.move(x, y + 160, { steps: 4 });
  await tab.page.mouse.up();
  await closed();
  expect(await tab.overflow()).toBe(0);
});

browserTest('on a phone, a price of the book opens the sheet at the quantity', async () => {
  await open(390, 844);
  await main().getByText('Book', { exact: true }).click();
  await bids().getByRole('button').first().click();
  await sheet().locator('#order-quantity:focus').waitFor();
  expect(await sheet().getByLabel('Price', { exact: true }).inputValue()).not.toBe('');
  await tab.page.keyboard.press('Escape');
  await closed();
  expect(tab.errors).toEqual([]);
});

const checked = (name: string) =>
  main().getByRole('radio', { name, exact: true, checked: true }).waitFor({ state: 'attached' });

browserTest('keys choose side and type, and mean nothing while the user types', async () => {
  await open(1440, 900);
  const { keyboard } = tab.page;
  await keyboard.press('s');
  await checked('Sell');
  await keyboard.press('m');
  await checked('Market');
  await keyboard.press('b');
  await keyboard.press('l');
  await checked('Buy');
  await checked('Limit');
  await keyboard.press('q');
  await tab.page.locator('#order-quantity:focus').waitFor();
  await keyboard.press('s');
  expect(await main().getByLabel('Quantity').inputValue()).toBe('s');
  await checked('Buy');
  await keyboard.press('Backspace');
  await keyboard.press('Escape');
  await keyboard.press('/');
  await tab.page.getByRole('textbox', { name: 'Search pairs' }).press('b');
  await keyboard.press('Escape');
  await keyboard.press('?');
  const help = tab.page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByRole('row', { name: 'm Market order' }).waitFor();
  expect(await help.getByRole('row').count()).toBe(13);
  expect(await tab.accessibility()).toEqual([]);
  await help.getByLabel('Use these keys').click({ force: true });
  await keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await keyboard.press('s');
  await main().getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await help.getByLabel('Use these keys').click({ force: true });
  await keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await checked('Buy');
  expect(tab.errors).toEqual([]);
});

browserTest('a field separates thousands while the user types, and the caret stays', async () => {
  await open(1440, 900);
  const price = main().getByRole('textbox', { name: 'Price', exact: true });
  await price.fill('');
  await price.pressSequentially('6013122');
  expect(await price.inputValue()).toBe('6,013,122');
  for (let n = 0; n < 2; n++) await price.press('ArrowLeft');
  await price.press('.');
  expect(await price.inputValue()).toBe('60,131.22');
  await price.press('Home');
  await price.press('1');
  await price.press('2');
  expect(await price.inputValue()).toBe('1,260,131.22');
  await price.press('Delete');
  expect(await price.inputValue()).toBe('120,131.22');
});
