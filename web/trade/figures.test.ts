// How finely amounts are written.
import { expect, test } from 'bun:test';
import { about, averageDecimals, feeText, totalDecimals } from './figures.ts';

const btc = { base: 'BTC', lot: '0.000001', priceDecimals: 2 };
const mmx = { base: 'MMX', lot: '0.1', priceDecimals: 4 };

test('an estimate is cut to the lot, or to cents', () => {
  expect(about('0.123456789', 'BTC', btc)).toBe('0.123456');
  expect(about('61097.99284324', 'USDT', btc)).toBe('61,097.99');
  expect(about('547332.174799', 'USDT', mmx)).toBe('547,332.17');
});

test('small amounts have no fewer digits than prices', () => {
  expect(about('2.51239', 'USDT', mmx)).toBe('2.5123');
  expect(totalDecimals('99.99', mmx)).toBe(4);
  expect(totalDecimals('100', mmx)).toBe(2);
  expect(totalDecimals('1', { priceDecimals: 0 })).toBe(2);
  expect(averageDecimals(mmx)).toBe(5);
});

test('a fee is never shown as less than it is', () => {
  expect(feeText('12.01938', 'USDT', btc)).toBe('12.02');
  expect(feeText('0.00000001', 'USDT', btc)).toBe('0.01');
  expect(feeText('0.00000001', 'BTC', btc)).toBe('0.00000001');
  expect(feeText('0', 'USDT', btc)).toBe('0.00');
});
