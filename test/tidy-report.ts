// What the house style still finds: counts by folder, and the findings below the paths that are
// named. Run: bun test/tidy-report.ts [PATH…] [--write]; --write renews
// the lists of files that do not yet comply: test/tidy-exceptions.json, and ignoreIssues in knip.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Finding,
  importCycles,
  ROOT,
  RULES,
  ruledSources,
  sources,
} from './support/tidy-rules.ts';

const EXPORT_ISSUES = ['exports', 'types', 'duplicates'] as const;

const argv = process.argv.slice(2);
const paths = argv.filter((argument) => !argument.startsWith('--'));
const files = ruledSources();
const findings = Object.entries(RULES).map(([rule, find]) => [rule, files.flatMap(find)] as const);

/** src/core/units.ts → src/core; test/tidy.test.ts → test */
const folderOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/');

function print(rule: string, found: readonly Finding[]): void {
  const folders = Map.groupBy(found, ({ path }) => folderOf(path));
  const counts = [...folders].map(([folder, list]) => `${folder} ${list.length}`).sort();
  const inFiles = new Set(found.map(({ path }) => path)).size;
  console.log(`${rule}: ${found.length} in ${inFiles} files\n  ${counts.join(', ')}`);
  for (const { path, line, text } of found) {
    if (paths.some((start) => path.startsWith(start))) console.log(`    ${path}:${line} ${text}`);
  }
}

for (const [rule, found] of findings) print(rule, found);
const cycles = importCycles(sources('src', 'web'));
console.log(`cycles: ${cycles.length} files`);
for (const cycle of cycles) console.log(`    ${cycle.join(' → ')}`);

const writeJson = (path: string, value: unknown): void =>
  writeFileSync(join(ROOT, path), `${JSON.stringify(value, null, 2)}\n`);

interface KnipReport {
  readonly issues: readonly (Readonly<Record<string, readonly unknown[]>> & {
    readonly file: string;
  })[];
}

/** The files with unused exports, by kind of issue. */
function unusedExports(): Record<string, string[]> {
  const { stdout } = Bun.spawnSync(['npx', 'knip', '--reporter', 'json'], { cwd: ROOT });
  const { issues } = JSON.parse(stdout.toString()) as KnipReport;
  const kinds = (issue: KnipReport['issues'][number]) =>
    EXPORT_ISSUES.filter((kind) => (issue[kind]?.length ?? 0) > 0);
  const found = issues.map((issue) => [issue.file, kinds(issue)] as const);
  return Object.fromEntries(found.filter(([, of]) => of.length > 0).sort());
}

if (argv.includes('--write')) {
  const lists = findings.map(([rule, found]) => [
    rule,
    [...new Set(found.map(({ path }) => path))].sort(),
  ]);
  const exceptions = {
    ...Object.fromEntries(lists),
    cycles: cycles.map(([path]) => path),
  };
  writeJson('test/tidy-exceptions.json', exceptions);
  const { ignoreIssues: _, ...config } = JSON.parse(readFileSync(join(ROOT, 'knip.json'), 'utf8'));
  writeJson('knip.json', config);
  writeJson('knip.json', { ...config, ignoreIssues: unusedExports() });
}
