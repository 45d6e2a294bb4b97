// The end of a session, as its customer meets it: the pages say why, and a suspended customer who
// logs in again sees so on every page.
import { expect } from 'bun:test';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

let stage: Stage;

withStage(async (set) => {
  stage = set;
});

/** Waits for the end of the tab's session, and returns what the login page says. */
async function endOf(tab: Tab): Promise<string> {
  const { page } = tab;
  await page.getByRole('heading', { name: 'Log in to see “Wallet”' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email address').waitFor();
  return page.getByRole('main').getByRole('status').first().innerText();
}

async function open(): Promise<Tab> {
  const tab = await stage.customer();
  await tab.visit('/wallet');
  return tab;
}

/** The demo customer on another device. */
async function otherDevice(password = stage.sandbox.demo!.password): Promise<UserCenterClient> {
  const other = new UserCenterClient({ url: stage.server.url });
  await other.login({ email: stage.sandbox.demo!.email, password });
  return other;
}

browserTest('a session that was ended on another device says so', async () => {
  await using tab = await open();
  const other = await otherDevice();
  await other.revokeSession({ all: true });
  expect(await endOf(tab)).toBe('You ended this session on another device.');
});

browserTest('a session that a new password ended says so', async () => {
  await using tab = await open();
  const { password } = stage.sandbox.demo!;
  const newPassword = 'quiet lantern over snow';
  const other = await otherDevice();
  await other.changePassword({ password, newPassword });
  await other.changePassword({ password: newPassword, newPassword: password });
  expect(await endOf(tab)).toBe('The password was changed, which ended this session.');
});

browserTest('a suspended customer is told why, and sees a banner on every page', async () => {
  await using tab = await open();
  const { uid, email, password } = stage.sandbox.demo!;
  await stage.operator.amendUser(uid, { status: 'suspended' });
  expect(await endOf(tab)).toContain('suspended your account');
  await tab.logIn(email, password);
  const banner = tab.page.getByText('Your account is suspended.');
  for (const path of ['/', '/markets', '/trade/BTC-USDT', '/orders', '/earn', '/docs', '/keys']) {
    await tab.visit(path);
    await banner.waitFor();
    expect(await tab.overflow()).toBeLessThanOrEqual(0);
  }
  await tab.visit('/trade/BTC-USDT');
  const form = tab.page.locator('#order-form');
  await form.getByText('Account suspended.').waitFor();
  await form.getByLabel('Price', { exact: true }).fill('50000');
  await form.getByLabel('Quantity', { exact: true }).fill('0.01');
  const buy = form.getByRole('button', { name: 'Buy BTC' });
  expect(await buy.getAttribute('aria-disabled')).toBe('true');
  await tab.screenshot('suspended');
  expect(await tab.accessibility()).toEqual([]);
  await stage.operator.amendUser(uid, { status: 'active' });
  await tab.visit('/wallet');
  expect(await banner.count()).toBe(0);
});
