// The chart in a browser, by the texts that it draws on its canvases: which prices its axis names,
// and where.
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { grouped } from '../../web/exact/format.ts';
import { browserTest, CHROMIUM, type Tab } from '../support/browser.ts';
import { Stage } from '../support/browser-people.ts';

const DAY_MS = 86_400_000;
/** The trades of each day; the last price is no price of the axis. */
const DAYS = [
  ['60000', '61000'],
  ['61000', '60777.77'],
  ['60100', '60900'],
  ['60500', '60333.33'],
] as const;
const LAST = '60,333.33';

let stage: Stage;
let tab: Tab;
let demo: AgioClient;

const order = (side: 1 | 2, price: string) =>
  demo.createOrder({ symbol: 'BTC-USDT', side, ordType: 2, price, orderQty: '0.1' });

beforeAll(async () => {
  if (CHROMIUM === null) return;
  stage = await Stage.set();
  demo = new AgioClient({ url: stage.server.url, ...stage.sandbox.demo! });
  for (const [day, prices] of DAYS.entries()) {
    if (day > 0) await stage.operate('POST', 'clock/advance', { ms: DAY_MS });
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
  await demo.massCancel({});
  await tab.page.setViewportSize({ width: 1440, height: 900 });
  await tab.visit('/trade/BTC-USDT');
  await tab.page.getByText('1d', { exact: true }).click();
  await drawn(LAST);
});
afterAll(async () => {
  await tab?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

interface Text {
  readonly text: string;
  /** In pixels of its canvas, of the middle of the text. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Runs in the page: keeps the texts that were drawn since they were last forgotten. */
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

/** Waits until a text is drawn in sight. */
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

browserTest(
  'own orders that are near are in the scale, and those that are far are told',
  async () => {
    await order(1, '59612.34');
    await drawn('59,612.34');
    await order(1, '30000');
    await tab.page.getByText('1 of your orders is below this view').waitFor();
  },
  60_000,
);

browserTest(
  'the last price is the last price also where its candle is out of sight',
  async () => {
    const box = (await chart().boundingBox())!;
    const y = box.y + box.height / 2;
    await tab.page.mouse.move(box.x + box.width * 0.35, y);
    await tab.page.mouse.down();
    await tab.page.mouse.move(box.x + box.width * 0.8, y, { steps: 8 });
    await forget();
    await tab.page.mouse.move(box.x + box.width * 0.81, y);
    await tab.page.mouse.up();
    await drawn(LAST);
  },
  60_000,
);

browserTest(
  'four days are drawn in the middle of the chart',
  async () => {
    const box = (await chart().boundingBox())!;
    // Of sixteen places the four in the middle are taken; the axis has no candles.
    const at = (place: number) => box.x + ((place + 0.5) / 16) * (box.width - AXIS);
    for (const [day, [open]] of DAYS.entries()) {
      await tab.page.mouse.move(at(6 + day), box.y + box.height / 2);
      await legend(`O ${grouped(open, 2)}`).waitFor();
    }
  },
  60_000,
);

browserTest(
  'no label of the price axis is cut by an edge',
  async () => {
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
  },
  60_000,
);
