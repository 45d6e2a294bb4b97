// The chart in a browser, by the texts on its canvases: the prices of its axis and their places.
import { beforeEach, describe, expect } from 'bun:test';
import { CANDLE_INTERVALS, type CandleInterval } from '../../src/core/calendar.ts';
import { grouped } from '../../web/exact/format.ts';
import { chart as t } from '../../web/messages/chart.ts';
import { browserTest, CHROMIUM, type Tab } from '../support/browser.ts';
import { type Stage, withStage } from '../support/browser-people.ts';

const DAY_MS = 86_400_000;
/** The trades of each day. The axis itself has no label at the last price. */
const DAYS = [
  ['60000', '61000'],
  ['61000', '60777.77'],
  ['60100', '60900'],
  ['60500', '60333.33'],
] as const;
const LAST = '60,333.33';

let stage: Stage;
let tab: Tab;

const order = (side: 1 | 2, price: string) =>
  stage.demo.createOrder({ symbol: 'BTC-USDT', side, ordType: 2, price, orderQty: '0.1' });

withStage(async (set) => {
  stage = set;
  for (const [day, prices] of DAYS.entries()) {
    if (day > 0) await stage.operator.advanceClock({ ms: DAY_MS });
    for (const price of prices) {
      await order(2, price);
      await order(1, price);
    }
  }
  tab = await stage.tab();
  await tab.page.addInitScript(recordTexts);
  await tab.logIn(stage.sandbox.demo!.email, stage.sandbox.demo!.password);
});
beforeEach(async () => {
  if (CHROMIUM === null) return;
  await stage.demo.massCancel({});
  await tab.page.setViewportSize({ width: 1440, height: 900 });
  await tab.page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith('agio.chart')) localStorage.removeItem(key);
    }
  });
  await tab.visit('/trade/BTC-USDT');
  await choose(tab, 'Candle interval', '1d');
  await drawn(LAST);
});

/** A wide chart shows all values in a row, a narrow one as a list. */
async function choose({ page }: Tab, group: string, value: string): Promise<void> {
  const list = page.getByRole('combobox', { name: group });
  if (await list.isVisible()) await list.selectOption(value);
  else
    await page.getByRole('radiogroup', { name: group }).getByText(value, { exact: true }).click();
}

interface Text {
  readonly text: string;
  /** In pixels of its canvas, of the middle of the text. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Runs in the page: records the texts that the canvases draw. */
function recordTexts(): void {
  const texts: Text[] = [];
  Object.assign(globalThis, { drawnTexts: texts });
  const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const at = this.getTransform().transformPoint({ x, y });
    const { width, height } = this.canvas;
    texts.push({ text, x: at.x, y: at.y, width, height });
    fill.call(this, text, x, y, ...rest);
  };
}

const texts = (): Promise<Text[]> =>
  tab.page.evaluate(() => (globalThis as unknown as { drawnTexts: Text[] }).drawnTexts);

const forget = (): Promise<void> =>
  tab.page.evaluate(() => {
    (globalThis as unknown as { drawnTexts: Text[] }).drawnTexts.length = 0;
  });

/** Waits until the chart draws a text within its view. */
async function drawn(text: string): Promise<void> {
  await tab.page.waitForFunction((wanted) => {
    const { drawnTexts } = globalThis as unknown as { drawnTexts: Text[] };
    return drawnTexts.some((one) => one.text === wanted && one.y > 0 && one.y < one.height);
  }, text);
}

/** Pixels, roughly. */
const AXIS = 72;

const legend = (text: string) => tab.page.getByRole('main').getByText(text).first();

const chart = () => tab.page.getByRole('img', { name: /^Candles of BTC-USDT/ });

browserTest('the scale includes own orders nearby; the edge marks those far away', async () => {
  await order(1, '59612.34');
  await drawn('59,612.34');
  await tab.page.getByText('Buy 0.1', { exact: true }).waitFor();
  await order(1, '30000');
  const edge = tab.page.getByRole('button', { name: '1 order 30,000.00' });
  await edge.click();
  await drawn('30,000.00');
  await edge.waitFor({ state: 'detached' });
  await tab.page.getByRole('button', { name: 'Fit to candles' }).click();
  await edge.waitFor();
});

browserTest('the user’s fills are in the legend of their candle', async () => {
  await legend('You bought 0.2 BTC at 60,416.665 on average, in 2 fills').waitFor();
  await legend('You sold 0.2 BTC at 60,416.665 on average, in 2 fills').waitFor();
});

browserTest('a fill appears while the page is open', async () => {
  const trade = { symbol: 'ETH-USDT', ordType: 2, price: '3000', orderQty: '0.5' } as const;
  await stage.demo.createOrder({ ...trade, side: 2 });
  await stage.demo.createOrder({ ...trade, side: 1 });
  await tab.visit('/trade/ETH-USDT');
  await legend('You bought 0.5 ETH at 3,000.00').waitFor();
  await stage.demo.createOrder({ ...trade, side: 2 });
  await stage.demo.createOrder({ ...trade, side: 1 });
  await legend('You bought 1 ETH at 3,000.000 on average, in 2 fills').waitFor();
});

browserTest('the axis shows the last price also while its candle is out of view', async () => {
  const box = (await chart().boundingBox())!;
  const y = box.y + box.height / 2;
  await tab.page.mouse.move(box.x + box.width * 0.35, y);
  await tab.page.mouse.down();
  await tab.page.mouse.move(box.x + box.width * 0.8, y, { steps: 8 });
  await forget();
  await tab.page.mouse.move(box.x + box.width * 0.81, y);
  await tab.page.mouse.up();
  await drawn(LAST);
});

browserTest('the chart centers four days', async () => {
  const box = (await chart().boundingBox())!;
  // The chart has sixteen places, and the candles take the four in the middle.
  const at = (place: number) => box.x + ((place + 0.5) / 16) * (box.width - AXIS);
  for (const [day, [open]] of DAYS.entries()) {
    await tab.page.mouse.move(at(6 + day), box.y + box.height / 2);
    await legend(`O ${grouped(open, 2)}`).waitFor();
  }
});

browserTest('no edge cuts a label of the price axis', async () => {
  // Where labels stand depends on the height.
  for (let height = 920; height <= 1080; height += 20) {
    await forget();
    await tab.page.setViewportSize({ width: 1440, height });
    await drawn(LAST);
  }
  const prices = (await texts()).filter(({ text }) => /^\d\d,\d{3}\.\d\d$/.test(text));
  const sight = prices.filter(({ y, height }) => y > -5 && y < height + 5);
  expect(sight.length).toBeGreaterThan(5);
  // Half the height of a digit.
  expect(sight.filter(({ y, height }) => y < 4 || y > height - 4)).toEqual([]);
  expect(tab.errors).toEqual([]);
});

const button = (name: string | RegExp) => tab.page.getByRole('button', { name });

/** The values of an indicator at the last candle. */
const values = (text: string) => tab.page.getByRole('main').getByText(text, { exact: false });

browserTest(
  'indicators have parameters, own panes, and a place in the browser’s memory',
  async () => {
    const { page } = tab;
    await button('Indicators').click();
    await button('Add MA Moving average').click();
    await page.getByRole('textbox', { name: 'Moving average: Candles' }).fill('3');
    await button('Add RSI Relative strength index').click();
    const length = page.getByRole('textbox', { name: 'Relative strength index: Candles' });
    await length.fill('1');
    await page.getByText('2 to 500').waitFor();
    await length.fill('2');
    await page.keyboard.press('Escape');
    // Off the chart, whose legend is that of the last candle then.
    await page.mouse.move(0, 0);
    // The mean of the last three closes, and Wilder's index of the last three changes.
    await values('MA 3 60,670.37').waitFor();
    await values('RSI 2 8.27').waitFor();
    await page.reload();
    await values('MA 3 60,670.37').waitFor();
    await values('RSI 2 8.27').waitFor();
    await button('Indicators 2').click();
    await button(/^Remove Moving average$/).click();
    await button('Remove Relative strength index').click();
    await page.keyboard.press('Escape');
    await values('MA 3').waitFor({ state: 'detached' });
    await values('RSI 2').waitFor({ state: 'detached' });
  },
);

/** The height of a price of the axis, from 0 at the lower one of two others to 1. */
async function heightBetween(price: string, low: string, high: string): Promise<number> {
  for (const text of [price, low, high]) await drawn(text);
  const [y, bottom, top] = (await Promise.all([price, low, high].map(lastDrawn))) as [
    number,
    number,
    number,
  ];
  return (bottom - y) / (bottom - top);
}

const lastDrawn = async (wanted: string): Promise<number> =>
  (await texts()).findLast(({ text }) => text === wanted)!.y;

browserTest('a logarithmic scale and another style are remembered', async () => {
  const { page } = tab;
  await order(1, '30000');
  await stage.demo.createOrder({
    symbol: 'BTC-USDT',
    side: 2,
    ordType: 2,
    price: '120000',
    orderQty: '0.1',
  });
  await button('1 order 30,000.00').click();
  expect(await heightBetween(LAST, '30,000.00', '120,000.00')).toBeCloseTo(0.337, 1);
  await button('Chart style and scale').click();
  await page.getByRole('menuitemradio', { name: 'Bars' }).click();
  await forget();
  await page.getByRole('menuitemcheckbox', { name: 'Logarithmic scale' }).click();
  expect(await heightBetween(LAST, '30,000.00', '120,000.00')).toBeCloseTo(0.504, 1);
  await page.reload();
  await button('Chart style and scale').click();
  await page.getByRole('menuitemradio', { name: 'Bars', checked: true }).waitFor();
  await page.getByRole('menuitemcheckbox', { name: 'Logarithmic scale', checked: true }).waitFor();
});

browserTest('the depth shows price, quantity and cost up to a level', async () => {
  const { page } = tab;
  for (const price of ['60000', '59000']) await order(1, price);
  for (const price of ['61000', '62000']) await order(2, price);
  await choose(tab, 'Chart view', 'Depth');
  const depth = page.getByRole('slider', { name: /^Depth of BTC-USDT/ });
  await depth.focus();
  const at = (text: string) =>
    page.locator(`[role=slider][aria-valuetext="${text}"]`).waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowLeft');
  await at('Up to 60,000.00: 0.1 BTC for 6,000 USDT');
  await page.keyboard.press('ArrowLeft');
  await at('Up to 59,000.00: 0.2 BTC for 11,900 USDT');
  await page.keyboard.press('End');
  await at('Up to 62,000.00: 0.2 BTC for 12,300 USDT');
  const box = (await depth.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2);
  const tip = page.getByRole('region', { name: 'Chart', exact: true }).locator('dl');
  expect(await tip.innerText()).toMatch(/61,000.00 USDT.*0.1 BTC.*6,100.00 USDT.*\+0.82%/s);
});

browserTest('the chart fills the screen until Escape', async () => {
  const panel = tab.page.getByRole('region', { name: 'Chart', exact: true });
  const width = async () => (await panel.boundingBox())!.width;
  const before = await width();
  await button('Full screen').click();
  await button('Leave full screen').waitFor();
  expect(await width()).toBe(1440);
  await tab.page.keyboard.press('Escape');
  await button('Full screen').waitFor();
  expect(await width()).toBe(before);
});

browserTest('the keys lead from candle to candle', async () => {
  await chart().focus();
  await tab.page.keyboard.press('Home');
  await legend('O 60,000.00').waitFor();
  await tab.page.keyboard.press('ArrowRight');
  await legend('O 61,000.00').waitFor();
});

browserTest('every interval has candles', async () => {
  for (const interval of Object.keys(CANDLE_INTERVALS) as CandleInterval[]) {
    await choose(tab, 'Candle interval', interval);
    await tab.page
      .getByRole('img', { name: `Candles of BTC-USDT, ${t.intervals[interval]} each` })
      .waitFor();
    await legend('C 60,333.33').waitFor();
  }
});

describe('an open order moves to another price', () => {
  /** The price of the only open order; it keeps its orderId. */
  const openOrder = async () => (await stage.demo.orders({ type: 'OPEN' })).data[0]!;
  const tag = (name: string) => button(`${name}: change the price`);
  const question = () => tab.page.getByRole('group', { name: 'New price' });

  /** Presses the button of the mouse at a place, and releases it at another height. */
  async function drag(x: number, y: number, by: number): Promise<void> {
    const { mouse } = tab.page;
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x, y + by / 2, { steps: 4 });
    await mouse.move(x, y + by, { steps: 4 });
    await mouse.up();
  }

  /** Waits until the order has the price that the question names. */
  async function confirmed(orderId: number): Promise<void> {
    const text = await question().innerText();
    const price = /→\s*([\d,.]+)/.exec(text)![1]!;
    await question().getByRole('button', { name: 'Confirm' }).click();
    await tag(`Buy 0.1 at ${price}`).waitFor();
    await question().waitFor({ state: 'detached' });
    const { orderId: id, price: now } = await openOrder();
    expect({ id, now: grouped(now!, 2) }).toEqual({ id: orderId, now: price });
  }

  browserTest('by its tag', async () => {
    const { orderId } = await order(1, '59612.34');
    const box = (await tag('Buy 0.1 at 59,612.34').boundingBox())!;
    await drag(box.x + box.width / 2, box.y + box.height / 2, -40);
    expect((await openOrder()).price).toBe('59612.34');
    await confirmed(orderId);
    expect(Number((await openOrder()).price)).toBeGreaterThan(59_612.34);
  });

  browserTest('by its line', async () => {
    const { orderId } = await order(1, '59612.34');
    await drawn('59,612.34');
    const box = (await chart().boundingBox())!;
    await drag(box.x + box.width * 0.2, box.y + (await lastDrawn('59,612.34')), -40);
    await confirmed(orderId);
    expect(Number((await openOrder()).price)).toBeGreaterThan(59_612.34);
  });

  browserTest('by keys, which Escape undoes', async () => {
    const { page } = tab;
    const { orderId } = await order(1, '59612.34');
    await tag('Buy 0.1 at 59,612.34').focus();
    await page.keyboard.press('ArrowUp');
    await question().getByText('59,612.35').waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ArrowDown');
    await question().getByText('59,612.23').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await tag('Buy 0.1 at 59,612.23').waitFor();
    expect(await openOrder()).toMatchObject({ orderId, price: '59612.23' });
  });

  browserTest('a rejected price leaves the order, and the nearest price is offered', async () => {
    await stage.operator.amendInstrument('BTC-USDT', { priceBand: '0.01' });
    try {
      await order(1, '59731');
      await tag('Buy 0.1 at 59,731.00').focus();
      await tab.page.keyboard.press('Shift+PageDown');
      await question().getByRole('button', { name: 'Confirm' }).click();
      await question().getByText('too far from the last price').waitFor();
      expect((await openOrder()).price).toBe('59731');
      await question()
        .getByRole('button', { name: /^Use 59,730/ })
        .click();
      await question().getByText('59,730.00').waitFor();
      await question().getByRole('button', { name: 'Confirm' }).click();
      await tag('Buy 0.1 at 59,730.00').waitFor();
    } finally {
      await stage.operator.amendInstrument('BTC-USDT', { priceBand: '0' });
    }
  });

  browserTest('a price that trades now says so', async () => {
    const { page } = tab;
    await order(2, '60400');
    await order(1, '60390');
    await tag('Buy 0.1 at 60,390.00').focus();
    await page.keyboard.press('PageUp');
    await question().getByText('60,391.00').waitFor();
    expect(await question().innerText()).not.toContain('immediately');
    await page.keyboard.press('Shift+PageUp');
    await question().getByText('This price executes immediately.').waitFor();
  });

  browserTest('a stop moves its trigger', async () => {
    const stop = { symbol: 'BTC-USDT', side: 2, ordType: 3, orderQty: '0.1' } as const;
    const { orderId } = await stage.demo.createOrderV2({ ...stop, stopPx: '59700' });
    await tag('Stop: sell 0.1 at 59,700.00').focus();
    await tab.page.keyboard.press('PageDown');
    await question().getByRole('button', { name: 'Confirm' }).click();
    await tag('Stop: sell 0.1 at 59,699.00').waitFor();
    expect(await openOrder()).toMatchObject({ orderId, stopPx: '59699' });
  });
});

describe.each([
  ['dark', 1440, 900],
  ['light', 390, 844],
] as const)('in %s, %p pixels wide', (scheme, width, height) => {
  browserTest('everything of the chart is accessible and fits', async () => {
    await order(1, '59900');
    await order(1, '30000');
    await using other = await stage.customer(undefined, { scheme });
    const { page } = other;
    await page.setViewportSize({ width, height });
    await page.evaluate(() => {
      localStorage.setItem('agio.chartInterval', '1d');
      localStorage.setItem('agio.chartIndicators', 'ma 2,bollinger 2 2,rsi 2,macd 1 2 1');
    });
    await other.visit('/trade/BTC-USDT');
    await page.getByText('MACD 1 2 1').waitFor();
    await page.getByRole('button', { name: '1 order 30,000.00' }).waitFor();
    const look = async (name: string) => {
      await other.screenshot(`chart-${name}-${width}`);
      expect({ name, found: await other.accessibility() }).toEqual({ name, found: [] });
      expect({ name, overflow: await other.overflow() }).toEqual({ name, overflow: 0 });
    };
    await look('price');
    await page.getByRole('button', { name: 'Indicators 4' }).click();
    await page.getByText('Add an indicator').waitFor();
    await look('indicators');
    await page.keyboard.press('Escape');
    await choose(other, 'Chart view', 'Depth');
    await page.getByRole('slider', { name: /^Depth of/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await look('depth');
    expect(other.errors).toEqual([]);
  });
});
