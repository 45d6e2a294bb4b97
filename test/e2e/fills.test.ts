// Fills in a browser: a notification on every page, and a history that has each of them once.
import { expect } from 'bun:test';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

let stage: Stage;
let tab: Tab;

withStage(async (set) => {
  stage = set;
  tab = await stage.customer();
});

const order = (side: 1 | 2, price: string, orderQty: string) =>
  stage.demo.createOrder({ symbol: 'BTC-USDT', side, ordType: 2, price, orderQty });

const bell = (name: string | RegExp) => tab.page.getByRole('button', { name });
const list = () => tab.page.getByRole('dialog', { name: 'Fills' });
const entry = (text: string) => list().getByRole('link').filter({ hasText: text });

browserTest('a fill is announced on the wallet page, and the bell counts it once', async () => {
  await tab.visit('/wallet');
  await order(1, '50000', '1.5');
  // The stream has begun: the wallet shows what the order holds.
  await tab.page.getByRole('cell', { name: '75,000' }).first().waitFor();
  await order(2, '50000', '0.5');
  const notice = /^(Bought|Sold) 0\.5 BTC at 50,000\.000 USDT on average\. And 1 other\.$/;
  await tab.page.getByText(notice).first().waitFor();
  await bell('Fills, 2 unread').waitFor();
  await order(2, '50000', '1');
  await bell('Fills, 3 unread').click();
  await entry('Bought 1.5 BTC at 50,000.000 USDT').waitFor();
  expect(await entry('Order filled').count()).toBe(3);
  expect(await tab.accessibility()).toEqual([]);
  await tab.page.keyboard.press('Escape');
  await bell(/^Fills$/).waitFor();
});

browserTest('fills while no page was open are in the history, and a reload adds none', async () => {
  await tab.visit('/earn');
  await bell(/^Fills$/).waitFor();
  await tab.page.goto('about:blank');
  await order(2, '40000', '0.7');
  await order(1, '40000', '0.2');
  await tab.visit('/earn');
  await bell('Fills, 2 unread').click();
  await entry('Sold 0.2 of 0.7 BTC at 40,000.000 USDT').waitFor();
  expect(await entry('').count()).toBe(5);
  await tab.page.keyboard.press('Escape');
  await tab.visit('/earn');
  await bell(/^Fills$/).click();
  await entry('Sold 0.2 of 0.7 BTC at 40,000.000 USDT').waitFor();
  expect(await entry('').count()).toBe(5);
  await list().getByRole('button', { name: 'Clear' }).click();
  await list().getByText('No fills yet').waitFor();
  await tab.visit('/earn');
  await bell(/^Fills$/).waitFor();
  expect(tab.errors).toEqual([]);
});

browserTest('a bracket whose exits are rejected warns until it is closed', async () => {
  await tab.visit('/wallet');
  await bell(/^Fills/).waitFor();
  await stage.demo.massCancel();
  const { uid } = stage.sandbox.demo!;
  const bracket = { takeProfitPx: '55000', stopPx: '45000' };
  const terms = { symbol: 'BTC-USDT', orderQty: '0.3' };
  await stage.demo.createOrderV2({ ...terms, side: 1, ordType: 2, price: '50000', bracket });
  await stage.operator.amendUser(uid, { maxOpenOrders: 1 });
  await stage.demo.createOrder({ ...terms, side: 2, ordType: 1 });
  const warning = tab.page.getByRole('alert').filter({ hasText: 'Position without exits' });
  await warning.getByText('0.3 BTC has no target and no stop.').waitFor();
  await warning.getByText('too many open orders').waitFor();
  await stage.operator.amendUser(uid, { maxOpenOrders: 10_000 });
  await bell(/unread/).click();
  await list().getByRole('link').filter({ hasText: 'Position without exits' }).waitFor();
  expect(await tab.accessibility()).toEqual([]);
  await list().getByRole('button', { name: 'Clear' }).click();
  await tab.page.keyboard.press('Escape');
});
