// Browsers and systems by their User-Agent.
import { expect, test } from 'bun:test';
import { browserWords } from './browser-words.ts';

const CASES: readonly (readonly [string | null, string])[] = [
  [null, 'Unknown program'],
  ['', 'Unknown program'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome on Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'curl'],
  ['Bun/1.4.5', 'A program (Bun)'],
  ['trading-bot/7', 'trading-bot/7'],
  [`x${'y'.repeat(500)}`, `x${'y'.repeat(39)}`],
];

for (const [userAgent, words] of CASES) {
  test(`${words} ← ${userAgent?.slice(0, 60) ?? 'nothing'}`, () => {
    expect(browserWords(userAgent)).toBe(words);
  });
}
