// What a command of the command line consists of beyond citty's definition: examples for its help,
// and the refusal of what it does not know, since a flag that is silently ignored is a mistake that
// nobody sees.
import type { ArgsDef, CommandMeta } from 'citty';

/**
 * Why a command did not do what was asked: one sentence for the person at the terminal, without a
 * stack.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** What help says about a command. */
export interface About extends CommandMeta {
  /** Lines as one would type them. */
  readonly examples: readonly string[];
  /** Paragraphs after the options. */
  readonly notes: string;
  /** The command reads its arguments itself. */
  readonly passThrough: boolean;
}

export function about(
  name: string,
  description: string,
  examples: readonly string[],
  more: { readonly notes?: string; readonly passThrough?: boolean } = {},
): About {
  const { notes = '', passThrough = false } = more;
  return { name, description, examples, notes, passThrough };
}

/**
 * Throws CliError for a flag or an argument that the command does not know, and for a flag without
 * its value.
 */
export function checkArguments(rawArgs: readonly string[], definitions: ArgsDef): void {
  const entries = Object.entries(definitions);
  const positionals = entries.filter(([, { type }]) => type === 'positional').length;
  let found = 0;
  for (let at = 0; at < rawArgs.length; at++) {
    const argument = rawArgs[at]!;
    if (!argument.startsWith('-') || argument === '-') {
      found++;
      if (found > positionals) throw new CliError(`Unexpected argument "${argument}".`);
      continue;
    }
    const equals = argument.indexOf('=');
    const flag = equals < 0 ? argument : argument.slice(0, equals);
    const definition = entries.find(
      ([name, { type }]) => type !== 'positional' && flag === `--${name}`,
    )?.[1];
    if (definition === undefined) throw new CliError(unknownFlag(flag, definitions));
    if (definition.type === 'boolean') {
      if (equals >= 0) throw new CliError(`${flag} stands alone and takes no value.`);
      continue;
    }
    const value = equals < 0 ? rawArgs[++at] : argument.slice(equals + 1);
    if (value === undefined || value === '' || (equals < 0 && value.startsWith('--'))) {
      throw new CliError(`${flag} needs a value.`);
    }
  }
}

function unknownFlag(flag: string, definitions: ArgsDef): string {
  const known = Object.entries(definitions)
    .filter(([, { type }]) => type !== 'positional')
    .map(([name]) => `--${name}`);
  return `Unknown flag ${flag}. Known: ${[...known, '--help'].join(', ')}.`;
}

/** A natural number that was typed. Throws CliError. */
export function naturalNumber(called: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CliError(`${called} is a whole number, not "${text}".`);
}

/** yes, no, true or false. Throws CliError. */
export function yesOrNo(called: string, text: string): boolean {
  if (text === 'yes' || text === 'true') return true;
  if (text === 'no' || text === 'false') return false;
  throw new CliError(`${called} is yes or no, not "${text}".`);
}

/** The fields that were given, so that a PATCH says no more than its author. */
export function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
