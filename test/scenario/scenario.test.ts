// Runs every scenario file beside this one and compares the file with what happens.
// AGIO_UPDATE_SCENARIOS=1 writes what happens into the files; read the change before it is
// committed.
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference, parseScenario, renderScenario } from './scenario-file.ts';
import { ScenarioVenue } from './scenario-venue.ts';

const files = readdirSync(import.meta.dir)
  .filter((name) => name.endsWith('.scn.md'))
  .sort();

const titleOf = (text: string): string => text.slice(2, text.indexOf('\n'));

describe('scenarios', () => {
  for (const file of files) {
    const path = join(import.meta.dir, file);
    const text = readFileSync(path, 'utf8');
    test(titleOf(text), () => {
      const scenario = parseScenario(text);
      const actual = renderScenario(scenario, new ScenarioVenue().run(scenario));
      if (process.env.AGIO_UPDATE_SCENARIOS === '1') writeFileSync(path, actual);
      else if (actual !== text) throw new Error(`${file}\n${difference(text, actual)}`);
    });
  }

  test('a rule has one scenario file, which begins with its id', () => {
    const ids = files.map((name) => name.slice(0, 7));
    expect(new Set(ids).size).toBe(ids.length);
    for (const file of files) {
      const title = titleOf(readFileSync(join(import.meta.dir, file), 'utf8'));
      expect(title.slice(0, 7)).toBe(file.slice(0, 7));
      expect(title).toMatch(/^[A-Z]{3}-\d{3} /);
    }
    expect(files.length).toBeGreaterThanOrEqual(30);
  });
});
