// The trading page on a cluster behind a load balancer: real nodes over a real PostgreSQL, whose
// leader is killed while a customer watches and trades.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { decodeBatch } from '../../src/journal/codec.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { CHROMIUM, story, type Tab } from '../support/browser.ts';
import { ClusterStage, type NodeName } from '../support/cluster-stage.ts';
import { NO_POSTGRES } from '../support/postgres.ts';
import { connectNode } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';

const SYMBOL = 'BTC-USDT';
const JOURNAL_BYTES = 1 << 30;

let stage: ClusterStage;
let tab: Tab;
/** Another customer, with money and a key. */
let maker: AgioClient;

const isSkipped = NO_POSTGRES || CHROMIUM === null;
beforeAll(async () => {
  if (isSkipped) return;
  stage = await ClusterStage.set(['b', 'c', 'a']);
  const operator = stage.operatorOf('a');
  const { uid } = await operator.createUser({ email: 'seller@example.com', kyc: true });
  await operator.credit({ uid, asset: 'BTC', amount: '100', reference: 'maker' });
  const key = await operator.createKey(uid, { alias: 'maker', moduleIds: [5, 6] });
  maker = stage.client(key);
});
afterAll(async () => {
  await tab?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

const sell = (price: string, orderQty: string) =>
  maker.createOrder({ symbol: SYMBOL, side: 2, ordType: 2, price, orderQty });

const main = () => tab.page.getByRole('main');
const form = () => tab.page.locator('#order-form');
const unreachable = (page: Page) => page.getByText('The exchange cannot be reached');

/** Writes a bid into the form and sends it. */
async function bid(price: string): Promise<void> {
  await form().getByLabel('Price', { exact: true }).fill(price);
  await form().getByLabel('Quantity').fill('0.1');
  await form().getByRole('button', { name: 'Buy BTC' }).click();
}

/** The price and quantity of each row on one side of the book of the page. */
async function shownLevels(side: 'Asks' | 'Bids'): Promise<string[]> {
  const list = main().getByRole('list', { name: new RegExp(`^${side}`) });
  const rows = await list.getByRole('listitem').allInnerTexts();
  const figures = rows.map((row) => row.match(/[\d,]+\.\d+/g)?.slice(0, 2) ?? []);
  return figures.map((row) => row.map((text) => Number(text.replaceAll(',', ''))).join(' ')).sort();
}

/** Waits until the page shows the book that a node has. */
async function untilBookIs(node: NodeName): Promise<void> {
  const client = new AgioClient({ url: stage.urlOf(node) });
  const { asks, bids } = await client.orderbook({ symbol: SYMBOL });
  const levels = (side: typeof asks) =>
    side.map(([price, quantity]) => `${Number(price)} ${Number(quantity)}`).sort();
  const expected = [levels(asks), levels(bids)];
  await until(async () => {
    const shown = [await shownLevels('Asks'), await shownLevels('Bids')];
    return Bun.deepEquals(shown, expected);
  });
}

/** How often the journal in PostgreSQL has an order at this price. */
async function journaled(price: string): Promise<number> {
  const store = connectNode('reader', [stage.postgres]);
  try {
    const records = await store.read(1, JOURNAL_BYTES);
    const commands = records.flatMap(({ payload }) => decodeBatch(payload).commands);
    const cents = Number(price) * 100;
    return commands.filter((one) => one.type === 'placeOrder' && Number(one.price) === cents)
      .length;
  } finally {
    await store.close();
  }
}

/** The page shows the order as open, and the journal has it once. */
async function untilPlaced(price: string): Promise<void> {
  const shown = `${price.slice(0, 2)},${price.slice(2)}.00`;
  const open = main().getByRole('table', { name: 'Open orders' }).getByText(shown);
  await open.waitFor();
  expect(await open.count()).toBe(1);
  expect(await journaled(price)).toBe(1);
}

const available = (amount: string) => main().getByText(amount).first().waitFor();

const steps = {
  'the page is live, on a node that follows': async () => {
    tab = await stage.customer();
    await tab.page.setViewportSize({ width: 1680, height: 1000 });
    await tab.visit(`/trade/${SYMBOL}`);
    await sell('50001', '0.75');
    await bid('40001');
    await untilPlaced('40001');
    await untilBookIs('b');
  },
  'the leader is killed elsewhere: an order waits for the next one': async () => {
    expect(await stage.leader()).toBe('a');
    await stage.cluster.node('a').kill();
    await bid('40002');
    await tab.screenshot('cluster-leader-lost');
    await untilPlaced('40002');
    await sell('50002', '0.5');
    await available('991,999');
    await untilBookIs('c');
    await unreachable(tab.page).waitFor({ state: 'detached' });
  },
  'the leader behind the page is killed: it goes on with another node': async () => {
    await stage.cluster.node('a').start();
    await stage.cluster.settled();
    await stage.lead('b');
    await stage.cluster.node('b').kill();
    await bid('40003');
    await tab.screenshot('cluster-node-lost');
    await untilPlaced('40003');
    await sell('50003', '0.5');
    await untilBookIs('a');
    await untilBookIs('c');
  },
  'no node answers: the page says so, and comes back': async () => {
    for (const name of ['a', 'c'] as const) await stage.cluster.node(name).kill();
    await unreachable(tab.page).waitFor();
    await bid('40004');
    await form().getByText('Buy 0.1 BTC at 40,004 USDT.').waitFor();
    await tab.screenshot('cluster-unreachable');
    await stage.cluster.node('b').start();
    await unreachable(tab.page).waitFor({ state: 'detached' });
    await form().getByRole('button', { name: 'Send again' }).click();
    await untilPlaced('40004');
    await untilBookIs('b');
    await tab.screenshot('cluster-back');
  },
};

const NAME = 'a page keeps its data and its session over killed leaders, and places orders';
if (NO_POSTGRES) test.skip(NAME, () => {});
else story(NAME, steps);
