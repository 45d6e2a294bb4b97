// Pages that follow streams, in a real browser: changes appear without polling, also after a
// restart of the server, and nothing private reaches a visitor who is not logged in.
import { beforeEach, expect } from 'bun:test';
import type { WebSocket } from 'playwright-core';
import type { AgioClient } from '../../src/sdk/client.ts';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';
import { until } from '../support/waiting.ts';

/** The reads that a page repeats while no stream updates it. */
const POLLED =
  /\/(orderbook|l3Orderbook|trades|tickers|candles|instruments|balances|orders|currentList)(\?|$)/;
/** Longer than the interval of any of them; it passes on the clock of the page. */
const WATCHED_MS = 4_000;

let stage: Stage;
/** Another customer, with money and a key. */
let maker: AgioClient;

withStage(async (set) => {
  stage = set;
  maker = stage.maker;
});
beforeEach(async () => {
  await maker?.massCancel({});
  await stage?.demo.massCancel({});
});

/** A tab with the polled reads and the open websockets of its page. */
class WatchedTab implements AsyncDisposable {
  readonly tab: Tab;
  readonly asked: string[] = [];
  readonly #sockets = new Set<WebSocket>();

  constructor(tab: Tab) {
    this.tab = tab;
    let leaves = false;
    // The browser reports no end for the sockets of the previous page, which may open more of
    // them until the next page has come.
    tab.page.on('framenavigated', () => {
      if (leaves) this.#sockets.clear();
      leaves = false;
    });
    tab.page.on('request', (request) => {
      if (request.isNavigationRequest()) leaves = true;
      const { pathname, search } = new URL(request.url());
      // A read with an end is about the past.
      if (/end(Time|Date)=/.test(search)) return;
      if (POLLED.test(pathname + search)) this.asked.push(pathname + search);
    });
    tab.page.on('websocket', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** The demo customer on the trading page, which reads nothing any more. */
  static async desk(symbol = 'BTC-USDT'): Promise<WatchedTab> {
    const watched = new WatchedTab(await stage.tab());
    const { page } = watched.tab;
    await page.clock.install();
    // Wide enough for the book beside the last trades.
    await page.setViewportSize({ width: 1680, height: 1000 });
    const { email, password } = stage.sandbox.demo!;
    await watched.tab.logIn(email, password);
    await watched.tab.visit(`/trade/${symbol}`);
    await watched.untilConnected();
    return watched;
  }

  get main() {
    return this.tab.page.getByRole('main');
  }
  get form() {
    return this.tab.page.locator('#order-form');
  }
  get asks() {
    return this.main.getByRole('list', { name: /^Asks/ });
  }
  get cancels() {
    return this.main.getByRole('button', { name: /^Cancel: / });
  }
  get focused() {
    return this.tab.page.locator(':focus');
  }

  /** The last trades of BTC-USDT at this price. */
  trades(price: string) {
    const tape = this.main.getByRole('table', { name: 'Last trades of BTC-USDT' });
    return tape.getByRole('row', { name: price });
  }

  async write(price: string, quantity: string): Promise<void> {
    await this.form.getByLabel('Price', { exact: true }).fill(price);
    await this.form.getByLabel('Quantity').fill(quantity);
  }

  sockets(): string[] {
    return [...this.#sockets].map((socket) => new URL(socket.url()).pathname).sort();
  }

  untilConnected(): Promise<void> {
    return until(() => this.sockets().length === 3);
  }

  untilPublic(): Promise<void> {
    const isPublic = (path: string) => path === '/ws/v1/public';
    return until(() => this.sockets().every(isPublic));
  }

  untilCancels(count: number): Promise<void> {
    return until(async () => (await this.cancels.count()) === count);
  }

  /** Lets the slowest interval pass, and returns the reads of the page until then. */
  async readsUntilNow(): Promise<readonly string[]> {
    const { page } = this.tab;
    await page.clock.runFor(WATCHED_MS);
    // The browser reports requests in their order.
    const last = page.waitForRequest('**/health');
    await page.evaluate(() => fetch('/health'));
    await last;
    return this.asked;
  }

  /** The page no longer polls. */
  async untilQuiet(): Promise<void> {
    await until(async () => {
      this.asked.length = 0;
      return (await this.readsUntilNow()).length === 0;
    });
  }

  async signUpLink(): Promise<void> {
    await this.tab.page.getByRole('banner').getByRole('link', { name: 'Sign up' }).waitFor();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.tab[Symbol.asyncDispose]();
  }
}

const sell = (price: string, orderQty: string, symbol = 'BTC-USDT') =>
  maker.createOrder({ symbol, side: 2, ordType: 2, price, orderQty });
const buy = (price: string, orderQty: string, symbol = 'BTC-USDT') =>
  stage.demo.createOrder({ symbol, side: 1, ordType: 2, price, orderQty });

browserTest(
  'a trade appears in the book, the trades and the balances without polling',
  async () => {
    await using desk = await WatchedTab.desk();
    const { main, asks } = desk;
    expect(desk.sockets()).toEqual([
      '/ws/v1/private/account',
      '/ws/v1/private/orders',
      '/ws/v1/public',
    ]);
    await desk.untilQuiet();
    await sell('50001', '0.75');
    await asks.getByRole('button', { name: '50,001.00' }).waitFor();
    await sell('50002', '0.31');
    await buy('50001', '0.25');
    await desk.trades('50,001.00').waitFor();
    expect(await desk.trades('50,001.00').count()).toBe(1);
    await asks.getByRole('button', { name: '0.50' }).first().waitFor();
    const { orderId } = await buy('40123', '0.5');
    await main.getByRole('table', { name: 'Open orders' }).getByText('40,123').waitFor();
    await stage.demo.cancelOrder({ orderId });
    await main.getByText('No open orders').waitFor();
    expect(await desk.readsUntilNow()).toEqual([]);
    expect(desk.tab.errors).toEqual([]);
  },
);

browserTest("the operator's halt arrives by the stream", async () => {
  await using desk = await WatchedTab.desk();
  await desk.untilQuiet();
  await stage.operator.amendInstrument('BTC-USDT', { instrumentStatus: 'HALTED' });
  await desk.main.getByText('Halted').first().waitFor();
  await stage.operator.amendInstrument('BTC-USDT', { instrumentStatus: 'LIVE' });
  await desk.main.getByText('Halted').first().waitFor({ state: 'detached' });
  expect(desk.asked).toEqual([]);
});

browserTest('the focus stays on the order button, and in the list of open orders', async () => {
  await using desk = await WatchedTab.desk();
  const { main, form, cancels, focused } = desk;
  await desk.write('40001', '0.1');
  await form.getByRole('button', { name: 'Buy BTC' }).press('Enter');
  await form.getByText('In the book.').waitFor();
  expect(await focused.innerText()).toBe('Buy BTC');
  await buy('40002', '0.1');
  await desk.untilCancels(2);
  const last = await cancels.nth(1).getAttribute('aria-label');
  await cancels.nth(0).press('Enter');
  await desk.untilCancels(1);
  expect(await focused.getAttribute('aria-label')).toBe(last);
  await focused.press('Enter');
  await main.getByText('No open orders').waitFor();
  expect(await focused.getAttribute('role')).toBe('tab');
});

browserTest('orders of a halted pair can be canceled, one and all', async () => {
  await using desk = await WatchedTab.desk();
  for (const price of ['1500', '1501', '1502']) await buy(price, '0.1', 'ETH-USDT');
  await stage.operator.amendInstrument('ETH-USDT', { instrumentStatus: 'HALTED' });
  await desk.untilCancels(3);
  await desk.cancels.nth(0).click();
  await desk.untilCancels(2);
  const all = desk.main.getByRole('button', { name: 'Cancel all' });
  await all.click();
  const { page } = desk.tab;
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 orders' }).click();
  await page.getByText('2 canceled').waitFor();
  await until(() => all.isDisabled());
  await stage.operator.amendInstrument('ETH-USDT', { instrumentStatus: 'LIVE' });
  await desk.main.getByText('No open orders').waitFor();
});

browserTest('an order far past the market needs a confirmation', async () => {
  await using desk = await WatchedTab.desk('ETH-USDT');
  await sell('2000', '1', 'ETH-USDT');
  await desk.asks.getByRole('button', { name: '2,000.00' }).waitFor();
  const dialog = desk.tab.page.getByRole('dialog');
  const place = desk.form.getByRole('button', { name: 'Buy ETH' });
  await desk.write('20000', '1');
  await place.click();
  await dialog.getByText('The limit is 900.00% above the best ask').waitFor();
  await until(async () => (await desk.focused.innerText()) === 'Cancel');
  await desk.focused.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await place.press('Enter');
  await dialog.getByText('Max cost').waitFor();
  await desk.tab.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect((await stage.demo.orders({ type: 'OPEN', symbol: 'ETH-USDT' })).data).toEqual([]);
});

browserTest('the page sends only the order that the customer confirmed', async () => {
  await using desk = await WatchedTab.desk('ETH-USDT');
  const { form, asks } = desk;
  await sell('2000', '1', 'ETH-USDT');
  const dear = await sell('2100', '1', 'ETH-USDT');
  await asks.getByRole('button', { name: '2,100.00' }).waitFor();
  const dialog = desk.tab.page.getByRole('dialog');
  await desk.main.getByText('Market', { exact: true }).click();
  await form.getByLabel('Quantity').fill('2');
  await form.getByLabel('Quantity').press('Enter');
  await dialog.getByText('This moves the price by 5.00%, to 2,100.00 USDT.').waitFor();
  await maker.cancelOrder({ orderId: dear.orderId });
  await sell('2300', '1', 'ETH-USDT');
  await asks.getByRole('button', { name: '2,300.00', includeHidden: true }).waitFor();
  const confirm = dialog.getByRole('button', { name: 'Buy 2 ETH' });
  await confirm.click();
  await dialog.getByText('The market moved, so the order was not sent.').waitFor();
  await dialog.getByText('This moves the price by 15.00%, to 2,300.00 USDT.').waitFor();
  await confirm.click();
  await form.getByText('Bought 2 ETH for 4,300.00 USDT').waitFor();
});

const ORDERS = /\/private\/v2\/order$/;

/** Lets the server execute orders, but loses their answers. `lookups` find nothing either. */
async function loseAnswers({ tab: { page } }: WatchedTab, lookups: RegExp): Promise<void> {
  await page.route(ORDERS, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.route(lookups, (route) => route.abort());
}

browserTest('the page looks for an order whose answer was lost, also after a reload', async () => {
  await using desk = await WatchedTab.desk();
  const { form, main } = desk;
  const { page } = desk.tab;
  const LOOKUPS = /type=SINGLE/;
  await loseAnswers(desk, LOOKUPS);
  await desk.write('40006', '0.1');
  const place = form.getByRole('button', { name: 'Buy BTC' });
  await page.context().setOffline(true);
  await until(() => place.isDisabled());
  await page.context().setOffline(false);
  await place.click();
  const question = form.getByText('Buy 0.1 BTC at 40,006 USDT.');
  await question.waitFor();
  await desk.tab.visit('/trade/BTC-USDT');
  await question.waitFor();
  await page.unroute(ORDERS);
  await page.unroute(LOOKUPS);
  await form.getByText('In the book.').waitFor();
  expect(await question.count()).toBe(0);
  await desk.cancels.click();
  await page.getByText('Canceled: Buy 0.1 BTC at 40,006 USDT.').waitFor();
  await main.getByText('No open orders').waitFor();
});

browserTest('an order whose answer was lost can be sent again, and is placed once', async () => {
  await using desk = await WatchedTab.desk();
  const { form, main } = desk;
  const { page } = desk.tab;
  const LOOKUPS = /clOrdId=/;
  await loseAnswers(desk, LOOKUPS);
  await desk.write('40004', '0.1');
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  const question = form.getByText('Buy 0.1 BTC at 40,004 USDT.');
  await question.waitFor();
  await desk.tab.visit('/wallet');
  await desk.tab.visit('/trade/ETH-USDT');
  await question.waitFor();
  await page.unroute(ORDERS);
  await form.getByRole('button', { name: 'Send again' }).click();
  await form.getByText('In the book.').waitFor();
  expect(await question.count()).toBe(0);
  await page.unroute(LOOKUPS);
  await desk.tab.visit('/trade/BTC-USDT');
  await desk.untilCancels(1);
  await desk.cancels.click();
  await main.getByText('No open orders').waitFor();
});

browserTest('an order of an expired session is kept until the next login', async () => {
  await using desk = await WatchedTab.desk();
  const { form, main } = desk;
  const { page } = desk.tab;
  await desk.write('40005', '0.1');
  await page.context().clearCookies();
  await form.getByRole('button', { name: 'Buy BTC' }).click();
  await form.getByText('Your session expired. The order was not placed.').waitFor();
  await desk.signUpLink();
  const price = form.getByLabel('Price', { exact: true });
  expect(await price.inputValue()).toBe('40,005');
  await form.getByRole('link', { name: 'Log in again' }).click();
  await page.getByText('Your session expired.', { exact: true }).waitFor();
  const { email, password } = stage.sandbox.demo!;
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await main.getByRole('button', { name: 'Log in' }).click();
  await form.getByRole('button', { name: 'Buy BTC' }).waitFor();
  expect(await price.inputValue()).toBe('40,005');
  expect(await form.getByLabel('Quantity').inputValue()).toBe('0.1');
  await desk.untilConnected();
  await desk.untilQuiet();
});

browserTest('the page continues after a restart of the server', async () => {
  await using desk = await WatchedTab.desk();
  const { page } = desk.tab;
  await sell('50011', '1');
  await buy('50011', '0.4');
  await desk.trades('50,011.00').waitFor();
  const unreachable = page.getByText('The exchange cannot be reached');
  await stage.restart(async () => {
    await until(() => desk.sockets().length === 0);
    await unreachable.waitFor();
  });
  await desk.untilConnected();
  await unreachable.waitFor({ state: 'detached' });
  await desk.untilQuiet();
  await buy('50011', '0.6');
  await until(async () => (await desk.trades('50,011.00').count()) === 2);
  await buy('40321', '0.1');
  await desk.main.getByRole('table', { name: 'Open orders' }).getByText('40,321').waitFor();
  expect(desk.asked).toEqual([]);
});

browserTest('a credit of the operator appears in the wallet', async () => {
  await using desk = await WatchedTab.desk();
  await desk.tab.visit('/wallet');
  await until(() => desk.sockets().includes('/ws/v1/private/account'));
  await desk.untilQuiet();
  // Nobody here trades MMX, so its balance is whole.
  const row = desk.main.getByRole('row', { name: /^MMX/ }).first();
  expect(await row.innerText()).not.toContain('.321');
  const { uid } = stage.sandbox.demo!;
  const gift = { uid, asset: 'MMX', amount: '7654.321', reference: 'a gift' };
  await stage.operator.credit(gift);
  await row.getByText('.321').first().waitFor();
  await stage.operator.debit({ ...gift, reference: 'no gift' });
  expect(desk.asked).toEqual([]);
});

browserTest('nothing private follows a logout, or a session that ends elsewhere', async () => {
  await using desk = await WatchedTab.desk();
  const { email, password } = stage.sandbox.demo!;
  const { page } = desk.tab;
  await desk.write('40444', '0.123');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await desk.signUpLink();
  await desk.untilPublic();
  expect(await desk.form.getByLabel('Quantity').inputValue()).toBe('');
  await buy('40555', '0.1');
  // The public stream has the order, so the page had the time to show it.
  await desk.main.getByRole('button', { name: '40,555.00' }).waitFor();
  expect(await page.content()).not.toContain(email);
  expect(desk.sockets()).toEqual(['/ws/v1/public']);

  await desk.tab.logIn(email, password);
  await desk.tab.visit('/trade/BTC-USDT');
  await desk.untilConnected();
  await desk.main.getByRole('table', { name: 'Open orders' }).getByText('40,555').waitFor();
  expect(desk.tab.errors).toEqual([]);

  await endSessionsElsewhere();
  await desk.signUpLink();
  await desk.untilPublic();
});

browserTest('another tab logs out, and in as another user', async () => {
  await using desk = await WatchedTab.desk();
  const { demo, enterprise } = stage.sandbox;
  const { page } = desk.tab;
  const gift = { uid: demo!.uid, asset: 'USDC', amount: '1.654321', reference: 'another gift' };
  await stage.operator.credit(gift);
  await desk.tab.visit('/wallet');
  await until(() => desk.sockets().includes('/ws/v1/private/account'));
  await desk.main.getByText('.654321').first().waitFor();
  const other = await page.context().newPage();
  await other.goto(`${stage.server.url}/login`);
  await other.getByRole('button', { name: /^Account of/ }).click();
  await other.getByRole('menuitem', { name: 'Log out' }).click();
  await desk.signUpLink();
  await until(() => !desk.sockets().includes('/ws/v1/private/account'));
  const { email, password } = enterprise!.admin;
  await other.goto(`${stage.server.url}/login`);
  await other.getByLabel('Email address').fill(email);
  await other.getByRole('textbox', { name: 'Password' }).fill(password);
  await other.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: `Account of ${email}` }).waitFor();
  await desk.main.getByRole('row').first().waitFor();
  expect(await page.content()).not.toContain('.654321');
  expect(await page.content()).not.toContain(demo!.email);
});

browserTest('the page polls while no websocket gets through', async () => {
  await using visitor = new WatchedTab(await stage.tab());
  await visitor.tab.page.routeWebSocket(/\/ws\//, (socket) => socket.close({ code: 1011 }));
  await visitor.tab.visit('/trade/BTC-USDT');
  const books = () => visitor.asked.filter((path) => path.includes('/orderbook?')).length;
  await until(() => books() > 3);
  await sell('50777', '0.11');
  await visitor.tab.page.getByRole('button', { name: '50,777.00' }).waitFor();
});

browserTest('a page that cannot load breaks no other, and loads with the connection', async () => {
  await using visitor = await stage.tab();
  const { page } = visitor;
  await visitor.visit('/trade/BTC-USDT');
  const follow = (name: string) => page.getByRole('banner').getByRole('link', { name }).click();
  await page.context().setOffline(true);
  await follow('Earn');
  await page.getByText('This page could not be loaded').waitFor();
  await follow('Trade');
  await page.getByRole('main').getByText('Limit').first().waitFor();
  await follow('Earn');
  await page.getByText('This page could not be loaded').waitFor();
  await page.context().setOffline(false);
  await page
    .getByRole('main')
    .getByText(/flexible/i)
    .first()
    .waitFor();
});

/** Logs in on another machine, and ends all other sessions there. */
async function endSessionsElsewhere(): Promise<void> {
  await using other = await stage.customer();
  await other.page.evaluate(async () => {
    await fetch('/user-center/v1/sessions/revoke', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"all":true}',
    });
  });
}

browserTest('data that a busy server rejects comes when the server says so', async () => {
  await using visitor = await stage.tab();
  let rejected = 0;
  await visitor.page.route('**/public/v2/fees', async (route) => {
    if (rejected++ > 0) return route.continue();
    const body = { code: 100503, msg: 'Busy', userMsg: 'Busy. Try again in a second.' };
    await route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: body });
  });
  await visitor.visit('/');
  await visitor.page
    .getByRole('main')
    .locator('dt', { hasText: /^maker$/i })
    .waitFor();
  expect(rejected).toBe(2);
});
