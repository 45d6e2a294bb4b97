// The order form in a browser: its notes while the market moves, and the orders that it holds back.
import { beforeEach, expect } from 'bun:test';
import { browserTest, CHROMIUM, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

let stage: Stage;
let tab: Tab;

withStage(async (set) => {
  stage = set;
  tab = await stage.customer();
});
beforeEach(async () => {
  if (CHROMIUM === null) return;
  await stage.demo.massCancel({});
  await tab.visit('/trade/BTC-USDT');
});

const main = () => tab.page.getByRole('main');
const form = () => tab.page.locator('#order-form');
const dialog = () => tab.page.getByRole('dialog');
const button = (name: string) => form().getByRole('button', { name });
/** The enabled submit button with this name. */
const live = (name: string) =>
  form().locator('button[type="submit"][aria-disabled="false"]', { hasText: name });
const off = (name: string) =>
  form().locator('button[type="submit"][aria-disabled="true"]', { hasText: name });

const order = (side: 1 | 2, price: string, orderQty: string) =>
  stage.demo.createOrder({ symbol: 'BTC-USDT', side, ordType: 2, price, orderQty });

browserTest('the note of an order follows its state', async () => {
  await form().getByLabel('Price', { exact: true }).fill('50000');
  await form().getByLabel('Quantity').fill('2');
  await live('Buy BTC').click();
  await form().getByText('In the book.').waitFor();
  await order(2, '50000', '0.5');
  await form().getByText('Partly filled.').waitFor();
  await order(2, '50000', '1.5');
  await form().getByText('Filled.', { exact: true }).waitFor();
  await form().getByText('Bought 2 BTC for 100,000.00 USDT').waitFor();
  expect(await form().getByText('In the book.').count()).toBe(0);
});

browserTest(
  'a market buy above the balance names its cost in the quote asset, and cannot be sent',
  async () => {
    await order(2, '60000', '1');
    await order(2, '400000', '3');
    await form().getByText('Market', { exact: true }).click();
    await form().getByLabel('Quantity').fill('4');
    const shortage =
      /^Insufficient balance: this order costs [\d,]+\.\d\d USDT; you have [\d,]+\.\d\d USDT\./;
    const note = form().getByText(shortage);
    await note.waitFor();
    await off('Buy BTC').waitFor();
    expect(await button('Buy BTC').getAttribute('aria-describedby')).toBe(
      await note.getAttribute('id'),
    );
    await form()
      .getByRole('button', { name: /^Use [\d.,]+ BTC$/ })
      .click();
    await live('Buy BTC').waitFor();
  },
);

browserTest('own orders are no liquidity, and a part of an order is named as one', async () => {
  await order(1, '50000', '2');
  await form().getByText('Sell', { exact: true }).click();
  await form().getByText('Market', { exact: true }).click();
  await form().getByLabel('Quantity').fill('10');
  await form().getByText('10 BTC wanted; the book has 2 BTC. The exchange cancels').waitFor();
  await form().getByText('You receive for 2 BTC').waitFor();
  await tab.screenshot('order-form-part');
  await form()
    .getByRole('button', { name: /Advanced$/ })
    .click();
  await form().getByLabel('Self-trade prevention').selectOption('cancelNewest');
  await form().getByText('Your own order at 50,000.00 USDT is first in the book').waitFor();
  await off('Sell BTC').waitFor();
  await tab.screenshot('order-form-own-order');
});

browserTest('a bracket whose take profit its entry would reach is held back', async () => {
  await order(2, '60900', '1');
  await form()
    .getByRole('button', { name: /More order types$/ })
    .click();
  await tab.page.getByRole('menuitem').filter({ hasText: 'Bracket' }).first().click();
  await form().getByLabel('Price', { exact: true }).fill('61000');
  await form().getByLabel('Quantity').fill('0.01');
  await form()
    .getByRole('textbox', { name: /^Take profit price/ })
    .fill('59500');
  await form()
    .getByRole('textbox', { name: /^Stop trigger/ })
    .fill('59000');
  await form()
    .getByText('The take profit must be above 60,900.00 USDT, where this order is expected to')
    .waitFor();
  await off('Buy BTC').waitFor();
  await tab.screenshot('order-form-bracket-side');
  await form().getByRole('button', { name: 'Use 60,900.01 USDT' }).click();
  await live('Buy BTC').waitFor();
});

browserTest('a market order for most of the balance needs a confirmation', async () => {
  await form().getByText('Sell', { exact: true }).click();
  await form().getByText('Market', { exact: true }).click();
  await order(1, '59000', '16');
  await form().getByText('100%', { exact: true }).click();
  await live('Sell BTC').click();
  await dialog()
    .getByText(/^This order sells 100\.00% of your available BTC immediately\./)
    .waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
});

browserTest(
  'the question before orders are canceled names their count, and its button repeats it',
  async () => {
    await order(1, '40000', '0.1');
    const one = (await order(1, '40001', '0.1')).orderId;
    await order(1, '40002', '0.1');
    const all = main().getByRole('button', { name: 'Cancel all' });
    await main()
      .getByRole('button', { name: /^Cancel: / })
      .nth(2)
      .waitFor();
    await all.click();
    await dialog().getByText('Cancel all 3 orders?').waitFor();
    expect(await dialog().getByRole('button', { name: 'Cancel 3 orders' }).count()).toBe(1);
    await stage.demo.cancelOrder({ orderId: one });
    await dialog().getByText('Cancel all 2 orders?').waitFor();
    await dialog().getByRole('button', { name: 'Cancel 2 orders' }).click();
    await dialog().waitFor({ state: 'detached' });
    await main().getByText('No open orders').waitFor();
    await order(1, '40000', '0.1');
    await main()
      .getByRole('button', { name: /^Cancel: / })
      .waitFor();
    await all.click();
    await dialog().getByText('Cancel order?').waitFor();
    await dialog().getByRole('button', { name: 'Cancel order', exact: true }).click();
    await main().getByText('No open orders').waitFor();
    expect(tab.errors).toEqual([]);
  },
);

browserTest('a German browser reads and writes decimal commas, and guesses no amount', async () => {
  await using german = await stage.tab({ locale: 'de-DE' });
  const { email, password } = stage.sandbox.demo!;
  await german.logIn(email, password);
  await german.visit('/trade/BTC-USDT');
  const fields = german.page.locator('#order-form');
  const [price, quantity] = [
    fields.getByLabel('Price', { exact: true }),
    fields.getByLabel('Quantity'),
  ];
  await price.fill('');
  await price.pressSequentially('40.000,5');
  await quantity.fill('1,234');
  expect(await price.inputValue()).toBe('40.000,5');
  await fields.getByText('49.360,61', { exact: false }).first().waitFor();
  expect(await fields.getByLabel('Total').inputValue()).toBe('49.360,61');
  await quantity.fill('1.234');
  await fields.getByText('1.234 can mean 1234 or 1,234. Type the one that you mean.').waitFor();
  await fields.locator('button[type="submit"][aria-disabled="true"]').waitFor();
  await quantity.fill('0,25');
  await fields.locator('button[type="submit"][aria-disabled="false"]').click();
  await fields.getByText('Buy 0,25 BTC waits at 40.000,5 USDT.').waitFor();
  expect(german.errors).toEqual([]);
});
