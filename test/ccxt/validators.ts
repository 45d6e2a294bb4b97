// The checks of ccxt's own live tests for each unified structure; its package does not have them.
// Decimals are compared as text, so the instances under test have `number: String`.
import { expect } from 'bun:test';
import type { Dict } from 'ccxt';
import { Precise } from 'ccxt';

type Values = Dict;

const gt = (a: string, b: string): void => expect(Precise.stringGt(a, b), `${a} > ${b}`).toBe(true);
const ge = (a: string, b: string): void =>
  expect(Precise.stringGe(a, b), `${a} >= ${b}`).toBe(true);
const same = (a: string | undefined, b: string | undefined): void =>
  expect(Precise.stringEq(a, b), `${a} = ${b}`).toBe(true);

/** A time of the past, equal as a number and as text. */
function validTime({ timestamp, datetime }: Values): void {
  expect(Number.isSafeInteger(timestamp)).toBe(true);
  expect(timestamp).toBeGreaterThan(1230940800000);
  expect(timestamp).toBeLessThanOrEqual(Date.now() + 60_000);
  expect(datetime).toBe(new Date(timestamp).toISOString());
}

function validFee(fee: Values): void {
  ge(fee.cost, '0');
  expect(fee.currency).toMatch(/^[A-Z0-9]+$/);
}

/** `joint`: what joins the two assets in the id. */
export function validMarket(symbol: string, market: Values, joint = '-'): void {
  expect(market.symbol).toBe(symbol);
  expect(symbol).toBe(`${market.base}/${market.quote}`);
  expect(market.id).toBe(`${market.baseId}${joint}${market.quoteId}`);
  expect(market).toMatchObject({ type: 'spot', spot: true, margin: false, contract: false });
  expect(typeof market.active).toBe('boolean');
  for (const rate of [market.maker, market.taker]) {
    ge(rate, '0');
    gt('1', rate);
  }
  for (const increment of [market.precision.amount, market.precision.price]) gt(increment, '0');
  for (const { min, max } of [market.limits.amount, market.limits.cost]) {
    gt(min, '0');
    expect(max).toBeUndefined();
  }
}

export function validCurrency(code: string, currency: Values): void {
  // ccxt: active means that a customer can deposit and withdraw it.
  expect(currency).toMatchObject({ code, id: code, active: false, deposit: false });
  expect(['fiat', 'crypto']).toContain(currency.type);
  gt(currency.precision, '0');
}

export function validTicker(symbol: string, ticker: Values): void {
  expect(ticker.symbol).toBe(symbol);
  validTime(ticker);
  ge(ticker.ask, ticker.bid);
  for (const volume of [ticker.bidVolume, ticker.askVolume, ticker.baseVolume]) gt(volume, '0');
  for (const price of [ticker.open, ticker.last, ticker.vwap]) {
    ge(ticker.high, price);
    ge(price, ticker.low);
  }
  same(ticker.last, ticker.close);
  same(ticker.change, Precise.stringSub(ticker.last, ticker.open));
  ge(ticker.quoteVolume, Precise.stringMul(ticker.baseVolume, ticker.low)!);
  ge(Precise.stringMul(ticker.baseVolume, ticker.high)!, ticker.quoteVolume);
}

export function validLastPrice(symbol: string, last: Values): void {
  expect(last.symbol).toBe(symbol);
  validTime(last);
  gt(last.price, '0');
}

/** Sorted, not crossed, nothing empty. `identified` books have an order id in each row. */
export function validBook(symbol: string, book: Values, identified = false): void {
  expect(book.symbol).toBe(symbol);
  expect(Number.isSafeInteger(book.nonce)).toBe(true);
  validTime(book);
  for (const side of [book.bids, book.asks] as string[][][]) {
    expect(side.length).toBeGreaterThan(0);
    for (const [price, amount, id] of side) {
      gt(price!, '0');
      gt(amount!, '0');
      expect(id === undefined).toBe(!identified);
    }
  }
  const sorted = (prices: string[], worse: (a: string, b: string) => void): void =>
    prices.slice(1).forEach((price, i) => {
      worse(prices[i]!, price);
    });
  const prices = (side: string[][]): string[] => side.map(([price]) => price!);
  // Several orders of a level-3 book have one price.
  const above = identified ? ge : gt;
  sorted(prices(book.bids), above);
  sorted(prices(book.asks), (a, b) => above(b, a));
  gt(book.asks[0][0], book.bids[0][0]);
}

export function validTrade(symbol: string, trade: Values, own: boolean): void {
  expect(trade.symbol).toBe(symbol);
  validTime(trade);
  expect(trade.id).toMatch(/^\d+$/);
  expect(['buy', 'sell']).toContain(trade.side);
  gt(trade.price, '0');
  gt(trade.amount, '0');
  same(trade.cost, Precise.stringMul(trade.price, trade.amount));
  expect(trade.order === undefined).toBe(!own);
  if (!own) return;
  expect(trade.order).toMatch(/^\d+$/);
  expect(['taker', 'maker']).toContain(trade.takerOrMaker);
  validFee(trade.fee);
  // The fee is in the received asset.
  expect(trade.fee.currency).toBe(symbol.split('/')[trade.side === 'buy' ? 0 : 1]);
}

/** In the order of time, each in its own interval; high and low enclose open and close. */
const WEEK_MS = 7 * 86_400_000;
const FIRST_MONDAY = Date.UTC(1970, 0, 5);

export function validCandles(candles: unknown[][], intervalMs: number): void {
  expect(candles.length).toBeGreaterThan(0);
  candles.forEach(([time, open, high, low, close, volume], i) => {
    // Weeks start on Monday; the epoch was a Thursday.
    const start = intervalMs === WEEK_MS ? FIRST_MONDAY : 0;
    expect((Number(time) - start) % intervalMs).toBe(0);
    if (i > 0) expect(Number(time)).toBeGreaterThan(Number(candles[i - 1]![0]));
    for (const price of [open, close] as string[]) {
      ge(high as string, price);
      ge(price, low as string);
    }
    gt(volume as string, '0');
  });
}

export function validBalance(balance: Values, codes: readonly string[]): void {
  for (const code of codes) {
    const { free, used, total } = balance[code];
    ge(free, '0');
    ge(used, '0');
    same(total, Precise.stringAdd(free, used));
    expect([balance.free[code], balance.used[code], balance.total[code]]).toEqual([
      free,
      used,
      total,
    ]);
  }
}

export function validOrder(symbol: string, order: Values): void {
  expect(order.symbol).toBe(symbol);
  expect(order.id).toMatch(/^\d+$/);
  expect(order.clientOrderId.length).toBeGreaterThan(0);
  validTime(order);
  expect(order.lastUpdateTimestamp).toBeGreaterThanOrEqual(order.timestamp);
  expect(['open', 'closed', 'canceled', 'rejected']).toContain(order.status);
  expect(['limit', 'market']).toContain(order.type);
  expect(['buy', 'sell']).toContain(order.side);
  expect(['GTC', 'IOC', 'FOK', 'GTD', 'PO']).toContain(order.timeInForce);
  expect(typeof order.postOnly).toBe('boolean');
  if (order.type === 'limit') gt(order.price, '0');
  ge(order.filled, '0');
  ge(order.remaining, '0');
  same(order.amount, Precise.stringAdd(order.filled, order.remaining));
  if (order.status === 'closed') same(order.remaining, '0');
  if (Precise.stringGt(order.filled, '0')) gt(order.average, '0');
}

export function validLedgerEntry(entry: Values): void {
  expect(entry.id).toMatch(/^\d+$/);
  expect(Number.isSafeInteger(entry.timestamp)).toBe(true);
  expect(['in', 'out']).toContain(entry.direction);
  expect(['transaction', 'trade', 'fee', 'transfer', 'interest', 'forfeit']).toContain(entry.type);
  expect(entry.status).toBe('ok');
  ge(entry.amount, '0');
  ge(entry.before, '0');
  const signed = entry.direction === 'in' ? entry.amount : Precise.stringNeg(entry.amount);
  same(entry.after, Precise.stringAdd(entry.before, signed));
}
