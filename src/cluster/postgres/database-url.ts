// The URL of the shared store: postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?sslmode=MODE.
// A message never repeats the URL, which has a password.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StoreError } from '../store.ts';

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];
const DEFAULT_PORT = 5432;

export interface DatabaseServer {
  readonly hostname: string;
  readonly port: number;
}

export interface DatabaseUrl {
  /** The servers of one replicated database; the one that accepts writes is used. */
  readonly servers: readonly DatabaseServer[];
  readonly username: string;
  readonly password: string;
  readonly database: string;
  readonly sslMode: string;
  /** The certificates of `sslrootcert`, which `verify-ca` and `verify-full` trust. */
  readonly trusted?: string;
}

/** Throws `rejected` with what would be accepted. */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  const parts = /^postgres(?:ql)?:\/\/([^@/?#]+)@([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/.exec(url);
  if (parts === null) {
    throw rejected('it must have the form postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE');
  }
  const [, credentials, hosts, database, query] = parts;
  const [username, ...password] = credentials!.split(':');
  const parameters = new URLSearchParams(query);
  return {
    servers: hosts!.split(',').map(parseServer),
    username: decoded(username!),
    password: decoded(password.join(':')),
    database: decoded(database!),
    ...parseParameters(parameters),
  };
}

function parseServer(host: string): DatabaseServer {
  const parts = /^(\[[0-9a-fA-F:]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host);
  const port = Number(parts?.[2] ?? DEFAULT_PORT);
  if (parts === null || port < 1 || port > 65_535) {
    throw rejected(`${JSON.stringify(host)} must be HOST or HOST:PORT, ports from 1 to 65535`);
  }
  return { hostname: parts[1]!.replace(/^\[|\]$/g, ''), port };
}

function parseParameters(parameters: URLSearchParams) {
  const sslMode = parameters.get('sslmode') ?? 'prefer';
  if (!SSL_MODES.includes(sslMode)) {
    throw rejected(`sslmode must be one of ${SSL_MODES.join(', ')}`);
  }
  // The one value that agio can use, accepted as it is usual in URLs with several hosts.
  const target = parameters.get('target_session_attrs') ?? 'read-write';
  if (target !== 'read-write') throw rejected('target_session_attrs must be read-write');
  const known = ['sslmode', 'sslrootcert', 'target_session_attrs'];
  const unknown = [...parameters.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw rejected(`${JSON.stringify(unknown)} is unknown; it accepts ${known.join(', ')}`);
  }
  const file = parameters.get('sslrootcert');
  return file === null ? { sslMode } : { sslMode, trusted: certificatesIn(file) };
}

function certificatesIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw rejected(`sslrootcert must be a readable file (${(error as Error).message})`);
  }
  if (!isCertificate(text)) throw rejected(`sslrootcert must be a PEM certificate, not ${file}`);
  return text;
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw rejected('user, password and database must be percent-encoded');
  }
}

const rejected = (what: string): StoreError =>
  new StoreError('rejected', `The database URL is not accepted: ${what}.`);
