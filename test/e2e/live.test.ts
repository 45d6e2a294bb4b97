// Pages that live by streams, in a real browser: what happens is on the page without its having
// asked, through a restart of the server, and nothing private reaches who is not logged in.
import { afterAll, beforeAll, expect } from 'bun:test';
import type { Browser, Request, WebSocket } from 'playwright-core';
import type { SandboxFile } from '../../src/cli/data-directory.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { browserTest, CHROMIUM, openBrowser, Tab, WAIT_MS } from '../support/browser.ts';
import { Place, readSandbox, Server } from '../support/cli.ts';

/** What pages ask again and again where no stream tells them. */
const POLLED =
  /\/(orderbook|l3Orderbook|trades|tickers|candles|instruments|balances|orders|currentList)(\?|$)/;
/** Longer than any of them waits. */
const WATCHED_MS = 4_000;

let place: Place;
let server: Server;
let sandbox: SandboxFile;
let browser: Browser;
let tab: Tab;
let operator: OperatorClient;
/** Somebody else, with money, who trades by a key. */
let maker: AgioClient;
let demo: AgioClient;
const asked: string[] = [];
const sockets = new Set<WebSocket>();

async function start(port: string): Promise<void> {
  server = await Server.start(['--data', place.path('data'), '--port', port]);
  await server.caughtUp();
  sandbox = readSandbox(place.path('data'));
}

beforeAll(async () => {
  if (CHROMIUM === null) return;
  place = new Place();
  await start('0');
  const { url } = server;
  operator = new OperatorClient({ url, operatorToken: sandbox.operatorToken });
  demo = new AgioClient({ url, ...sandbox.demo! });
  const { uid } = await operator.createUser({ email: 'seller@example.com', kyc: true });
  for (const [asset, amount] of [
    ['BTC', '100'],
    ['USDT', '1000000'],
  ] as const) {
    await operator.credit({ uid, asset, amount, reference: `maker-${asset}` });
  }
  const key = await operator.createKey(uid, { alias: 'maker', moduleIds: [5, 6] });
  maker = new AgioClient({ url, ...key });
  browser = await openBrowser();
  tab = await Tab.open(browser, { url });
  // So wide that the book and the tape are there at once.
  await tab.page.setViewportSize({ width: 1680, height: 1000 });
  watch(tab);
  await tab.logIn(sandbox.demo!.email, sandbox.demo!.password);
});
afterAll(async () => {
  await tab?.[Symbol.asyncDispose]();
  await browser?.close();
  await server?.end('SIGTERM');
  place?.[Symbol.dispose]();
});

/** Notes the reads and the websockets of a tab. */
function watch({ page }: Tab): void {
  page.on('request', (request: Request) => {
    // Of the sockets of the page before, the browser says no more.
    if (request.isNavigationRequest()) sockets.clear();
    const { pathname, search } = new URL(request.url());
    // With an end it is the past that is looked at.
    const isPast = search.includes('endTime=');
    if (POLLED.test(pathname + search) && !isPast) asked.push(pathname + search);
  });
  page.on('websocket', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
}

const openSockets = (): string[] => [...sockets].map((socket) => new URL(socket.url()).pathname);

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it did not happen: ${what}`);
    await Bun.sleep(50);
  }
}

/** Nothing polls any more: for longer than the slowest poll nothing was asked. */
async function untilQuiet(): Promise<void> {
  await until(async () => {
    asked.length = 0;
    await Bun.sleep(WATCHED_MS / 2);
    return asked.length === 0;
  }, 'the page asks no more');
}

const main = () => tab.page.getByRole('main');
const tape = () => main().getByRole('table', { name: 'Last trades of BTC-USDT' });
const asks = () => main().getByRole('list', { name: /^Asks/ });

const sell = (price: string, orderQty: string) =>
  maker.createOrder({ symbol: 'BTC-USDT', side: 2, ordType: 2, price, orderQty });
const buy = (price: string, orderQty: string) =>
  demo.createOrder({ symbol: 'BTC-USDT', side: 1, ordType: 2, price, orderQty });

browserTest(
  'a trade by the API is in the book, the tape and the balances, and nothing was asked',
  async () => {
    await tab.visit('/trade/BTC-USDT');
    await until(() => openSockets().length === 3, 'three connections');
    expect(openSockets().toSorted()).toEqual([
      '/ws/v1/private/account',
      '/ws/v1/private/orders',
      '/ws/v1/public',
    ]);
    await untilQuiet();
    await sell('50001', '0.75');
    await asks().getByRole('button', { name: '50,001.00' }).waitFor();
    await sell('50002', '0.31');
    await buy('50001', '0.25');
    await tape().getByRole('row', { name: '50,001.00' }).waitFor();
    expect(await tape().getByRole('row', { name: '50,001.00' }).count()).toBe(1);
    await asks().getByRole('button', { name: '0.50' }).first().waitFor();
    const { orderId } = await buy('40123', '0.5');
    const open = main().getByRole('table', { name: 'Open orders' });
    await open.getByText('40,123').waitFor();
    await demo.cancelOrder({ orderId });
    await main().getByText('No open orders').waitFor();
    await Bun.sleep(WATCHED_MS);
    expect(asked).toEqual([]);
  },
);

browserTest("the operator's halt arrives by the stream", async () => {
  await operator.amendInstrument('BTC-USDT', { instrumentStatus: 'HALTED' });
  await main().getByText('Halted').first().waitFor();
  await operator.amendInstrument('BTC-USDT', { instrumentStatus: 'LIVE' });
  await main().getByText('Halted').first().waitFor({ state: 'detached' });
  expect(asked).toEqual([]);
});

/** What the keyboard's focus is on. */
const focused = () => tab.page.locator(':focus');
const orderForm = () => tab.page.locator('#order-form');

async function write(price: string, quantity: string): Promise<void> {
  await orderForm().getByLabel('Price', { exact: true }).fill(price);
  await orderForm().getByLabel('Quantity').fill(quantity);
}

browserTest(
  'the focus stays where it works: on the button of the order, and in the list of open orders',
  async () => {
    await write('40001', '0.1');
    const place = orderForm().getByRole('button', { name: 'Buy BTC' });
    await place.press('Enter');
    await orderForm().getByText('In the book.').waitFor();
    expect(await focused().innerText()).toBe('Buy BTC');
    await buy('40002', '0.1');
    const cancels = main().getByRole('button', { name: /^Cancel: / });
    await until(async () => (await cancels.count()) === 2, 'two open orders');
    const last = await cancels.nth(1).getAttribute('aria-label');
    await cancels.nth(0).press('Enter');
    await until(async () => (await cancels.count()) === 1, 'one open order');
    expect(await focused().getAttribute('aria-label')).toBe(last);
    await focused().press('Enter');
    await main().getByText('No open orders').waitFor();
    expect(await focused().getAttribute('role')).toBe('tab');
  },
);

browserTest('orders of a halted pair can be canceled, one and all', async () => {
  for (const price of ['2000', '2001', '2002']) {
    const terms = { symbol: 'ETH-USDT', side: 1, ordType: 2, price, orderQty: '0.1' } as const;
    await demo.createOrder(terms);
  }
  await operator.amendInstrument('ETH-USDT', { instrumentStatus: 'HALTED' });
  const cancels = main().getByRole('button', { name: /^Cancel: Buy ETH-USDT/ });
  await until(async () => (await cancels.count()) === 3, 'three open orders');
  await cancels.nth(0).click();
  await until(async () => (await cancels.count()) === 2, 'two open orders');
  const all = main().getByRole('button', { name: 'Cancel all' });
  await all.click();
  await tab.page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 orders' }).click();
  await tab.page.getByText('2 canceled').waitFor();
  await until(() => all.isDisabled(), 'nothing is left to cancel');
  await operator.amendInstrument('ETH-USDT', { instrumentStatus: 'LIVE' });
  await main().getByText('No open orders').waitFor();
});

browserTest(
  'an order far past the market is asked about first, and what is sent is what was confirmed',
  async () => {
    const { uid } = (await operator.users({ query: 'seller@example.com' })).items[0]!;
    await operator.credit({ uid, asset: 'ETH', amount: '10', reference: 'maker-ETH' });
    const offer = (price: string) =>
      maker.createOrder({ symbol: 'ETH-USDT', side: 2, ordType: 2, price, orderQty: '1' });
    await offer('2000');
    const dear = await offer('2100');
    await tab.visit('/trade/ETH-USDT');
    await asks().getByRole('button', { name: '2,100.00' }).waitFor();
    const dialog = tab.page.getByRole('dialog');
    const place = orderForm().getByRole('button', { name: 'Buy ETH' });

    await write('20000', '1');
    await place.click();
    await dialog.getByText('The limit is 900.00% above the best ask').waitFor();
    await until(async () => (await focused().innerText()) === 'Go back', 'the safe button');
    await focused().press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await place.press('Enter');
    await dialog.getByText('Max cost').waitFor();
    await tab.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect((await demo.orders({ type: 'OPEN', symbol: 'ETH-USDT' })).data).toEqual([]);

    await main().getByText('Market', { exact: true }).click();
    await orderForm().getByLabel('Quantity').fill('2');
    await orderForm().getByLabel('Quantity').press('Enter');
    await dialog.getByText('This moves the price by 5.00%, to 2,100.00 USDT.').waitFor();
    await maker.cancelOrder({ orderId: dear.orderId });
    await offer('2300');
    await asks().getByRole('button', { name: '2,300.00', includeHidden: true }).waitFor();
    const confirm = dialog.getByRole('button', { name: 'Buy 2 ETH' });
    await confirm.click();
    await dialog.getByText('The market moved, so the order was not sent.').waitFor();
    await dialog.getByText('This moves the price by 15.00%, to 2,300.00 USDT.').waitFor();
    await confirm.click();
    await orderForm().getByText('Bought 2 ETH for 4,300.00 USDT').waitFor();
    await tab.visit('/trade/BTC-USDT');
  },
);

browserTest(
  'an order whose answer was lost is looked for until it is found, after a reload too',
  async () => {
    const ORDERS = /\/private\/v1\/order$/;
    const LOOKS = /type=SINGLE/;
    await tab.page.route(ORDERS, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await tab.page.route(LOOKS, (route) => route.abort());
    await write('40006', '0.1');
    const place = orderForm().getByRole('button', { name: 'Buy BTC' });
    await tab.page.context().setOffline(true);
    await until(() => place.isDisabled(), 'nothing can be sent without a connection');
    await tab.page.context().setOffline(false);
    await place.click();
    const question = orderForm().getByText('Buy 0.1 BTC at 40,006 USDT.');
    await question.waitFor();
    await tab.visit('/trade/BTC-USDT');
    await question.waitFor();
    await tab.page.unroute(ORDERS);
    await tab.page.unroute(LOOKS);
    await orderForm().getByText('In the book.').waitFor();
    expect(await question.count()).toBe(0);
    await main()
      .getByRole('button', { name: /^Cancel: / })
      .click();
    await tab.page.getByText('Canceled: Buy 0.1 BTC at 40,006 USDT.').waitFor();
    await main().getByText('No open orders').waitFor();
    tab.errors.length = 0;
  },
);

browserTest(
  'an order whose answer was lost is asked about after a reload, and placed once',
  async () => {
    const ORDERS = /\/private\/v1\/order$/;
    const LOOKS = /clOrdId=/;
    await tab.page.route(ORDERS, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await tab.page.route(LOOKS, (route) => route.abort());
    await write('40004', '0.1');
    await orderForm().getByRole('button', { name: 'Buy BTC' }).click();
    const question = orderForm().getByText('Buy 0.1 BTC at 40,004 USDT.');
    await question.waitFor();
    await tab.visit('/wallet');
    await tab.visit('/trade/ETH-USDT');
    await question.waitFor();
    await tab.page.unroute(ORDERS);
    await orderForm().getByRole('button', { name: 'Send again' }).click();
    await orderForm().getByText('In the book.').waitFor();
    expect(await question.count()).toBe(0);
    await tab.page.unroute(LOOKS);
    await tab.visit('/trade/BTC-USDT');
    const cancels = main().getByRole('button', { name: /^Cancel: / });
    await until(async () => (await cancels.count()) === 1, 'one open order');
    await cancels.click();
    await main().getByText('No open orders').waitFor();
    // What the browser says about requests that were broken off is not the page's.
    tab.errors.length = 0;
  },
);

browserTest(
  'an order that is sent with an ended login is not placed, and is there again after the next one',
  async () => {
    await write('40005', '0.1');
    await tab.page.context().clearCookies();
    await orderForm().getByRole('button', { name: 'Buy BTC' }).click();
    await orderForm().getByText('Your session expired. The order was not placed.').waitFor();
    await tab.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
    const price = orderForm().getByLabel('Price', { exact: true });
    expect(await price.inputValue()).toBe('40005');
    await orderForm().getByRole('link', { name: 'Log in again' }).click();
    await tab.page.getByText('Your session expired. Log in again.').waitFor();
    await tab.page.getByLabel('Email address').fill(sandbox.demo!.email);
    await tab.page.getByRole('textbox', { name: 'Password' }).fill(sandbox.demo!.password);
    await main().getByRole('button', { name: 'Log in' }).click();
    await orderForm().getByRole('button', { name: 'Buy BTC' }).waitFor();
    expect(await price.inputValue()).toBe('40005');
    expect(await orderForm().getByLabel('Quantity').inputValue()).toBe('0.1');
    await until(() => openSockets().length === 3, 'three connections');
    await untilQuiet();
    tab.errors.length = 0;
  },
);

browserTest('the server goes and comes back, and the page goes on by itself', async () => {
  const { port } = new URL(server.url);
  await server.end('SIGTERM');
  await until(() => openSockets().length === 0, 'the connections are gone');
  await tab.page.getByText('The exchange cannot be reached').waitFor();
  await start(port);
  await until(() => openSockets().length === 3, 'the connections are back');
  await tab.page.getByText('The exchange cannot be reached').waitFor({ state: 'detached' });
  await untilQuiet();
  await buy('50002', '0.6');
  await tape().getByRole('row', { name: '50,002.00' }).waitFor();
  expect(await tape().getByRole('row', { name: '50,001.00' }).count()).toBe(2);
  expect(await tape().getByRole('row', { name: '50,002.00' }).count()).toBe(1);
  await buy('40321', '0.1');
  const open = main().getByRole('table', { name: 'Open orders' });
  await open.getByText('40,321').waitFor();
  expect(asked).toEqual([]);
  // What the browser says about connections that found nobody is not the page's.
  tab.errors.length = 0;
});

browserTest('a credit of the operator is in the wallet by itself', async () => {
  await tab.visit('/wallet');
  await until(() => openSockets().includes('/ws/v1/private/account'), 'the account');
  await untilQuiet();
  const { uid } = (await operator.users({ query: sandbox.demo!.email })).items[0]!;
  const row = main().getByRole('row', { name: /^ETH/ }).first();
  expect(await row.innerText()).not.toContain('.321');
  await operator.credit({ uid, asset: 'ETH', amount: '7654.321', reference: 'a gift' });
  await row.getByText('.321').first().waitFor();
  expect(asked).toEqual([]);
});

browserTest('who logs out, or is logged out, hears nothing private any more', async () => {
  await tab.visit('/trade/BTC-USDT');
  await until(() => openSockets().length === 3, 'three connections');
  await write('40444', '0.123');
  await tab.page.getByRole('button', { name: /^Account of/ }).click();
  await tab.page.getByRole('menuitem', { name: 'Log out' }).click();
  await tab.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
  await until(
    () => openSockets().every((path) => path === '/ws/v1/public'),
    'nothing private is open',
  );
  expect(await orderForm().getByLabel('Quantity').inputValue()).toBe('');
  await buy('40555', '0.1');
  await Bun.sleep(1_000);
  expect(await tab.page.content()).not.toContain(sandbox.demo!.email);
  expect(openSockets()).toEqual(['/ws/v1/public']);

  await tab.logIn(sandbox.demo!.email, sandbox.demo!.password);
  await tab.visit('/trade/BTC-USDT');
  await until(() => openSockets().length === 3, 'three connections again');
  await main().getByRole('table', { name: 'Open orders' }).getByText('40,555').waitFor();
  expect(tab.errors).toEqual([]);

  await endSessionsElsewhere();
  await tab.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
  await until(
    () => openSockets().every((path) => path === '/ws/v1/public'),
    'nothing private is open',
  );
});

browserTest('another tab of the browser logs out, and in as somebody else', async () => {
  const { admin } = sandbox.enterprise!;
  await tab.logIn(sandbox.demo!.email, sandbox.demo!.password);
  await tab.visit('/wallet');
  await until(() => openSockets().includes('/ws/v1/private/account'), 'the account');
  await main().getByText('.321').first().waitFor();
  const other = await tab.page.context().newPage();
  await other.goto(`${server.url}/login`);
  await other.getByRole('button', { name: /^Account of/ }).click();
  await other.getByRole('menuitem', { name: 'Log out' }).click();
  await tab.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
  await until(() => !openSockets().includes('/ws/v1/private/account'), 'the account is closed');
  await other.goto(`${server.url}/login`);
  await other.getByLabel('Email address').fill(admin.email);
  await other.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await other.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await tab.page.getByRole('button', { name: `Account of ${admin.email}` }).waitFor();
  await main().getByRole('row').first().waitFor();
  expect(await tab.page.content()).not.toContain('.321');
  expect(await tab.page.content()).not.toContain(sandbox.demo!.email);
});

browserTest('where no websocket gets through, the page asks again and again', async () => {
  await using behind = await Tab.open(browser, { url: server.url });
  await behind.page.routeWebSocket(/\/ws\//, (socket) => socket.close({ code: 1011 }));
  watch(behind);
  await behind.visit('/trade/BTC-USDT');
  asked.length = 0;
  const books = () => asked.filter((path) => path.includes('/orderbook?')).length;
  await until(() => books() > 2, 'the book is asked for again');
  await sell('50777', '0.11');
  await behind.page.getByRole('button', { name: '50,777.00' }).waitFor();
});

browserTest(
  'a page that is opened without a connection breaks no other, and comes with the connection',
  async () => {
    await using away = await Tab.open(browser, { url: server.url });
    const { page } = away;
    await away.visit('/trade/BTC-USDT');
    const way = (name: string) => page.getByRole('banner').getByRole('link', { name }).click();
    await page.context().setOffline(true);
    await way('Earn');
    await page.getByText('This page could not be loaded').waitFor();
    await way('Trade');
    await page.getByRole('main').getByText('Limit').first().waitFor();
    await way('Earn');
    await page.getByText('This page could not be loaded').waitFor();
    await page.context().setOffline(false);
    await page
      .getByRole('main')
      .getByText(/flexible/i)
      .first()
      .waitFor();
  },
);

/** The person logs in on another machine, and ends all other sessions there. */
async function endSessionsElsewhere(): Promise<void> {
  await using other = await Tab.open(browser, { url: server.url });
  await other.logIn(sandbox.demo!.email, sandbox.demo!.password);
  await other.page.evaluate(async () => {
    await fetch('/user-center/v1/sessions/revoke', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"all":true}',
    });
  });
}
