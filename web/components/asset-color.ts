// The color of an asset. It depends only on the name, so that it never changes.

/** The usual colors of well-known assets. */
const KNOWN: Readonly<Record<string, string>> = {
  BTC: 'hsl(33 90% 53%)',
  ETH: 'hsl(229 76% 66%)',
  USDT: 'hsl(165 62% 40%)',
  USDC: 'hsl(212 72% 55%)',
  MMX: 'hsl(289 58% 62%)',
  AED: 'hsl(350 66% 60%)',
};

/** For several assets together. */
export const OTHERS_COLOR = 'hsl(210 9% 55%)';

/** Visible on a light and on a dark background. */
export const assetColor = (asset: string): string => KNOWN[asset] ?? `hsl(${hueOf(asset)} 58% 56%)`;

/** An FNV-1a hash, mapped to the color circle. */
function hueOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) {
    hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash % 360;
}
