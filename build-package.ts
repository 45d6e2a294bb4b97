// Writes a package for other projects, the SDK or the ccxt class: a folder with scripts, types, a
// manifest and the license, as `npm pack` and `npm install` accept it.
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
import { dirname, join } from 'node:path';
import { replaceFolder } from './build-files.ts';

const ROOT = import.meta.dir;
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

export interface Package {
  /** The fields that differ between the packages. They override those of the repository. */
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string };
  /** By file name. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly tsconfig: string;
  /** The folder of the declarations below the compiler's `rootDir`; `rootDir` itself by default. */
  readonly typesIn?: string;
  /** Packages that the types import. If one of them is not installed, no types are written. */
  readonly typesNeed?: readonly string[];
}

/** Replaces the folder `target`. Throws with the messages of the compiler if it fails. */
export async function writePackage(target: string, described: Package): Promise<void> {
  const types = await declarations(described);
  const { version, license, engines } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  const { name, ...rest } = described.manifest;
  const manifest = { name, version, license, engines, type: 'module', ...rest };
  const files = [
    ...Object.entries(described.scripts),
    ...types.map(([file, text]) => [join('types', file), text] as const),
    ['package.json', `${JSON.stringify(manifest, null, 2)}\n`] as const,
    ['LICENSE', readFileSync(join(ROOT, 'LICENSE'), 'utf8')] as const,
  ];
  await replaceFolder(target, (folder) => {
    for (const [file, text] of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  });
}

/** The declarations by path; none if the compiler is not installed (`npm ci --omit=dev`). */
async function declarations({
  manifest,
  tsconfig,
  typesIn = '.',
  typesNeed = [],
}: Package): Promise<[path: string, text: string][]> {
  const installed = typesNeed.every((name) => existsSync(join(ROOT, 'node_modules', name)));
  if (!installed || !existsSync(COMPILER)) return [];
  const directory = mkdtempSync(join(tmpdir(), 'agio-types-'));
  try {
    const command = [process.execPath, COMPILER, '--project', tsconfig, '--outDir', directory];
    const compiler = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
    const messages = await new Response(compiler.stdout).text();
    if ((await compiler.exited) !== 0) {
      throw new Error(`The types of ${manifest.name} do not compile.\n${messages}`);
    }
    const folder = join(directory, typesIn);
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => [name, withScriptNames(readFileSync(join(folder, name), 'utf8'))]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The declarations name the modules of the package, not the sources. */
const withScriptNames = (text: string): string =>
  text.replaceAll(/(from '\.{1,2}\/[\w/-]+)\.ts'/g, "$1.js'");
