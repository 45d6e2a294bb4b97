// Every page as a visitor, a customer, an enterprise's admin and the operator meet it: at two
// sizes, in both colour schemes, with no console error, no request elsewhere, nothing wider than
// the window, and nothing that keeps people out (axe-core).
import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { Browser } from 'playwright-core';
import type { SandboxFile } from '../../src/cli/data-directory.ts';
import {
  browserTest,
  CHROMIUM,
  openBrowser,
  type Scheme,
  type Size,
  Tab,
} from '../support/browser.ts';
import { Place, readSandbox, Server } from '../support/cli.ts';

type Visitor = 'visitor' | 'customer' | 'admin' | 'operator';

const PAGES: readonly { readonly path: string; readonly as: Visitor }[] = [
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
  { path: '/earn', as: 'customer' },
  { path: '/wallet', as: 'customer' },
  { path: '/keys', as: 'customer' },
  { path: '/security', as: 'customer' },
  { path: '/enterprise', as: 'admin' },
  { path: '/operator', as: 'operator' },
  { path: '/operator/users', as: 'operator' },
  { path: '/operator/users/1', as: 'operator' },
  { path: '/operator/ledger', as: 'operator' },
  { path: '/operator/markets', as: 'operator' },
  { path: '/operator/plans', as: 'operator' },
  { path: '/operator/enterprises', as: 'operator' },
  { path: '/operator/system', as: 'operator' },
];

/** Each size in one of the schemes, so that both are seen without doubling the time. */
const VIEWS: readonly { readonly size: Size; readonly scheme: Scheme }[] = [
  { size: 'desktop', scheme: 'dark' },
  { size: 'telephone', scheme: 'light' },
];

let place: Place;
let server: Server;
let sandbox: SandboxFile;
let browser: Browser;

beforeAll(async () => {
  if (CHROMIUM === null) return;
  place = new Place();
  server = await Server.start(['--data', place.path('data')], {}, { demo: true });
  await server.caughtUp();
  sandbox = readSandbox(place.path('data'));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.end('SIGTERM');
  place?.[Symbol.dispose]();
});

async function enter(tab: Tab, as: Visitor): Promise<void> {
  if (as === 'customer') await tab.logIn(sandbox.demo!.email, sandbox.demo!.password);
  if (as === 'admin') {
    const { email, password } = sandbox.enterprise!.admin;
    await tab.logIn(email, password);
  }
  if (as !== 'operator') return;
  await tab.visit('/operator');
  await tab.page.getByLabel('Operator token').fill(sandbox.operatorToken);
  await tab.page.getByRole('main').getByRole('button', { name: 'Open console' }).click();
  await tab.page.getByRole('navigation', { name: 'Areas of the operator console' }).waitFor();
}

describe.each([...VIEWS])('on a $size, $scheme', ({ size, scheme }) => {
  for (const as of ['visitor', 'customer', 'admin', 'operator'] as const) {
    browserTest(
      `the pages of a ${as}`,
      async () => {
        await using tab = await Tab.open(browser, { url: server.url, size, scheme });
        await enter(tab, as);
        for (const { path } of PAGES.filter((page) => page.as === as)) {
          await tab.visit(path);
          const name = `${as}${path.replaceAll('/', '-')}-${size}`;
          await tab.screenshot(name);
          // The browser notes that this address has no page; that is what is tried here.
          const errors = tab.errors.filter((error) => !error.includes('/nothing-here'));
          expect({ path, errors }).toEqual({ path, errors: [] });
          expect({ path, overflow: await tab.overflow() }).toEqual({ path, overflow: 0 });
          expect({ path, found: await tab.accessibility() }).toEqual({ path, found: [] });
        }
      },
      120_000,
    );
  }
});

browserTest(
  'says that it loads while its styles and scripts are on the way',
  async () => {
    await using tab = await Tab.open(browser, { url: server.url, size: 'telephone' });
    const { page } = tab;
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/assets/*', async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(`${server.url}/login`, { waitUntil: 'commit' });
    const loading = page.getByText('Loading agio…');
    await loading.waitFor();
    await tab.screenshot('visitor-loading-telephone');
    arrive();
    await tab.settled();
    expect(await loading.count()).toBe(0);
    expect(tab.errors).toEqual([]);
  },
  60_000,
);

browserTest(
  'addresses that are mangled or mistyped say so',
  async () => {
    await using tab = await Tab.open(browser, { url: server.url });
    const main = tab.page.getByRole('main');
    for (const path of ['/trade/%25', '/trade/%E0%A4%A']) {
      await tab.visit(path);
      await main.getByRole('heading', { name: 'Pair not found' }).waitFor();
    }
    await tab.visit('/docs/nope');
    await main.getByText('There is no such document').waitFor();
    await main.getByRole('link', { name: 'To the documents' }).click();
    await main.getByRole('article').waitFor();
    await tab.visit('/docs/rest#%');
    await main.getByRole('article').waitFor();
    await tab.logIn(sandbox.demo!.email, sandbox.demo!.password);
    for (const path of ['/wallet/nope', '/security/nope', '/keys/nope', '/earn/nope']) {
      await tab.visit(path);
      await main.getByText('Page not found').waitFor();
    }
    await tab.visit('/earn/subscriptions/999999');
    const sentence = await main.getByText('No such plan or subscription').innerText();
    expect(sentence).not.toContain('applyId');
  },
  60_000,
);
