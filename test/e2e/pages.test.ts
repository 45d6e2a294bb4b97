// Every page for a visitor, a customer, an enterprise admin and the operator, at two sizes and in
// both color schemes: no console error, no request elsewhere, no overflow, no axe-core finding.
import { describe, expect } from 'bun:test';
import { browserTest, type Scheme, type Size, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

type Visitor = 'visitor' | 'customer' | 'admin' | 'operator';

const PAGES: readonly { readonly path: string; readonly as: Visitor }[] = [
  { path: '/', as: 'visitor' },
  { path: '/markets', as: 'visitor' },
  { path: '/login', as: 'visitor' },
  { path: '/register', as: 'visitor' },
  { path: '/reset', as: 'visitor' },
  { path: '/trade/BTC-USDT', as: 'visitor' },
  { path: '/earn', as: 'visitor' },
  { path: '/wallet', as: 'visitor' },
  { path: '/docs', as: 'visitor' },
  { path: '/docs/rest', as: 'visitor' },
  { path: '/nothing-here', as: 'visitor' },
  { path: '/trade/BTC-USDT', as: 'customer' },
  { path: '/', as: 'customer' },
  { path: '/orders', as: 'customer' },
  { path: '/earn', as: 'customer' },
  { path: '/wallet', as: 'customer' },
  { path: '/keys', as: 'customer' },
  { path: '/security', as: 'customer' },
  { path: '/enterprise', as: 'admin' },
  { path: '/enterprise/margins', as: 'admin' },
  { path: '/operator', as: 'operator' },
  { path: '/operator/users', as: 'operator' },
  { path: '/operator/users/1', as: 'operator' },
  { path: '/operator/ledger', as: 'operator' },
  { path: '/operator/markets', as: 'operator' },
  { path: '/operator/plans', as: 'operator' },
  { path: '/operator/enterprises', as: 'operator' },
  { path: '/operator/system', as: 'operator' },
  { path: '/operator/ledger/income', as: 'operator' },
  { path: '/operator/plans/new', as: 'operator' },
  { path: '/operator/docs', as: 'operator' },
  { path: '/operator/docs/operating', as: 'operator' },
  { path: '/operator/docs/api/operatorCreatePlan', as: 'operator' },
];

interface View {
  readonly size: Size;
  readonly scheme: Scheme;
}

/** Each size in one of the schemes: both are covered without doubling the time. */
const VIEWS: readonly View[] = [
  { size: 'desktop', scheme: 'dark' },
  { size: 'phone', scheme: 'light' },
];

let stage: Stage;

withStage(
  async (set) => {
    stage = set;
  },
  { demo: true },
);

const enter: Readonly<Record<Visitor, (view: View) => Promise<Tab>>> = {
  visitor: (view) => stage.tab(view),
  customer: (view) => stage.customer(stage.sandbox.demo!, view),
  admin: (view) => stage.customer(stage.sandbox.enterprise!.admin, view),
  operator: (view) => stage.console(view),
};

describe.each([...VIEWS])('on a $size, $scheme', ({ size, scheme }) => {
  for (const as of ['visitor', 'customer', 'admin', 'operator'] as const) {
    browserTest(`every page of the ${as}`, async () => {
      await using tab = await enter[as]({ size, scheme });
      for (const { path } of PAGES.filter((page) => page.as === as)) {
        await tab.visit(path);
        const name = `${as}${path.replaceAll('/', '-')}-${size}`;
        await tab.screenshot(name);
        // The browser logs that this address has no page, which is what this path tests.
        const errors = tab.errors.filter((error) => !error.includes('/nothing-here'));
        expect({ path, errors }).toEqual({ path, errors: [] });
        expect({ path, overflow: await tab.overflow() }).toEqual({ path, overflow: 0 });
        expect({ path, found: await tab.accessibility() }).toEqual({ path, found: [] });
      }
    });
  }
});

browserTest('a visitor finds a market on the home page, and keeps a favorite', async () => {
  await using tab = await stage.tab();
  await tab.visit('/');
  const main = tab.page.getByRole('main');
  await main.getByRole('heading', { name: 'Trade and earn in one place' }).waitFor();
  await main.getByText('8.00% APR').or(main.getByText('10.00% APR')).first().waitFor();
  expect(await main.getByRole('link', { name: 'Create an account' }).count()).toBe(1);
  await main.getByRole('link', { name: 'All markets' }).click();
  await main.getByRole('textbox', { name: 'Search markets' }).fill('eth');
  const table = main.getByRole('table', { name: 'Markets' });
  await table.getByRole('link', { name: 'BTC / USDT' }).waitFor({ state: 'detached' });
  await table.getByRole('button', { name: 'Add ETH-USDT to your favorites' }).click();
  await tab.visit('/markets');
  await main.getByText('Favorites', { exact: true }).click();
  await table.getByRole('link', { name: 'BTC / USDT' }).waitFor({ state: 'detached' });
  await table.getByRole('link', { name: 'ETH / USDT' }).click();
  await tab.page.waitForURL('**/trade/ETH-USDT');
  expect(tab.errors).toEqual([]);
});

browserTest('a page shows that it loads until its styles and scripts arrive', async () => {
  await using tab = await stage.tab({ size: 'phone' });
  const { page } = tab;
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/assets/*', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(`${stage.server.url}/login`, { waitUntil: 'commit' });
  const loading = page.getByText('Loading agio…');
  await loading.waitFor();
  await tab.screenshot('visitor-loading-phone');
  arrive();
  await tab.settled();
  expect(await loading.count()).toBe(0);
  expect(tab.errors).toEqual([]);
});

browserTest('a malformed or mistyped address has a page that says so', async () => {
  await using tab = await stage.tab();
  const main = tab.page.getByRole('main');
  for (const path of ['/trade/%25', '/trade/%E0%A4%A']) {
    await tab.visit(path);
    await main.getByRole('heading', { name: 'Pair not found' }).waitFor();
  }
  await tab.visit('/docs/nope');
  await main.getByRole('heading', { level: 1, name: 'Document not found' }).waitFor();
  await main.getByRole('link', { name: 'Go to the docs' }).click();
  await main.getByRole('article').waitFor();
  await tab.visit('/docs/rest#%');
  await main.getByRole('article').waitFor();
  await tab.logIn(stage.sandbox.demo!.email, stage.sandbox.demo!.password);
  for (const path of ['/wallet/nope', '/security/nope', '/keys/nope', '/earn/nope']) {
    await tab.visit(path);
    await main.getByText('Page not found').waitFor();
  }
  await tab.visit('/earn/subscriptions/999999');
  const sentence = await main.getByText('No such plan or subscription').innerText();
  expect(sentence).not.toContain('applyId');
});
