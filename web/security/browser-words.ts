// The browser and system of a login, from its User-Agent. Any program can send any User-Agent, so
// this helps users to recognize their own devices and proves nothing.

/** Specific names first: Edge and Opera also claim Chrome, and Chrome claims Safari. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome, headless'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^Bun\//, 'A program (Bun)'],
  [/^(?:node|undici)\b/, 'A program (Node.js)'],
  [/^(?:python-|Python\/|aiohttp)/, 'A program (Python)'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (known: typeof BROWSERS, text: string): string | null =>
  known.find(([pattern]) => pattern.test(text))?.[1] ?? null;

export function browserWords(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown program';
  const browser = firstOf(BROWSERS, userAgent);
  const system = firstOf(SYSTEMS, userAgent);
  if (browser === null) return system === null ? userAgent.slice(0, 40) : `A program on ${system}`;
  return system === null ? browser : `${browser} on ${system}`;
}
