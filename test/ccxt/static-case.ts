// Static cases in ccxt's JSON form, and instances that never reach a network: the request of a
// call, and the result of an answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ccxt, { type Dict } from 'ccxt';
import { agio, register } from '../../src/ccxt/agio.ts';

register(ccxt);

export interface StaticCase {
  readonly description: string;
  readonly method: string;
  readonly input: readonly unknown[];
  /** The request. */
  readonly url?: string;
  readonly output?: string;
  /** The response; a string is its exact text. */
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

/** With loaded markets and the credentials of ccxt's static tests. */
export const offline = (config: Config = {}): agio =>
  new agio({
    apiKey: 'key',
    secret: 'secretsecret',
    enableRateLimit: false,
    markets: read<Dict>('markets'),
    currencies: read<Dict>('currencies'),
    ...config,
  });

/** Builds every request and sends none: ccxt rejects two proxies after it has built the request. */
export const unsendable = (): agio =>
  offline({ httpProxy: 'http://fake:8080', httpsProxy: 'http://fake:8080' });

type Method = (...input: unknown[]) => Promise<unknown>;

/** Calls by name; null stands for an absent argument, as in ccxt's files. */
export const call = (exchange: agio, { method, input }: StaticCase): Promise<unknown> =>
  (exchange[method] as Method)(...input.map((value) => value ?? undefined));

/** The form of the case files: undefined is null. */
export const written = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_name, part: unknown) => (part === undefined ? null : part)));
