// The configuration of a process: flags override the environment, that the file, and that the
// defaults. One message lists every fault, and then nothing starts. The settings are in
// config-settings.ts.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  DEFAULT_LIMITS,
  RATE_LIMIT_NAMES,
  type RateLimitName,
  type RateLimits,
} from './config-limits.ts';
import {
  type Mode,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingValues,
} from './config-settings.ts';
import { masterKeyFile } from './identity/master-key.ts';

export type { RateLimit, RateLimitName, RateLimits } from './config-limits.ts';

/** The configuration of a process. It has secrets: never log it as a whole. */
export interface Config extends Omit<SettingValues, 'rateLimits'> {
  readonly rateLimits: RateLimits;
}

export interface ConfigSources {
  /** The arguments after the subcommand. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One row of the settings table, for the docs and --help. */
export interface ConfigRow {
  /** The name in the file. */
  readonly name: SettingName;
  /** `--port PORT`; null when it has no flag. */
  readonly flag: string | null;
  readonly env: string;
  readonly inFile: boolean;
  readonly secret: boolean;
  readonly defaultText: string;
  readonly accepts: string;
  readonly sentence: string;
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

/**
 * A value and the name under which its author knows it (`--port`, `AGIO_PORT`, `port in x.json`).
 */
interface Given {
  readonly raw: unknown;
  readonly called: string;
}

type GivenSettings = Map<SettingName, Given>;

/** Below this a production token could be guessed; generated ones have 43 characters. */
const MIN_PRODUCTION_TOKEN = 16;

/** The configuration of these sources; throws a ConfigError that lists everything that is wrong. */
export function loadConfig(sources: ConfigSources): Config {
  const problems: string[] = [];
  const given = fromEnvironment(sources.env, problems);
  for (const [name, value] of fromFlags(sources.argv, problems)) given.set(name, value);
  const path = given.get('config');
  if (path !== undefined) {
    for (const [name, value] of fromFile(String(path.raw), problems)) {
      if (!given.has(name)) given.set(name, value);
    }
  }
  const values = settle(given, problems);
  const config: Config = {
    ...values,
    data: resolve(values.data),
    rateLimits: { ...DEFAULT_LIMITS[values.mode], ...values.rateLimits },
  };
  if (config.databaseUrl !== null) problems.push(...clusterProblems(config, given));
  if (config.mode === 'production') problems.push(...productionProblems(config, given));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Every setting with its names, default and sentence: the one source for docs and --help. */
export function describeConfig(): readonly ConfigRow[] {
  return SETTING_NAMES.map((name) => {
    const { flag, argument, env, inFile, secret, defaultText, accepts, sentence } = SETTINGS[name];
    const shown = flag !== null && argument !== null ? `${flag} ${argument}` : flag;
    return { name, flag: shown, env, inFile, secret, defaultText, accepts, sentence };
  });
}

/** Variables of `agio conformance`, which no setting has. */
const OF_OTHER_COMMANDS: readonly string[] = ['AGIO_KEY', 'AGIO_SECRET'];

/** An empty variable counts as unset: that is how compose files pass on what they do not have. */
function fromEnvironment(env: ConfigSources['env'], problems: string[]): GivenSettings {
  const given: GivenSettings = new Map();
  for (const [key, raw] of Object.entries(env)) {
    if (!key.startsWith('AGIO_') || OF_OTHER_COMMANDS.includes(key)) continue;
    const name = SETTING_NAMES.find((candidate) => SETTINGS[candidate].env === key);
    if (name === undefined) {
      const known = SETTING_NAMES.map((candidate) => SETTINGS[candidate].env);
      problems.push(`Unknown environment variable ${key}. Known: ${known.join(', ')}.`);
    } else if (raw !== undefined && raw !== '') {
      given.set(name, { raw, called: key });
    }
  }
  return given;
}

/** `--flag value`, `--flag=value`, or a flag that stands alone; given twice, the last one holds. */
function fromFlags(argv: readonly string[], problems: string[]): GivenSettings {
  const given: GivenSettings = new Map();
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] ?? '';
    const equals = argument.indexOf('=');
    const flag = equals === -1 ? argument : argument.slice(0, equals);
    const name = SETTING_NAMES.find((candidate) => SETTINGS[candidate].flag === flag);
    if (name === undefined) {
      problems.push(unknownFlag(flag));
      // The next argument is probably its value and may be a secret, so no message has it.
      const follows = equals === -1 && flag.startsWith('-') ? argv[at + 1] : undefined;
      if (follows !== undefined && !follows.startsWith('-')) at += 1;
      continue;
    }
    const { flagMeans } = SETTINGS[name];
    if (flagMeans !== null) {
      if (equals !== -1) problems.push(`${flag} stands alone and takes no value.`);
      given.set(name, { raw: flagMeans, called: flag });
      continue;
    }
    const value = equals === -1 ? argv[at + 1] : argument.slice(equals + 1);
    if (equals === -1) at += 1;
    if (value === undefined || (equals === -1 && value.startsWith('--'))) {
      problems.push(`${flag} needs a value: ${SETTINGS[name].accepts}.`);
      if (value !== undefined) at -= 1;
      continue;
    }
    given.set(name, { raw: value, called: flag });
  }
  return given;
}

function unknownFlag(flag: string): string {
  const known = describeConfig().flatMap((row) => row.flag ?? []);
  const secret = SETTING_NAMES.find((name) => SETTINGS[name].secret && flag === kebab(name));
  if (secret !== undefined) {
    const { env } = SETTINGS[secret];
    return `${flag} is not a flag, since others can read command lines: set ${env} instead.`;
  }
  const what = flag.startsWith('-') ? `Unknown flag ${flag}.` : `Unexpected argument "${flag}".`;
  return `${what} Known: ${known.join(', ')}.`;
}

function kebab(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function fromFile(path: string, problems: string[]): GivenSettings {
  const given: GivenSettings = new Map();
  const content = readJsonObject(path, problems);
  for (const [key, raw] of Object.entries(content)) {
    const name = SETTING_NAMES.find((candidate) => candidate === key && SETTINGS[candidate].inFile);
    if (name === undefined) {
      const known = SETTING_NAMES.filter((candidate) => SETTINGS[candidate].inFile);
      problems.push(`Unknown key "${key}" in ${path}. Known: ${known.join(', ')}.`);
    } else if (raw !== null) {
      given.set(name, { raw, called: `"${key}" in ${path}` });
    }
  }
  return given;
}

function readJsonObject(path: string, problems: string[]): Record<string, unknown> {
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
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return content as Record<string, unknown>;
    }
  } catch {
    // The parser's message may quote the file and its secrets.
  }
  problems.push(`The configuration file ${path} is not a JSON object.`);
  return {};
}

/** Reads every setting that was given and fills in the defaults of the mode. */
function settle(given: GivenSettings, problems: string[]): SettingValues {
  const values: { -readonly [name in SettingName]?: SettingValues[name] } = {};
  const settleOne = <K extends SettingName>(name: K, mode: Mode): SettingValues[K] => {
    const setting = SETTINGS[name];
    const value = given.get(name);
    if (value === undefined) return setting.fallback[mode];
    const read = setting.read(value.raw);
    if (read !== undefined) return read;
    const shown = setting.secret ? 'is not valid' : `is ${JSON.stringify(value.raw)}`;
    problems.push(`${value.called} ${shown}; accepted: ${setting.accepts}.`);
    return setting.fallback[mode];
  };
  const mode = settleOne('mode', 'sandbox');
  const assign = <K extends SettingName>(name: K) => {
    values[name] = settleOne(name, mode);
  };
  for (const name of SETTING_NAMES) if (name !== 'mode') assign(name);
  return { ...values, mode } as SettingValues;
}

/** The faults for a node of a cluster: what all nodes share has to be given to each. */
function clusterProblems(config: Config, given: GivenSettings): string[] {
  const missing: string[] = [];
  if (config.link === null) missing.push('the address of its link (--link or AGIO_LINK)');
  if (!hasMasterKey(config, given)) missing.push("the cluster's master key (AGIO_MASTER_KEY)");
  if (!given.has('operatorToken'))
    missing.push("the cluster's operator token (AGIO_OPERATOR_TOKEN)");
  return missing.length > 0 ? [`A node of a cluster needs ${missing.join('; ')}.`] : [];
}

const hasMasterKey = ({ data }: Config, given: GivenSettings): boolean =>
  given.has('masterKey') || existsSync(masterKeyFile(data));

/** The faults for production: all missing settings in one sentence, then forbidden ones. */
function productionProblems(config: Config, given: GivenSettings): string[] {
  const missing: string[] = [];
  if (!hasMasterKey(config, given)) {
    missing.push(`a master key (AGIO_MASTER_KEY, or the file ${masterKeyFile(config.data)})`);
  }
  if (!given.has('operatorToken')) missing.push('an operator token (AGIO_OPERATOR_TOKEN)');
  if (!given.has('smtpUrl')) missing.push('a mail server (AGIO_SMTP_URL)');
  if (!given.has('host')) missing.push('an explicit host (--host or AGIO_HOST)');
  const problems = missing.length > 0 ? [`Production needs ${missing.join('; ')}.`] : [];
  if (config.operatorToken !== null && config.operatorToken.length < MIN_PRODUCTION_TOKEN) {
    problems.push(
      `The operator token is too short for production: ${SETTINGS.operatorToken.accepts}.`,
    );
  }
  if (config.demo) problems.push('Production has no demo market: remove AGIO_DEMO or "demo".');
  const off: RateLimitName[] = RATE_LIMIT_NAMES.filter((name) => config.rateLimits[name] === null);
  if (off.length > 0) {
    problems.push(`Rate limits cannot be off in production: give values for ${off.join(', ')}.`);
  }
  return problems;
}
