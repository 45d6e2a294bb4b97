// Conversion and allocation: exact, rounded down, and absent without a price.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Balance } from '../../src/sdk/index.ts';
import { compare, divideDown, sum } from '../exact/decimal.ts';
import { allocation, decimalsFor, pricesIn, shareText, valued, worth } from './value.ts';

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
  test.each([
    ['over one pair', 'BTC', '0.00000001', 'USDT', 8, '0.0006'],
    ['with more decimals', 'BTC', '0.00000001', 'USDT', 10, '0.0006000001'],
    ['over one pair, backward', 'USDT', '60000.01', 'BTC', 8, '1'],
    // 3000 / 60000.01 × 220350.5: a quotient of 8 decimals would lose digits.
    ['over several pairs', 'ETH', '1', 'AED', 8, divideDown('661051500', '60000.01', 8)],
    ['over several pairs, divided once', 'ETH', '60000.01', 'AED', 8, '661051500'],
    ['over several pairs, backward', 'AED', '220350.5', 'USDT', 8, '60000.01'],
    ['of the target itself, rounded down', 'USDT', '1.99999999', 'USDT', 2, '1.99'],
    ['rounded down to zero', 'ETH', '0.000003333', 'USDT', 2, '0'],
    ['without a trade', 'MMX', '5', 'USDT', 2, null],
    ['without a pair', 'USDC', '5', 'USDT', 2, null],
    ['without a pair of the target', 'BTC', '5', 'USDC', 2, null],
  ])('%s', (_, asset, amount, target, decimals, value) => {
    expect(worth(asset, amount, pricesIn(target, TICKERS), decimals)).toBe(value);
  });

  test('a price of zero is no price', () => {
    expect(worth('BTC', '5', pricesIn('USDT', [ticker('BTC-USDT', '0')]), 2)).toBeNull();
  });

  test('the shortest way counts, also if a longer one comes first', () => {
    const tickers = [ticker('A-B', '2'), ticker('B-T', '10'), ticker('A-T', '21')];
    expect(worth('A', '1', pricesIn('T', tickers), 2)).toBe('21');
  });

  test('a conversion and back never gains', () => {
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

test.each([
  ['USDT', 8, TICKERS, 2],
  ['AED', 8, TICKERS, 2],
  ['BTC', 8, TICKERS, 8],
  ['USDC', 8, TICKERS, 8],
  ['BTC', 8, [...TICKERS, ticker('ETH-BTC', '0.05')], 8],
  ['JPY', 0, [ticker('BTC-JPY', '9000000')], 0],
])('%s of scale %i shows its decimals', (asset, scale, tickers, decimals) => {
  expect(decimalsFor(asset, scale, tickers)).toBe(decimals);
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

  test('the total is the sum of the shown values', () => {
    const values = whole.holdings.map(({ value }) => value);
    expect(values).toEqual(['90000.01', '0', null, null, '9999.99']);
    expect(whole.total).toBe('100000');
    expect(sum(values.map((value) => value ?? '0'))).toBe(whole.total);
  });

  test('only owned assets without a price are named', () => {
    expect(whole.withoutPrice).toEqual(['USDC']);
  });

  test('shares are rounded down, the largest first', () => {
    expect(allocation(whole)).toEqual([
      { asset: 'BTC', value: '90000.01', share: 9000 },
      { asset: 'USDT', value: '9999.99', share: 999 },
    ]);
  });

  test('the small parts form one', () => {
    const assets = [...'ABCDEFG'];
    const tickers = assets.map((asset) => ticker(`${asset}-T`, '1'));
    const balances = assets.map((asset, i) => balance(asset, String(i + 1)));
    const shares = allocation(valued(balances, pricesIn('T', tickers), 2));
    expect(shares.map(({ asset }) => asset)).toEqual(['G', 'F', 'E', 'D', null]);
    expect(shares.at(-1)!.value).toBe('6');
    expect(sum(shares.map(({ value }) => value))).toBe('28');
  });

  test('nothing owned has no shares', () => {
    expect(allocation(valued([], pricesIn('T', []), 2))).toEqual([]);
    expect(allocation(valued([balance('A', '5')], pricesIn('T', []), 2))).toEqual([]);
  });

  test('shares never exceed the whole', () => {
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
  const words = [10_000, 9999, 1000, 105, 10, 9, 0].map(shareText);
  expect(words).toEqual(['100.0%', '99.9%', '10.0%', '1.0%', '0.1%', '< 0.1%', '< 0.1%']);
});
