// Every page for a visitor, a customer, an enterprise admin and the operator, at two sizes and in
// both color schemes: no console error, no request elsewhere, no overflow, no axe-core finding.
import { describe, expect } from 'bun:test';
import { browserTest, type Scheme, type Size, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

type Visitor = 'visitor' | 'customer' | 'admin' | 'operator';

const under = (base: string, ...parts: string[]): string[] =>
  ['', ...parts].map((part) => base + part);

/** Every route of the site, as the visitors who see it. A link to another one fails the test. */
const ROUTES: Readonly<Record<Visitor, readonly string[]>> = {
  visitor: [
    ...['/', '/home', '/markets', '/login', '/register', '/reset', '/settings', '/nothing-here'],
    ...[...under('/trade', '/BTC-USDT'), ...under('/earn', '/plans/1'), '/wallet', '/operator'],
    ...under('/docs', '/api', '/api/createOrderV2', '/orders', '/earn', '/websocket', '/errors'),
    ...[
      '/docs/sdk',
      '/docs/ccxt',
      '/docs/binance',
      '/docs/rest',
      '/docs/glossary',
      '/docs/changelog',
      '/docs/nope',
    ],
  ],
  customer: [
    ...['/', '/markets', '/trade/BTC-USDT', '/orders', '/wallet', '/settings', '/docs'],
    ...under('/earn', '/plans/1', '/subscriptions/1'),
    ...under('/keys', '/new'),
    ...under('/security', '/authenticator', '/recovery', '/disable'),
  ],
  admin: under('/enterprise', '/margins'),
  operator: [
    ...under('/operator', '/enterprises', '/nope'),
    ...under('/operator/users', '/new', '/1'),
    ...under('/operator/ledger', '/credit', '/debit', '/income'),
    ...under('/operator/markets', '/new', '/new-asset', '/asset:BTC', '/BTC-USDT', '/fee-tiers'),
    ...under('/operator/plans', '/new', '/1'),
    ...under('/operator/system', '/audit', '/outbox', '/limits', '/clock'),
    ...under('/operator/docs', '/operating', '/cluster', '/security', '/proofs', '/benchmarks'),
    ...under('/operator/docs/api', '/operatorCreatePlan'),
  ],
};

/** The route of an address: pairs, ids and calls of the API are alike. */
const routeOf = (path: string): string =>
  path
    .replace(/[?#].*$/, '')
    .replace(/\/[A-Z0-9]+-[A-Z0-9]+$/, '/:pair')
    .replace(/asset:[A-Z0-9]+$/, ':asset')
    .replace(/\/\d+$/, '/:id')
    .replace(/\/api\/\w+$/, '/api/:call');

const KNOWN = new Set(Object.values(ROUTES).flat().map(routeOf));

interface View {
  readonly size: Size;
  readonly scheme: Scheme;
}

/** Each size begins in one of the schemes. The other one has the same page in other colors. */
const VIEWS: readonly View[] = [
  { size: 'desktop', scheme: 'dark' },
  { size: 'phone', scheme: 'light' },
];
const COLORS = ['color-contrast'];

let stage: Stage;

withStage(
  async (set) => {
    stage = set;
    const [plan] = (await stage.demo.plans()).filter(({ planType }) => planType === 1);
    await stage.demo.applyPlan({ planId: plan!.planId, amount: plan!.userAmountMin });
  },
  { demo: true },
);

const enter: Readonly<Record<Visitor, (view: View) => Promise<Tab>>> = {
  visitor: (view) => stage.tab(view),
  customer: (view) => stage.customer(stage.sandbox.demo!, view),
  admin: (view) => stage.customer(stage.sandbox.enterprise!.admin, view),
  operator: (view) => stage.console(view),
};

describe.each([...VIEWS])('on a $size', ({ size, scheme }) => {
  for (const as of ['visitor', 'customer', 'admin', 'operator'] as const) {
    browserTest(`every page of the ${as}`, async () => {
      await using tab = await enter[as]({ size, scheme });
      const faults: string[] = [];
      for (const path of ROUTES[as]) {
        await tab.visit(path);
        const note = (found: readonly (string | number)[]) =>
          faults.push(...found.map((fault) => `${path}: ${fault}`));
        const overflow = await tab.overflow();
        if (overflow > 0) note([`${overflow} pixels too wide`]);
        note((await tab.links()).filter((link) => !KNOWN.has(routeOf(link))));
        await tab.screenshot(`${as}${path.replaceAll('/', '-')}-${size}`);
        note(await tab.accessibility());
        await tab.setScheme(scheme === 'dark' ? 'light' : 'dark');
        note(await tab.accessibility(COLORS));
        await tab.setScheme(scheme);
      }
      // The browser logs that an address has no page, which is what such a path tests.
      faults.push(...tab.errors.filter((error) => !error.endsWith('/nothing-here')));
      expect(faults).toEqual([]);
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
