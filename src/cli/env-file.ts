// The file with an installation's settings, which the unit of systemd reads too: lines of
// NAME=VALUE, comments and quoted values. Variables of the environment override it. bin/agio names
// the standard file in AGIO_ENV_FILE; `--env-file FILE`, before or after a command's name, names
// another.
import { readFileSync } from 'node:fs';
import { CliError } from './command.ts';

const FLAG = '--env-file';

export interface EnvironmentOfFile {
  /** The arguments without the option. */
  readonly argv: readonly string[];
  /** A sentence about a standard file that exists and that this user may not read, or null. */
  readonly unreadable: string | null;
}

/** Adds the variables of the file to `env`. Throws CliError for a named file without settings. */
export function addEnvironmentOfFile(
  argv: readonly string[],
  env: Record<string, string | undefined>,
): EnvironmentOfFile {
  const standard = env.AGIO_ENV_FILE;
  // It is no setting of a server.
  delete env.AGIO_ENV_FILE;
  const { file: named, rest } = withoutFlag(argv);
  const path = named ?? standard;
  if (path === undefined || path === '') return { argv: rest, unreadable: null };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (named !== undefined) throw new CliError(`${message}: check the path of ${FLAG}.`);
    const isDenied = code === 'EACCES' || code === 'EPERM';
    const sentence = `This user may not read the settings in ${path}.`;
    return { argv: rest, unreadable: isDenied ? sentence : null };
  }
  for (const [name, value] of assignmentsOf(text, path)) env[name] ??= value;
  return { argv: rest, unreadable: null };
}

function withoutFlag(argv: readonly string[]): { file?: string; rest: readonly string[] } {
  const at = argv.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  if (at < 0) return { rest: argv };
  const isInline = argv[at] !== FLAG;
  const file = isInline ? argv[at]!.slice(FLAG.length + 1) : argv[at + 1];
  if (file === undefined || file === '') throw new CliError(`${FLAG} needs a value.`);
  return { file, rest: argv.toSpliced(at, isInline ? 1 : 2) };
}

/** No message has a line's text, since it may be a secret. */
function assignmentsOf(text: string, path: string): [name: string, value: string][] {
  return text.split('\n').flatMap((line, at): [string, string][] => {
    const trimmed = line.trim();
    if (trimmed === '' || /^[#;]/.test(trimmed)) return [];
    const found = /^([A-Za-z_]\w*)=(?:'([^']*)'|"([^"\\$`]*)"|((?!['"]).*))$/.exec(trimmed);
    if (found === null) throw new CliError(`Line ${at + 1} of ${path} is not NAME=VALUE.`);
    const [, name, single, double, plain] = found;
    return [[name!, single ?? double ?? plain ?? '']];
  });
}
