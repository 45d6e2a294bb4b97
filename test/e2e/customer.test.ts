// The whole way of a customer in a browser: from registration over two factors, test money and a key, to orders by hand and by
// that key, as somebody goes it who has never seen agio.
import { afterAll, beforeAll, expect } from 'bun:test';
import { createHmac } from 'node:crypto';
import { browserTest, CHROMIUM, type Tab } from '../support/browser.ts';
import { Authenticator, Stage } from '../support/browser-people.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'quiet lantern over snow';

let stage: Stage;
let tab: Tab;
let authenticator: Authenticator;
let recoveryCode: string;
let key: { apiKey: string; secretKey: string };

beforeAll(async () => {
  if (CHROMIUM === null) return;
  stage = await Stage.set({ demo: true });
  tab = await stage.tab();
});
afterAll(async () => {
  await tab?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

const main = () => tab.page.getByRole('main');
const button = (name: string | RegExp) => main().getByRole('button', { name });

browserTest(
  'registers with the code of the mail, and is logged in',
  async () => {
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
  60_000,
);

browserTest(
  'who leaves while a mailed code is on its way comes back to the field for it',
  async () => {
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
  },
  60_000,
);

browserTest(
  'gets test money, and sets up an authenticator',
  async () => {
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
  60_000,
);

browserTest(
  'logs in without the phone, by a recovery code',
  async () => {
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
  60_000,
);

browserTest(
  'buys by hand at the market, and sees the order filled and the coin in the wallet',
  async () => {
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
  60_000,
);

browserTest(
  'rests a limit order, sees it in the book and cancels it',
  async () => {
    await tab.visit('/trade/BTC-USDT');
    await main().getByLabel('Price', { exact: true }).fill('40000');
    await main().getByLabel('Quantity').fill('0.01');
    await button('Buy BTC').click();
    const open = main().getByRole('table', { name: 'Open orders' });
    await open.getByText('40,000').waitFor();
    await open.getByRole('button', { name: /^Cancel/ }).click();
    await main().getByText('No open orders').waitFor();
  },
  60_000,
);

browserTest(
  'makes a key with two codes, and its first request is answered',
  async () => {
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
    await tab.screenshot('journey-5-key');
  },
  90_000,
);

browserTest(
  'trades by the key, and the page shows it',
  async () => {
    const path = '/spot-api/api/private/v1/order';
    const body = JSON.stringify({
      symbol: 'BTC-USDT',
      side: '1',
      ordType: '2',
      orderQty: '0.01',
      price: '41000',
    });
    const timestamp = String(Date.now());
    const sign = createHmac('sha256', key.secretKey)
      .update(`${timestamp}POST${path}${body}`)
      .digest('hex');
    const response = await fetch(stage.server.url + path, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        'EXCHANGE-API-KEY': key.apiKey,
        'EXCHANGE-API-TIMESTAMP': timestamp,
        'EXCHANGE-API-SIGN': sign,
      },
    });
    expect(response.status).toBe(200);
    await tab.visit('/trade/BTC-USDT');
    await main().getByRole('table', { name: 'Open orders' }).getByText('41,000').waitFor();
  },
  60_000,
);

browserTest(
  'is asked for the code before a key is revoked, and the focus is where it is written',
  async () => {
    await tab.visit('/keys');
    await button(/^Revoke/)
      .first()
      .click();
    const dialog = tab.page.getByRole('dialog');
    await dialog.locator('input:focus').waitFor();
    expect(await tab.page.locator(':focus').getAttribute('autocomplete')).toBe('one-time-code');
    await dialog.getByRole('button', { name: 'Keep key' }).click();
    await dialog.waitFor({ state: 'detached' });
  },
  60_000,
);

browserTest(
  'logs out, and nothing of the account is left in the page',
  async () => {
    await tab.page.getByRole('button', { name: `Account of ${EMAIL}` }).click();
    await tab.page.getByRole('menuitem', { name: 'Log out' }).click();
    await tab.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
    await tab.visit('/wallet');
    await main().getByRole('link', { name: 'Log in' }).waitFor();
    expect(await tab.page.content()).not.toContain(EMAIL);
    expect(tab.errors).toEqual([]);
  },
  60_000,
);
