// The way from a plan to interest in a browser: a term is chosen, the operator's clock goes thirty days ahead, and every figure is
// explained to the last digit; then the principal comes back.
import { afterAll, beforeAll, expect } from 'bun:test';
import { browserTest, CHROMIUM, type Tab } from '../support/browser.ts';
import { Stage } from '../support/browser-people.ts';

let stage: Stage;
let tab: Tab;
let operator: Tab;

beforeAll(async () => {
  if (CHROMIUM === null) return;
  stage = await Stage.set();
  tab = await stage.tab();
  await tab.logIn(stage.sandbox.demo!.email, stage.sandbox.demo!.password);
  operator = await stage.console();
}, 60_000);
afterAll(async () => {
  await operator?.[Symbol.asyncDispose]();
  await tab?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

const main = () => tab.page.getByRole('main');
const AMOUNT = '1234.56789012';
/** ⌊1234.56789012 × 0.08 × 30 ÷ 365⌋, in units of 10^-8. */
const TERM_INTEREST = '8.11770667';

browserTest(
  'subscribes to a term after a preview to the unit',
  async () => {
    await tab.visit('/earn');
    await main()
      .getByRole('link', { name: /: USDT 30 Days$/ })
      .click();
    await main().getByRole('textbox', { name: 'Amount' }).fill(AMOUNT);
    const estimate = main().getByRole('region', { name: 'What it would earn' });
    await estimate.getByText(TERM_INTEREST).first().waitFor();
    await tab.screenshot('journey-6-plan');
    await main().getByRole('button', { name: 'Subscribe', exact: true }).click();
    const dialog = tab.page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Subscribe/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await tab.visit('/earn');
    await main()
      .getByRole('table', { name: 'My subscriptions' })
      .getByText('1,234.56789012')
      .waitFor();
    await tab.screenshot('journey-7-subscribed');
    await main()
      .getByRole('link', { name: /: BTC Flexible$/ })
      .click();
    await main().getByRole('textbox', { name: 'Amount' }).fill('0.365');
    await main().getByRole('button', { name: 'Subscribe', exact: true }).click();
    await dialog.getByRole('button', { name: /^Subscribe/ }).click();
    await dialog.waitFor({ state: 'detached' });
  },
  60_000,
);

browserTest(
  'the operator moves the clock thirty days ahead, and is told what that will do',
  async () => {
    await operator.visit('/operator/system');
    const areas = operator.page.getByRole('main');
    const clock = areas.getByRole('link', { name: 'Clock' });
    if (await clock.count()) await clock.click();
    await areas.getByRole('button', { name: '+30 days' }).click();
    const dialog = operator.page.getByRole('dialog');
    await dialog.getByText(/30 UTC days end/).waitFor();
    await dialog.getByRole('button', { name: 'Move the clock' }).click();
    await operator.screenshot('journey-8-clock');
    // The day of subscribing does not count, so the term ends within the next thirty days and one.
    await areas.getByRole('button', { name: '+1 day' }).click();
    await dialog.getByRole('button', { name: 'Move the clock' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(operator.errors).toEqual([]);
  },
  60_000,
);

browserTest(
  'every day has earned, the sum is the preview, and a figure explains itself',
  async () => {
    await tab.visit('/earn/subscriptions/1');
    await main().getByText(TERM_INTEREST).first().waitFor();
    await main()
      .getByRole('button', { name: /^Explain the interest of/ })
      .first()
      .click();
    const dialog = tab.page.getByRole('dialog');
    await dialog.getByText('1,234.56789012').first().waitFor();
    await dialog.getByText(/365/).first().waitFor();
    await tab.screenshot('journey-9-explained');
    await tab.page.keyboard.press('Escape');
    // 0.365 × 0.015 ÷ 365 a day: with all digits of the coin, so that points stand below points.
    await tab.visit('/earn/subscriptions/2');
    const day = main().getByRole('table', { name: 'Interest of each day' }).getByRole('cell');
    await day.getByText('+0.00001500', { exact: true }).first().waitFor();
  },
  60_000,
);

browserTest(
  'principal and interest are in the wallet, to the unit',
  async () => {
    await tab.visit('/wallet');
    await main().getByText('1,000,008.11770667').first().waitFor();
    await tab.screenshot('journey-10-matured');
    expect(tab.errors).toEqual([]);
  },
  60_000,
);
