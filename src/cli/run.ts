// From the arguments to an exit code: finds the command, prints help, and turns what went wrong
// into one sentence. Codes: 0 done, 1 not done for a reason that is said, 70 a fault of the
// program.
import { SQLiteError } from 'bun:sqlite';
import { type ArgsDef, type CommandDef, renderUsage, runCommand } from 'citty';
import packageJson from '../../package.json' with { type: 'json' };
import { ConfigError } from '../config.ts';
import { ClockError } from '../engine/clock.ts';
import { IdentityError } from '../identity/errors.ts';
import { JournalError } from '../journal/journal.ts';
import { HistoryArchived } from '../views/disk-trouble.ts';
import { type About, CliError, checkArguments } from './command.ts';
import { print, printError } from './output.ts';
import { root } from './root.ts';

const DONE = 0;
const NOT_DONE = 1;
/** EX_SOFTWARE of sysexits.h. */
export const FAULT = 70;

/** Citty's definition with its parts resolved, as every command here gives them. */
interface Command {
  readonly definition: CommandDef;
  readonly about: About;
  readonly args: ArgsDef;
  readonly children: Readonly<Record<string, CommandDef>> | null;
  readonly byDefault: string | undefined;
}

export async function run(argv: readonly string[]): Promise<number> {
  try {
    return await dispatch(argv);
  } catch (error) {
    return report(error);
  }
}

async function dispatch(argv: readonly string[]): Promise<number> {
  const wantsHelp = argv.some((argument) => argument === '--help' || argument === '-h');
  if (argv.length === 1 && argv[0] === '--version') {
    print(packageJson.version);
    return DONE;
  }
  const words = argv.filter((argument) => argument !== '--help' && argument !== '-h');
  const { path, rest } = find(words, wantsHelp);
  const command = path.at(-1)!;
  if (wantsHelp || command.children !== null) {
    print(await help(path));
    return wantsHelp ? DONE : NOT_DONE;
  }
  if (!command.about.passThrough) checkArguments(rest, command.args);
  const { result } = await runCommand(command.definition, { rawArgs: [...rest] });
  return typeof result === 'number' ? result : DONE;
}

interface Found {
  /** The command, below all that it stands under. */
  readonly path: readonly Command[];
  readonly rest: readonly string[];
}

/**
 * The command that the leading words name; a group's default where they name only the group. Throws
 * CliError.
 */
function find(argv: readonly string[], wantsHelp: boolean): Found {
  const path = [commandOf(root)];
  let rest = argv;
  for (;;) {
    const { children, byDefault } = path.at(-1)!;
    if (children === null) return { path, rest };
    const [word] = rest;
    const named = word !== undefined && !word.startsWith('-');
    if (!named && (byDefault === undefined || wantsHelp)) {
      if (word !== undefined)
        throw new CliError(`Unknown flag ${word}. See ${nameOf(path)} --help.`);
      return { path, rest };
    }
    const name = named ? word : byDefault!;
    const child = children[name];
    if (child === undefined) {
      const known = Object.keys(children).join(', ');
      throw new CliError(`${nameOf(path)} has no command "${name}". Known: ${known}.`);
    }
    path.push(commandOf(child));
    if (named) rest = rest.slice(1);
  }
}

function commandOf(definition: CommandDef): Command {
  const children = definition.subCommands as Readonly<Record<string, CommandDef>> | undefined;
  return {
    definition,
    about: definition.meta as About,
    args: (definition.args ?? {}) as ArgsDef,
    children: children ?? null,
    byDefault: definition.default as string | undefined,
  };
}

/** `agio user create` */
const nameOf = (path: readonly Command[]): string => path.map(({ about }) => about.name).join(' ');

async function help(path: readonly Command[]): Promise<string> {
  const { definition, about, children } = path.at(-1)!;
  const { examples, notes } = about;
  const named = { ...definition, meta: { ...about, name: nameOf(path) } };
  // Citty repeats the whole list of commands in this line.
  const words = Object.keys(children ?? {}).join('|');
  const usage = (await renderUsage(named)).replace(words, words === '' ? '' : '<command>');
  const parts = [usage.trimEnd()];
  if (notes !== '') parts.push(notes);
  if (examples.length > 0) {
    parts.push(['EXAMPLES', '', ...examples.map((example) => `  ${example}`)].join('\n'));
  }
  const text = parts.join('\n\n');
  return process.stdout.isTTY === true ? text : Bun.stripANSI(text);
}

/** What went wrong, in words; only what nobody expected is shown with its stack. */
function report(error: unknown): number {
  if (error instanceof ConfigError) {
    for (const problem of error.problems) printError(`agio: ${problem}`);
    return NOT_DONE;
  }
  // Whoever reads our output has had enough of it.
  if (isSystemError(error) && error.code === 'EPIPE') return DONE;
  if (error instanceof SQLiteError) {
    printError(`agio: A database cannot be used (${error.message}); "agio verify" says which.`);
    return NOT_DONE;
  }
  if (isExpected(error)) {
    printError(`agio: ${Bun.stripANSI(error.message)}`);
    return NOT_DONE;
  }
  printError(`agio: an unexpected error; please report it.\n${Bun.inspect(error)}`);
  return FAULT;
}

/** Errors that say by themselves what to do. Citty's own are about what was typed. */
function isExpected(error: unknown): error is Error {
  if (error instanceof CliError || error instanceof JournalError) return true;
  if (error instanceof IdentityError || error instanceof ClockError) return true;
  if (error instanceof HistoryArchived) return true;
  if (isSystemError(error)) return true;
  return error instanceof Error && error.name === 'CLIError';
}

/** A file that is missing or may not be read: the system's sentence names it. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'errno' in error && 'syscall' in error;
}
