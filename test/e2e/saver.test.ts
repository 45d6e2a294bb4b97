// The way from a plan to interest in a browser: a term is chosen, the operator's clock goes thirty
// days ahead, and every figure is explained to the last digit; then the principal comes back.
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
});
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
    const estimate = main().getByRole('region', { name: 'Estimated interest' });
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
    await dialog.getByRole('button', { name: 'Move clock' }).click();
    await operator.screenshot('journey-8-clock');
    // The day of subscribing does not count, so the term ends within the next thirty days and one.
    await areas.getByRole('button', { name: '+1 day' }).click();
    await dialog.getByRole('button', { name: 'Move clock' }).click();
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

browserTest(
  'a term that is ended early shows what was given up and what came back, and is found again from the statement',
  async () => {
    await tab.visit('/earn?coin=USDT');
    await main()
      .getByRole('link', { name: /: USDT Flexible Term$/ })
      .click();
    await main().getByRole('textbox', { name: 'Amount' }).fill('200');
    await main().getByRole('button', { name: 'Subscribe', exact: true }).click();
    const dialog = tab.page.getByRole('dialog');
    await dialog.getByText('Arrives after redeeming').waitFor();
    await dialog.getByRole('button', { name: /^Subscribe/ }).click();
    await dialog.waitFor({ state: 'detached' });
    const clock = await stage.operate('POST', 'clock/advance', { ms: 3 * 86_400_000 });
    expect(clock).toHaveProperty('now');
    await tab.visit('/earn/subscriptions/3');
    await main().getByRole('button', { name: 'Redeem early' }).click();
    await dialog.getByRole('button', { name: 'Redeem early', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    // ⌊200 × 0.03 ÷ 365⌋ on each of two days, which were paid.
    await main()
      .getByText(/^forfeited/)
      .first()
      .waitFor();
    await main().getByText('199.96712329 USDT').waitFor();
    expect(await tab.accessibility()).toEqual([]);
    await tab.visit('/wallet');
    await main().getByRole('link', { name: 'Subscription 3' }).first().click();
    await main().getByRole('heading', { name: 'USDT Flexible Term' }).waitFor();
    await main().getByText('the interest of the term was forfeited').waitFor();
    expect(tab.errors).toEqual([]);
  },
  60_000,
);

browserTest(
  'a plan for verified customers says so before it is filled in, and opens as soon as one is verified',
  async () => {
    await stage.operate('PATCH', 'users/1', { kyc: false });
    await tab.visit('/security');
    await main()
      .getByText(/^Identity: not verified/)
      .waitFor();
    await tab.visit('/earn');
    await main()
      .getByRole('link', { name: /: USDC Verified$/ })
      .click();
    await main()
      .getByText(/^Only for verified customers/)
      .waitFor();
    await main().getByRole('textbox', { name: 'Amount' }).fill('100');
    const subscribe = main().getByRole('button', { name: 'Subscribe', exact: true });
    expect(await subscribe.isDisabled()).toBe(true);
    expect(await tab.accessibility()).toEqual([]);
    await stage.operate('PATCH', 'users/1', { kyc: true });
    await main()
      .getByText(/^Only for verified customers/)
      .waitFor({ state: 'detached' });
    expect(await subscribe.isEnabled()).toBe(true);
    expect(tab.errors).toEqual([]);
  },
  60_000,
);
