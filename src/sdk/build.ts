// Builds the SDK into dist/sdk, the package `agio-sdk`: one JavaScript file for Node, Bun and
// browsers, and its types. The build script at the root of the repository runs it.
import { join } from 'node:path';
import { writePackage } from '../../build-package.ts';

const TARGET = join(import.meta.dir, '../../dist/sdk');

/** Throws with the messages of the bundler or compiler. */
export async function buildSdk(target = TARGET): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'index.ts')],
    // No module of Node or Bun may be included: the SDK also runs in browsers.
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
