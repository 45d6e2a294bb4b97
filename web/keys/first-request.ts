// The first request with a new key.
import type { Module } from '../../src/sdk/index.ts';
import { effective } from './privileges.ts';

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
