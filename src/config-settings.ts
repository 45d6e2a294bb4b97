// The table of every setting: its default, its kind with the check, and what --help and the
// documents say about it. Its names derive from its key in the configuration file: `snapshotEvery`
// is also the flag `--snapshot-every` and the variable `AGIO_SNAPSHOT_EVERY`.
import { hostname } from 'node:os';
import * as kinds from './config-kinds.ts';
import { boolean, type Kind, type Mode, oneOf, path, text, whole } from './config-kinds.ts';
import { defaultLimits, limitTexts, type RateLimits, rateLimits } from './config-limits.ts';
import { ANY_ADDRESS, IpRanges } from './identity/ip.ts';
import { isMasterKeyText, MASTER_KEY_FORM } from './identity/master-key.ts';

interface Terms<T> {
  /** The default in production, if it differs. */
  readonly production?: T;
  /** Describes the default where its value does not. */
  readonly defaultText?: string;
  /** The value that a flag without an argument stands for. */
  readonly flagMeans?: string;
  /** The name of a flag that does not derive from the key. */
  readonly flag?: string;
  /** A secret value is never repeated in a message. */
  readonly secret?: boolean;
  /** False if the configuration file may not have it. */
  readonly inFile?: boolean;
}

interface Row<T> extends Kind<T>, Terms<T> {
  readonly fallback: Readonly<Record<Mode, T>>;
  readonly defaultText: string;
  readonly sentence: string;
}

/** A row of the table, from its sentence. */
function setting<T, D extends T | null>(sandbox: D, kind: Kind<T>, terms: Terms<T | D> = {}) {
  const { production = sandbox } = terms;
  const [inSandbox, inProduction] = [sandbox, production].map(valueText);
  const both = `${inSandbox} in the sandbox, ${inProduction} in production`;
  return ([sentence = '']: TemplateStringsArray): Row<T | D> => ({
    defaultText: inSandbox === inProduction ? `${inSandbox}` : both,
    ...kind,
    ...terms,
    fallback: { sandbox, production },
    sentence: sentence.trim().replace(/\s+/g, ' '),
  });
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** This machine, and the ranges that are not routed on the internet (RFC 1918, RFC 4193). */
const INSIDE = '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7';
const LIMIT_DEFAULTS = (['sandbox', 'production'] as const).map(
  (mode) => `${mode}: ${limitTexts(defaultLimits(mode)).join(', ')}`,
);
/** The path and the query of a URL of PostgreSQL; a file name in its query has slashes. */
const DATABASE_URL = /^postgres(ql)?:\/\/[^\s/?#]+\/[^\s/?#]+(\?[^\s#]*)?$/;

const TABLE = {
  mode: setting('sandbox', oneOf(null, ['sandbox', 'production'], '"sandbox" or "production"'), {
    flag: '--production',
    flagMeans: 'production',
  })`
    The sandbox has demo users, a faucet and a clock that can be moved; production has none.`,
  port: setting(8080, whole('PORT', 0, 65_535, '; 0 takes any free port'))`
    The port of REST, websocket and user interface.`,
  host: setting(
    '127.0.0.1',
    text(
      'HOST',
      'an IP address or a host name; 0.0.0.0 or :: for every interface',
      /^[A-Za-z0-9._:%-]{1,253}$/,
    ),
  )`
    The address to listen on. Required in production.`,
  data: setting('./data', path('DIR', 'directory'))`
    The directory of journal, snapshots, views and identity.`,
  config: setting(null, path('FILE', 'JSON file'), { inFile: false })`
    A file with any of these settings, by their names.`,
  demo: setting(true, boolean('; only "false" in production'), {
    production: false,
    flag: '--no-demo',
    flagMeans: 'false',
  })`
    Whether the demo market trades in the sandbox.`,
  acceptUnowned: setting(false, boolean(), { flagMeans: 'true', inFile: false })`
    Starts although identity.db is older than the journal. The users that it lacks are unusable
    until you attach them.`,
  acceptMoved: setting(false, boolean(), { flagMeans: 'true', inFile: false })`
    Starts although "agio journal copy" moved the venue of the directory into a database. Only if
    no node has served it there.`,
  operatorToken: setting(
    null,
    text(
      null,
      'up to 256 visible ASCII characters without spaces; in production at least 16',
      /^[\x21-\x7e]{1,256}$/,
    ),
    { secret: true, defaultText: 'generated in the sandbox, required in production' },
  )`
    The bearer token of the operator API.`,
  masterKey: setting(null, text(null, MASTER_KEY_FORM, { test: isMasterKeyText }), {
    secret: true,
    defaultText: 'DATA/master.key, which the sandbox creates',
  })`
    Seals API secrets and TOTP seeds at rest.`,
  databaseUrl: setting(
    null,
    text(
      'URL',
      'postgres://USER:PASSWORD@HOST:PORT/DATABASE, with several HOST:PORT by commas',
      DATABASE_URL,
    ),
    { secret: true },
  )`
    The PostgreSQL of a cluster, of which this process is a node. Use the variable where the URL has
    a password.`,
  node: setting(
    hostname(),
    text('NAME', '1 to 63 letters, digits, dots, dashes and underscores', /^[A-Za-z0-9._-]{1,63}$/),
    { defaultText: "the machine's host name" },
  )`
    The name of this node of a cluster; each node has another.`,
  link: setting(null, kinds.hostPort(', as the other nodes reach it'))`
    Where the other nodes of a cluster reach this one. Required with a database URL.`,
  linkListen: setting(null, kinds.hostPort(' of this machine, such as 0.0.0.0:9400'), {
    defaultText: 'the address of --link',
  })`
    Where this node listens for the other nodes, if not at the address of --link: in a container, or
    behind another network.`,
  smtpUrl: setting(null, kinds.smtpUrl, {
    secret: true,
    defaultText: 'none in the sandbox, required in production',
  })`
    The mail server. Without it, sandbox emails are files in DATA/outbox.`,
  termsUrl: setting(null, kinds.webAddress)`
    The terms of use, which the footer of the pages links to.`,
  privacyUrl: setting(null, kinds.webAddress)`
    The privacy notice, which the footer links to.`,
  statusUrl: setting(null, kinds.webAddress)`
    The status page, which the footer links to.`,
  supportUrl: setting(null, kinds.webAddress)`
    The support page or mailto: address, which the footer links to.`,
  assetIcons: setting(null, path('DIR', 'directory'))`
    A directory with an icon for each asset, such as BTC.svg, of at most 32 KiB. The pages draw the
    icon of an asset without a file. The server reads them when it starts.`,
  mailFrom: setting(null, kinds.sender, {
    defaultText: 'the user of the mail server if it is an address, else no-reply at its host',
  })`
    The sender of emails.`,
  corsOrigins: setting(['*'], kinds.origins, { production: [] })`
    The web origins whose scripts may read answers.`,
  rateLimits: setting(defaultLimits('sandbox'), rateLimits, {
    production: defaultLimits('production'),
    defaultText: LIMIT_DEFAULTS.join('; '),
  })`
    Requests per window and burst: public per address, private and order per key, user and userOrder
    per user over all keys and sessions, account per user, failedAuth per key and address,
    failedAddress per address. userOrder also counts the work of commands. Other limits keep their
    default.`,
  trustedProxies: setting(kinds.ranges.read('none', 'sandbox')!, kinds.ranges)`
    The proxies whose X-Forwarded-For the server trusts.`,
  operatorNetworks: setting(ANY_ADDRESS, kinds.rangesOrAny, {
    production: kinds.ranges.read(INSIDE, 'production')!,
    defaultText: `any in the sandbox; in production ${INSIDE}`,
  })`
    The callers that may use the operator API and /metrics; others get 404.`,
  logLevel: setting('info', oneOf('LEVEL', LOG_LEVELS))`
    The lowest level that the server logs.`,
  segmentBytes: setting(2 ** 25, kinds.bytes('multiple of 4096', '1048576 (1 MiB)', 4_096))`
    The size of one journal file.`,
  archive: setting(null, path('DIR', 'directory'))`
    The directory of "agio journal archive" with the older part of the journal. The server rebuilds
    missing views from it.`,
  snapshotEvery: setting(250_000, whole('COMMANDS', 1, 1_000_000_000))`
    Commands between two snapshots: fewer make restarts faster and disks busier.`,
  reserveAlarmDays: setting(
    7,
    whole('DAYS', 0, 36_500, '; 0 warns only of interest that could not be paid'),
  )`
    The reserve of a plan that covers fewer days of interest than this is an alarm.`,
  streamsPerAddress: setting(200, whole('CONNECTIONS', 1, 20_000))`
    Websockets that may be open at a time from one address.`,
  streamsPerAccount: setting(64, whole('CONNECTIONS', 1, 20_000))`
    Private websockets that one account may have open at a time.`,
  streamBytes: setting(2 ** 23, kinds.bytes('whole number', '65536 (64 KiB)', 1))`
    Bytes of snapshots a second for one address or account; a burst may have eight times as many.`,
  maxConnections: setting(25_000, whole('CONNECTIONS', 16, 1_000_000))`
    Connections that may be open at a time, including websockets; fewer if the process may open
    fewer descriptors.`,
  stopDelay: setting(0, whole('SECONDS', 0, 60))`
    How long a server that is asked to stop still serves. /ready answers 503 meanwhile, so a load
    balancer sends it no more requests.`,
  maxPauseDays: setting(7, whole('DAYS', 1, 36_500))`
    Production does not start longer than this after the last command, and stops when the clock
    jumps by more: such a clock is probably wrong, and paid interest cannot be undone.`,
};

export type SettingName = keyof typeof TABLE;
export type Settings = {
  readonly [name in SettingName]: (typeof TABLE)[name]['fallback'][Mode];
};

export interface Setting extends Omit<Row<unknown>, keyof Terms<unknown>> {
  /** The key in the file. */
  readonly name: SettingName;
  readonly env: string;
  /** null for secrets, since every user of a machine can read its command lines. */
  readonly flag: string | null;
  /** `--port PORT` */
  readonly usage: string | null;
  readonly flagMeans: string | null;
  readonly secret: boolean;
  readonly inFile: boolean;
  readonly defaultText: string;
}

/** A secret has this name too, for the message that it is not a flag. */
export const flagOf = (name: SettingName): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export const SETTINGS: readonly Setting[] = Object.entries<Row<unknown>>(TABLE).map(
  ([key, row]) => {
    const name = key as SettingName;
    const { argument, flagMeans = null, secret = false, inFile = true } = row;
    const flag = argument === null && flagMeans === null ? null : (row.flag ?? flagOf(name));
    const env = `AGIO_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
    const usage = argument === null ? flag : `${flag} ${argument}`;
    return { ...row, name, env, flag, usage, flagMeans, secret, inFile };
  },
);

/** A value as `agio config` and the documents print it. */
export function valueText(value: unknown): string {
  const list = value instanceof IpRanges ? value.texts : value;
  if (list === null || (Array.isArray(list) && list.length === 0)) return 'none';
  if (Array.isArray(list)) return list.join(',');
  return typeof list === 'object' ? limitTexts(list as RateLimits).join(',') : String(list);
}
