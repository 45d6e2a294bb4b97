// docs/orders.md agrees with the core: every example runs here, through the core and the naive
// model, and is compared cell by cell. AGIO_UPDATE_EXAMPLES=1 writes the results into the examples;
// read the change before you commit it.
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScenario, renderScenario } from '../scenario/scenario-file.ts';
import { ScenarioVenue } from '../scenario/scenario-venue.ts';
import { differences, examplesOf, withExamples } from './earn-document.ts';

const PATH = join(import.meta.dir, '../../docs/orders.md');
const document = readFileSync(PATH, 'utf8');
const examples = examplesOf(document);
const isUpdate = process.env.AGIO_UPDATE_EXAMPLES === '1';

function rendered(text: string): string {
  const scenario = parseScenario(text);
  return renderScenario(scenario, new ScenarioVenue().run(scenario)).trimEnd();
}

describe('docs/orders.md', () => {
  const results = new Map<string, string>();
  for (const { name, text } of examples) {
    test(`example: ${name}`, () => {
      results.set(name, rendered(text));
      if (!isUpdate) expect(differences(text, results.get(name)!)).toEqual([]);
    });
  }

  if (isUpdate) {
    test('the examples are written', () => {
      writeFileSync(PATH, withExamples(document, results));
    });
  }

  test('every marker has its example', () => {
    const markers = document.match(/<!-- example: /g) ?? [];
    expect(new Set(examples.map(({ name }) => name)).size).toBe(markers.length);
    expect(markers.length).toBeGreaterThanOrEqual(18);
  });
});
