// Part `web`: the time until a first visitor can use the page, the size of its script, and whether
// the page keeps up with a hundred changes of a book a second, with indicators and the depth.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readSandboxFile } from '../src/cli/data-directory.ts';
import { AgioClient } from '../src/sdk/client.ts';
import { OrderNotFound } from '../src/sdk/index.ts';
import { CHROMIUM, openBrowser } from '../test/support/browser.ts';
import { part } from './support/part.ts';
import { program, ROOT, startAgio } from './support/processes.ts';

const OF_FRAMES = { atLeast: 30 };
const OF_CHANGES = { atLeast: 100 };
/** Each is an order that is placed or canceled, and changes the book. */
const CHANGES_PER_SECOND = 120;
/** The bot places orders on these ticks below the best bid, which it reads now and then. */
const LEVELS = 5;
const BEST_EVERY = 20;
const SYMBOL = 'BTC-USDT';
/** Wide enough to show book and trades side by side. */
const SIZE = { width: 1680, height: 1000 };
/** Prices with indicators and own panes, and the depth beside them. */
const FULL_CHART = {
  'agio.chartView': 'both',
  'agio.chartInterval': '1m',
  'agio.chartIndicators': 'bollinger 20 2,rsi 14,macd 12 26 9',
};

interface Book {
  readonly url: string;
  readonly key: { readonly apiKey: string; readonly secretKey: string };
  readonly seconds: number;
}

/** Runs in the page: the time from the navigation until all that a trader needs is there. */
const untilUsable = (): Promise<number> =>
  new Promise((resolve) => {
    const rows = (name: string) =>
      document.querySelectorAll(`ul[aria-label^="${name}"] button`).length;
    const look = () => {
      const ready =
        rows('Asks') > 4 &&
        rows('Bids') > 4 &&
        document.querySelector('#order-form') !== null &&
        document.querySelectorAll('[aria-label^="Last trades"] tbody tr').length > 0;
      if (ready) resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  });

/** Runs in the page before its scripts: sets its settings, and counts drawings of the depth. */
function prepare(settings: typeof FULL_CHART): void {
  for (const [name, value] of Object.entries(settings)) localStorage.setItem(name, value);
  const counts = { depths: 0 };
  Object.assign(globalThis, { counts });
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    if (this.canvas.getAttribute('role') === 'slider') counts.depths++;
    clearRect.apply(this, area);
  };
}

interface Drawn {
  /** Animation frames, and those before which the book has changed, a second. */
  readonly frames: number;
  readonly drawings: number;
  /** Drawings of the depth chart a second. */
  readonly depths: number;
}

const countDrawings = (page: Page, seconds: number): Promise<Drawn> =>
  page.evaluate(
    (limit) =>
      new Promise((resolve) => {
        let [frames, drawings, isChanged] = [0, 0, false];
        const { counts } = globalThis as unknown as { counts: { depths: number } };
        counts.depths = 0;
        const book = document.querySelector('[aria-label^="Bids"]')!.parentElement!;
        const watch = new MutationObserver(() => {
          isChanged = true;
        });
        watch.observe(book, { subtree: true, childList: true, characterData: true });
        const end = performance.now() + limit * 1000;
        const frame = () => {
          frames++;
          if (isChanged) drawings++;
          isChanged = false;
          if (performance.now() < end) requestAnimationFrame(frame);
          else {
            const perSecond = (count: number) => count / limit;
            const depths = perSecond(counts.depths);
            resolve({ frames: perSecond(frames), drawings: perSecond(drawings), depths });
          }
        };
        requestAnimationFrame(frame);
      }),
    seconds,
  );

/** Places an order among the best bids and cancels it, again and again. Returns the changes. */
async function keepChanging({ url, key }: Book, isOver: () => boolean): Promise<number> {
  const client = new AgioClient({ url, ...key });
  const start = performance.now();
  const pause = (changes: number): Promise<void> =>
    Bun.sleep(Math.max(0, start + (changes / CHANGES_PER_SECOND) * 1000 - performance.now()));
  let [best, changes] = [0, 0];
  for (let i = 0; !isOver(); i++) {
    if (i % BEST_EVERY === 0) {
      const { bids } = await client.orderbook({ symbol: SYMBOL, depth: 1 });
      best = Number(bids[0][0]);
    }
    const price = (best - (1 + (i % LEVELS)) / 100).toFixed(2);
    const order = { symbol: SYMBOL, side: 1, ordType: 2, orderQty: '0.001', price } as const;
    const { orderId } = await client.createOrder(order);
    await pause(++changes);
    try {
      await client.cancelOrder({ orderId });
      changes++;
    } catch (error) {
      // Somebody of the demo market may have sold to it meanwhile.
      if (!(error instanceof OrderNotFound)) throw error;
    }
    await pause(changes);
  }
  return changes;
}

const { once } = program(import.meta, {
  /** A first visit: the time until the page is usable, and the names of its scripts until then. */
  async visit(url: string) {
    const browser = await openBrowser();
    const page = await browser.newPage({ viewport: SIZE });
    await page.goto(`${url}/trade/${SYMBOL}`, { waitUntil: 'commit' });
    const usableMs = await page.evaluate(untilUsable);
    const names = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    await browser.close();
    const scripts = names.filter((name) => name.endsWith('.js'));
    return { usableMs, scripts: scripts.map((name) => name.split('/').at(-1)!) };
  },

  /** The page beside a book that changes all the time. */
  async watch(book: Book) {
    const browser = await openBrowser();
    const page = await browser.newPage({ viewport: SIZE });
    await page.addInitScript(prepare, FULL_CHART);
    await page.goto(`${book.url}/trade/${SYMBOL}`);
    await page.evaluate(untilUsable);
    await page.locator('canvas[role=slider]').waitFor();
    let isOver = false;
    const changing = keepChanging(book, () => isOver);
    const start = performance.now();
    const drawn = await countDrawings(page, book.seconds);
    const seconds = (performance.now() - start) / 1000;
    isOver = true;
    const changes = (await changing) / seconds;
    await browser.close();
    return { ...drawn, changes };
  },
});

/** The browser received brotli; the target is in gzip, which the build makes as well. */
function kilobytesOf(scripts: readonly string[]): number {
  const assets = join(ROOT, 'dist/web/assets');
  const known = new Set(readdirSync(assets));
  const names = scripts.map((name) => `${name}.gz`).filter((name) => known.has(name));
  return names.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0) / 1000;
}

export const web = part({
  name: 'web',
  question: 'How soon can a first visitor use the page, and does it keep up with a busy book?',
  against: 'the targets only',
  size: { seconds: 10 },
  async subjects({ seconds }, { directory, resources }) {
    if (CHROMIUM === null) throw new Error('There is no Chromium here; AGIO_CHROMIUM names one.');
    const dataDir = join(directory, 'data');
    const { url } = resources.use(await startAgio(['--data', dataDir, '--rate-limits', 'off']));
    const key = readSandboxFile(dataDir)!.demo!;
    return {
      visit: () => once.visit(url),
      chart: () => once.watch({ url, key, seconds }),
    };
  },
  rows: () => [
    ['first page usable, cold browser', 'ms', ({ visit }) => visit.usableMs, { atMost: 1500 }],
    [
      'script for the first page, gzipped',
      'kB',
      ({ visit }) => kilobytesOf(visit.scripts),
      { atMost: 400 },
    ],
    ['frames with three indicators and the depth', '/s', ({ chart }) => chart.frames, OF_FRAMES],
    ['changes of the book', '/s', ({ chart }) => chart.changes, OF_CHANGES],
    ['drawings of the book', '/s', ({ chart }) => chart.drawings],
    ['drawings of the depth', '/s', ({ chart }) => chart.depths],
  ],
  notes: () => [
    'Usable: the page shows pair, book, trades and order form. The time counts from the ' +
      'navigation in a new browser with an empty cache.',
    `${CHANGES_PER_SECOND} orders and cancels per second change the book, one after the other, ` +
      'beside the demo market. Frames are the browser’s animation frames.',
  ],
});
