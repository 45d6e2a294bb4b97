// The color of an asset: that of its name, so that it stays the same whatever the asset is worth and whatever stands beside it.

/** In which people know them. */
const KNOWN: Readonly<Record<string, string>> = {
  BTC: 'hsl(33 90% 53%)',
  ETH: 'hsl(229 76% 66%)',
  USDT: 'hsl(165 62% 40%)',
  USDC: 'hsl(212 72% 55%)',
  MMX: 'hsl(289 58% 62%)',
  AED: 'hsl(350 66% 60%)',
};

/** What is not one asset. */
export const OTHERS_COLOR = 'hsl(210 9% 55%)';

/** Light and dark enough to be seen on both grounds. */
export const assetColor = (asset: string): string => KNOWN[asset] ?? `hsl(${hueOf(asset)} 58% 56%)`;

/** FNV-1a, spread over the circle. */
function hueOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) {
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash % 360;
}
