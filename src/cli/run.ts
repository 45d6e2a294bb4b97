// From the arguments to an exit code: 0 done, 1 not done for a stated reason, 65 a command of the
// journal ended starts, 70 a fault of the program. Errors become a sentence on standard error.
import { CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { PoisonousCommandError } from '../engine/poisonous-command.ts';
import { forEachCommand } from './command.ts';
import { addEnvironmentOfFile } from './env-file.ts';
import { expectedSentence, isSystemError } from './expected-errors.ts';
import { printError } from './output.ts';
import { commandLine } from './root.ts';

const DONE = 0;
const NOT_DONE = 1;
/** EX_DATAERR of sysexits.h. */
const POISONOUS = 65;
/** EX_SOFTWARE of sysexits.h. */
const FAULT = 70;

export async function run(typed: readonly string[]): Promise<number> {
  let unreadable: string | null = null;
  try {
    const { argv, ...file } = addEnvironmentOfFile(typed, process.env);
    ({ unreadable } = file);
    const root = await commandLine(argv[0]);
    forEachCommand(root, (command) => command.exitOverride());
    await root.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? DONE);
  } catch (error) {
    const code = report(error);
    // The settings may be what the command lacks.
    if (unreadable !== null && code === NOT_DONE) printError(`agio: ${unreadable}`);
    return code;
  }
}

/** Prints what went wrong; only an unexpected error with its stack. Returns the exit code. */
function report(error: unknown): number {
  // Commander has printed it.
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof ConfigError) {
    for (const problem of error.problems) printError(`agio: ${problem}`);
    return NOT_DONE;
  }
  // The reader of our output has closed it.
  if (isSystemError(error) && error.code === 'EPIPE') return DONE;
  const sentence = expectedSentence(error);
  if (sentence !== null) {
    printError(`agio: ${sentence}`);
    return error instanceof PoisonousCommandError ? POISONOUS : NOT_DONE;
  }
  printError(`agio: an unexpected error; please report it.\n${Bun.inspect(error)}`);
  return FAULT;
}
