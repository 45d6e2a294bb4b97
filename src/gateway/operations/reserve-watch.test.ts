// The alarm of the reserves: one line when it begins, one when it ends, and nothing in between.
import { beforeEach, describe, expect, jest, test } from 'bun:test';
import { Savings, UNIT_A_DAY } from '../../../test/support/savings.ts';
import { planReserves } from '../../contract/operator/plan-reserve.ts';
import { ReserveWatch } from './reserve-watch.ts';

const ALARM_DAYS = 7;
/** The plans pay one coin a day. */
const COIN = 10 ** 8;

let savings: Savings;
let said: { readonly level: string; readonly planId: number; readonly daysOfCover: string }[];
let watch: ReserveWatch;

const fund = (planId: number, days: number): void => savings.fund(planId, days * COIN);
const subscribe = (planId: number) => savings.subscribe(planId, UNIT_A_DAY * COIN);

function pass(days: number): void {
  savings.passMidnight(days);
  savings.runTimers();
}

beforeEach(() => {
  savings = new Savings();
  said = [];
  const note = (level: string) => (figures: object) => {
    said.push({ level, ...(figures as { planId: number; daysOfCover: string }) });
  };
  const { state } = savings.exchange;
  watch = new ReserveWatch({
    reserves: () => planReserves(state, ALARM_DAYS),
    assets: state.assets,
    log: { warn: note('warn'), info: note('info') } as never,
  });
  savings.offer();
  savings.offer();
});

describe('a look', () => {
  test('reports an open plan with an empty reserve, and no other one without subscriptions', () => {
    fund(1, 1);
    watch.look();
    expect(said).toMatchObject([{ level: 'warn', planId: 2, daysOfCover: null }]);
    fund(2, 1);
    watch.look();
    expect(said.slice(1)).toMatchObject([{ level: 'info', planId: 2 }]);
  });

  test('reports once that an alarm has begun, with the figures, and once that it has ended', () => {
    fund(1, 6);
    fund(2, 100);
    subscribe(1);
    watch.look();
    watch.look();
    expect(said).toEqual([
      {
        level: 'warn',
        planId: 1,
        planName: 'savings',
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
    pass(2);
    watch.look();
    expect(said.slice(2)).toMatchObject([{ level: 'warn', planId: 1, daysOfCover: '6' }]);
  });

  test('distinguishes plans', () => {
    for (const planId of [1, 2]) subscribe(planId);
    fund(2, 100);
    watch.look();
    expect(said).toMatchObject([{ level: 'warn', planId: 1 }]);
    fund(1, 100);
    pass(95);
    watch.look();
    // Nobody looked while the alarm of plan 1 was over, so nothing is said of it.
    expect(said.slice(1)).toMatchObject([{ level: 'warn', planId: 2, daysOfCover: '6' }]);
  });
});

test('it looks when it starts, then once a minute, and not after its end', () => {
  jest.useFakeTimers();
  try {
    subscribe(1);
    fund(2, 100);
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
