// A browser for part `web`, in a process of its own: one first visit, or one page beside a book
// that changes all the time.
import { type Browser, chromium, type Page } from 'playwright-core';
import { type ApiKey, CANCEL_PATH, ORDER_PATH } from '../../src/cli/bench/order-script.ts';
import { CHROMIUM } from '../../test/support/browser.ts';
import { job } from './processes.ts';
import { postSigned } from './requests.ts';

interface Book {
  readonly url: string;
  readonly key: ApiKey;
  readonly seconds: number;
  readonly perSecond: number;
  /** The settings of the page. */
  readonly storage: Readonly<Record<string, string>>;
}

export interface FirstVisit {
  readonly usableMs: number;
  /** File names of the scripts that were loaded until then. */
  readonly scripts: readonly string[];
}

export interface LivelyBook {
  /** Per second. */
  readonly frames: number;
  readonly changes: number;
  readonly drawings: number;
  /** Drawings of the depth chart. */
  readonly depths: number;
}

const PAGE = '/trade/BTC-USDT';
/** Wide enough to show book and trades side by side. */
const SIZE = { width: 1680, height: 1000 };
const LIMIT_MS = 30_000;

/** Runs in the page: the time from the navigation until all that a trader needs stands there. */
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

async function visit(browser: Browser, url: string): Promise<FirstVisit> {
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(url + PAGE, { waitUntil: 'commit' });
  const usableMs = await page.evaluate(untilUsable);
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname.split('/').at(-1)!)
      .filter((name) => name.endsWith('.js')),
  );
  return { usableMs, scripts };
}

/** Runs in the page before its scripts: sets its settings, and counts drawings of the depth. */
function prepare(storage: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value);
  const counts = { depths: 0 };
  Object.assign(globalThis, { counts });
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    if (this.canvas.getAttribute('role') === 'slider') counts.depths++;
    clearRect.apply(this, area);
  };
}

/** Counts in the page what is drawn: frames, and those in which the book has changed. */
function count(page: Page, seconds: number): Promise<Omit<LivelyBook, 'changes'>> {
  return page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        let frames = 0;
        let drawings = 0;
        let changed = false;
        const { counts } = globalThis as unknown as { counts: { depths: number } };
        counts.depths = 0;
        const book = document.querySelector('[aria-label^="Bids"]')!.parentElement!;
        const watch = new MutationObserver(() => {
          changed = true;
        });
        watch.observe(book, { subtree: true, childList: true, characterData: true });
        const start = performance.now();
        const frame = () => {
          frames++;
          if (changed) drawings++;
          changed = false;
          if (performance.now() - start < ms) requestAnimationFrame(frame);
          else resolve({ frames, drawings, depths: counts.depths });
        };
        requestAnimationFrame(frame);
      }),
    seconds * 1000,
  );
}

/**
 * A bot that places an order among the best bids and cancels it, so many times a second; `stop`
 * says how often it has changed the book.
 */
function keepChanging(
  url: string,
  key: ApiKey,
  perSecond: number,
): { stop: () => Promise<number> } {
  let stopped = false;
  let changes = 0;
  const run = async () => {
    const start = performance.now();
    let best = 0;
    for (let i = 0; !stopped; i++) {
      if (i % BEST_EVERY === 0) best = await bestBid(url);
      const price = (best - (1 + (i % LEVELS)) / 100).toFixed(2);
      const order = { symbol: 'BTC-USDT', side: '1', ordType: '2', orderQty: '0.001', price };
      const placed = await postSigned(url, key, ORDER_PATH, order);
      changes++;
      const { orderId } = (await placed.json()) as { orderId: number };
      await until(start + (changes / perSecond) * 1000);
      // Somebody of the demo market may have sold to it meanwhile.
      const canceled = await postSigned(url, key, CANCEL_PATH, { orderId });
      if (canceled.ok) changes++;
      await until(start + (changes / perSecond) * 1000);
    }
    return changes;
  };
  const ended = run();
  return {
    stop: () => {
      stopped = true;
      return ended;
    },
  };
}

const until = (time: number) => Bun.sleep(Math.max(0, time - performance.now()));

const BEST_EVERY = 20;
const LEVELS = 5;

async function bestBid(url: string): Promise<number> {
  const path = '/market-data-server/api/public/v1/orderbook?symbol=BTC-USDT&depth=1';
  const { bids } = (await (await fetch(url + path)).json()) as { bids: [number, number][] };
  return bids[0]![0];
}

async function book(
  browser: Browser,
  { url, key, seconds, perSecond, storage }: Book,
): Promise<LivelyBook> {
  const page = await browser.newPage({ viewport: SIZE });
  await page.addInitScript(prepare, storage);
  await page.goto(`${url}${PAGE}`);
  await page.evaluate(untilUsable);
  if ('agio.chartView' in storage) await page.locator('canvas[role=slider]').waitFor();
  const bot = keepChanging(url, key, perSecond);
  const start = performance.now();
  const { frames, drawings, depths } = await count(page, seconds);
  const took = (performance.now() - start) / 1000;
  const changes = await bot.stop();
  const perSecondOf = (total: number) => total / seconds;
  return {
    frames: perSecondOf(frames),
    changes: changes / took,
    drawings: perSecondOf(drawings),
    depths: perSecondOf(depths),
  };
}

async function inBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM!,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: LIMIT_MS,
  });
  return work(browser).finally(() => browser.close());
}

export const visitPage = job(
  import.meta,
  (url: string) => inBrowser((browser) => visit(browser, url)),
  'visit',
);
export const watchBook = job(
  import.meta,
  (plan: Book) => inBrowser((browser) => book(browser, plan)),
  'book',
);
