// From the arguments to an exit code: 0 done, 1 not done for a stated reason, 65 a command of the
// journal ended two starts, 70 a fault of the program. Errors become a sentence on standard error.
import { SQLiteError } from 'bun:sqlite';
import { CommanderError } from 'commander';
import { StoreError } from '../cluster/store.ts';
import { ConfigError } from '../config.ts';
import { ClockError } from '../engine/clock.ts';
import { PoisonousCommandError } from '../engine/poisonous-command.ts';
import { IdentityError } from '../identity/result.ts';
import { JournalError } from '../journal/journal.ts';
import { AgioError } from '../sdk/errors.ts';
import { HistoryArchived } from '../views/disk-trouble.ts';
import { CliError, forEachCommand } from './command.ts';
import { printError } from './output.ts';
import { root } from './root.ts';

const DONE = 0;
const NOT_DONE = 1;
/** EX_DATAERR of sysexits.h. */
const POISONOUS = 65;
/** EX_SOFTWARE of sysexits.h. */
const FAULT = 70;

export async function run(argv: readonly string[]): Promise<number> {
  forEachCommand(root, (command) => command.exitOverride());
  try {
    await root.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? DONE);
  } catch (error) {
    return report(error);
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
  if (error instanceof SQLiteError) {
    printError(`agio: A database cannot be used (${error.message}); "agio verify" says which.`);
    return NOT_DONE;
  }
  if (error instanceof PoisonousCommandError) {
    printError(`agio: ${error.message}`);
    return POISONOUS;
  }
  if (isExpected(error)) {
    printError(`agio: ${Bun.stripANSI(error.message)}`);
    return NOT_DONE;
  }
  printError(`agio: an unexpected error; please report it.\n${Bun.inspect(error)}`);
  return FAULT;
}

/** Whether an error says what to do. */
function isExpected(error: unknown): error is Error {
  if (error instanceof CliError || error instanceof JournalError) return true;
  if (error instanceof IdentityError || error instanceof ClockError) return true;
  if (error instanceof StoreError) return true;
  if (error instanceof HistoryArchived || error instanceof AgioError) return true;
  return isSystemError(error);
}

/** A missing or unreadable file: the system's sentence names it. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'errno' in error && 'syscall' in error;
}
