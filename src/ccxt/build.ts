// Builds the ccxt class into dist/ccxt: one file for `import`, one for `require` (ccxt itself has two copies, too, and the class must
// find its own), and the types. ccxt stays outside. Run by the build script at the root of the repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const TARGET = join(ROOT, 'dist/ccxt');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Throws with the messages of the bundler or compiler where something does not fit. */
export async function buildCcxt(target = TARGET): Promise<void> {
  const [script, required] = await Promise.all([bundle('esm'), bundle('cjs')]);
  const types = await declarations(join(target, '.types'));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'types'), { recursive: true });
  writeFileSync(join(target, 'agio.js'), script);
  writeFileSync(join(target, 'agio.cjs'), required);
  for (const [name, text] of types) writeFileSync(join(target, 'types', name), text);
}

async function bundle(format: 'esm' | 'cjs'): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'agio.ts')],
    target: 'node',
    format,
    external: ['ccxt'],
    minify: false,
  });
  return outputs[0]!.text();
}

/** The declarations of every file, by name; none where the compiler or ccxt is not installed (`npm ci --omit=dev`). */
async function declarations(directory: string): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(COMPILER) || !existsSync(join(ROOT, 'node_modules/ccxt'))) return new Map();
  rmSync(directory, { recursive: true, force: true });
  const compiler = Bun.spawn(
    [
      ...[process.execPath, COMPILER],
      ...['--project', join(import.meta.dir, 'tsconfig.json')],
      ...['--outDir', directory],
    ],
    { stdout: 'pipe', stderr: 'inherit' },
  );
  const said = await new Response(compiler.stdout).text();
  if ((await compiler.exited) !== 0) throw new Error(`The types of agio/ccxt do not fit.\n${said}`);
  const names = readdirSync(directory).filter((name) => name.endsWith('.d.ts'));
  return new Map(
    names.map((name) => [
      name,
      readFileSync(join(directory, name), 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"),
    ]),
  );
}
