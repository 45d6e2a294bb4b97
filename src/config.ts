// The configuration of a process: flags override the environment, that the file, and that the
// defaults. One message lists every fault, and then nothing starts. The settings are in
// config-settings.ts.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Mode } from './config-kinds.ts';
import {
  flagOf,
  SETTINGS,
  type Setting,
  type SettingName,
  type Settings,
} from './config-settings.ts';
import { masterKeyFile } from './identity/master-key.ts';

export type { RateLimit, RateLimitName, RateLimits } from './config-limits.ts';

/**
 * New orders get 503 while this many writes wait for the journal, and all writes while twice as
 * many do; each entry of a batch counts. Tests use less.
 */
const QUEUE_LIMIT = 4_096;

/** The configuration of a process. It has secrets: never log it as a whole. */
export type Config = Settings & { readonly queueLimit: number };

export interface ConfigSources {
  /** The arguments after the subcommand. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Why agio does not start; `problems` has one sentence for each thing to change. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** A raw value and the name that its author knows: `--port`, `AGIO_PORT`, `"port" in x.json`. */
interface Entry {
  readonly raw: unknown;
  readonly label: string;
}

type Entries = Map<SettingName, Entry>;

/** Below this a production token could be guessed; generated ones have 43 characters. */
const MIN_PRODUCTION_TOKEN = 16;

/** The configuration of these sources; throws a ConfigError that lists everything that is wrong. */
export function loadConfig({ argv, env }: ConfigSources): Config {
  const problems: string[] = [];
  const typed = new Map([...fromEnvironment(env, problems), ...fromFlags(argv, problems)]);
  const path = typed.get('config')?.raw;
  const stored = path === undefined ? [] : fromFile(String(path), problems);
  const entries: Entries = new Map([...stored, ...typed]);
  const config = { ...readAll(entries, problems), queueLimit: QUEUE_LIMIT };
  if (config.databaseUrl !== null) {
    problems.push(...missing('A node of a cluster', CLUSTER_NEEDS, config, entries));
  }
  if (config.mode === 'production') problems.push(...productionProblems(config, entries));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Variables of `agio conformance`, which no setting has. */
const OTHER_COMMANDS_VARIABLES: readonly string[] = ['AGIO_KEY', 'AGIO_SECRET'];

/** An empty variable counts as unset: that is how compose files pass on what they do not have. */
function fromEnvironment(env: ConfigSources['env'], problems: string[]): Entries {
  const entries: Entries = new Map();
  for (const [key, raw] of Object.entries(env)) {
    if (!key.startsWith('AGIO_') || OTHER_COMMANDS_VARIABLES.includes(key)) continue;
    const name = SETTINGS.find((setting) => setting.env === key)?.name;
    if (name === undefined) {
      const known = SETTINGS.map((setting) => setting.env);
      problems.push(`Unknown environment variable ${key}. Known: ${known.join(', ')}.`);
    } else if (raw !== undefined && raw !== '') {
      entries.set(name, { raw, label: key });
    }
  }
  return entries;
}

/** `--flag value`, `--flag=value`, or a flag that stands alone; given twice, the last one holds. */
function fromFlags(argv: readonly string[], problems: string[]): Entries {
  const entries: Entries = new Map();
  const rest = [...argv];
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [flag = '', ...after] = argument.split('=');
    const inline = after.length > 0 ? after.join('=') : undefined;
    const next = inline ?? rest[0];
    const setting = SETTINGS.find((candidate) => candidate.flag === flag);
    if (setting === undefined) {
      problems.push(unknownFlag(flag));
      // The next argument is probably its value and may be a secret, so no message has it.
      if (inline === undefined && flag.startsWith('-') && !next?.startsWith('-')) rest.shift();
    } else if (setting.flagMeans !== null) {
      if (inline !== undefined) problems.push(`${flag} stands alone and takes no value.`);
      entries.set(setting.name, { raw: setting.flagMeans, label: flag });
    } else if (next === undefined || (inline === undefined && next.startsWith('--'))) {
      problems.push(`${flag} needs a value: ${setting.accepts}.`);
    } else {
      if (inline === undefined) rest.shift();
      entries.set(setting.name, { raw: next, label: flag });
    }
  }
  return entries;
}

const settingOf = (wanted: SettingName): Setting => SETTINGS.find(({ name }) => name === wanted)!;

function unknownFlag(flag: string): string {
  const secret = SETTINGS.find(({ name, secret }) => secret && flag === flagOf(name));
  if (secret !== undefined) {
    const { env } = secret;
    return `${flag} is not a flag, since others can read command lines: set ${env} instead.`;
  }
  const what = flag.startsWith('-') ? `Unknown flag ${flag}.` : `Unexpected argument "${flag}".`;
  return `${what} Known: ${SETTINGS.flatMap(({ usage }) => usage ?? []).join(', ')}.`;
}

function fromFile(path: string, problems: string[]): Entries {
  const entries: Entries = new Map();
  for (const [key, raw] of Object.entries(readJsonObject(path, problems))) {
    const known = SETTINGS.flatMap(({ name, inFile }) => (inFile ? name : []));
    const name = known.find((candidate) => candidate === key);
    if (name === undefined) {
      problems.push(`Unknown key "${key}" in ${path}. Known: ${known.join(', ')}.`);
    } else if (raw !== null) {
      entries.set(name, { raw, label: `"${key}" in ${path}` });
    }
  }
  return entries;
}

function readJsonObject(path: string, problems: string[]): object {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    problems.push(`The configuration file ${path} cannot be read${reason}.`);
    return {};
  }
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  } catch {
    // The parser's message may quote the file and its secrets.
  }
  problems.push(`The configuration file ${path} is not a JSON object.`);
  return {};
}

/** Reads every entry and fills in the defaults of the mode. */
function readAll(entries: Entries, problems: string[]): Settings {
  const readOne = ({ name, secret, accepts, fallback, read }: Setting, mode: Mode): unknown => {
    const entry = entries.get(name);
    if (entry === undefined) return fallback[mode];
    const value = read(entry.raw, mode);
    if (value !== undefined) return value;
    const what = secret ? 'is not valid' : `is ${JSON.stringify(entry.raw)}`;
    problems.push(`${entry.label} ${what}; accepted: ${accepts}.`);
    return fallback[mode];
  };
  const mode = readOne(settingOf('mode'), 'sandbox') as Mode;
  const others = SETTINGS.filter(({ name }) => name !== 'mode');
  const values = others.map((setting) => [setting.name, readOne(setting, mode)]);
  const settings = { mode, ...Object.fromEntries(values) } as Settings;
  return { ...settings, data: resolve(settings.data) };
}

type Needs = readonly (readonly [name: SettingName, what: string, orElse?: string])[];

/** One sentence for all that no source has. */
function missing(who: string, needs: Needs, { data }: Config, entries: Entries): string[] {
  const parts = needs.flatMap(([name, what, orElse = '']) => {
    if (entries.has(name) || (name === 'masterKey' && existsSync(masterKeyFile(data)))) return [];
    const { flag, env } = settingOf(name);
    return `${what} (${flag === null ? env : `${flag} or ${env}`}${orElse})`;
  });
  return parts.length > 0 ? [`${who} needs ${parts.join('; ')}.`] : [];
}

/** Each node has to get what all nodes share. */
const CLUSTER_NEEDS: Needs = [
  ['link', 'the address of its link'],
  ['masterKey', "the cluster's master key"],
  ['operatorToken', "the cluster's operator token"],
];

/** All missing settings in one sentence, then forbidden values. */
function productionProblems(config: Config, entries: Entries): string[] {
  const { data, operatorToken, demo, rateLimits } = config;
  const needs: Needs = [
    ['masterKey', 'a master key', `, or the file ${masterKeyFile(data)}`],
    ['operatorToken', 'an operator token'],
    ['smtpUrl', 'a mail server'],
    ['host', 'an explicit host'],
  ];
  const problems = missing('Production', needs, config, entries);
  if (operatorToken !== null && operatorToken.length < MIN_PRODUCTION_TOKEN) {
    const { accepts } = settingOf('operatorToken');
    problems.push(`The operator token is too short for production: ${accepts}.`);
  }
  if (demo) problems.push('Production has no demo market: remove AGIO_DEMO or "demo".');
  const off = Object.entries(rateLimits).flatMap(([name, limit]) => (limit === null ? name : []));
  if (off.length > 0) {
    problems.push(`Rate limits cannot be off in production: give values for ${off.join(', ')}.`);
  }
  return problems;
}
