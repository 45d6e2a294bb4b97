// Builds the SDK into dist/sdk, the package `agio-sdk`: one file of plain JavaScript for Node, Bun and browsers, and its types. Run by
// the build script at the root of the repository.
import { join } from 'node:path';
import { writePackage } from '../../build-package.ts';

const TARGET = join(import.meta.dir, '../../dist/sdk');

/** Throws with the messages of the bundler or compiler where something does not fit. */
export async function buildSdk(target = TARGET): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'index.ts')],
    // Neither Node's nor Bun's own modules may come in: then it would not run in a browser.
    target: 'browser',
    format: 'esm',
    minify: false,
  });
  await writePackage(target, {
    manifest: {
      name: 'agio-sdk',
      description:
        'A typed client for every call and every stream of agio, an exchange and earn service.',
      exports: { '.': { types: './types/index.d.ts', default: './index.js' } },
      // AbortSignal.any
      engines: { node: '>=20.3' },
      sideEffects: false,
    },
    scripts: { 'index.js': await outputs[0]!.text() },
    tsconfig: join(import.meta.dir, 'tsconfig.json'),
  });
}
