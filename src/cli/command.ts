// How commands of the command line are declared: a table of arguments and options that commander
// reads, prints as help, and checks. Each file in cli/ declares its commands this way.
import { Command, Option } from 'commander';

/** A command could not do its work: one sentence for the terminal, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** One argument (`positional`) or option; a boolean option has no value. */
export interface Input {
  readonly type: 'positional' | 'string' | 'boolean';
  readonly description: string;
  readonly required?: boolean;
  /** Stands for the value in help. */
  readonly valueHint?: string;
  readonly default?: string;
  /** The words that are accepted. */
  readonly choices?: readonly string[];
}

export type Inputs = Readonly<Record<string, Input>>;

type ValueOf<I extends Input> = I extends { readonly type: 'boolean' }
  ? boolean | undefined
  : I extends { readonly required: true } | { readonly default: string }
    ? string
    : string | undefined;

/** The values that were typed, by the names of the table. */
export type Values<A extends Inputs> = { readonly [name in keyof A]: ValueOf<A[name]> };

interface Description {
  readonly name: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  /** Lines as one types them. */
  readonly examples: readonly string[];
  /** Paragraphs that help prints after the options. */
  readonly notes?: string;
}

export interface CommandTerms<A extends Inputs> extends Description {
  readonly args: A;
  /** Returns, or resolves to, the exit code where it is not 0. */
  run(values: Values<A>): unknown;
}

/** Declares a command. Its exit code becomes `process.exitCode`. */
export function command<const A extends Inputs>(terms: CommandTerms<A>): Command {
  const built = describedCommand(terms);
  const positionals = Object.entries(terms.args).filter(([, { type }]) => type === 'positional');
  const options = Object.entries(terms.args).filter(([, { type }]) => type !== 'positional');
  for (const [name, { description, required }] of positionals) {
    built.argument(required === true ? `<${name}>` : `[${name}]`, description);
  }
  const added = options.map(([name, input]) => {
    const option = optionOf(name, input);
    built.addOption(option);
    return [name, option.attributeName()] as const;
  });
  return built.action(async () => {
    const typed = built.opts<Record<string, string | boolean | undefined>>();
    const values = Object.fromEntries([
      ...positionals.map(([name], at) => [name, built.args[at]]),
      ...added.map(([name, attribute]) => [name, typed[attribute]]),
    ]);
    requireValues(values);
    setExitCode(await terms.run(values as Values<A>));
  });
}

/** Declares a command that reads its arguments itself. */
export function rawCommand(
  terms: Description & { run(argv: readonly string[]): unknown },
): Command {
  const built = describedCommand(terms).usage('[settings]');
  return built
    .argument('[settings...]')
    .allowUnknownOption()
    .action(async () => {
      setExitCode(await terms.run(built.args));
    });
}

function setExitCode(result: unknown): void {
  process.exitCode = typeof result === 'number' ? result : 0;
}

/** Declares a command that only has others below it; `byDefault` runs when none is named. */
export function group(
  name: string,
  summary: string,
  commands: readonly Command[],
  byDefault?: string,
): Command {
  const built = new Command(name).summary(summary).description(summary);
  for (const child of commands) {
    built.addCommand(child, { isDefault: child.name() === byDefault });
  }
  return built;
}

function describedCommand({ name, summary, examples, notes }: Description): Command {
  const built = new Command(name).summary(summary).description(summary);
  if (notes !== undefined) built.addHelpText('after', `\n${notes}`);
  const lines = examples.map((example) => `  ${example}`);
  return built.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

function optionOf(name: string, input: Input): Option {
  const { type, description, required, valueHint = 'VALUE' } = input;
  if (type === 'boolean') return new Option(`--${name}`, description);
  const text = required === true ? `${description} Required.` : description;
  const option = new Option(`--${name} <${valueHint}>`, text);
  if (required === true) option.makeOptionMandatory();
  if (input.choices !== undefined) option.choices(input.choices);
  return input.default === undefined ? option : option.default(input.default);
}

/** Rejects an empty value, such as an unset variable of a shell, and an option in its place. */
function requireValues(values: Readonly<Record<string, string | boolean | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === '' || (typeof value === 'string' && value.startsWith('--'))) {
      throw new CliError(`--${name} needs a value.`);
    }
  }
}

/** A typed natural number. Throws CliError. */
export function naturalNumber(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new CliError(`${name} is a whole number, not "${text}".`);
}

/** yes, no, true or false. Throws CliError. */
export function yesOrNo(name: string, text: string): boolean {
  if (text === 'yes' || text === 'true') return true;
  if (text === 'no' || text === 'false') return false;
  throw new CliError(`${name} is yes or no, not "${text}".`);
}

/** Visits a command and all below it, with the words that name each. */
export function forEachCommand(
  top: Command,
  visit: (command: Command, words: readonly string[]) => void,
  words: readonly string[] = [],
): void {
  visit(top, words);
  for (const child of top.commands) forEachCommand(child, visit, [...words, child.name()]);
}
