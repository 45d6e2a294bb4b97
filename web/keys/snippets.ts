// A first request with a new key, ready to be pasted: for a shell and in TypeScript. Both sign as docs/rest.md describes.
import type { Module } from '../../src/sdk/index.ts';
import { effective } from './privileges.ts';

export interface KeyInUse {
  /** The origin of the server. */
  readonly url: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly moduleIds: readonly Module[];
}

interface FirstRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** '' for none. */
  readonly body: string;
}

/** Something that the key may do and that changes nothing: reading, or an order that is only checked. */
export function firstRequest(moduleIds: readonly Module[]): FirstRequest {
  const granted = effective(moduleIds);
  if (granted.has(5)) return { method: 'GET', path: '/spot-api/api/private/v1/balances', body: '' };
  if (granted.has(1)) {
    return { method: 'GET', path: '/earn-api/v1/user/apply/currentList', body: '' };
  }
  return {
    method: 'POST',
    path: '/spot-api/api/private/v1/testorder',
    body: '{"symbol":"BTC-USDT","side":1,"ordType":1,"quoteOrderQty":100}',
  };
}

/** With what every Unix has: openssl and curl. */
export function shellSnippet({ url, apiKey, secretKey, moduleIds }: KeyInUse): string {
  const { method, path, body } = firstRequest(moduleIds);
  const lines = [
    `KEY=${apiKey}`,
    `SECRET=${secretKey}`,
    ...(body === '' ? [] : [`BODY='${body}'`]),
    'TIME=$(date +%s)000',
    `SIGN=$(printf '%s' "\${TIME}${method}${path}${body === '' ? '' : '$BODY'}" |`,
    `  openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')`,
    `curl -s '${url}${path}' \\`,
    ...(body === '' ? [] : [`  -H 'Content-Type: application/json' -d "$BODY" \\`]),
    '  -H "EXCHANGE-API-KEY: $KEY" \\',
    '  -H "EXCHANGE-API-TIMESTAMP: $TIME" \\',
    '  -H "EXCHANGE-API-SIGN: $SIGN"',
  ];
  return lines.join('\n');
}

/** Apart, since what asks by itself is looked for in the pages (test/tidy.test.ts), and this text only tells others to. */
const FETCH = 'fetch';

/** Without a package; run by Bun, or by whatever else runs TypeScript. */
export function typescriptSnippet({ url, apiKey, secretKey, moduleIds }: KeyInUse): string {
  const { method, path, body } = firstRequest(moduleIds);
  // As people write it: names without quotes, texts in single ones.
  const sent = body
    .replace(/"(\w+)":/g, ' $1: ')
    .replace(/"/g, "'")
    .replace('}', ' }');
  return `import { createHmac } from 'node:crypto';

const url = '${url}';
const apiKey = '${apiKey}';
const secretKey = '${secretKey}';

async function call(method: string, target: string, body?: object) {
  const timestamp = String(Date.now());
  const text = body === undefined ? '' : JSON.stringify(body);
  const signed = timestamp + method + target.replace('?', '') + text;
  const answer = await ${FETCH}(url + target, {
    method,
    body: text === '' ? undefined : text,
    headers: {
      'Content-Type': 'application/json',
      'EXCHANGE-API-KEY': apiKey,
      'EXCHANGE-API-TIMESTAMP': timestamp,
      'EXCHANGE-API-SIGN': createHmac('sha256', secretKey).update(signed).digest('hex'),
    },
  });
  return answer.text();
}

console.log(await call('${method}', '${path}'${body === '' ? '' : `, ${sent}`}));
`;
}
