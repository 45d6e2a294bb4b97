// The first hour of a customer in a browser: registration, an authenticator, test money, a key, and
// orders by hand and by that key.
import { expect } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { browserTest, story, type Tab } from '../support/browser.ts';
import { Authenticator, type Stage, withStage } from '../support/browser-people.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'quiet lantern over snow';

let stage: Stage;
let tab: Tab;
let authenticator: Authenticator;
let recoveryCode: string;
let key: { apiKey: string; secretKey: string };

withStage(
  async (set) => {
    stage = set;
    tab = await stage.tab();
  },
  { demo: true },
);

const main = () => tab.page.getByRole('main');
const button = (name: string | RegExp) => main().getByRole('button', { name });

story('a visitor becomes a customer who trades by hand and by key', {
  'registers with the emailed code, and is logged in': async () => {
    await tab.visit('/trade/BTC-USDT');
    await tab.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).click();
    await main().getByLabel('Email address').fill(EMAIL);
    await main().getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await button('Continue').click();
    await main()
      .getByLabel('Code from the email')
      .fill(await stage.mailedCode(EMAIL));
    await button('Create account').click();
    await main().getByRole('heading', { name: 'Account created' }).waitFor();
    await tab.page.getByRole('button', { name: `Account of ${EMAIL}` }).waitFor();
    await tab.screenshot('journey-1-registered');
  },

  'gets test money, and sets up an authenticator': async () => {
    await button(/test money/i).click();
    await main().getByText(/USDT/).first().waitFor();
    await main().getByRole('link', { name: 'Set up an authenticator' }).click();
    await button('Continue').click();
    await main()
      .getByRole('img', { name: /QR code/ })
      .waitFor();
    const secret = await main().locator('code').first().innerText();
    authenticator = new Authenticator(secret);
    await main()
      .getByLabel('Authenticator code')
      .fill(await authenticator.code());
    await tab.screenshot('journey-2-authenticator');
    await button('Turn on').click();
    const codes = main().getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    recoveryCode = (await codes.first().innerText()).trim();
    await main().getByLabel('I saved the recovery codes').check();
    await button('Continue').click();
    await main().getByText('An authenticator is set up').waitFor();
  },

  'logs in with a recovery code': async () => {
    await using other = await stage.tab();
    const form = other.page.getByRole('main');
    await other.visit('/login');
    await form.getByLabel('Email address').fill(EMAIL);
    await form.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await form.getByRole('button', { name: 'Log in' }).click();
    const code = form.getByLabel('Authenticator code');
    await code.waitFor();
    expect(await code.getAttribute('inputmode')).toBe('numeric');
    await form.getByRole('button', { name: 'Use a recovery code' }).click();
    const recovery = form.getByLabel('Recovery code');
    expect(await recovery.getAttribute('inputmode')).toBe('text');
    await recovery.fill(recoveryCode);
    await form.getByRole('button', { name: 'Log in' }).click();
    await other.page.getByRole('button', { name: `Account of ${EMAIL}` }).waitFor();
  },

  'buys at the market, and sees the fill and the coin': async () => {
    await tab.visit('/trade/BTC-USDT');
    await main().getByText('Market', { exact: true }).click();
    await main().getByRole('radiogroup', { name: 'Size in' }).getByText('USDT').click();
    await main().getByLabel('Total', { exact: true }).fill('500');
    await button('Buy BTC').click();
    await tab.page
      .getByText(/filled|bought/i)
      .first()
      .waitFor();
    await main().getByRole('tab', { name: 'Order history' }).click();
    await main()
      .getByRole('table', { name: 'Order history' })
      .getByRole('cell', { name: 'Filled' })
      .waitFor();
    await tab.screenshot('journey-3-filled');
    await tab.visit('/wallet');
    await main().getByRole('row', { name: /BTC/ }).first().waitFor();
    await tab.screenshot('journey-4-wallet');
  },

  'places and cancels a limit order': async () => {
    await tab.visit('/trade/BTC-USDT');
    await main().getByRole('textbox', { name: 'Price', exact: true }).fill('40000');
    await main().getByLabel('Quantity').fill('0.01');
    await button('Buy BTC').click();
    const open = main().getByRole('table', { name: 'Open orders' });
    await open.getByText('40,000').waitFor();
    await open.getByRole('button', { name: /^Cancel/ }).click();
    await main().getByText('No open orders').waitFor();
  },

  'creates a key with two codes': async () => {
    await tab.visit('/keys');
    await main().getByRole('link', { name: 'Create key' }).first().click();
    await main().getByLabel('Name').fill('first bot');
    await main().getByRole('checkbox', { name: 'Trade', exact: true }).check();
    await button('Send code').click();
    await main()
      .getByLabel('Code from the email')
      .fill(await stage.mailedCode(EMAIL));
    await main()
      .getByLabel('Authenticator code')
      .fill(await authenticator.code());
    await button('Create key').click();
    await main()
      .getByText(/only time the secret is shown/i)
      .first()
      .waitFor();
    const codes = await main().locator('code').allInnerTexts();
    const secretKey = codes.find((text) => /^[0-9a-f]{64}$/.test(text))!;
    const apiKey = codes.find((text) => /^[0-9a-f]{40}$/.test(text))!;
    key = { apiKey, secretKey };
    for (const path of ['/binance/api/v3', '/binance/ws-api/v3', '/binance/stream']) {
      expect(codes.some((text) => text.endsWith(path))).toBe(true);
    }
    await tab.screenshot('journey-5-key');
  },

  'trades with the key, and the page shows the order': async () => {
    const client = new AgioClient({ url: stage.server.url, ...key });
    const order = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '41000' } as const;
    await client.createOrder({ ...order, orderQty: '0.01' });
    await tab.visit('/trade/BTC-USDT');
    await main().getByRole('table', { name: 'Open orders' }).getByText('41,000').waitFor();
  },

  'must enter a code to revoke a key, and the focus is in its field': async () => {
    await tab.visit('/keys');
    await button(/^Revoke/)
      .first()
      .click();
    const dialog = tab.page.getByRole('dialog');
    await dialog.locator('input:focus').waitFor();
    expect(await tab.page.locator(':focus').getAttribute('autocomplete')).toBe('one-time-code');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  },

  'logs out, and the page keeps nothing of the account': async () => {
    await tab.page.getByRole('button', { name: `Account of ${EMAIL}` }).click();
    await tab.page.getByRole('menuitem', { name: 'Log out' }).click();
    await tab.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
    await tab.visit('/wallet');
    await main().getByRole('link', { name: 'Log in' }).waitFor();
    expect(await tab.page.content()).not.toContain(EMAIL);
    expect(tab.errors).toEqual([]);
  },
});

browserTest('a visitor who leaves while a code is on its way finds its field again', async () => {
  const email = 'eve@example.com';
  await using other = await stage.tab();
  const form = other.page.getByRole('main');
  const press = (name: string) => form.getByRole('button', { name }).click();
  const code = form.getByLabel('Code from the email');
  await other.visit('/register');
  await form.getByLabel('Email address').fill(email);
  await form.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await press('Continue');
  await code.waitFor();
  await press('Use another address');
  expect(await form.getByLabel('Email address').inputValue()).toBe(email);
  await press('Continue');
  await form.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor();
  await other.visit('/register');
  await code.fill(await stage.mailedCode(email));
  await press('Create account');
  await form.getByRole('heading', { name: 'Account created' }).waitFor();
  await other.visit('/reset');
  await form.getByLabel('Email address').fill('nobody@example.com');
  await press('Continue');
  await code.waitFor();
  await other.visit('/reset');
  await code.waitFor();
  await form.getByText('nobody@example.com').waitFor();
});
