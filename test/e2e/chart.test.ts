// The chart in a browser, by the texts on its canvases: the prices of its axis and their places.
import { beforeEach, expect } from 'bun:test';
import { grouped } from '../../web/exact/format.ts';
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
  await tab.visit('/trade/BTC-USDT');
  await tab.page.getByText('1d', { exact: true }).click();
  await drawn(LAST);
});

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
  await legend('You bought 0.2 BTC at 60,416.6650 on average, in 2 fills').waitFor();
  await legend('You sold 0.2 BTC at 60,416.6650 on average, in 2 fills').waitFor();
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
