// Builds dist/ccxt, the package `agio-ccxt`: one file for `import`, one for `require`, and the
// types. ccxt stays outside; it also has two copies, and each file must find its own. Run by
// build.ts at the root.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePackage } from '../../build-package.ts';

const ROOT = join(import.meta.dir, '../..');
const TARGET = join(ROOT, 'dist/ccxt');

/** Throws with the messages of the bundler or compiler if either fails. */
export async function buildCcxt(target = TARGET): Promise<void> {
  const [script, required] = await Promise.all([bundle('esm'), bundle('cjs')]);
  const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const types = './types/agio.d.ts';
  await writePackage(target, {
    manifest: {
      name: 'agio-ccxt',
      description: 'agio, an exchange and earn service, for ccxt.',
      exports: { '.': { types, require: './agio.cjs', default: './agio.js' } },
      peerDependencies,
    },
    scripts: { 'agio.js': script, 'agio.cjs': required },
    tsconfig: join(import.meta.dir, 'tsconfig.json'),
    // The reader of answers is the SDK's; no declaration names it.
    typesIn: 'ccxt',
    typesNeed: ['ccxt'],
  });
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
