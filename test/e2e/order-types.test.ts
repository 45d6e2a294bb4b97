// Every type of order, placed by hand in a browser: what the form promises is what happens.
import { beforeEach, expect } from 'bun:test';
import type { AgioClient } from '../../src/sdk/client.ts';
import type { Order } from '../../src/sdk/index.ts';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';
import { until } from '../support/waiting.ts';

let stage: Stage;
let tab: Tab;
/** Another customer, who moves the last price. */
let maker: AgioClient;

withStage(async (set) => {
  stage = set;
  maker = stage.maker;
  tab = await stage.customer();
});

/** The last price is 60,000, and the book has 5 BTC a hundred away on each side. */
beforeEach(async () => {
  if (tab === undefined) return;
  await stage.demo.massCancel({});
  await maker.massCancel({});
  await trade('60000');
  await tab.visit('/trade/BTC-USDT');
});

const offer = (side: 1 | 2, price: string, orderQty: string) =>
  maker.createOrder({ symbol: 'BTC-USDT', side, ordType: 2, price, orderQty });

/** A trade of the maker with itself, which moves the last price, between other orders. */
async function trade(price: string): Promise<void> {
  await maker.massCancel({});
  await offer(1, String(Number(price) - 100), '5');
  await offer(2, String(Number(price) + 100), '5');
  await offer(2, price, '0.01');
  await offer(1, price, '0.01');
}

const form = () => tab.page.locator('#order-form');
const main = () => tab.page.getByRole('main');
const open = () => main().getByRole('table', { name: 'Open orders' });
const field = (name: string | RegExp) =>
  form().getByRole('textbox', typeof name === 'string' ? { name, exact: true } : { name });
const submit = (name: string) =>
  form().locator('button[type="submit"][aria-disabled="false"]', { hasText: name });

async function choose(side: 'Buy' | 'Sell', kind: string): Promise<void> {
  await form().getByText(side, { exact: true }).click();
  if (kind === 'Limit' || kind === 'Market') {
    await form().getByText(kind, { exact: true }).click();
    return;
  }
  await form()
    .getByRole('button', { name: /More order types$/ })
    .click();
  await tab.page.getByRole('menuitem').filter({ hasText: kind }).first().click();
}

async function write(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await field(new RegExp(`^${name}( [≤≥])?$`)).fill(value);
  }
}

const openAdvanced = () =>
  form()
    .getByRole('button', { name: /Advanced$/ })
    .click();

/** The orders of the customer, newest first. */
async function orders(): Promise<readonly Order[]> {
  return (await stage.demo.orders({ type: 'COMPLETED', size: 5 })).data;
}

browserTest('a limit order: price and quantity change in the table', async () => {
  await choose('Buy', 'Limit');
  await write({ Price: '50000', Quantity: '0.5' });
  await form().getByText('Buys 0.5 BTC at 50,000 USDT or better.').waitFor();
  await submit('Buy BTC').click();
  await form().getByText('In the book.').waitFor();
  const edit = (name: string) =>
    open().getByRole('button', { name: new RegExp(`Change the ${name} of order`) });
  const input = (name: string) =>
    open().getByRole('textbox', { name: new RegExp(`^Change the ${name} of order`) });
  await edit('quantity').click();
  await input('quantity').fill('0.4');
  await input('quantity').press('Escape');
  await open().getByText('0.500000').waitFor();
  await edit('quantity').click();
  await input('quantity').fill('0.4');
  await input('quantity').press('Enter');
  await open().getByText('0.400000').waitFor();
  await edit('price').click();
  await input('price').fill('50000.015');
  await input('price').press('Enter');
  await open()
    .getByRole('button', { name: /^Use 50,000\.0[12]$/ })
    .click();
  await open()
    .getByText(/50,000\.0[12]/)
    .first()
    .waitFor();
  const [order] = await orders();
  expect(order).toMatchObject({ orderQty: '0.4', ordStatus: 0 });
  expect(await tab.accessibility()).toEqual([]);
});

browserTest('a market sell by total, which names what it sells', async () => {
  await choose('Sell', 'Market');
  await form().getByRole('radiogroup', { name: 'Size in' }).getByText('USDT').click();
  await write({ Total: '5990' });
  await form().getByText('Sells BTC for 5,990 USDT at market.').waitFor();
  await submit('Sell BTC').click();
  await form()
    .getByText(/Sold 0\.1/)
    .waitFor();
  const [sale] = await orders();
  expect(sale).toMatchObject({ side: 2, orderQty: null, quoteOrderQty: '5990', cumQty: '0.1' });
});

browserTest('a market order of all or nothing, and an immediate limit order', async () => {
  await choose('Buy', 'Market');
  await openAdvanced();
  await form().getByLabel('Time in force').selectOption('FOK');
  await write({ Quantity: '6' });
  await form().getByText('Buys all of 6 BTC at market, or nothing.').waitFor();
  await submit('Buy BTC').click();
  await form().getByText('Nothing was traded').waitFor();
  await choose('Buy', 'Limit');
  await form().getByLabel('Time in force').selectOption('IOC');
  await write({ Price: '60100', Quantity: '6' });
  await submit('Buy BTC').click();
  await form().getByText('Partly filled, rest canceled').waitFor();
  const [immediate, whole] = await orders();
  expect(immediate).toMatchObject({ timeInForce: '3', cumQty: '5', ordStatus: 4 });
  expect(whole).toMatchObject({ timeInForce: '4', cumQty: '0', ordStatus: 4 });
});

browserTest('an iceberg until a date: the book shows its tip', async () => {
  await choose('Sell', 'Limit');
  await openAdvanced();
  await form().getByLabel('Time in force').selectOption('GTD');
  await form().getByLabel('Expires').fill('2099-12-31T12:00');
  await write({ Price: '61000', Quantity: '2', 'Shown quantity': '0.01' });
  await form().getByRole('button', { name: 'Use 0.02 BTC' }).click();
  await form()
    .getByText(/It expires on 2099-12-31 12:00\. The book shows 0\.02 BTC/)
    .waitFor();
  await submit('Sell BTC').click();
  await open().getByText('Iceberg').waitFor();
  await open().getByText('until 2099-12-31 12:00').waitFor();
  await open().getByText('shows 0.020000').waitFor();
  const { asks } = await stage.demo.orderbook({ symbol: 'BTC-USDT', depth: 20 });
  expect(asks.find(([price]) => Number(price) === 61000)?.[1]).toBe('0.02');
});

browserTest('a stop, after its rejection at the field', async () => {
  await choose('Sell', 'Stop');
  await write({ 'Trigger price': '60500', Quantity: '0.5' });
  await form()
    .getByText('The last price is 60,000.00 USDT. The trigger must be below it.')
    .waitFor();
  expect(await field('Trigger price ≤').getAttribute('aria-invalid')).toBe('true');
  // A sale above the market is a take profit.
  await form().getByRole('button', { name: 'Make it a take profit' }).click();
  await form().getByText('When the last price rises to 60,500 USDT').waitFor();
  await choose('Sell', 'Stop');
  await write({ 'Trigger price': '59999.99', Quantity: '0.5' });
  const promise = 'When the last price falls to 59,999.99 USDT, sells 0.5 BTC at market.';
  await form().getByText(promise).waitFor();
  await submit('Sell BTC').click();
  await form().getByText('Waits until the last price falls to 59,999.99 USDT.').waitFor();
  await open().getByText('Waiting').or(open().getByText('Stop')).first().waitFor();
  await trade('59500');
  await form().getByText('Filled.', { exact: true }).waitFor();
  expect((await orders())[0]).toMatchObject({ ordType: 3, cumQty: '0.5', avgPx: '59400' });
});

browserTest('a stop limit, a take profit and a take profit limit', async () => {
  await choose('Buy', 'Stop limit');
  await write({ 'Trigger price': '60400', Price: '60350', Quantity: '0.1' });
  await submit('Buy BTC').click();
  await form().getByText('Waiting.').waitFor();
  await choose('Sell', 'Take profit');
  await write({ 'Trigger price': '60450', Quantity: '0.2' });
  await submit('Sell BTC').click();
  await form().getByText('Waits until the last price rises to 60,450 USDT.').waitFor();
  await choose('Buy', 'Take profit limit');
  await write({ 'Trigger price': '59000', Price: '58000', Quantity: '0.3' });
  await submit('Buy BTC').click();
  await form().getByText('Waits until the last price falls to 59,000 USDT.').waitFor();
  await open().getByRole('row').nth(3).waitFor();
  await trade('60500');
  await until(async () => (await orders()).some(({ cumQty }) => cumQty === '0.2'));
  const [low, profit, limit] = await orders();
  expect(low).toMatchObject({ ordType: 4, workingIndicator: false });
  expect(profit).toMatchObject({ ordType: 3, ordStatus: 2 });
  // It waits at its limit, below the market.
  expect(limit).toMatchObject({ ordType: 4, ordStatus: 0, workingIndicator: true });
  await open().getByRole('row').nth(2).waitFor();
});

browserTest('a trailing stop follows the price up, and sells when it turns', async () => {
  await choose('Sell', 'Trailing stop');
  await write({ Distance: '60', Quantity: '0.5' });
  await form().getByRole('button', { name: 'Use 50%' }).click();
  await write({ Distance: '1' });
  await form()
    .getByText(/^Trails from now on, 1% below the last price: the trigger is 59,400 USDT\./)
    .waitFor();
  expect(await tab.accessibility()).toEqual([]);
  await submit('Sell BTC').click();
  await form().getByText('Trailing stop.', { exact: true }).waitFor();
  await open().getByText('trails by 1%').waitFor();
  await trade('60500');
  await open().getByText('59,895.00').waitFor();
  await form().getByText('falls to 59,895 USDT').waitFor();
  // The trigger stays when the price turns.
  await trade('60100');
  await until(async () => (await tab.page.title()).includes('60,100.00'));
  await open().getByText('59,895.00').waitFor();
  await tab.page.getByTitle('Trailing stop: sell 0.5 at 59,895.00').waitFor({ state: 'attached' });
  await trade('59895');
  await form().getByText('Filled.', { exact: true }).waitFor();
  expect((await orders())[0]).toMatchObject({ trailingDelta: 100, cumQty: '0.5' });
});

browserTest('an OCO pair: the fill of one cancels the other', async () => {
  await choose('Sell', 'OCO');
  await write({ Price: '60100', 'Stop trigger': '60200', Quantity: '0.5' });
  await form()
    .getByText('The last price is 60,000.00 USDT. The trigger must be below it.')
    .waitFor();
  await write({ Price: '60050', 'Stop trigger': '59000', 'Stop limit price': '58900' });
  await form()
    .getByText(/first, sells 0\.5 BTC at 58,900 USDT or better instead\.$/)
    .waitFor();
  await submit('Sell BTC').click();
  await open().getByText('or stop ≤ 59,000').waitFor();
  await open().getByText('or limit 60,050').waitFor();
  expect(
    await open()
      .getByRole('button', { name: /Change the/ })
      .count(),
  ).toBe(5);
  await offer(1, '60050', '0.5');
  await form().getByText('Filled.', { exact: true }).waitFor();
  await main().getByText('No open orders').waitFor();
});

browserTest('a bracket: its entry places the exits', async () => {
  await choose('Buy', 'Bracket');
  await write({ Price: '50000', Quantity: '0.5' });
  await write({ 'Take profit price': '62000', 'Stop trigger': '49000' });
  await form().getByText('+6,000.00 USDT +24.00%').waitFor();
  await form().getByText('−500.00 USDT −2.00%').waitFor();
  await tab.screenshot('bracket-results');
  await submit('Buy BTC').click();
  await form().getByText('In the book.').waitFor();
  expect(await tab.page.title()).toMatch(/^[\d,.]+ BTC-USDT · agio$/);
  // Its exits are rows below it, which cannot be canceled on their own.
  await open().getByText('After the entry').nth(1).waitFor();
  expect(
    await open()
      .getByRole('button', { name: /^Cancel:/ })
      .count(),
  ).toBe(1);
  await tab.page.getByText('Take profit: sell 0.5').waitFor({ state: 'attached' });
  await choose('Sell', 'Limit');
  await choose('Buy', 'Bracket');
  await write({ Price: '60100', Quantity: '0.5' });
  await write({ 'Take profit price': '62000', 'Stop trigger': '59000' });
  await form()
    .getByText(/^Buys 0\.5 BTC at 60,100 USDT or better\. Then sells it at/)
    .waitFor();
  await submit('Buy BTC').click();
  await form().getByText('Filled.', { exact: true }).waitFor();
  await open()
    .getByText(/^Bracket · or (stop ≤ 59,000|limit 62,000)$/)
    .nth(1)
    .waitFor();
  await trade('58500');
  await main()
    .getByText(/^Bracket · or/)
    .first()
    .waitFor({ state: 'detached' });
  const [stop, profit] = await orders();
  expect([stop!.ordStatus, profit!.ordStatus].sort()).toEqual([2, 4]);
  // The browser logs each rejection.
  expect(tab.errors.filter((error) => !error.includes('/order/amend'))).toEqual([]);
});

browserTest('the exits of a bracket change before its entry trades', async () => {
  const terms = {
    symbol: 'BTC-USDT',
    side: 1,
    ordType: 2,
    orderQty: '0.5',
    price: '50000',
  } as const;
  const bracket = { takeProfitPx: '62000', stopPx: '49000', stopLimitPx: '48900' };
  const { orderId } = await stage.demo.createOrderV2({ ...terms, bracket });
  const name = (exit: string) => `Change the ${exit} of order ${orderId}`;
  const write = async (exit: string, value: string) => {
    await open()
      .getByRole('button', { name: name(exit) })
      .click();
    await input(exit).fill(value);
  };
  const input = (exit: string) => main().getByRole('textbox', { name: name(exit) });
  const exits = async () => (await stage.demo.orders({ type: 'OPEN', size: 5 })).data[0]!.bracket;
  await write('take profit price', '50000');
  await input('take profit price').press('Enter');
  await open().getByRole('button', { name: 'Use 50,000.01' }).waitFor();
  await input('take profit price').fill('63000');
  await open().getByText('+6,500.00 +26.00% USDT').waitFor();
  await tab.screenshot('bracket-amended');
  expect(await tab.accessibility()).toEqual([]);
  await input('take profit price').press('Enter');
  await open().getByText('63,000.00').first().waitFor();
  await write('stop trigger', '48000');
  await input('stop trigger').press('Enter');
  await open().getByText('48,000.00').first().waitFor();
  await tab.page.setViewportSize({ width: 390, height: 844 });
  await main()
    .getByRole('tab', { name: /^Open orders/ })
    .scrollIntoViewIfNeeded();
  await main()
    .getByRole('button', { name: name('stop limit price') })
    .click();
  await input('stop limit price').fill('47900');
  await main().getByText('−1,050.00 −4.20% USDT').waitFor();
  await tab.screenshot('bracket-amended-phone');
  expect(await tab.overflow()).toBe(0);
  await input('stop limit price').press('Enter');
  await until(async () => (await exits())?.stopLimitPx === '47900');
  await tab.page.setViewportSize({ width: 1440, height: 900 });
  const changed = { takeProfitPx: '63000', stopPx: '48000', stopLimitPx: '47900' };
  expect(await exits()).toMatchObject(changed);
});

browserTest('the detail of an order: why it was rejected, and where its exit trails', async () => {
  const terms = { symbol: 'BTC-USDT', side: 1, ordType: 2, orderQty: '0.5' } as const;
  const rejected = await stage.demo.createOrder({ ...terms, price: '60100', execInst: 6 });
  const bracket = { takeProfitPx: '65000', trailingDelta: 100 };
  const entry = await stage.demo.createOrderV2({ ...terms, price: '60100', bracket });
  await trade('60500');
  await main().getByRole('tab', { name: 'Order history' }).click();
  const detail = ({ orderId }: Pick<Order, 'orderId'>) =>
    main().getByRole('button', { name: `Fills of order ${orderId}` });
  await detail(rejected).click();
  await main()
    .getByText(/^Rejected: .*post-only/i)
    .waitFor();
  await detail(entry).click();
  const exits = main().getByRole('table', { name: `Exits of order ${entry.orderId}` });
  await exits.getByText('59,895.00').waitFor();
  await trade('61000');
  await exits.getByText('60,390.00').waitFor();
  expect(await tab.accessibility()).toEqual([]);
});
