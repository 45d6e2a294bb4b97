// Earn in a browser: a customer subscribes, the operator moves the clock, and the pages explain the
// interest to the last digit and return the principal.
import { expect } from 'bun:test';
import { browserTest, story, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

let stage: Stage;
let tab: Tab;

withStage(async (set) => {
  stage = set;
  tab = await stage.customer();
});

const main = () => tab.page.getByRole('main');
const AMOUNT = '1234.56789012';
/** ⌊1234.56789012 × 0.08 × 30 ÷ 365⌋, in units of 10^-8. */
const TERM_INTEREST = '8.11770667';

story('a term pays its interest to the unit', {
  'the customer subscribes after an exact estimate': async () => {
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

  'the operator reads the effects, and moves the clock ahead': async () => {
    await using operator = await stage.console();
    await operator.visit('/operator/system');
    const areas = operator.page.getByRole('main');
    const clock = areas.getByRole('link', { name: 'Clock' });
    if (await clock.count()) await clock.click();
    await areas.getByRole('button', { name: '+30 days' }).click();
    const dialog = operator.page.getByRole('dialog');
    await dialog.getByText(/30 UTC days end/).waitFor();
    await operator.screenshot('journey-8-clock');
    await dialog.getByRole('button', { name: 'Move clock' }).click();
    // The next dialog must not be taken for this one.
    await dialog.waitFor({ state: 'detached' });
    // The day of the subscription does not count, so the term ends after 31 days.
    await areas.getByRole('button', { name: '+1 day' }).click();
    await dialog
      .getByText(/UTC day/)
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Move clock' }).click();
    await dialog.waitFor({ state: 'detached' });
    // The dialog closes before the clock has moved; the buttons wait for the move.
    await areas.getByRole('button', { name: '+1 day' }).click({ trial: true });
    expect(operator.errors).toEqual([]);
  },

  'the total is the estimate, and a figure explains itself': async () => {
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

  'the wallet has the principal and the interest, to the unit': async () => {
    await tab.visit('/wallet');
    await main().getByText('1,000,008.11770667').first().waitFor();
    await tab.screenshot('journey-10-matured');
    expect(tab.errors).toEqual([]);
  },
});

browserTest(
  'an early redemption shows what was forfeited and what came back, also from the statement',
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
    await stage.operator.advanceClock({ ms: 3 * 86_400_000 });
    const [subscription] = await stage.demo.subscriptions();
    const { applyId } = subscription!;
    await tab.visit(`/earn/subscriptions/${applyId}`);
    await main().getByRole('button', { name: 'Redeem early' }).click();
    await dialog.getByText('0.03287671 USDT of interest').waitFor();
    expect(await tab.accessibility()).toEqual([]);
    await dialog.getByRole('button', { name: 'Redeem early', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    // Each of two days paid ⌊200 × 0.03 ÷ 365⌋.
    await main()
      .getByText(/^forfeited/)
      .first()
      .waitFor();
    await main().getByText('199.96712329 USDT').waitFor();
    expect(await tab.accessibility()).toEqual([]);
    await tab.visit('/wallet');
    await main()
      .getByRole('link', { name: `Subscription ${applyId}` })
      .first()
      .click();
    await main().getByRole('heading', { name: 'USDT Flexible Term' }).waitFor();
    await main().getByText('the interest of the term was forfeited').waitFor();
    await tab.visit('/earn');
    await main().getByText('Ended', { exact: true }).click();
    const list = main().getByRole('table', { name: 'My subscriptions' });
    await list.getByRole('link', { name: 'USDT Flexible Term' }).waitFor();
    await main().getByText('Table', { exact: true }).click();
    const plans = main().getByRole('table', { name: 'Plans to compare' });
    await plans.getByRole('row', { name: /USDT 30 Days.*8\.00%.*30 days.*not possible/ }).waitFor();
    expect(await tab.accessibility()).toEqual([]);
    expect(tab.errors).toEqual([]);
  },
);

browserTest(
  'a plan for verified customers says so first, and opens once the customer is verified',
  async () => {
    await stage.operator.amendUser(stage.sandbox.demo!.uid, { kyc: false });
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
    await stage.operator.amendUser(stage.sandbox.demo!.uid, { kyc: true });
    await main()
      .getByText(/^Only for verified customers/)
      .waitFor({ state: 'detached' });
    expect(await subscribe.isEnabled()).toBe(true);
    expect(tab.errors).toEqual([]);
  },
);
