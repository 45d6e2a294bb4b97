// The table of every setting: its name in the file, its flag, its environment variable, what it
// accepts, its default and one sentence about it. config.ts reads values with it; docs and --help
// print it. Each reader takes the text of a flag or variable, or a value of the JSON file.
import { availableParallelism, hostname } from 'node:os';
import {
  DEFAULT_LIMITS,
  limitsText,
  RATE_LIMIT_NAMES,
  type RateLimitChoice,
  rateLimits,
  wholeNumber,
} from './config-limits.ts';
import { ANY_ADDRESS, IP_RANGE_FORM, type IpRanges, parseIpRanges } from './identity/ip.ts';
import { isMasterKeyText, MASTER_KEY_FORM } from './identity/master-key.ts';

export type Mode = 'sandbox' | 'production';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export interface SettingValues {
  readonly mode: Mode;
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly config: string | null;
  readonly demo: boolean;
  readonly acceptUnowned: boolean;
  readonly operatorToken: string | null;
  readonly masterKey: string | null;
  readonly databaseUrl: string | null;
  readonly node: string;
  readonly link: string | null;
  readonly linkListen: string | null;
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly corsOrigins: readonly string[];
  readonly rateLimits: RateLimitChoice;
  readonly trustedProxies: IpRanges;
  readonly operatorNetworks: IpRanges;
  readonly logLevel: LogLevel;
  readonly gateways: number;
  readonly queueLimit: number;
  readonly segmentBytes: number;
  readonly archive: string | null;
  readonly snapshotEvery: number;
  readonly reserveAlarmDays: number;
  readonly streamsPerAddress: number;
  readonly streamsPerAccount: number;
  readonly streamBytes: number;
  readonly maxConnections: number;
  readonly maxPauseDays: number;
}

export type SettingName = keyof SettingValues;

export interface Setting<T> {
  /** `--port`; null for secrets, since every user of a machine can read its command lines. */
  readonly flag: string | null;
  /** The argument of the flag in --help; null for a flag that stands alone. */
  readonly argument: string | null;
  /** The value that a flag without an argument stands for. */
  readonly flagMeans: string | null;
  readonly env: string;
  /** Whether the configuration file may have it. */
  readonly inFile: boolean;
  /** A secret value is never repeated in a message. */
  readonly secret: boolean;
  readonly accepts: string;
  readonly sentence: string;
  /** The default as the docs print it. */
  readonly defaultText: string;
  readonly fallback: Readonly<Record<Mode, T>>;
  /** The value, or undefined when it is not one that is accepted. */
  readonly read: (raw: unknown) => T | undefined;
}

/** On few cores they would take the time of the main thread (docs/benchmarks.md). */
const automaticGateways = (cores: number): number => (cores < 4 ? 0 : Math.min(cores - 2, 16));

const MIB = 1_048_576;
const HOST_PORT = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):[1-9]\d{0,4}$/;
const NO_PROXIES = parseIpRanges([]) as IpRanges;
/** This machine, and the ranges that are not routed on the internet (RFC 1918, RFC 4193). */
const INSIDE = parseIpRanges([
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
]) as IpRanges;

type Common = 'sentence' | 'accepts' | 'read';
type Given<T> = Pick<Setting<T>, Common> & Partial<Setting<T>> & { readonly env: string };

const ADDRESS = /^[!-;=?A-~]{1,64}@[A-Za-z0-9.-]{1,253}$/;
const NAMED_ADDRESS = /^[A-Za-z0-9 ._-]{1,64} <([^<>]*)>$/;
const isSender = (raw: string): boolean => ADDRESS.test(NAMED_ADDRESS.exec(raw)?.[1] ?? raw);

/** A setting with the same default in both modes unless `fallback` says otherwise. */
function setting<T>(otherwise: T, given: Given<T>): Setting<T> {
  return {
    flag: null,
    argument: null,
    flagMeans: null,
    inFile: true,
    secret: false,
    defaultText: otherwise === null ? 'none' : String(otherwise),
    fallback: { sandbox: otherwise, production: otherwise },
    ...given,
  };
}

export const SETTINGS: { readonly [name in SettingName]: Setting<SettingValues[name]> } = {
  mode: setting<Mode>('sandbox', {
    flag: '--production',
    flagMeans: 'production',
    env: 'AGIO_MODE',
    accepts: '"sandbox" or "production"',
    sentence:
      'The sandbox has demo users, a faucet and a clock that can be moved; production has none.',
    read: (raw) => (raw === 'sandbox' || raw === 'production' ? raw : undefined),
  }),
  port: setting(8080, {
    flag: '--port',
    argument: 'PORT',
    env: 'AGIO_PORT',
    accepts: 'a whole number from 0 to 65535; 0 takes any free port',
    sentence: 'The port of REST, websocket and user interface.',
    read: wholeNumber(0, 65_535),
  }),
  host: setting('127.0.0.1', {
    flag: '--host',
    argument: 'HOST',
    env: 'AGIO_HOST',
    accepts: 'an IP address or a host name; 0.0.0.0 or :: for every interface',
    sentence: 'The address to listen on. Required in production.',
    read: matching(/^[A-Za-z0-9._:%-]{1,253}$/),
  }),
  data: setting('./data', {
    flag: '--data',
    argument: 'DIR',
    env: 'AGIO_DATA',
    accepts: 'the path of a directory',
    sentence: 'The directory of journal, snapshots, views and identity.',
    read: matching(/^[^\0]+$/),
  }),
  config: setting<string | null>(null, {
    flag: '--config',
    argument: 'FILE',
    env: 'AGIO_CONFIG',
    inFile: false,
    accepts: 'the path of a JSON file',
    sentence: 'A file with any of these settings, by their names.',
    read: matching(/^[^\0]+$/),
  }),
  demo: setting(true, {
    flag: '--no-demo',
    flagMeans: 'false',
    env: 'AGIO_DEMO',
    accepts: '"true" or "false"; only "false" in production',
    sentence: 'Whether the demo market trades in the sandbox.',
    defaultText: 'true in the sandbox, false in production',
    fallback: { sandbox: true, production: false },
    read: boolean,
  }),
  acceptUnowned: setting(false, {
    flag: '--accept-unowned',
    flagMeans: 'true',
    env: 'AGIO_ACCEPT_UNOWNED',
    inFile: false,
    accepts: '"true" or "false"',
    sentence:
      'Starts although identity.db is older than the journal. ' +
      'The users that it lacks are unusable until you attach them.',
    read: boolean,
  }),
  operatorToken: setting<string | null>(null, {
    env: 'AGIO_OPERATOR_TOKEN',
    secret: true,
    accepts: 'up to 256 visible ASCII characters without spaces; in production at least 16',
    sentence: 'The bearer token of the operator API.',
    defaultText: 'generated in the sandbox, required in production',
    read: matching(/^[\x21-\x7e]{1,256}$/),
  }),
  masterKey: setting<string | null>(null, {
    env: 'AGIO_MASTER_KEY',
    secret: true,
    accepts: MASTER_KEY_FORM,
    sentence: 'Seals API secrets and TOTP seeds at rest.',
    defaultText: 'DATA/master.key, which the sandbox creates',
    read: (raw) => (typeof raw === 'string' && isMasterKeyText(raw) ? raw : undefined),
  }),
  databaseUrl: setting<string | null>(null, {
    flag: '--database-url',
    argument: 'URL',
    env: 'AGIO_DATABASE_URL',
    secret: true,
    accepts: 'postgres://USER:PASSWORD@HOST:PORT/DATABASE, with several HOST:PORT by commas',
    sentence:
      'The PostgreSQL of a cluster, of which this process is a node. ' +
      'Use the variable where the URL has a password.',
    // The name of a parameter's file has slashes.
    read: matching(/^postgres(ql)?:\/\/[^\s/?#]+\/[^\s/?#]+(\?[^\s#]*)?$/),
  }),
  node: setting(hostname(), {
    flag: '--node',
    argument: 'NAME',
    env: 'AGIO_NODE',
    accepts: '1 to 63 letters, digits, dots, dashes and underscores',
    sentence: 'The name of this node of a cluster; each node has another.',
    defaultText: "the machine's host name",
    read: matching(/^[A-Za-z0-9._-]{1,63}$/),
  }),
  link: setting<string | null>(null, {
    flag: '--link',
    argument: 'HOST:PORT',
    env: 'AGIO_LINK',
    accepts: 'HOST:PORT, as the other nodes reach it',
    sentence: 'Where the other nodes of a cluster reach this one. Required with a database URL.',
    read: matching(HOST_PORT),
  }),
  linkListen: setting<string | null>(null, {
    flag: '--link-listen',
    argument: 'HOST:PORT',
    env: 'AGIO_LINK_LISTEN',
    accepts: 'HOST:PORT of this machine, such as 0.0.0.0:9400',
    sentence:
      'Where this node listens for the other nodes, if not at the address of --link: in a ' +
      'container, or behind another network.',
    defaultText: 'the address of --link',
    read: matching(HOST_PORT),
  }),
  smtpUrl: setting<string | null>(null, {
    env: 'AGIO_SMTP_URL',
    secret: true,
    accepts:
      'smtp://user:password@host:port, or smtps://…; smtp:// upgrades to TLS if the server ' +
      'offers it, and requires TLS with a password or ?tls=required',
    sentence: 'The mail server. Without it, sandbox emails are files in DATA/outbox.',
    defaultText: 'none in the sandbox, required in production',
    read: smtpUrl,
  }),
  mailFrom: setting<string | null>(null, {
    flag: '--mail-from',
    argument: 'ADDRESS',
    env: 'AGIO_MAIL_FROM',
    accepts: 'name@example.com, or Name <name@example.com>, in ASCII',
    sentence: 'The sender of emails.',
    defaultText: 'the user of the mail server if it is an address, else no-reply at its host',
    read: (raw) => (typeof raw === 'string' && isSender(raw) ? raw : undefined),
  }),
  corsOrigins: setting<readonly string[]>(['*'], {
    flag: '--cors-origins',
    argument: 'LIST',
    env: 'AGIO_CORS_ORIGINS',
    accepts: '"*", "none", or origins such as https://app.example.com, separated by commas',
    sentence: 'The web origins whose scripts may read answers.',
    defaultText: '* in the sandbox, none in production',
    fallback: { sandbox: ['*'], production: [] },
    read: origins,
  }),
  rateLimits: setting<RateLimitChoice>(
    {},
    {
      flag: '--rate-limits',
      argument: 'LIMITS',
      env: 'AGIO_RATE_LIMITS',
      accepts:
        `NAME=QUOTA/WINDOW/BURST, separated by commas (order=50/1/100), with the names ` +
        `${RATE_LIMIT_NAMES.join(', ')} and the window in seconds; in the sandbox also NAME=off ` +
        'or off',
      sentence:
        'Requests per window and burst: public per address, private and order per key, ' +
        'user and userOrder per user over all keys and sessions, account per user, failedAuth ' +
        'per key and address, failedAddress per address. userOrder also counts the work of ' +
        'commands. Other limits keep their default.',
      defaultText:
        `sandbox: ${limitsText(DEFAULT_LIMITS.sandbox)}; ` +
        `production: ${limitsText(DEFAULT_LIMITS.production)}`,
      read: rateLimits,
    },
  ),
  trustedProxies: setting(NO_PROXIES, {
    flag: '--trusted-proxies',
    argument: 'LIST',
    env: 'AGIO_TRUSTED_PROXIES',
    accepts: `"none", or a list, separated by commas, each ${IP_RANGE_FORM}`,
    sentence: 'The proxies whose X-Forwarded-For the server trusts.',
    defaultText: 'none',
    read: ranges,
  }),
  operatorNetworks: setting(ANY_ADDRESS, {
    flag: '--operator-networks',
    argument: 'LIST',
    env: 'AGIO_OPERATOR_NETWORKS',
    accepts: `"any", "none", or a list, separated by commas, each ${IP_RANGE_FORM}`,
    sentence: 'The callers that may use the operator API and /metrics; others get 404.',
    defaultText: `any in the sandbox; in production ${INSIDE.texts.join(',')}`,
    fallback: { sandbox: ANY_ADDRESS, production: INSIDE },
    read: (raw) => (raw === 'any' ? ANY_ADDRESS : ranges(raw)),
  }),
  logLevel: setting<LogLevel>('info', {
    flag: '--log-level',
    argument: 'LEVEL',
    env: 'AGIO_LOG_LEVEL',
    accepts: `one of ${LOG_LEVELS.join(', ')}`,
    sentence: 'The lowest level that the server logs.',
    read: (raw) => LOG_LEVELS.find((level) => level === raw),
  }),
  gateways: setting(automaticGateways(availableParallelism()), {
    flag: '--gateways',
    argument: 'N|auto',
    env: 'AGIO_GATEWAYS',
    accepts: 'auto, or a whole number from 0 to 64',
    sentence:
      'Threads for HTTP, websockets and signatures; with 0 the main thread does their work too.',
    defaultText: 'auto: none on fewer than four cores, else one for each core but two',
    read: (raw) => (raw === 'auto' ? automaticGateways(availableParallelism()) : threads(raw)),
  }),
  queueLimit: setting(4_096, {
    flag: '--queue-limit',
    argument: 'WRITES',
    env: 'AGIO_QUEUE_LIMIT',
    accepts: 'a whole number from 1 to 1000000',
    sentence:
      'New orders get 503 while this many writes wait for the journal, and all writes while ' +
      'twice as many do; each entry of a batch counts.',
    read: wholeNumber(1, 1_000_000),
  }),
  segmentBytes: setting(32 * MIB, {
    flag: '--segment-bytes',
    argument: 'BYTES',
    env: 'AGIO_SEGMENT_BYTES',
    accepts: 'a multiple of 4096 from 1048576 (1 MiB) to 1073741824 (1 GiB)',
    sentence: 'The size of one journal file.',
    read: (raw) => {
      const bytes = wholeNumber(MIB, 1_024 * MIB)(raw);
      return bytes !== undefined && bytes % 4_096 === 0 ? bytes : undefined;
    },
  }),
  archive: setting<string | null>(null, {
    flag: '--archive',
    argument: 'DIR',
    env: 'AGIO_ARCHIVE',
    accepts: 'the path of a directory',
    sentence:
      'The directory of "agio journal archive" with the older part of the journal. ' +
      'The server rebuilds missing views from it.',
    read: matching(/^[^\0]+$/),
  }),
  snapshotEvery: setting(250_000, {
    flag: '--snapshot-every',
    argument: 'COMMANDS',
    env: 'AGIO_SNAPSHOT_EVERY',
    accepts: 'a whole number from 1 to 1000000000',
    sentence: 'Commands between two snapshots: fewer make restarts faster and disks busier.',
    read: wholeNumber(1, 1_000_000_000),
  }),
  reserveAlarmDays: setting(7, {
    flag: '--reserve-alarm-days',
    argument: 'DAYS',
    env: 'AGIO_RESERVE_ALARM_DAYS',
    accepts: 'a whole number from 0 to 36500; 0 warns only of interest that could not be paid',
    sentence: 'The reserve of a plan that covers fewer days of interest than this is an alarm.',
    read: wholeNumber(0, 36_500),
  }),
  streamsPerAddress: setting(200, {
    flag: '--streams-per-address',
    argument: 'CONNECTIONS',
    env: 'AGIO_STREAMS_PER_ADDRESS',
    accepts: 'a whole number from 1 to 20000',
    sentence: 'Websockets that may be open at a time from one address.',
    read: wholeNumber(1, 20_000),
  }),
  streamsPerAccount: setting(64, {
    flag: '--streams-per-account',
    argument: 'CONNECTIONS',
    env: 'AGIO_STREAMS_PER_ACCOUNT',
    accepts: 'a whole number from 1 to 20000',
    sentence: 'Private websockets that one account may have open at a time.',
    read: wholeNumber(1, 20_000),
  }),
  streamBytes: setting(8 * MIB, {
    flag: '--stream-bytes',
    argument: 'BYTES',
    env: 'AGIO_STREAM_BYTES',
    accepts: 'a whole number from 65536 (64 KiB) to 1073741824 (1 GiB)',
    sentence:
      'Bytes of snapshots a second for one address or account; ' +
      'a burst may have eight times as many.',
    read: wholeNumber(MIB / 16, 1_024 * MIB),
  }),
  maxConnections: setting(25_000, {
    flag: '--max-connections',
    argument: 'CONNECTIONS',
    env: 'AGIO_MAX_CONNECTIONS',
    accepts: 'a whole number from 16 to 1000000',
    sentence:
      'Connections that may be open at a time, including websockets; ' +
      'fewer if the process may open fewer descriptors.',
    read: wholeNumber(16, 1_000_000),
  }),
  maxPauseDays: setting(7, {
    flag: '--max-pause-days',
    argument: 'DAYS',
    env: 'AGIO_MAX_PAUSE_DAYS',
    accepts: 'a whole number from 1 to 36500',
    sentence:
      'Production does not start longer than this after the last command, and stops when the ' +
      'clock jumps by more: such a clock is probably wrong, and paid interest cannot be undone.',
    read: wholeNumber(1, 36_500),
  }),
};

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

function matching(form: RegExp): (raw: unknown) => string | undefined {
  return (raw) => (typeof raw === 'string' && form.test(raw) ? raw : undefined);
}

const threads = wholeNumber(0, 64);

function boolean(raw: unknown): boolean | undefined {
  if (raw === true || raw === 'true') return true;
  return raw === false || raw === 'false' ? false : undefined;
}

/** The members of a list: comma-separated text, or an array of texts in the file. */
function listed(raw: unknown): string[] | undefined {
  if (raw === 'none') return [];
  if (typeof raw === 'string') return raw.split(',').map((item) => item.trim());
  const isList = Array.isArray(raw) && raw.every((item) => typeof item === 'string');
  return isList ? raw : undefined;
}

function origins(raw: unknown): readonly string[] | undefined {
  const items = listed(raw);
  const isWildcard = items?.length === 1 && items[0] === '*';
  return isWildcard || items?.every(isOrigin) ? items : undefined;
}

/** An origin as a browser sends it: scheme, host and port, nothing after. */
function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function ranges(raw: unknown): IpRanges | undefined {
  const items = listed(raw);
  const parsed = items === undefined ? undefined : parseIpRanges(items);
  return parsed === undefined || 'bad' in parsed ? undefined : parsed;
}

/** A query that is not understood may be one that was meant to ask for TLS: it is refused. */
function smtpUrl(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || !URL.canParse(raw)) return undefined;
  const { protocol, hostname, search, pathname } = new URL(raw);
  const isKnown = protocol === 'smtp:' || protocol === 'smtps:';
  const isPlain = (pathname === '' || pathname === '/') && ['', '?tls=required'].includes(search);
  return isKnown && hostname !== '' && isPlain ? raw : undefined;
}
