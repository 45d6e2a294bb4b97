// Part `web`: the time until a first visitor can use the page, the size of its script, and whether
// the page keeps up with a hundred changes of a book a second, also with indicators and the depth.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CHROMIUM } from '../test/support/browser.ts';
import { type Context, type Findings, figuresOf } from './support/part.ts';
import { ROOT, startService } from './support/processes.ts';
import { type FirstVisit, type LivelyBook, visitPage, watchBook } from './support/web-pages.ts';

const SECONDS = 10;
const SECONDS_QUICK = 3;
/** Each is an order that is placed or canceled, and changes the book. */
const CHANGES_PER_SECOND = 120;
const KILO = 1000;
const THIRTY = { atLeast: 30 };
/** Prices with indicators and own panes, and the depth beside them. */
const FULL_CHART = {
  'agio.chartView': 'both',
  'agio.chartInterval': '1m',
  'agio.chartIndicators': 'bollinger 20 2,rsi 14,macd 12 26 9',
};

export async function web(context: Context): Promise<Findings> {
  if (CHROMIUM === null) throw new Error('There is no Chromium here; AGIO_CHROMIUM names one.');
  const dataDir = join(context.directory, 'data');
  const command = [process.execPath, join(ROOT, 'src/main.ts'), 'start'];
  const flags = ['--data', dataDir, '--port', '0', '--rate-limits', 'off', '--log-level', 'warn'];
  await using node = await startService([...command, ...flags], /^agio listening on (http:\S+)$/m);
  const url = node.ready;
  const visits: FirstVisit[] = [];
  const books: LivelyBook[] = [];
  const charts: LivelyBook[] = [];
  const { demo } = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'));
  const seconds = context.quick ? SECONDS_QUICK : SECONDS;
  for (let run = 1; run <= context.runs; run++) {
    context.step(`run ${run} of ${context.runs}: first visit`);
    visits.push(await visitPage(url));
    context.step(`run ${run} of ${context.runs}: lively book`);
    const load = { key: demo, seconds, perSecond: CHANGES_PER_SECOND };
    books.push(await watchBook({ url, ...load, storage: {} }));
    context.step(`run ${run} of ${context.runs}: lively book, with indicators and depth`);
    charts.push(await watchBook({ url, ...load, storage: FULL_CHART }));
  }
  return {
    figures: [
      ...figuresOf(visits, [
        ['first page usable, cold browser', 'ms', ({ usableMs }) => usableMs, { atMost: 1500 }],
        ['script for the first page, gzipped', 'kB', kilobytesOf, { atMost: 400 }],
      ]),
      ...figuresOf(books, [
        ['frames while the book changes', '/s', ({ frames }) => frames, THIRTY],
        ['changes of the book', '/s', ({ changes }) => changes, { atLeast: 100 }],
        ['drawings of the book', '/s', ({ drawings }) => drawings],
      ]),
      ...figuresOf(charts, [
        ['frames with three indicators and the depth', '/s', ({ frames }) => frames, THIRTY],
        ['changes of the book beside them', '/s', ({ changes }) => changes, { atLeast: 100 }],
        ['drawings of the depth', '/s', ({ depths }) => depths],
      ]),
    ],
    notes: [
      'Usable: the page shows pair, book, trades and order form. The time counts from the ' +
        'navigation in a new browser with an empty cache.',
      `${CHANGES_PER_SECOND} orders and cancels per second change the book, one after the ` +
        'other, beside the demo market. Frames are the browser’s animation frames.',
    ],
  };
}

/** The browser received brotli; the target is in gzip, which the build makes as well. */
function kilobytesOf({ scripts }: FirstVisit): number {
  const assets = join(ROOT, 'dist/web/assets');
  const known = new Set(readdirSync(assets));
  const names = scripts.map((name) => `${name}.gz`).filter((name) => known.has(name));
  return names.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0) / KILO;
}
