// The calls of the SDK are the routes of the server: each one, reached by a method of its name, with its access and its rule of
// repetition. What each sends is generated from the routes (test/docs/generated.test.ts).
import { describe, expect, test } from 'bun:test';
import { fieldsOf, routeOf } from '../../docs/sdk-requests.ts';
import type { Access } from '../../src/gateway/http/route.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import { type CallSpec, calls, operatorCalls, userCenterCalls } from '../../src/sdk/calls.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';

const groups: readonly (readonly [string, Readonly<Record<string, CallSpec>>, object])[] = [
  ['AgioClient', calls, AgioClient],
  ['UserCenterClient', userCenterCalls, UserCenterClient],
  ['OperatorClient', operatorCalls, OperatorClient],
];
const all = groups.flatMap(([, group]) => Object.values(group));
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

test('every route has its call, and every call its route', () => {
  expect(all.map(nameOf).sort()).toEqual(routes.map(nameOf).sort());
});

const ACCESS = (access: Access): string => (typeof access === 'object' ? 'private' : access);

test.each(all.map((spec) => [nameOf(spec), spec] as const))(
  '%s as the server has it',
  (_, spec) => {
    const route = routeOf(spec);
    expect<string>(spec.access).toBe(ACCESS(route.access));
    expect(spec.earn ?? false).toBe(route.legacyErrors ?? false);
    // An Idempotency-Key works on writes alone; a write that is not named by one has to bear repetition.
    if (spec.repeat === 'keyed') expect(route.write).toBe(true);
    if (route.write) expect(['keyed', 'repeatable']).toContain(spec.repeat);
    if (route.method === 'GET') expect(spec.repeat).toBe('read');
    // Fields go where the SDK puts them, and nowhere else.
    const other = route.query === fieldsOf(route, spec) ? route.body : route.query;
    expect(other?.fields.size ?? 0).toBe(0);
  },
);

/** One request as a client sent it. */
interface Sent {
  readonly method: string;
  readonly path: string;
}

describe.each(groups)('%s', (name, group) => {
  const sent: Sent[] = [];
  const options = {
    url: 'http://exchange.test',
    clock: 'own' as const,
    fetch: async (url: string, { method }: RequestInit): Promise<Response> => {
      sent.push({ method: method!, path: new URL(url).pathname });
      return Response.json({ code: '0', msg: 'success', data: {} });
    },
  };
  const client = {
    AgioClient: () => new AgioClient({ ...options, apiKey: 'k', secretKey: 's' }),
    UserCenterClient: () => new UserCenterClient({ ...options, sessionToken: 't' }),
    OperatorClient: () => new OperatorClient({ ...options, operatorToken: 't' }),
  }[name]!() as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;

  test.each(Object.entries(group))('%s makes its call', async (method, spec) => {
    sent.length = 0;
    const parts = [...spec.path.matchAll(/\{\w+\}/g)].map((_, i) => i + 1);
    await client[method]!(...parts, {});
    const path = parts.reduce<string>(
      (text, part) => text.replace(/\{\w+\}/, String(part)),
      spec.path,
    );
    expect(sent).toEqual([{ method: spec.method, path }]);
  });
});
