// The API reference in a real browser: at three widths in both color schemes, and with real
// requests: public, signed with a typed key, and by the session of the page.
import { describe, expect } from 'bun:test';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

let stage: Stage;

withStage(async (set) => {
  stage = set;
});

/** A region of the page, by its name. */
const block = (tab: Tab, name: string) => tab.page.getByRole('region', { name, exact: true });

describe('the reader', () => {
  for (const [width, scheme] of [
    [360, 'light'],
    [1440, 'dark'],
    [2560, 'light'],
  ] as const) {
    browserTest(`fits ${width} px, ${scheme}`, async () => {
      await using tab = await stage.tab({ scheme });
      await tab.page.setViewportSize({ width, height: 900 });
      for (const path of ['', '/createOrder', '/orderbook', '/applyPlan']) {
        await tab.visit(`/docs/api${path}`);
        await tab.page.getByRole('heading', { level: 1 }).waitFor();
        expect({ path, wider: await tab.overflow() }).toEqual({ path, wider: 0 });
        expect({ path, kept: await tab.accessibility() }).toEqual({ path, kept: [] });
        await tab.screenshot(`reference${path.replace('/', '-')}-${width}-${scheme}`);
      }
      expect(tab.errors).toEqual([]);
    });
  }

  browserTest('finds a call and its errors by a word', async () => {
    await using tab = await stage.tab();
    await tab.visit('/docs');
    const list = tab.page.getByRole('navigation', { name: 'Documents' });
    await list.getByRole('link', { name: 'API reference' }).click();
    await tab.page.getByLabel('Find a call').fill('mass cancel');
    await tab.page.getByRole('link', { name: /masscancel/ }).click();
    await tab.page.getByRole('heading', { name: /order\/masscancel/ }).waitFor();
    await tab.page.getByText(/^Errors of this call/).click();
    const rejections = await block(tab, 'Errors of this call').innerText();
    expect(rejections).toContain('100202');
    expect(rejections).toContain('symbolMismatch');
    await tab.page.getByRole('article').getByRole('link', { name: 'Errors' }).click();
    await tab.page.getByRole('heading', { name: 'FIX codes on the wire' }).waitFor();
    await tab.visit('/docs/api/no-such-call');
    await tab.page
      .getByText(/not found|no such page|nothing here/i)
      .first()
      .waitFor();
    expect(tab.errors).toEqual([]);
  });
});

describe('the reader sends', () => {
  const send = async (tab: Tab): Promise<void> => {
    await tab.page.getByRole('button', { name: 'Send', exact: true }).click();
    await block(tab, 'The answer').waitFor();
    await tab.page.getByText('What was sent').click();
  };

  browserTest('a public call', async () => {
    await using tab = await stage.tab();
    await tab.visit('/docs/api/instruments');
    await send(tab);
    const answer = await block(tab, 'The answer').innerText();
    expect(answer).toContain('"baseAssetIncrement": 0.000001');
    expect(await block(tab, 'The headers of the answer').innerText()).toContain('x-agio-seq:');
    expect(await block(tab, 'The signed text').count()).toBe(0);
    expect(tab.errors).toEqual([]);
  });

  browserTest('an order, signed with a key that it does not store', async () => {
    const { apiKey, secretKey } = stage.sandbox.demo!;
    await using tab = await stage.tab();
    await tab.visit('/docs/api/createOrder');
    await tab.page.getByText('An API key', { exact: true }).click();
    await tab.page.getByLabel('API key', { exact: true }).fill(apiKey);
    await tab.page.getByRole('textbox', { name: 'Secret key' }).fill(secretKey);
    const order = '{"symbol":"BTC-USDT","side":1,"ordType":2,"price":1.25,"orderQty":0.123456}';
    await tab.page.getByRole('textbox', { name: 'Body' }).fill(order);
    // The code has the key and the order, and a write is confirmed first.
    const request = tab.page.getByRole('region', { name: 'Request', exact: true });
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await request.getByText(language, { exact: true }).click();
      const code = await request.locator('pre').first().innerText();
      for (const part of [apiKey, secretKey, '0.123456']) expect(code).toContain(part);
    }
    await tab.page.getByRole('button', { name: 'Send', exact: true }).click();
    const dialog = tab.page.getByRole('dialog', { name: 'Send a real request?' });
    await dialog.getByText('It moves test money of the account.').waitFor();
    await dialog.getByRole('button', { name: 'Send real request' }).click();
    await block(tab, 'The answer').waitFor();
    await tab.page.getByText('What was sent').click();
    expect(await block(tab, 'The answer').innerText()).toMatch(/"orderId": \d+/);
    const signed = await block(tab, 'The signed text').innerText();
    expect(signed).toMatch(/^\d{13}POST\/spot-api\/api\/private\/v1\/order\{/);
    expect(await block(tab, 'The sent request').innerText()).not.toContain(secretKey);
    // The key stays for the next call, but not for the next page load.
    await tab.page.getByRole('link', { name: 'orders', exact: true }).click();
    await tab.page.getByText('An API key', { exact: true }).click();
    await tab.page.getByRole('textbox', { name: 'type' }).fill('OPEN');
    await send(tab);
    expect(await block(tab, 'The answer').innerText()).toContain('"orderQty": 0.123456');
    const kept = await tab.page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(apiKey);
    expect(kept).not.toContain(secretKey);
    await tab.page.reload();
    await tab.page.getByText('An API key', { exact: true }).click();
    expect(await tab.page.getByLabel('API key', { exact: true }).inputValue()).toBe('');
    expect(tab.errors).toEqual([]);
  });

  browserTest('a private call, by the session of the page', async () => {
    const { email, password } = stage.sandbox.demo!;
    await using tab = await stage.tab();
    await tab.visit('/docs/api/balances');
    await tab.page.getByText('Log in first, or choose an API key.').waitFor();
    expect(await tab.page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await tab.logIn(email, password);
    await tab.visit('/docs/api/balances');
    await send(tab);
    expect(await block(tab, 'The answer').innerText()).toContain('"asset": "BTC"');
    expect(tab.errors).toEqual([]);
  });
});
