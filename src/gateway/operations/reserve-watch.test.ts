// The alarm of the reserves: one line when it begins, one when it ends, and nothing in between.
import { beforeEach, describe, expect, jest, test } from 'bun:test';
import { FLEXIBLE_PLAN } from '../../../test/support/plan-terms.ts';
import { planReserves } from '../../contract/operator/plan-reserve.ts';
import { DAY_MS } from '../../core/calendar.ts';
import type { Command } from '../../core/command.ts';
import { Exchange } from '../../core/exchange.ts';
import { amount } from '../../core/units.ts';
import { ReserveWatch } from './reserve-watch.ts';

const ALARM_DAYS = 7;
/** One unit of interest a day on 10,000 coins of 2 decimals. */
const PRINCIPAL = 1_000_000;

let exchange: Exchange;
let said: { readonly level: string; readonly planId: number; readonly daysOfCover: string }[];
let watch: ReserveWatch;

function apply(command: Command, days = 0): void {
  const { state } = exchange;
  const outcome = exchange.apply(state.seq + 1, state.time + days * DAY_MS, command);
  if (!outcome.ok) throw new Error(outcome.reject.name);
}

function createPlan(): void {
  apply({
    ...FLEXIBLE_PLAN,
    planName: 'Flexible',
    assetId: 0,
    userAmountMin: amount(1),
    userAmountMax: amount(PRINCIPAL),
  });
}

let references = 0;
const fund = (planId: number, days: number): void =>
  apply({
    type: 'fundReserve',
    planId,
    amount: amount(days * 100),
    reference: `r${++references}`,
  });

function subscribe(planId: number): void {
  const unsigned = { signature: null, idempotency: null };
  const reference = `c${++references}`;
  const transfer = { uid: 1, assetId: 0, amount: amount(PRINCIPAL), reference };
  apply({ type: 'transferFunds', direction: 'credit', ...transfer });
  const terms = { lockDay: 0, autoRenew: false, boosterAmount: null, applyId: 0 };
  apply({
    type: 'subscribePlan',
    uid: 1,
    planId,
    amount: amount(PRINCIPAL),
    ...terms,
    ...unsigned,
  });
}

beforeEach(() => {
  exchange = new Exchange();
  said = [];
  const note = (level: string) => (figures: object) => {
    said.push({ level, ...(figures as { planId: number; daysOfCover: string }) });
  };
  watch = new ReserveWatch({
    reserves: () => planReserves(exchange.state, ALARM_DAYS),
    assets: exchange.state.assets,
    log: { warn: note('warn'), info: note('info') } as never,
  });
  apply({ type: 'createAsset', asset: 'USDT', scale: 2, fiat: false }, 20_000);
  apply({ type: 'createUser', kyc: true });
  createPlan();
  createPlan();
});

describe('a look', () => {
  test('ignores plans without subscriptions', () => {
    watch.look();
    expect(said).toEqual([]);
  });

  test('reports once that an alarm has begun, with the figures, and once that it has ended', () => {
    fund(1, 6);
    subscribe(1);
    watch.look();
    watch.look();
    expect(said).toEqual([
      {
        level: 'warn',
        planId: 1,
        planName: 'Flexible',
        coin: 'USDT',
        balance: '6',
        payable: '0',
        daysOfCover: '6',
        overdue: false,
      } as never,
    ]);
    fund(1, 1);
    watch.look();
    watch.look();
    expect(said.slice(1)).toMatchObject([{ level: 'info', planId: 1, daysOfCover: '7' }]);
    apply({ type: 'runTimers' }, 2);
    watch.look();
    expect(said.slice(2)).toMatchObject([{ level: 'warn', planId: 1, daysOfCover: '6' }]);
  });

  test('distinguishes plans', () => {
    for (const planId of [1, 2]) subscribe(planId);
    fund(2, 100);
    watch.look();
    expect(said).toMatchObject([{ level: 'warn', planId: 1 }]);
    fund(1, 100);
    apply({ type: 'runTimers' }, 95);
    while (exchange.nextTimer <= exchange.state.time) apply({ type: 'runTimers' });
    watch.look();
    // Nobody looked while the alarm of plan 1 was over, so nothing is said of it.
    expect(said.slice(1)).toMatchObject([{ level: 'warn', planId: 2, daysOfCover: '6' }]);
  });
});

test('it looks when it starts, then once a minute, and not after its end', () => {
  jest.useFakeTimers();
  try {
    subscribe(1);
    watch.start();
    expect(said).toHaveLength(1);
    fund(1, 100);
    jest.advanceTimersByTime(59_999);
    expect(said).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(said).toHaveLength(2);
    subscribe(2);
    watch.stop();
    jest.advanceTimersByTime(120_000);
    expect(said).toHaveLength(2);
  } finally {
    jest.useRealTimers();
  }
});
