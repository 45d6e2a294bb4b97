// What the two packages for other people's projects have in common: a folder with scripts, their types, a manifest and the licence,
// as `npm pack` and `npm install` take it. They need nothing of the server, so neither does who installs them.
import {
  copyFileSync,
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

const ROOT = import.meta.dir;
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

export interface Package {
  /** `name`, `description` and `exports`, and what else is not the same for all. */
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string };
  /** By file name. */
  readonly scripts: Readonly<Record<string, string>>;
  /** The project of the compiler that the types come from. */
  readonly tsconfig: string;
  /** The folder of the declarations below the compiler's `rootDir`, unless that is the project's own. */
  readonly typesIn?: string;
  /** Packages that the types import. Without one of them installed there are no types. */
  readonly typesNeed?: readonly string[];
}

/** Writes `target` anew. Throws with the messages of the compiler where the types do not fit. */
export async function writePackage(target: string, made: Package): Promise<void> {
  const types = await declarations(made);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, 'types'), { recursive: true });
  for (const [name, text] of Object.entries(made.scripts)) writeFileSync(join(target, name), text);
  for (const [name, text] of types) writeFileSync(join(target, 'types', name), text);
  const { version, license, engines } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  const { name, ...rest } = made.manifest;
  // What a package needs itself goes over what the repository needs.
  const manifest = { name, version, license, engines, type: 'module', ...rest };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
}

/** The declarations of every file, by name; none where the compiler is not installed (`npm ci --omit=dev`). */
async function declarations({
  manifest,
  tsconfig,
  typesIn = '.',
  typesNeed = [],
}: Package): Promise<ReadonlyMap<string, string>> {
  const installed = typesNeed.every((name) => existsSync(join(ROOT, 'node_modules', name)));
  if (!installed || !existsSync(COMPILER)) return new Map();
  const directory = mkdtempSync(join(tmpdir(), 'agio-types-'));
  try {
    const command = [process.execPath, COMPILER, '--project', tsconfig, '--outDir', directory];
    const compiler = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' });
    const said = await new Response(compiler.stdout).text();
    if ((await compiler.exited) !== 0) {
      throw new Error(`The types of ${manifest.name} do not fit.\n${said}`);
    }
    const folder = join(directory, typesIn);
    const names = readdirSync(folder).filter((name) => name.endsWith('.d.ts'));
    return new Map(names.map((name) => [name, asShipped(join(folder, name))]));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const asShipped = (file: string): string =>
  readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
