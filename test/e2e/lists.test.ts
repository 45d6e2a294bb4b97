// Lists and forms in a browser: subscriptions, statements, members, passwords and code samples.
import { expect } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import type { OperatorClient } from '../../src/sdk/operator-client.ts';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

const DAY_MS = 86_400_000;

let stage: Stage;
let tab: Tab;

withStage(async (set) => {
  stage = set;
  tab = await stage.customer();
});

const main = () => tab.page.getByRole('main');

const BOUNDS = { coin: 'USDT', userAmountMin: '1', userAmountMax: '100000' } as const;

async function planOf(terms: Parameters<OperatorClient['createPlan']>[0]): Promise<string> {
  const { planId } = await stage.operator.createPlan(terms);
  const reserve = { amount: '1000', reference: `reserve-${planId}` };
  await stage.operator.fundReserve(planId, reserve);
  return planId;
}

browserTest('the list shows a subscription with a booster at the rate that accrues', async () => {
  const planId = await planOf({
    ...BOUNDS,
    ...{ planName: 'Boosted term', planType: 2, apr: '0.1', lockDay: 30 },
    booster: { coin: 'MMX', ratio: '1', apr: '0.02' },
  });
  const { applyId } = await stage.demo.applyPlan({ planId, amount: '100', boosterAmount: '100' });
  await tab.visit('/earn');
  const row = main().getByRole('row', { name: /Boosted term/ });
  await row.getByRole('cell', { name: '12.00%', exact: true }).waitFor();
  await tab.visit(`/earn/subscriptions/${applyId}`);
  await main().getByText('10.00% and 2.00% from the booster').waitFor();
  await main()
    .getByText(/^\+2\.00%( with .* MMX)?$/)
    .waitFor();
});

browserTest(
  'a compounding payout is one row, and a redemption without lock time arrives immediately',
  async () => {
    const planId = await planOf({
      ...BOUNDS,
      ...{ planName: 'Compounding', planType: 1, apr: '0.365', autoCompound: true },
    });
    const { applyId } = await stage.demo.applyPlan({ planId, amount: '1000' });
    await stage.operator.advanceClock({ ms: 2 * DAY_MS });
    await tab.visit('/wallet');
    const entries = main().getByRole('table', { name: 'Entries of the statement' });
    const added = entries.getByRole('row', { name: /Interest compounded/ });
    await added
      .filter({ hasText: `Subscription ${applyId}` })
      .first()
      .waitFor();
    const own = entries.getByRole('row').filter({ hasText: `Subscription ${applyId}` });
    expect(await own.filter({ hasText: 'Earn subscription' }).count()).toBe(1);
    await tab.visit(`/earn/subscriptions/${applyId}`);
    await main().getByRole('button', { name: 'Redeem', exact: true }).click();
    const dialog = tab.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('250.5');
    await dialog.getByText('250.5 USDT', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Redeem 250.5 USDT' }).click();
    await tab.page.getByText('Redeemed 250.5 USDT. The money is in your spot balance.').waitFor();
  },
);

browserTest('an enterprise sees the owner of each subscription', async () => {
  const { enterprise } = stage.sandbox;
  const member = (await stage.operator.users({ query: enterprise!.members[0]!.email })).items[0]!;
  const key = await stage.operator.createKey(member.uid, { alias: 'plans', moduleIds: [1, 2] });
  const saver = new AgioClient({ url: stage.server.url, ...key });
  const [plan] = (await saver.plans()).filter(({ coin }) => coin === 'USDT');
  await saver.applyPlan({ planId: plan!.planId, amount: '500' });
  await using admin = await stage.customer(enterprise!.admin);
  await admin.visit('/enterprise');
  const table = admin.page.getByRole('table', { name: 'Members’ subscriptions' });
  await table.getByRole('columnheader', { name: 'Member', exact: true }).waitFor();
  await table
    .getByRole('cell', { name: `User ${member.uid}` })
    .first()
    .waitFor();
});

browserTest(
  'the hint of a rejected password is not green, and another password clears the rejection',
  async () => {
    await using visitor = await stage.tab();
    const { page } = visitor;
    await visitor.visit('/register');
    const form = page.getByRole('main');
    await form.getByRole('textbox').first().fill('somebody@example.com');
    const password = form.getByRole('textbox', { name: 'Password' });
    await password.fill('password');
    await form.getByText('Long enough.').waitFor();
    await form.locator('button[type="submit"]').click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByText('Long enough.').count()).toBe(0);
    expect(await form.getByText('Choose another password.').getAttribute('class')).toContain(
      'sell',
    );
    await password.fill('correct horse battery');
    await form.getByText('Long enough.').waitFor();
    expect(await form.getByRole('alert').count()).toBe(0);
  },
);

for (const width of [390, 1440]) {
  browserTest(`the copy button does not cover the code at ${width} pixels`, async () => {
    await tab.page.setViewportSize({ width, height: 900 });
    await tab.visit('/docs/sdk');
    await main().getByRole('button', { name: 'Copy the code' }).first().waitFor();
    const overlaps = await main()
      .locator('pre + button[data-copy]')
      .evaluateAll(
        (buttons) =>
          buttons.filter((button) => {
            const [a, b] = [button, button.previousElementSibling!].map((one) =>
              one.getBoundingClientRect(),
            );
            const apart =
              a!.left >= b!.right ||
              a!.right <= b!.left ||
              a!.top >= b!.bottom ||
              a!.bottom <= b!.top;
            return !apart;
          }).length,
      );
    expect(overlaps).toBe(0);
    expect(await tab.overflow()).toBe(0);
    expect(tab.errors).toEqual([]);
  });
}
