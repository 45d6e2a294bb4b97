// The clients of a page behind a load balancer: no read shows less than the page has seen.
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { client, userCenter } from './clients.ts';

const page = Object.getOwnPropertyDescriptor(globalThis, 'location');
beforeAll(() => {
  const value = { origin: 'https://exchange.example.com' };
  Object.defineProperty(globalThis, 'location', { value, configurable: true });
});
afterAll(() => {
  if (page === undefined) Reflect.deleteProperty(globalThis, 'location');
  else Object.defineProperty(globalThis, 'location', page);
});

test('a private read waits for the position of any answer to the page', async () => {
  let seq = 40;
  const sent: (string | null)[] = [];
  const serve = async (_: unknown, init?: RequestInit): Promise<Response> => {
    sent.push(new Headers(init?.headers).get('x-agio-min-seq'));
    return Response.json([], { headers: { 'X-Agio-Seq': String(seq++) } });
  };
  using _fetch = spyOn(globalThis, 'fetch').mockImplementation(serve as typeof fetch);
  await userCenter.faucet({ asset: 'BTC' });
  await client.balances();
  await client.assets();
  await userCenter.me();
  expect(sent).toEqual([null, '40', null, '42']);
});
