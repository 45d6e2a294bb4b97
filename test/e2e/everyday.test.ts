// Small things that a customer meets every day: where a page begins, what a message covers, what
// fits on a small screen, and what happens while the server restarts.
import { afterEach, expect } from 'bun:test';
import { browserTest, type Size, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';
import { until } from '../support/waiting.ts';

let stage: Stage;

withStage(async (set) => {
  stage = set;
});
afterEach(async () => {
  await stage?.demo.massCancel({});
  await stage?.maker.massCancel({});
});

const order = (side: 1 | 2, price: string, orderQty: string, symbol = 'BTC-USDT') =>
  ({ symbol, side, ordType: 2, price, orderQty }) as const;

/** A trade of the maker with itself, which moves the last price. */
async function trade(price: string): Promise<void> {
  await stage.maker.createOrder(order(2, price, '0.01'));
  await stage.maker.createOrder(order(1, price, '0.01'));
}

const scrolled = ({ page }: Tab): Promise<number> => page.evaluate(() => window.scrollY);

browserTest('a page opens at its top, also after links within a page and after Back', async () => {
  await using tab = await stage.tab();
  const { page } = tab;
  await tab.visit('/docs/rest');
  const link = (name: string) => page.getByRole('banner').getByRole('link', { name });
  await page.locator('main a[href^="#"]').last().click();
  await until(async () => (await scrolled(tab)) > 0);
  await page.goBack();
  await page.mouse.wheel(0, 3_000);
  await until(async () => (await scrolled(tab)) > 0);
  await link('Markets').click();
  await page.getByRole('table', { name: 'Markets' }).waitFor();
  expect(await scrolled(tab)).toBe(0);
});

browserTest('the step of the emailed code keeps “Send again” over a reload', async () => {
  await using tab = await stage.tab();
  const main = tab.page.getByRole('main');
  await tab.visit('/register');
  await main.getByLabel('Email address').fill('reload@example.com');
  await main.getByRole('textbox', { name: 'Password' }).fill('quiet lantern over snow');
  await main.getByRole('button', { name: 'Continue' }).click();
  await main.getByLabel('Code from the email').waitFor();
  await tab.page.clock.install();
  await tab.page.reload();
  await main.getByRole('button', { name: /^Send again in \d+ s/ }).waitFor();
  await tab.page.clock.fastForward(60_000);
  await main.getByRole('button', { name: 'Send again' }).click();
  await main.getByText('We sent you a code a short while ago').waitFor();
});

browserTest.each(['laptop', 'touch'] satisfies Size[])(
  'on a %s, messages are over the bar at the top and cover no button of the open orders',
  async (size) => {
    await using tab = await stage.customer(undefined, { size });
    const { page } = tab;
    for (let n = 0; n < 12; n++) await stage.demo.createOrder(order(1, `${40_000 + n}`, '0.01'));
    for (const path of ['/orders', '/trade/BTC-USDT']) {
      await tab.visit(path);
      const buttons = page.getByRole('main').getByRole('button', { name: /^Cancel: |Change the/ });
      await buttons.last().waitFor();
      await buttons.last().scrollIntoViewIfNeeded();
      await page
        .getByRole('button', { name: /^Cancel: / })
        .last()
        .click();
      const message = page.getByRole('region', { name: 'Messages' }).getByRole('alert').first();
      await message.waitFor();
      await tab.screenshot(`message${path.replaceAll('/', '-')}-${size}`);
      const box = (await message.boundingBox())!;
      const bar = (await page.getByRole('banner').boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(bar.y + bar.height);
      expect(box.y).toBeGreaterThanOrEqual(0);
      await message.getByRole('button').click();
      await message.waitFor({ state: 'detached' });
    }
    expect(tab.errors).toEqual([]);
  },
);

/** The pages of a customer with fields, figures and lists. */
const PAGES = [
  ...['/', '/markets', '/trade/BTC-USDT', '/orders', '/wallet', '/earn', '/settings', '/docs/rest'],
  ...['/keys/new', '/security'],
];

browserTest('at 390 pixels, fields, pencils and wide amounts are readable', async () => {
  const { uid } = stage.sandbox.demo!;
  const gift = { uid, asset: 'USDC', amount: '123456789012.12345678', reference: 'wide' };
  await stage.operator.credit(gift);
  await stage.demo.createOrder(order(2, '987654.32', '1.234567'));
  await using tab = await stage.customer(undefined, { size: 'touch' });
  const faults: string[] = [];
  for (const path of PAGES) {
    await tab.visit(path);
    await tab.screenshot(`readable${path.replaceAll('/', '-')}`);
    const found = [
      ...(await tab.cutFields()),
      ...(await tab.cutElements('main .figures, main button svg')),
    ];
    faults.push(...found.map((fault) => `${path}: ${fault}`));
  }
  expect(faults).toEqual([]);
  await tab.visit('/orders');
  const pencils = tab.page.getByRole('main').getByRole('button', { name: /Change the/ });
  await pencils.nth(1).waitFor();
  for (const pencil of await pencils.all()) {
    const [button, icon] = [await pencil.boundingBox(), await pencil.locator('svg').boundingBox()];
    expect(button!.height).toBeGreaterThanOrEqual(24);
    expect(icon!.width).toBeGreaterThanOrEqual(16);
  }
});

browserTest('no label touches the box of its field', async () => {
  await using tab = await stage.customer();
  const faults: string[] = [];
  for (const path of ['/settings', '/wallet', '/keys/new', '/security', '/earn/plans/1']) {
    await tab.visit(path);
    const gaps = await tab.page.locator('main .mantine-InputWrapper-label').evaluateAll((labels) =>
      labels.flatMap((label) => {
        const box = label.parentElement!.querySelector('.mantine-Input-wrapper');
        if (box === null || !label.checkVisibility()) return [];
        const gap = box.getBoundingClientRect().top - label.getBoundingClientRect().bottom;
        const isBeside = box.getBoundingClientRect().left >= label.getBoundingClientRect().right;
        return isBeside || gap >= 3 ? [] : [`${label.textContent}: ${gap}`];
      }),
    );
    faults.push(...gaps.map((gap) => `${path} ${gap}`));
  }
  expect(faults).toEqual([]);
});

browserTest('in a low window the order sheet shows its fields and its button', async () => {
  await using tab = await stage.customer(undefined, { size: 'low' });
  const { page } = tab;
  await tab.visit('/trade/BTC-USDT');
  for (const side of ['Buy', 'Sell']) {
    await page.getByRole('main').getByRole('button', { name: side, exact: true }).click();
    const sheet = page.getByRole('dialog');
    await sheet.waitFor();
    await tab.screenshot(`sheet-low-${side}`);
    const { height } = page.viewportSize()!;
    for (const part of [
      sheet.getByLabel('Price', { exact: true }),
      sheet.getByLabel('Quantity'),
      sheet.getByLabel('Total', { exact: true }),
      sheet.locator('button[type="submit"]'),
    ]) {
      const box = (await part.boundingBox())!;
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      const isOnTop = await part.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
      expect(isOnTop).toBe(true);
    }
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  }
});

browserTest('the price in the header and in the title moves with the chart', async () => {
  await trade('60000');
  await using tab = await stage.tab();
  const { page } = tab;
  await tab.visit('/trade/BTC-USDT');
  await page.waitForFunction(() => document.title.startsWith('60,000.00'));
  await page.waitForFunction(() =>
    /\bC\s*60,000\.00/.test(document.querySelector('main')!.innerText),
  );
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(globalThis, { seen });
    const look = () => {
      const text = document.querySelector('main')!.innerText;
      const close = /\bC\s*([\d,]+\.\d\d)/.exec(text)?.[1];
      if (close !== undefined && !document.title.startsWith(close)) seen.add(document.title);
      requestAnimationFrame(look);
    };
    look();
  });
  for (let n = 1; n <= 5; n++) {
    await trade(`${60_000 + n}`);
    await page.waitForFunction((title) => document.title.startsWith(title), `60,00${n}.00`);
  }
  const seen = await page.evaluate(() => [
    ...(globalThis as unknown as { seen: Set<string> }).seen,
  ]);
  expect(seen).toEqual([]);
});

browserTest('the home page shows a customer what the account has', async () => {
  await stage.demo.createOrder(order(1, '40000', '0.01'));
  await using tab = await stage.customer();
  await tab.visit('/');
  const main = tab.page.getByRole('main');
  await main.getByRole('heading', { name: 'Your account' }).waitFor();
  await main.getByText('Estimated value, with money in Earn').waitFor();
  await main.getByRole('link', { name: /Buy 0.01 BTC at 40,000 USDT/ }).waitFor();
  expect(await main.getByText('Trade and earn in one place').count()).toBe(0);
  expect(tab.errors).toEqual([]);
});

browserTest('a page whose code could not be fetched recovers after a restart', async () => {
  await using tab = await stage.customer();
  const { page } = tab;
  await tab.visit('/markets');
  const main = page.getByRole('main');
  await stage.restart(async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Wallet' }).click();
    await main.getByText('This page could not be loaded').waitFor();
  });
  await main.getByText('Estimated value, with money in Earn').waitFor();
});

browserTest('the steps of every book are readable', async () => {
  await using tab = await stage.customer();
  for (const symbol of ['BTC-USDT', 'ETH-USDT', 'MMX-USDT', 'BTC-AED']) {
    await tab.visit(`/trade/${symbol}`);
    const steps = tab.page.getByRole('combobox', { name: 'Price step' });
    await steps.waitFor();
    for (const value of await steps.locator('option').allTextContents()) {
      await steps.selectOption({ label: value });
      expect([symbol, value, await tab.cutFields()]).toEqual([symbol, value, []]);
    }
  }
});

browserTest('a limit order that only waits costs nothing immediately', async () => {
  await using tab = await stage.customer();
  await tab.visit('/trade/BTC-USDT');
  const form = tab.page.locator('#order-form');
  const cost = form
    .locator('dt', { hasText: 'Immediate cost' })
    .locator('xpath=following-sibling::dd');
  expect(await cost.textContent()).toBe('– USDT');
  await form.getByRole('textbox', { name: 'Price', exact: true }).fill('1000');
  await form.getByRole('textbox', { name: 'Quantity', exact: true }).fill('0.5');
  await until(async () => (await cost.textContent()) === '0 USDT');
});

browserTest(
  'an IP address never breaks, and the last price of a pair is no fixed term',
  async () => {
    await using tab = await stage.customer();
    await tab.visit('/security');
    const address = tab.page.getByRole('cell', { name: '127.0.0.1' }).first();
    await address.waitFor();
    const lines = await address.locator('span').evaluate((span) => span.getClientRects().length);
    expect(lines).toBe(1);
    expect(
      await address.locator('span').evaluate((span) => getComputedStyle(span).whiteSpace),
    ).toBe('nowrap');
    await using operator = await stage.console();
    await operator.visit('/operator/markets/BTC-USDT');
    const panel = (title: string) =>
      operator.page.locator('section', {
        has: operator.page.getByRole('heading', { name: title, exact: true }),
      });
    await panel('Status').getByText('Last price').waitFor();
    expect(await panel('Immutable').getByText('Last price').count()).toBe(0);
  },
);
