// Conversion and allocation: exact, rounded down, and absent without a price.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Balance } from '../../src/sdk/index.ts';
import { compare, divideDown, sum } from '../exact/decimal.ts';
import { allocation, decimalsFor, pricesIn, shareWords, valued, worth } from './value.ts';

const ticker = (symbol: string, lastPrice: string | null) => ({ symbol, lastPrice });

const TICKERS = [
  ticker('BTC-USDT', '60000.01'),
  ticker('ETH-USDT', '3000'),
  ticker('MMX-USDT', null),
  ticker('BTC-AED', '220350.5'),
];

const balance = (asset: string, total: string): Balance => ({
  ...{ asset, total, available: total },
  ...{ held: '0', earn: '0', redeeming: '0', booster: '0' },
});

describe('conversion', () => {
  test('over one pair, in both directions', () => {
    const inUsdt = pricesIn('USDT', TICKERS);
    expect(worth('BTC', '0.00000001', inUsdt, 8)).toBe('0.0006');
    expect(worth('BTC', '0.00000001', inUsdt, 10)).toBe('0.0006000001');
    expect(worth('USDT', '60000.01', pricesIn('BTC', TICKERS), 8)).toBe('1');
  });

  test('over several pairs, divided once: nothing is lost on the way', () => {
    const inAed = pricesIn('AED', TICKERS);
    // 3000 / 60000.01 × 220350.5: a quotient of 8 decimals would lose digits.
    expect(worth('ETH', '1', inAed, 8)).toBe(divideDown('661051500', '60000.01', 8));
    expect(worth('ETH', '60000.01', inAed, 8)).toBe('661051500');
    expect(worth('AED', '220350.5', pricesIn('USDT', TICKERS), 8)).toBe('60000.01');
  });

  test('the target is worth itself; cut down, never up', () => {
    const prices = pricesIn('USDT', TICKERS);
    expect(worth('USDT', '1.99999999', prices, 2)).toBe('1.99');
    expect(worth('ETH', '0.000003333', prices, 2)).toBe('0');
  });

  test('without a price there is no value: no trade yet, no pair, no way', () => {
    const prices = pricesIn('USDT', TICKERS);
    expect(worth('MMX', '5', prices, 2)).toBeNull();
    expect(worth('USDC', '5', prices, 2)).toBeNull();
    expect(worth('BTC', '5', pricesIn('USDC', TICKERS), 2)).toBeNull();
    expect(worth('BTC', '5', pricesIn('USDT', [ticker('BTC-USDT', '0')]), 2)).toBeNull();
  });

  test('the shortest way counts, also where a longer one comes first', () => {
    const tickers = [ticker('A-B', '2'), ticker('B-T', '10'), ticker('A-T', '21')];
    expect(worth('A', '1', pricesIn('T', tickers), 2)).toBe('21');
  });

  test('there and back never gains', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 16n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (units, price) => {
          const amount = divideDown(String(units), '100000000', 8);
          const tickers = [ticker('X-T', divideDown(String(price), '10000', 4))];
          const there = worth('X', amount, pricesIn('T', tickers), 8)!;
          const back = worth('T', there, pricesIn('X', tickers), 8)!;
          return compare(back, amount) <= 0;
        },
      ),
    );
  });
});

test('money is shown in cents, other assets to their last digit', () => {
  expect(decimalsFor('USDT', 8, TICKERS)).toBe(2);
  expect(decimalsFor('AED', 8, TICKERS)).toBe(2);
  expect(decimalsFor('BTC', 8, TICKERS)).toBe(8);
  expect(decimalsFor('USDC', 8, TICKERS)).toBe(8);
  expect(decimalsFor('BTC', 8, [...TICKERS, ticker('ETH-BTC', '0.05')])).toBe(8);
  expect(decimalsFor('JPY', 0, [ticker('BTC-JPY', '9000000')])).toBe(0);
});

describe('the whole', () => {
  const owned = [
    balance('BTC', '1.5'),
    balance('ETH', '0'),
    balance('USDC', '7'),
    balance('MMX', '0'),
    balance('USDT', '9999.999'),
  ];
  const whole = valued(owned, pricesIn('USDT', TICKERS), 2);

  test('the total is the sum of what is shown', () => {
    const values = whole.holdings.map(({ value }) => value);
    expect(values).toEqual(['90000.01', '0', null, null, '9999.99']);
    expect(whole.total).toBe('100000');
    expect(sum(values.map((value) => value ?? '0'))).toBe(whole.total);
  });

  test('what is owned without a price is named; what is not owned is not', () => {
    expect(whole.withoutPrice).toEqual(['USDC']);
  });

  test('shares, the largest first, cut down', () => {
    expect(allocation(whole)).toEqual([
      { asset: 'BTC', value: '90000.01', share: 9000 },
      { asset: 'USDT', value: '9999.99', share: 999 },
    ]);
  });

  test('many small parts are one', () => {
    const assets = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const prices = pricesIn(
      'T',
      assets.map((asset) => ticker(`${asset}-T`, '1')),
    );
    const shares = allocation(
      valued(
        assets.map((asset, i) => balance(asset, String(i + 1))),
        prices,
        2,
      ),
    );
    expect(shares.map(({ asset }) => asset)).toEqual(['G', 'F', 'E', 'D', null]);
    expect(shares.at(-1)!.value).toBe('6');
    expect(sum(shares.map(({ value }) => value))).toBe('28');
  });

  test('nothing has no shares', () => {
    expect(allocation(valued([], pricesIn('T', []), 2))).toEqual([]);
    expect(allocation(valued([balance('A', '5')], pricesIn('T', []), 2))).toEqual([]);
  });

  test('shares never come to more than the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10 ** 9), { maxLength: 12 }), (amounts) => {
        const tickers = amounts.map((_, i) => ticker(`A${i}-T`, '0.37'));
        const balances = amounts.map((amount, i) => balance(`A${i}`, String(amount)));
        const shares = allocation(valued(balances, pricesIn('T', tickers), 2));
        const all = shares.reduce((total, { share }) => total + share, 0);
        return all <= 10_000 && (shares.length === 0 || all > 10_000 - shares.length);
      }),
    );
  });
});

test('a share in words', () => {
  const words = [10_000, 9999, 1000, 105, 10, 9, 0].map(shareWords);
  expect(words).toEqual(['100.0%', '99.9%', '10.0%', '1.0%', '0.1%', '< 0.1%', '< 0.1%']);
});
