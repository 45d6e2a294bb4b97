// The demo market on a whole node, as a sandbox runs it: books, trades, and what happens when a
// customer trades hard, an operator halts a pair, or the sandbox is stopped and started again.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Client, TestNode, TIME } from '../../test/support/node.ts';
import { until } from '../../test/support/waiting.ts';
import { InstrumentStatus, Side } from '../core/fix.ts';
import type { Instrument } from '../core/instrument.ts';
import { AccountCode } from '../core/ledger/account-code.ts';
import type { Amount } from '../core/units.ts';
import { type DemoMarket, startDemoMarket } from './demo-market.ts';
import { LEVELS } from './maker.ts';
import { ASSET_SCALE, DEMO_PAIRS, type DemoPair } from './pairs.ts';

const [BITCOIN, ...OTHERS] = DEMO_PAIRS;
/** Nearly the whole ladder: trades come between any two looks. */
const DEEP = LEVELS - 10;

const node = TestNode.forFile({ sandbox: { history: false } });
let market: DemoMarket;
const warnings: string[] = [];

/** Starts the market, which first cancels its old orders; resolves when these pairs have books. */
async function start(pairs: readonly DemoPair[] = DEMO_PAIRS): Promise<void> {
  const log = { warn: (...line: unknown[]) => void warnings.push(JSON.stringify(line)) };
  const { orderId } = node.state.next;
  market = startDemoMarket({ url: node.url, users: node.sandbox.market, log });
  await until(() => node.state.next.orderId > orderId && pairs.every(isDeep));
}

beforeEach(async () => {
  warnings.length = 0;
  await start();
});
afterEach(() => market.stop());

const instrumentOf = ({ symbol }: DemoPair): Instrument => node.state.instrumentNamed(symbol)!;

interface Level {
  readonly price: number;
  readonly quantity: Amount;
}

function levelsOf(pair: DemoPair, side: Side): Level[] {
  const { book } = instrumentOf(pair);
  const levels: Level[] = [];
  book.ladder(side).fromBest((level, price) => {
    levels.push({ price, quantity: book.levelQuantity(level) });
    return true;
  });
  return levels;
}

const isDeep = (pair: DemoPair): boolean =>
  [Side.buy, Side.sell].every((side) => levelsOf(pair, side).length >= DEEP);

/** Answers so far, by status. */
async function answers(): Promise<Map<number, number>> {
  const text = await node.services.metrics.text();
  const counts = text.matchAll(/^agio_http_responses_total\{status="(\d+)"\} (\d+)$/gm);
  return new Map([...counts].map(([, status, count]) => [Number(status), Number(count)]));
}

const sum = (counts: Map<number, number>): number =>
  [...counts.values()].reduce((total, count) => total + count, 0);

describe('the demo market', () => {
  test('trades the pairs of the sandbox, as it lists them', () => {
    for (const pair of DEMO_PAIRS) {
      const { base, quote, tick, lot } = instrumentOf(pair);
      expect(`${base.name}-${quote.name}`).toBe(pair.symbol);
      expect([base.scale, quote.scale]).toEqual([ASSET_SCALE, ASSET_SCALE]);
      expect(tick).toEqual({ mantissa: 1, decimals: pair.tickDecimals });
      expect(lot).toEqual({ mantissa: 1, decimals: pair.lotDecimals });
    }
  });

  test('gives every pair a book and trades, and expects every rejection', async () => {
    const before = await answers();
    await until(() => DEMO_PAIRS.some((pair) => instrumentOf(pair).lastPrice > 0));
    await until(async () => sum(await answers()) > sum(before) + 20);
    for (const pair of DEMO_PAIRS) {
      expect(isDeep(pair)).toBe(true);
      const [bid] = levelsOf(pair, Side.buy);
      const [ask] = levelsOf(pair, Side.sell);
      expect(bid!.price).toBeLessThan(ask!.price);
      // Twenty basis points: wide for BTC, two ticks and a half for MMX.
      expect(ask!.price - bid!.price).toBeLessThan(bid!.price / 500 + 2);
    }
    const counts = await answers();
    expect([...counts.keys()].filter((status) => status !== 200 && status !== 400)).toEqual([]);
    // Only cancels of orders that were filled in that moment.
    expect((counts.get(400) ?? 0) - (before.get(400) ?? 0)).toBeLessThan(10);
    expect(warnings).toEqual([]);
  });

  test('refills what a customer takes, and trades with a price that it has passed', async () => {
    const { demo } = node.sandbox;
    const client = new Client(node, demo);
    const order = { symbol: BITCOIN.symbol, ordType: 1 };
    const fair = levelsOf(BITCOIN, Side.buy)[0]!.price;
    await client.order({ ...order, side: Side.sell, orderQty: 6 });
    expect(levelsOf(BITCOIN, Side.buy).length).toBeLessThan(DEEP);
    await until(() => isDeep(BITCOIN));
    // A bid above every ask: the taker sells it the rest.
    const price = (fair + 50_000) / 100;
    await client.order({ ...order, ordType: 2, side: Side.buy, orderQty: 2, price });
    await until(() => node.state.orders.countOf(demo.uid) === 0);
    await until(() => isDeep(BITCOIN));
  });

  test('leaves a halted pair alone, and continues when it is live again', async () => {
    const { book } = instrumentOf(BITCOIN);
    await node.amend(BITCOIN.symbol, { status: InstrumentStatus.HALTED });
    const untouched = book.updateId;
    const others = OTHERS.map((pair) => instrumentOf(pair).book);
    const changes = () => others.reduce((total, { updateId }) => total + updateId, 0);
    const atHalt = changes();
    await until(() => changes() > atHalt + 10);
    expect(OTHERS.every(isDeep)).toBe(true);
    expect(book.updateId - untouched).toBeLessThan(10);
    await node.amend(BITCOIN.symbol, { status: InstrumentStatus.LIVE });
    const resumed = book.updateId;
    await until(() => book.updateId > resumed + 10 && isDeep(BITCOIN));
  });

  test('ends cleanly, and continues at its own prices without its old orders', async () => {
    await market.stop();
    const total = sum(await answers());
    const { seq } = node;
    // The server answers in the order of arrival, so it would answer another request before these.
    for (let i = 0; i < 10; i++) await node.get(TIME);
    expect([sum(await answers()), node.seq]).toEqual([total + 10, seq]);
    expect(openOrders()).toBeGreaterThan(DEEP * DEMO_PAIRS.length);

    const last = levelsOf(BITCOIN, Side.buy)[0]!.price;
    await start();
    const resumed = levelsOf(BITCOIN, Side.buy)[0]!.price;
    expect(Math.abs(resumed - last)).toBeLessThan(last / 500);
    await until(() => openOrders() <= 2 * LEVELS * DEMO_PAIRS.length + 10);
  });
});

test('a side without money is not quoted, and no order is rejected', async () => {
  const MMX_USDT = DEMO_PAIRS.find(({ symbol }) => symbol === 'MMX-USDT')!;
  await market.stop();
  const { assetId } = instrumentOf(MMX_USDT).base;
  const taken = new Map<number, Amount>();
  for (const { uid } of node.sandbox.market) {
    const caller = { uid, signature: null, idempotency: null };
    await node.must({ type: 'massCancel', ...caller, securityId: 0, clOrdId: '' });
    taken.set(uid, node.state.ledger.balanceOf(uid, assetId, AccountCode.available));
    await transfer('debit', uid);
  }
  async function transfer(direction: 'credit' | 'debit', uid: number): Promise<void> {
    const money = { uid, assetId, amount: taken.get(uid)! };
    await node.must({
      type: 'transferFunds',
      direction,
      ...money,
      reference: `${direction}-${uid}`,
    });
  }
  const rejected = (await answers()).get(400) ?? 0;
  await start(DEMO_PAIRS.filter((pair) => pair !== MMX_USDT));
  await until(() => levelsOf(MMX_USDT, Side.buy).length >= DEEP);
  const { book } = instrumentOf(BITCOIN);
  const quoted = book.updateId;
  await until(() => book.updateId > quoted + 10);
  expect(levelsOf(MMX_USDT, Side.sell)).toEqual([]);
  expect((await answers()).get(400) ?? 0).toBeLessThan(rejected + 5);
  expect(warnings).toEqual([]);
  await market.stop();
  for (const { uid } of node.sandbox.market) await transfer('credit', uid);
});

const openOrders = (): number =>
  node.sandbox.market.reduce((total, { uid }) => total + node.state.orders.countOf(uid), 0);
