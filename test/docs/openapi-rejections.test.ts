// Bad values for every field of every call: whatever comes back, docs/openapi.json has the status
// and the code of it for that call.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { routes } from '../../src/gateway/routes/routes.ts';
import { JSON_VALUES, QUERY_VALUES } from '../fuzz/bad-values.ts';
import { nameOf, Prober, type Sent, validBody, validQuery, withField } from '../fuzz/probe.ts';
import { undocumented } from '../support/openapi-answers.ts';

let prober: Prober;
beforeAll(async () => {
  prober = await Prober.start();
});
afterAll(() => prober.stop());

test.each(routes.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
  const sent: Sent[] = [
    { body: '{' },
    { query: 'nothing=1' },
    { headers: { 'X-Agio-Min-Seq': 'x' } },
  ];
  const query = validQuery(route);
  const joined = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  for (const name of route.query.fields.keys()) {
    const others = query.filter(([other]) => other !== name);
    for (const value of QUERY_VALUES) sent.push({ query: joined([...others, [name, value]]) });
  }
  if (route.body !== undefined) {
    const valid = validBody(route);
    sent.push({ body: JSON.stringify(valid) });
    for (const name of route.body.fields.keys()) {
      for (const json of JSON_VALUES) sent.push({ body: withField(valid, name, json) });
    }
  }
  const { method, path } = route;
  for (const one of sent) {
    const { status, body } = await prober.probe(route, one, one);
    expect(undocumented({ method, path, status, text: body })).toBe(null);
  }
});
