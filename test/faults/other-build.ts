// A second build of agio: a copy of the source in which this release is another one, as a rolling
// upgrade has them side by side.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const COPIED = ['src', 'package.json', 'tsconfig.json'];
const LINKED = ['node_modules', 'dist', 'docs'];

export interface BuildVersions {
  readonly release: string;
  /** The newest version of the core's rules that it reads. */
  readonly rules: number;
  /** The version of the link. */
  readonly link: number;
}

/** Makes the build in a directory of the caller's; returns its main program. */
export function otherBuild(directory: string, { release, rules, link }: BuildVersions): string {
  mkdirSync(directory, { recursive: true });
  for (const name of COPIED) cpSync(join(ROOT, name), join(directory, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(directory, name));
  patch(join(directory, 'src/core/rules.ts'), /RULES = \d+;/, `RULES = ${rules};`);
  patch(join(directory, 'src/cluster/link/hello.ts'), /PROTOCOL = \d+;/, `PROTOCOL = ${link};`);
  patch(join(directory, 'package.json'), /"version": "[^"]*"/, `"version": "${release}"`);
  return join(directory, 'src/main.ts');
}

function patch(path: string, from: RegExp, to: string): void {
  const text = readFileSync(path, 'utf8');
  if (!from.test(text)) throw new Error(`${path} has nothing like ${from}`);
  writeFileSync(path, text.replace(from, to));
}
