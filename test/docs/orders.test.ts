// docs/orders.md agrees with the program: every example runs here, through the core and the naive
// model, and is compared cell by cell; every request is sent to a server. AGIO_UPDATE_EXAMPLES=1
// writes the results into the examples; read the change before you commit it.
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference, parseScenario, renderScenario } from '../scenario/scenario-file.ts';
import { ScenarioVenue } from '../scenario/scenario-venue.ts';
import { AMEND, OCO, ORDER_V2, ORDERS_V2, TestNode } from '../support/node.ts';
import { expectOk } from '../support/shape.ts';
import { examplesOf, withExamples } from './earn-document.ts';

const PATH = join(import.meta.dir, '../../docs/orders.md');
const document = readFileSync(PATH, 'utf8');
const examples = examplesOf(document);
const isUpdate = process.env.AGIO_UPDATE_EXAMPLES === '1';

function rendered(text: string): string {
  const scenario = parseScenario(text);
  return renderScenario(scenario, new ScenarioVenue().run(scenario)).trimEnd();
}

const node = TestNode.forFile();

describe('docs/orders.md', () => {
  const results = new Map<string, string>();
  for (const { name, text } of examples) {
    test(`example: ${name}`, () => {
      results.set(name, rendered(text));
      if (!isUpdate) expect(difference(text, results.get(name)!)).toBe('');
    });
  }

  if (isUpdate) {
    test('the examples are written', () => {
      writeFileSync(PATH, withExamples(document, results));
    });
  }

  const requests = [...document.matchAll(/```http\nPOST (\S+)\n(.+)\n```/g)].map(
    ([, path, body]) => ({ path: path!, body: body! }),
  );
  const [first] = requests;
  for (const { path, body } of requests) {
    test(`request: ${path} ${body}`, async () => {
      const client = await node.client();
      // An amendment and a cancel name the first order of the document.
      if (body.includes('"origClOrdId":"first"'))
        expectOk(await client.post(first!.path, first!.body));
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

  test('every marker has its example', () => {
    const markers = document.match(/<!-- example: /g) ?? [];
    expect(new Set(examples.map(({ name }) => name)).size).toBe(markers.length);
    expect(markers.length).toBeGreaterThanOrEqual(18);
  });
});
