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

browserTest(
  'on a phone, a price of the book leads to the quantity, and the order bar hides beside the form',
  async () => {
    await open(390, 844);
    await quickBar().waitFor();
    await tab.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await quickBar().waitFor({ state: 'detached' });
    await tab.page.evaluate(() => scrollTo(0, 0));
    await quickBar().waitFor();
    await main().getByText('Book', { exact: true }).click();
    const bid = bids().getByRole('button').first();
    await bid.click();
    await quickBar().waitFor({ state: 'detached' });
    expect(await tab.page.locator(':focus').getAttribute('id')).toBe('order-quantity');
    expect(await main().getByLabel('Price', { exact: true }).inputValue()).not.toBe('');
    expect(tab.errors).toEqual([]);
  },
);
