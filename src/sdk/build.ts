// Builds the SDK into dist/sdk: one file of plain JavaScript for Node, Bun and browsers, and its types. Run by the build script at
// the root of the repository.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const TARGET = join(ROOT, 'dist/sdk');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Throws with the messages of the bundler or compiler where something does not fit. */
export async function buildSdk(target = TARGET): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'index.ts')],
    // Neither Node's nor Bun's own modules may come in: then it would not run in a browser.
    target: 'browser',
    format: 'esm',
    minify: false,
  });
  const script = await outputs[0]!.text();
  const types = await declarations();
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'types'), { recursive: true });
  writeFileSync(join(target, 'index.js'), script);
  for (const [name, text] of types) writeFileSync(join(target, 'types', name), text);
}

/** The declarations of every file, by name; none where the compiler is not installed (`npm ci --omit=dev`). */
async function declarations(): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(COMPILER)) return new Map();
  const directory = mkdtempSync(join(tmpdir(), 'agio-types-'));
  try {
    return await compile(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function compile(directory: string): Promise<ReadonlyMap<string, string>> {
  const compiler = Bun.spawn(
    [
      ...[process.execPath, COMPILER],
      ...['--project', join(import.meta.dir, 'tsconfig.json')],
      ...['--outDir', directory],
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  );
  const said = await new Response(compiler.stdout).text();
  if ((await compiler.exited) !== 0) throw new Error(`The types of the SDK do not fit.\n${said}`);
  const names = readdirSync(directory).filter((name) => name.endsWith('.d.ts'));
  return new Map(
    names.map((name) => [
      name,
      readFileSync(join(directory, name), 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"),
    ]),
  );
}
