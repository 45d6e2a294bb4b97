// An asset can be drawn again from 00:00 UTC.
import { expect, test } from 'bun:test';
import { isDrawn, withDraw } from './faucet.tsx';

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
