// Browsers and systems by their User-Agent.
import { expect, test } from 'bun:test';
import { browserName } from './sessions-panel.tsx';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36';
const CHROME = '(KHTML, like Gecko) Chrome/140.0.0.0';

test.each([
  [null, 'Unknown program'],
  ['', 'Unknown program'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`${WINDOWS} ${CHROME} Safari/537.36`, 'Chrome on Windows'],
  [`${WINDOWS} ${CHROME} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  [`${MAC} (KHTML, like Gecko) Version/18.5 Safari/605.1.15`, 'Safari on macOS'],
  [`${IPHONE} (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${ANDROID} ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
  ['curl/8.5.0', 'curl'],
  ['Bun/1.4.5', 'A program (Bun)'],
  ['trading-bot/7', 'trading-bot/7'],
  [`x${'y'.repeat(500)}`, `x${'y'.repeat(39)}`],
])('%p is %p', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
