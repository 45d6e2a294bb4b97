// Colors of assets.
import { expect, test } from 'bun:test';
import { assetColor } from './asset-color.ts';

test('a color depends only on the name, and names differ', () => {
  const names = ['BTC', 'ETH', 'MMX', 'USDT', 'USDC', 'AED', 'SOL', 'EUR'];
  expect(new Set(names.map(assetColor)).size).toBe(names.length);
  expect(assetColor('MMX')).toBe(assetColor('MMX'));
  for (const name of names) expect(assetColor(name)).toMatch(/^hsl\(\d+ \d+% \d+%\)$/);
});
