// The order form in a browser: what it says of an order while the market goes on, and what it does
// not let pass.
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { browserTest, CHROMIUM, type Tab } from '../support/browser.ts';
import { Stage } from '../support/browser-people.ts';

let stage: Stage;
let tab: Tab;
let demo: AgioClient;

beforeAll(async () => {
  if (CHROMIUM === null) return;
  stage = await Stage.set();
  tab = await stage.tab();
  const { demo: account } = stage.sandbox;
  demo = new AgioClient({ url: stage.server.url, ...account! });
  await tab.logIn(account!.email, account!.password);
});
beforeEach(async () => {
  if (CHROMIUM === null) return;
  await demo.massCancel({});
  await tab.visit('/trade/BTC-USDT');
});
afterAll(async () => {
  await tab?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

const main = () => tab.page.getByRole('main');
const form = () => tab.page.locator('#order-form');
const dialog = () => tab.page.getByRole('dialog');
const button = (name: string) => form().getByRole('button', { name });
/** The buttons that can be pressed, by that name. */
const live = (name: string) =>
  form().locator('button[type="submit"][aria-disabled="false"]', { hasText: name });
const off = (name: string) =>
  form().locator('button[type="submit"][aria-disabled="true"]', { hasText: name });

const order = (side: 1 | 2, price: string, orderQty: string) =>
  demo.createOrder({ symbol: 'BTC-USDT', side, ordType: 2, price, orderQty });

browserTest(
  'the note of an order says what has become of it',
  async () => {
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
  },
  60_000,
);

browserTest(
  'a market buy that the balance does not cover says so in the asset that it costs, and cannot be sent',
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
  60_000,
);

browserTest(
  'a market order for most of the balance is asked about',
  async () => {
    await form().getByText('Sell', { exact: true }).click();
    await form().getByText('Market', { exact: true }).click();
    await order(1, '59000', '16');
    await form().getByText('100%', { exact: true }).click();
    await live('Sell BTC').click();
    await dialog()
      .getByText(/^This order sells 100\.00% of your available BTC immediately\./)
      .waitFor();
    await dialog().getByRole('button', { name: 'Go back' }).click();
    await dialog().waitFor({ state: 'detached' });
  },
  60_000,
);

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
    await demo.cancelOrder({ orderId: one });
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
  60_000,
);

browserTest(
  'where a comma stands before decimals, amounts are typed and shown with it, and none is guessed',
  async () => {
    await using german = await stage.tab('de-DE');
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
    await fields.getByText('49,360.61', { exact: false }).first().waitFor();
    expect(await fields.getByLabel('Total').inputValue()).toBe('49360,61');
    await quantity.fill('1.234');
    await fields.getByText('1.234 can mean 1234 or 1,234. Type the one that you mean.').waitFor();
    await fields.locator('button[type="submit"][aria-disabled="true"]').waitFor();
    await quantity.fill('0,25');
    await fields.locator('button[type="submit"][aria-disabled="false"]').click();
    await fields.getByText('Buy 0.25 BTC waits at 40,000.5 USDT.').waitFor();
    expect(german.errors).toEqual([]);
  },
  60_000,
);
