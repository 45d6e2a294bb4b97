// The demo market on a whole node, as a sandbox runs it: books, trades, and what happens when a
// customer trades hard, an operator halts a pair, or the sandbox is stopped and started again.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { UNCHANGED_INSTRUMENT } from '../../test/support/venue.ts';
import { until } from '../../test/support/waiting.ts';
import { loadConfig } from '../config.ts';
import { InstrumentStatus, OrdType, Side } from '../core/fix.ts';
import type { Instrument } from '../core/instrument.ts';
import { AccountCode } from '../core/ledger/account-code.ts';
import { type Amount, lots, ticks, ZERO } from '../core/units.ts';
import { type Node, startNode } from '../node.ts';
import { type DemoMarket, startDemoMarket } from './demo-market.ts';
import { LEVELS } from './maker.ts';
import { ASSET_SCALE, DEMO_PAIRS, type DemoPair } from './pairs.ts';
import { type SandboxAccess, seedSandbox } from './seed.ts';

const [BITCOIN] = DEMO_PAIRS;
/** Nearly the whole ladder: trades come between any two looks. */
const DEEP = LEVELS - 10;
/** Generous: other work may keep the machine's disk busy. */
const PATIENCE_MS = 20_000;

let dataDir: string;
let node: Node;
let access: SandboxAccess;
let market: DemoMarket;
const warnings: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'agio-demo-'));
  const argv = ['--data', dataDir, '--port', '0', '--segment-bytes', '1048576'];
  node = await startNode({
    config: loadConfig({ argv, env: {} }),
    operatorToken: 'token-of-the-test-operator',
    log: pino({ level: 'silent' }),
    onFailure: (error) => {
      throw error;
    },
  });
  access = await seedSandbox(node.services, { history: false });
  market = start();
});

afterAll(async () => {
  await market.stop();
  await node.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function start(): DemoMarket {
  const log = { warn: (...said: unknown[]) => void warnings.push(JSON.stringify(said)) };
  return startDemoMarket({ url: node.url, users: access.market, log });
}

function instrumentOf({ symbol }: DemoPair): Instrument {
  return node.services.engine.exchange.state.instrumentNamed(symbol)!;
}

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

async function order(side: Side, orderQty: number, price?: number): Promise<void> {
  const { outcome } = await node.services.engine.submit({
    type: 'placeOrder',
    uid: access.demo.uid,
    signature: null,
    idempotency: null,
    securityId: instrumentOf(BITCOIN).securityId,
    side,
    ordType: price === undefined ? OrdType.market : OrdType.limit,
    price: ticks(price ?? 0),
    orderQty: lots(orderQty),
    quoteOrderQty: ZERO,
    postOnly: false,
    clOrdId: '',
    strictClOrdId: false,
  });
  expect(outcome.ok).toBe(true);
}

async function setStatus(pair: DemoPair, status: InstrumentStatus): Promise<void> {
  const { outcome } = await node.services.engine.submit({
    ...UNCHANGED_INSTRUMENT,
    securityId: instrumentOf(pair).securityId,
    status,
  });
  expect(outcome.ok).toBe(true);
}

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

  test(
    'gives every pair a book and trades, gently and without a refusal that it does not expect',
    async () => {
      const startedAt = performance.now();
      await until(() => DEMO_PAIRS.every(isDeep));
      const traded = () => DEMO_PAIRS.some((pair) => instrumentOf(pair).lastPrice > 0);
      await until(traded);
      await Bun.sleep(Math.max(0, 3000 - (performance.now() - startedAt)));
      for (const pair of DEMO_PAIRS) {
        expect(isDeep(pair)).toBe(true);
        const [bid] = levelsOf(pair, Side.buy);
        const [ask] = levelsOf(pair, Side.sell);
        expect(bid!.price).toBeLessThan(ask!.price);
        // Twenty basis points: wide for BTC, two ticks and a half for MMX.
        expect(ask!.price - bid!.price).toBeLessThan(bid!.price / 500 + 2);
      }
      const counts = await answers();
      const refused = counts.get(400) ?? 0;
      expect([...counts.keys()].filter((status) => status !== 200 && status !== 400)).toEqual([]);
      // Only cancels of orders that were filled in that moment.
      expect(refused).toBeLessThan(10);
      expect(warnings).toEqual([]);
      const before = sum(await answers());
      await Bun.sleep(1000);
      expect(sum(await answers()) - before).toBeLessThan(50);
    },
    2 * PATIENCE_MS,
  );

  test(
    'refills what a customer takes, and trades with a price that it has passed',
    async () => {
      const fair = levelsOf(BITCOIN, Side.buy)[0]!.price;
      await order(Side.sell, 6_000_000);
      expect(levelsOf(BITCOIN, Side.buy).length).toBeLessThan(DEEP);
      await until(() => isDeep(BITCOIN));
      // A bid above every ask: the taker sells it the rest.
      const { orders } = node.services.engine.exchange.state;
      await order(Side.buy, 2_000_000, fair + 50_000);
      await until(() => orders.countOf(access.demo.uid) === 0);
      await until(() => isDeep(BITCOIN));
    },
    3 * PATIENCE_MS,
  );

  test(
    'leaves a halted pair alone, and goes on when it is live again',
    async () => {
      const { book } = instrumentOf(BITCOIN);
      await setStatus(BITCOIN, InstrumentStatus.HALTED);
      const untouched = book.updateId;
      await Bun.sleep(1500);
      const others = DEMO_PAIRS.filter((pair) => pair !== BITCOIN);
      expect(others.every(isDeep)).toBe(true);
      const cancels = book.updateId - untouched;
      expect(cancels).toBeLessThan(10);
      await setStatus(BITCOIN, InstrumentStatus.LIVE);
      const before = book.updateId;
      await until(() => book.updateId > before + 10 && isDeep(BITCOIN));
    },
    2 * PATIENCE_MS,
  );

  test(
    'ends cleanly, and goes on from its own prices with its old orders cleared away',
    async () => {
      await market.stop();
      const { engine } = node.services;
      const total = sum(await answers());
      const seq = engine.seq;
      await Bun.sleep(1200);
      expect(sum(await answers())).toBe(total);
      expect(engine.seq).toBe(seq);
      expect(DEMO_PAIRS.every(isDeep)).toBe(true);

      const last = levelsOf(BITCOIN, Side.buy)[0]!.price;
      const old = engine.exchange.state.next.orderId;
      market = start();
      await until(() => engine.exchange.state.next.orderId > old && DEMO_PAIRS.every(isDeep));
      const resumed = levelsOf(BITCOIN, Side.buy)[0]!.price;
      expect(Math.abs(resumed - last)).toBeLessThan(last / 500);
      await until(() => openOrders() <= 2 * LEVELS * DEMO_PAIRS.length + 10);
    },
    2 * PATIENCE_MS,
  );
});

describe('a side that the makers cannot pay for', () => {
  const MMX_USDT = DEMO_PAIRS.find(({ symbol }) => symbol === 'MMX-USDT')!;

  async function takeAllMmx(uid: number): Promise<void> {
    const { engine } = node.services;
    const { assetId } = instrumentOf(MMX_USDT).base;
    const caller = { uid, signature: null, idempotency: null };
    await engine.submit({ type: 'massCancel', ...caller, securityId: 0, clOrdId: '' });
    const { ledger } = engine.exchange.state;
    const { outcome } = await engine.submit({
      type: 'transferFunds',
      direction: 'debit',
      uid,
      assetId,
      amount: ledger.balanceOf(uid, assetId, AccountCode.available),
      reference: `all-${uid}`,
    });
    expect(outcome.ok).toBe(true);
  }

  test(
    'is not quoted, and nothing is refused for it',
    async () => {
      await market.stop();
      for (const { uid } of access.market) await takeAllMmx(uid);
      const refused = (await answers()).get(400) ?? 0;
      market = start();
      await until(() => DEMO_PAIRS.every((pair) => pair === MMX_USDT || isDeep(pair)));
      await until(() => levelsOf(MMX_USDT, Side.buy).length >= DEEP);
      expect(levelsOf(MMX_USDT, Side.sell)).toEqual([]);
      await Bun.sleep(1500);
      expect(levelsOf(MMX_USDT, Side.buy).length).toBeGreaterThanOrEqual(DEEP);
      expect((await answers()).get(400) ?? 0).toBeLessThan(refused + 5);
      expect(warnings).toEqual([]);
    },
    2 * PATIENCE_MS,
  );
});

const openOrders = (): number =>
  access.market.reduce(
    (total, { uid }) => total + node.services.engine.exchange.state.orders.countOf(uid),
    0,
  );
