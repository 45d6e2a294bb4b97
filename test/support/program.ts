// Programs that a test runs to their end.
import { expect } from 'bun:test';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '../..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

export interface ProgramEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly cwd?: string;
  readonly env?: Record<string, string | undefined>;
  readonly stdin?: string;
  /** Ends a program that takes longer. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end, in the root of the repository unless another place is given. */
export async function run(
  command: readonly string[],
  { cwd = ROOT, env = process.env, stdin = '', timeoutMs }: Options = {},
): Promise<ProgramEnd> {
  const child = Bun.spawn([...command], {
    ...{ cwd, env, stdin: new Blob([stdin]), stdout: 'pipe', stderr: 'pipe' },
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

/** The output of a program that has to succeed, and to report nothing. */
export async function outputOf(command: readonly string[], options?: Options): Promise<string> {
  const { code, stdout, stderr } = await run(command, options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Runs the compiler of TypeScript; its messages are the output. */
export const compile = (args: readonly string[], options?: Options): Promise<ProgramEnd> =>
  run([process.execPath, COMPILER, ...args], options);
