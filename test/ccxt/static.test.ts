// The static cases: each call sends exactly its request, with a valid signature, and each answer
// has exactly its result.
import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { type Dict, InvalidProxySettings } from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { call, casesOf, offline, unsendable, written } from './static-case.ts';

const SIGNED = /\/(?:private|earn-api)\/(?!v1\/user\/plan\/list)/;

describe('requests', () => {
  for (const each of casesOf('request')) {
    test(`${each.method}: ${each.description}`, async () => {
      const exchange = unsendable();
      await expect(call(exchange, each)).rejects.toThrow(InvalidProxySettings);
      expect(exchange.last_request_url).toBe(each.url!);
      expect(exchange.last_request_body).toBe(each.output);
      const headers = exchange.last_request_headers as Dict | undefined;
      expect(headers !== undefined).toBe(SIGNED.test(each.url!));
      if (headers === undefined) return;
      const { pathname, search } = new URL(each.url!);
      const timestamp: string = headers['EXCHANGE-API-TIMESTAMP'];
      expect(timestamp).toMatch(/^\d{13}$/);
      const method = each.output === undefined ? 'GET' : 'POST';
      const signed = timestamp + method + pathname + search.replace('?', '') + (each.output ?? '');
      expect(headers).toEqual({
        'EXCHANGE-API-KEY': 'key',
        'EXCHANGE-API-TIMESTAMP': timestamp,
        'EXCHANGE-API-SIGN': createHmac('sha256', 'secretsecret').update(signed).digest('hex'),
        ...(each.output === undefined ? {} : { 'Content-Type': 'application/json' }),
      });
    });
  }
});

describe('answers', () => {
  for (const each of casesOf('response')) {
    test(`${each.method}: ${each.description}`, async () => {
      const exchange = each.method === 'fetchMarkets' ? new agio() : offline();
      const { httpResponse } = each;
      const text = typeof httpResponse === 'string' ? httpResponse : JSON.stringify(httpResponse);
      exchange.fetch = async () => exchange.parseJson(text);
      expect(written(await call(exchange, each))).toEqual(each.parsedResponse);
    });
  }
});
