// An asset can be drawn again from 00:00 UTC.
import { expect, test } from 'bun:test';
import { isDrawn, parseDraws, withDraw } from './draws.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MIDNIGHT = Date.UTC(2026, 10, 22);

test.each([
  ['a drawn asset', NOON, 'BTC', NOON, true],
  ['a drawn asset until midnight', NOON, 'BTC', MIDNIGHT - 1, true],
  ['a drawn asset from midnight', NOON, 'BTC', MIDNIGHT, false],
  ['another asset', NOON, 'USDT', NOON, false],
  ['an asset drawn at an unknown time', null, 'BTC', NOON, false],
  ['an asset at an unknown time', NOON, 'BTC', null, false],
])('%s', (_, drawnAt, asset, now, drawn) => {
  expect(isDrawn(withDraw(new Map(), 'BTC', drawnAt), asset, now)).toBe(drawn);
});

test('draws are remembered as text, and another text has none', () => {
  const draws = withDraw(new Map(), 'BTC', 90_000_000);
  expect(parseDraws(JSON.stringify([...draws]))).toEqual(draws);
  expect(parseDraws(null).size).toBe(0);
  expect(parseDraws('{"BTC"').size).toBe(0);
});
