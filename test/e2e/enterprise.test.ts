// An enterprise admin changes a margin in a browser: the effect of the change, the second factor
// that it needs, and the new rate of a member.
import { expect } from 'bun:test';
import { story, type Tab } from '../support/browser.ts';
import { Authenticator, type Stage, withStage } from '../support/browser-people.ts';

let stage: Stage;
let admin: Tab;

withStage(async (set) => {
  stage = set;
  admin = await stage.customer(stage.sandbox.enterprise!.admin);
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

story('an admin changes a margin', {
  'sees the effect of the change, and sets up a second factor': async () => {
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

  'saves the change, and a member earns less': async () => {
    await askForMargin();
    const form = dialog(/^Margin of/);
    const margin = form.getByLabel('Margin (APR)');
    await margin.fill('99');
    await form.getByText('Above the rate of the plan, 8.00%').waitFor();
    expect(await form.getByRole('button', { name: 'Save margin' }).isDisabled()).toBe(true);
    await form.getByRole('button', { name: 'Use 8%' }).click();
    expect(await margin.inputValue()).toBe('8');
    await margin.fill('2');
    await form.getByRole('button', { name: 'Save margin' }).click();
    await form.waitFor({ state: 'detached' });
    const row = main().getByRole('row', { name: /USDT 30 Days/ });
    await row.getByText('2.00%').waitFor();
    await using member = await stage.customer(stage.sandbox.enterprise!.members[0]!);
    await member.visit('/earn');
    await member.page.getByRole('link', { name: /: USDT 30 Days$/ }).click();
    await member.page.getByRole('textbox', { name: 'Amount' }).fill('1000');
    const estimate = member.page.getByRole('region', { name: 'Estimated interest' });
    // ⌊1000 × 0.06 × 30 ÷ 365⌋
    await estimate.getByText('4.93150684').first().waitFor();
    expect(member.errors).toEqual([]);
  },
});
