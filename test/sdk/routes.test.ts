// The described calls are the routes of the server, and the SDK has a method for each.
import { describe, expect, test } from 'bun:test';
import { type ApiCall, type ClientName, fieldsOf } from '../../src/contract/call.ts';
import { allCalls, CALLS } from '../../src/contract/calls.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';

const nameOf = ({ method, path }: Pick<ApiCall, 'method' | 'path'>): string => `${method} ${path}`;

test('every call has a route, and every route a call', () => {
  expect(routes.map(nameOf).sort()).toEqual(allCalls.map(nameOf).sort());
});

test.each(allCalls.map((call) => [nameOf(call), call] as const))('%s is consistent', (_, call) => {
  const { method, write, repeat, query, body } = call;
  // An Idempotency-Key works on writes only; a write without one has to bear repetition.
  if (repeat === 'keyed') expect(write).toBe(true);
  if (write) expect(['keyed', 'repeatable']).toContain(repeat);
  if (method === 'GET') expect(repeat).toBe('read');
  // The SDK sends either a query or a body.
  const other = fieldsOf(call) === query ? body : query;
  expect(other?.fields.size ?? 0).toBe(0);
});

/** One request as a client sent it. */
type Sent = Pick<ApiCall, 'method' | 'path'>;

const sent: Sent[] = [];
const options = {
  url: 'http://exchange.test',
  clock: 'own' as const,
  fetch: async (url: string, { method }: RequestInit): Promise<Response> => {
    sent.push({ method: method as Sent['method'], path: new URL(url).pathname });
    return Response.json({ code: '0', msg: 'success', data: {} });
  },
};
const CLIENTS: Readonly<Record<ClientName, object>> = {
  customer: new AgioClient({ ...options, apiKey: 'k', secretKey: 's' }),
  userCenter: new UserCenterClient({ ...options, sessionToken: 't' }),
  operator: new OperatorClient({ ...options, operatorToken: 't' }),
};

describe.each(Object.entries(CALLS))('the client of the %s', (name, calls) => {
  const client = CLIENTS[name as ClientName] as Readonly<
    Record<string, (...args: unknown[]) => Promise<unknown>>
  >;
  test.each(Object.entries(calls))('%s makes its call', async (method, call) => {
    sent.length = 0;
    const parts = [...call.path.matchAll(/\{\w+\}/g)].map((_, i) => i + 1);
    await client[method]!(...parts, {});
    const path = parts.reduce<string>(
      (text, part) => text.replace(/\{\w+\}/, String(part)),
      call.path,
    );
    expect(sent).toEqual([{ method: call.method, path }]);
  });
});
