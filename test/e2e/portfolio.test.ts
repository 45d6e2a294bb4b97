// The portfolio in a browser: known trades at known fees over two days, and every figure that the
// page makes of them. Clocks move first, so that each trade has its UTC day.
import { expect } from 'bun:test';
import type { AgioClient } from '../../src/sdk/client.ts';
import { browserTest, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';
import { until } from '../support/waiting.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let stage: Stage;
let maker: AgioClient;
let tab: Tab;

/** Business time goes to 1:00 of the next UTC day. */
async function nextDay(): Promise<void> {
  const { now } = await stage.operator.clock();
  const ms = DAY_MS - (now % DAY_MS) + HOUR_MS;
  await stage.operator.advanceClock({ ms });
}

/** The demo customer takes what the maker offers at this price. */
async function take(symbol: string, side: 1 | 2, price: string, orderQty: string): Promise<void> {
  const terms = { symbol, ordType: 2, price, orderQty } as const;
  await maker.createOrder({ ...terms, side: side === 1 ? 2 : 1 });
  await stage.demo.createOrder({ ...terms, side });
}

// The account begins with 10 BTC, 100 ETH and 1,000,000 USDT, which have no cost.
withStage(async (set) => {
  stage = set;
  maker = stage.maker;
  const { demo } = stage.sandbox;
  await stage.operator.amendUser(demo!.uid, { makerFee: '0', takerFee: '0.001' });
  await nextDay();
  await take('BTC-USDT', 1, '50000', '1');
  await take('BTC-USDT', 1, '54000', '1');
  await nextDay();
  await take('BTC-USDT', 2, '60000', '0.999');
  await take('ETH-USDT', 1, '2500', '2');
  tab = await stage.customer();
  await tab.visit('/wallet');
});

const main = () => tab.page.getByRole('main');

/** The cells of an asset's row: quantity, average cost, last price, unrealized, realized. */
const figures = async (asset: string): Promise<string[]> => {
  const table = main().getByRole('table', { name: 'Profit and equity' });
  const row = table.getByRole('row').filter({ hasText: asset });
  return (await row.getByRole('cell').allInnerTexts()).slice(1);
};

browserTest('average cost with fees, and profit by asset', async () => {
  await main().getByRole('table', { name: 'Profit and equity' }).waitFor();
  // 104,000 USDT for 1.998 BTC; 0.999 of them sold for 59,940 USDT without 59.94 of fees.
  const btc = ['0.99900000', '52,052.05', '60,000.00', '+7,940.00 USDT', '+7,880.06 USDT'];
  expect(await figures('BTC')).toEqual(btc);
  const eth = ['1.99800000', '2,502.50', '2,500.00', '−5.00 USDT', '0.00 USDT'];
  expect(await figures('ETH')).toEqual(eth);
});

browserTest('equity at the end of each day beside the deposits, in one asset', async () => {
  const chart = main().getByRole('img', {
    name: /^Value of the account and its deposits over 4 days/,
  });
  const { width, height } = (await chart.boundingBox())!;
  const { now } = await stage.operator.clock();
  const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString().slice(0, 10);
  expect(await chart.getAttribute('aria-label')).toContain(`${daysAgo(3)} to ${daysAgo(0)}`);
  // The first deposit is 1,000,000 USDT, 10 BTC at 50,000 and 100 ETH at 2,500. On the third day
  // 896,000 USDT, 11.998 BTC at 54,000 and 100 ETH. Now 950,880.06 USDT, 10.999 BTC at 60,000,
  // and 101.998 ETH.
  const values = ['0.00', '1,750,000.00', '1,793,892.00', '1,865,815.06'];
  const axis = 74;
  for (const [i, value] of values.entries()) {
    const x = axis + (i / 3) * (width - axis - 2) + 1;
    await chart.hover({ position: { x, y: height / 2 } });
    await main()
      .getByText(`on ${daysAgo(3 - i)} UTC`, { exact: true })
      .waitFor();
    const figures = await main().locator('dl', { hasText: 'Total value' }).innerText();
    expect(figures).toContain(`${value} USDT`);
  }
  const figures = await main().locator('dl', { hasText: 'Total value' }).innerText();
  expect(figures).toMatch(/net deposits\s*1,750,000.00 USDT\s*Profit\s*\+115,815.06 USDT/);
});

browserTest('a sale changes the figures without a reload', async () => {
  await take('BTC-USDT', 2, '60000', '0.999');
  await until(async () => (await figures('BTC'))[4] === '+15,760.12 USDT');
  expect(await figures('BTC')).toEqual([
    ...['0.00000000', '–', '60,000.00', '0.00 USDT'],
    '+15,760.12 USDT',
  ]);
  expect(await tab.accessibility()).toEqual([]);
  expect(tab.errors).toEqual([]);
});
