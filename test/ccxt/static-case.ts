// Static cases in ccxt's own JSON form, and instances that never reach a network: what a call sends, and what it makes of an
// answer that is given to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ccxt, { type Dict } from 'ccxt';
import { agio, register } from '../../src/ccxt/agio.ts';

register(ccxt);

export interface StaticCase {
  readonly description: string;
  readonly method: string;
  readonly input: readonly unknown[];
  /** Of a request. */
  readonly url?: string;
  readonly output?: string;
  /** Of a response; a string is the text as it was sent. */
  readonly httpResponse?: unknown;
  readonly parsedResponse?: unknown;
}

interface CaseFile {
  readonly exchange: string;
  readonly methods: Readonly<Record<string, readonly StaticCase[]>>;
}

const read = <T>(kind: string): T =>
  JSON.parse(readFileSync(join(import.meta.dir, 'static', kind, 'agio.json'), 'utf8'));

export const casesOf = (kind: 'request' | 'response'): StaticCase[] =>
  Object.values(read<CaseFile>(kind).methods).flat();

type Config = Readonly<Record<string, unknown>>;

/** With markets that are loaded already and the credentials of ccxt's static tests. */
export const offline = (config: Config = {}): agio =>
  new agio({
    apiKey: 'key',
    secret: 'secretsecret',
    enableRateLimit: false,
    markets: read<Dict>('markets'),
    currencies: read<Dict>('currencies'),
    ...config,
  });

/** Builds every request and sends none: two proxies at once are refused where the request is ready. */
export const unsendable = (): agio =>
  offline({ httpProxy: 'http://fake:8080', httpsProxy: 'http://fake:8080' });

type Method = (...input: unknown[]) => Promise<unknown>;

/** Calls by name; null stands for what is left out, as in ccxt's files. */
export const call = (exchange: agio, { method, input }: StaticCase): Promise<unknown> =>
  (exchange[method] as Method)(...input.map((value) => value ?? undefined));

/** As the case files write it: what is undefined is null. */
export const written = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_name, part: unknown) => (part === undefined ? null : part)));
