// The log on standard error: JSON lines in production, readable lines in the sandbox. Writes are
// synchronous, so the last line of a process that ends is not lost.
import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';
import { printError } from './output.ts';

const STDERR = 2;

/** Names under which a secret could come in by mistake. */
const SECRETS = ['password', 'secretKey', 'token', 'authorization', 'operatorToken', 'masterKey'];

export function createLogger({ mode, logLevel }: Pick<Config, 'mode' | 'logLevel'>): Logger {
  const redact = { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' };
  if (mode === 'production') {
    return pino({ level: logLevel, redact }, pino.destination({ fd: STDERR, sync: true }));
  }
  return pino({ level: logLevel, redact, base: null }, { write: writeReadable });
}

/** `12:01:02.123 info  state recovered  seq=120 replayed=20` */
function writeReadable(line: string): void {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as {
    readonly level: number;
    readonly time: number;
    readonly msg?: string;
    readonly err?: { readonly message?: string; readonly stack?: string };
  };
  const clock = new Date(time).toISOString().slice(11, 23);
  const name = (pino.levels.labels[level] ?? String(level)).padEnd(5);
  const words = Object.entries(fields).map(([key, value]) => `${key}=${valueText(value)}`);
  const cause = err === undefined ? [] : [`\n${err.stack ?? err.message ?? ''}`];
  const parts = [clock, name, msg ?? '', ...(words.length > 0 ? ['', ...words] : []), ...cause];
  printError(parts.join(' '));
}

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
