// A running server as the commands reach it: the operator API over HTTP. Numbers of answers are
// kept as their text, so that what is printed is what the server wrote.

import { timeText } from '../engine/clock.ts';
import { CliError } from './command.ts';
import { print, table } from './output.ts';
import { readSandboxFile, sandboxFile } from './sandbox-access.ts';

/** A value of an answer; numbers are texts. */
export type Cell = string | boolean | null | readonly Cell[] | Row;
export interface Row {
  readonly [field: string]: Cell;
}

/** The flags of every command that talks to a server. */
export const SERVER_ARGS = {
  url: {
    type: 'string',
    valueHint: 'URL',
    description: 'The server. Unless given: AGIO_HOST and AGIO_PORT, or what the sandbox noted.',
  },
  data: {
    type: 'string',
    valueHint: 'DIR',
    description: 'A sandbox’s data directory, for its operator token (AGIO_DATA, or ./data).',
  },
  json: { type: 'boolean', description: 'Print the answer as JSON.' },
} as const;

export interface ServerChoice {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly json?: boolean | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
/**
 * A snapshot of a large venue, or a year of interest, takes its time; hanging for ever helps
 * nobody.
 */
const TIMEOUT_MS = 600_000;

export class OperatorClient {
  readonly #url: string;
  readonly #token: string;

  /** Throws CliError when there is no token to be found. */
  constructor(choice: ServerChoice) {
    const { AGIO_HOST, AGIO_PORT, AGIO_DATA, AGIO_OPERATOR_TOKEN } = process.env;
    const data = choice.data ?? (AGIO_DATA || './data');
    const noted = readSandboxFile(data);
    const configured =
      AGIO_HOST || AGIO_PORT ? urlOf(AGIO_HOST || '127.0.0.1', AGIO_PORT || '8080') : undefined;
    const url = choice.url ?? configured ?? noted?.url ?? DEFAULT_URL;
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new CliError(`"${url}" is not a URL such as ${DEFAULT_URL}.`);
    }
    const token = AGIO_OPERATOR_TOKEN || noted?.operatorToken;
    if (token === undefined) {
      throw new CliError(
        `No operator token: set AGIO_OPERATOR_TOKEN, or name a sandbox’s directory with --data ` +
          `(there is no ${sandboxFile(data)}).`,
      );
    }
    this.#url = url.replace(/\/+$/, '');
    this.#token = token;
  }

  get(path: string): Promise<Answer> {
    return this.#send('GET', path);
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.#send('POST', path, body);
  }

  patch(path: string, body: object): Promise<Answer> {
    return this.#send('PATCH', path, body);
  }

  async #send(method: string, path: string, body?: object): Promise<Answer> {
    const url = `${this.#url}/operator/v1/${path}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers: {
          Authorization: `Bearer ${this.#token}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (error) {
      const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new CliError(
        `No answer from ${this.#url}${why}: ` +
          'start a server with "agio start", or name another with --url.',
      );
    }
    const answer = new Answer(text);
    if (response.ok) return answer;
    throw new CliError(refusalText(answer, response.status));
  }
}

/** What the server said. */
export class Answer {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Throws CliError when it is not JSON: then it was not agio that answered. */
  get value(): Cell {
    try {
      return JSON.parse(this.text, keepNumber as (key: string, value: unknown) => unknown) as Cell;
    } catch {
      throw new CliError('The answer is not JSON: the URL is not that of an agio server.');
    }
  }

  get row(): Row {
    return this.value as Row;
  }

  /** The rows of a list, or of a page's `items`. */
  get rows(): readonly Row[] {
    const { value } = this;
    return (Array.isArray(value) ? value : (value as Row).items) as readonly Row[];
  }
}

/** Prints a list as a table of the named fields, or as it came. */
export function printRows(answer: Answer, choice: ServerChoice, fields: readonly string[]): void {
  if (choice.json === true) print(answer.text);
  else
    print(
      table(
        fields,
        answer.rows.map((row) => fields.map((field) => shownField(field, row[field]))),
      ),
    );
}

/** Prints one thing with a line for each of its fields, or as it came. */
export function printRow(answer: Answer, choice: ServerChoice): void {
  if (choice.json === true) print(answer.text);
  else print(fieldLines(answer.row));
}

export function fieldLines(row: Row): string {
  const entries = Object.entries(row);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => `${name.padEnd(width)}  ${shownField(name, value)}`)
    .join('\n');
}

/** Fields of the operator API that hold epoch ms: `time`, and what is called for what happened then. */
const TIME_FIELD = /^time$|[a-z](At|Time)$/;

/** A cell as a person reads it, by what its field holds. */
const shownField = (name: string, cell: Cell | undefined): string =>
  TIME_FIELD.test(name) ? shownTime(cell) : shown(cell);

/** A cell as a person reads it. */
export function shown(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (typeof cell === 'string') return cell;
  if (Array.isArray(cell)) return cell.map(shown).join(',');
  const fields = Object.entries(cell).map(([name, value]) => `${name}=${shown(value)}`);
  return fields.join(' ');
}

/** A time of an answer as a date. */
export const shownTime = (cell: Cell | undefined): string =>
  typeof cell === 'string' ? timeText(Number(cell)) : '–';

function keepNumber(_key: string, value: unknown, context?: { readonly source: string }): unknown {
  return typeof value === 'number' ? context!.source : value;
}

function refusalText(answer: Answer, status: number): string {
  const { userMsg, code } = answer.row;
  if (typeof userMsg !== 'string') return `The server answered with HTTP ${status}.`;
  return `${userMsg} (${shown(code)}, HTTP ${status})`;
}

/** An address that stands for every interface is no address to connect to. */
function urlOf(host: string, port: string): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
