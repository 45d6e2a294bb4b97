// An enterprise's admin in a browser: sees what a margin would do before it is saved, is asked for
// a second factor, sets one up, and saves it; a member's rate follows.
import { afterAll, beforeAll, expect } from 'bun:test';
import { browserTest, CHROMIUM, type Tab } from '../support/browser.ts';
import { Authenticator, Stage } from '../support/browser-people.ts';

let stage: Stage;
let admin: Tab;

beforeAll(async () => {
  if (CHROMIUM === null) return;
  stage = await Stage.set();
  admin = await stage.tab();
  const { email, password } = stage.sandbox.enterprise!.admin;
  await admin.logIn(email, password);
});
afterAll(async () => {
  await admin?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

const main = () => admin.page.getByRole('main');
const dialog = (name: RegExp) => admin.page.getByRole('dialog', { name });

async function askForMargin(): Promise<void> {
  await admin.visit('/enterprise/margins');
  await main().getByRole('button', { name: 'Change the margin of USDT 30 Days' }).click();
  await dialog(/^Margin of/)
    .getByLabel('Margin (APR)')
    .fill('2');
}

browserTest(
  'sees what the change means, and is led to a second factor',
  async () => {
    await askForMargin();
    const effect = dialog(/^Margin of/).getByRole('table', { name: 'Effect of the change' });
    await effect.getByText('8.00%').waitFor();
    await effect.getByText('6.00%').waitFor();
    await admin.screenshot('journey-14-margin');
    await dialog(/^Margin of/)
      .getByRole('button', { name: 'Save margin' })
      .click();
    await dialog(/Confirm your identity/)
      .getByRole('link', { name: 'Set up an authenticator' })
      .click();
    await main().getByRole('button', { name: 'Continue' }).click();
    const authenticator = new Authenticator(await main().locator('code').first().innerText());
    await main()
      .getByLabel('Authenticator code')
      .fill(await authenticator.code());
    await main().getByRole('button', { name: 'Turn on' }).click();
    await main().getByLabel('I saved the recovery codes').check();
    await main().getByRole('button', { name: 'Continue' }).click();
    await main().getByRole('table', { name: 'Plans and margins' }).waitFor();
  },
  60_000,
);

browserTest(
  'saves it, and what a member then earns is less by it',
  async () => {
    await askForMargin();
    await dialog(/^Margin of/)
      .getByRole('button', { name: 'Save margin' })
      .click();
    await dialog(/^Margin of/).waitFor({ state: 'detached' });
    const row = main().getByRole('row', { name: /USDT 30 Days/ });
    await row.getByText('2.00%').waitFor();
    await using member = await stage.tab();
    const { email, password } = stage.sandbox.enterprise!.members[0]!;
    await member.logIn(email, password);
    await member.visit('/earn');
    await member.page.getByRole('link', { name: /: USDT 30 Days$/ }).click();
    await member.page.getByRole('textbox', { name: 'Amount' }).fill('1000');
    const estimate = member.page.getByRole('region', { name: 'Estimated interest' });
    // ⌊1000 × 0.06 × 30 ÷ 365⌋
    await estimate.getByText('4.93150684').first().waitFor();
    expect(member.errors).toEqual([]);
  },
  60_000,
);
