// docs/orders.md agrees with the program: every example runs here, through the core and the naive
// model; every request is sent to a server.
import { describe, expect, test } from 'bun:test';
import { parseScenario, renderScenario } from '../scenario/scenario-file.ts';
import { ScenarioVenue } from '../scenario/scenario-venue.ts';
import { AMEND, OCO, ORDER_V2, ORDERS_V2, TestNode } from '../support/node.ts';
import { expectOk } from '../support/shape.ts';
import { testExamples } from './examples.ts';

function rendered(text: string): string {
  const scenario = parseScenario(text);
  return renderScenario(scenario, new ScenarioVenue().run(scenario)).trimEnd();
}

const node = TestNode.forFile();

describe('docs/orders.md', () => {
  const document = testExamples('orders.md', rendered, 19);

  const requests = [...document.matchAll(/```http\nPOST (\S+)\n(.+)\n```/g)].map(
    ([, path, body]) => ({ path: path!, body: body! }),
  );
  for (const { path, body } of requests) {
    test(`request: ${path} ${body}`, async () => {
      const client = await node.client();
      // An amendment and a cancel name an order of the document.
      const [, name] = /"origClOrdId":"(\w+)"/.exec(body) ?? [];
      const named = requests.find((other) => other.body.includes(`"clOrdId":"${name}"`));
      if (named !== undefined) expectOk(await client.post(named.path, named.body));
      const answer = await client.post(path, body);
      expectOk(answer);
      const { orders = [] } = answer.body as { orders?: { code?: string }[] };
      expect(orders.filter(({ code }) => code !== undefined)).toEqual([]);
    });
  }

  test('every call for orders has a request', () => {
    const paths = new Set(requests.map(({ path }) => path));
    expect([...paths].sort()).toEqual([AMEND, OCO, ORDER_V2, ORDERS_V2].sort());
    expect(requests.length).toBeGreaterThanOrEqual(12);
  });
});
