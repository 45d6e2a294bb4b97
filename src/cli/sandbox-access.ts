// DATA/sandbox.json, readable by its owner only: the operator token and the accounts of a sandbox,
// for the command line, the demo market and tests. Production has no such file.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writePrivateFile } from '../identity/storage/private-file.ts';
import type { SandboxAccess } from '../sandbox/seed.ts';
import { CliError } from './command.ts';

/** The accounts are missing after an interrupted first start. */
export interface SandboxFile extends Partial<SandboxAccess> {
  readonly operatorToken: string;
  /** Where the server listened when it was last started. */
  readonly url: string;
}

export const sandboxFile = (dataDir: string): string => join(resolve(dataDir), 'sandbox.json');

/** Undefined where there is none. Throws CliError when it cannot be read. */
export function readSandboxFile(dataDir: string): SandboxFile | undefined {
  const file = sandboxFile(dataDir);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SandboxFile;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(`${file} cannot be read (${why}); remove it, and the next start writes it.`);
  }
}

/** Only the process with the directory's lock may call it. */
export function writeSandboxFile(dataDir: string, content: SandboxFile): void {
  writePrivateFile(sandboxFile(dataDir), `${JSON.stringify(content, null, 2)}\n`);
}
