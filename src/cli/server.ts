// The running server that operator commands act on, by the SDK: found by options, environment
// or sandbox.json. Answers keep the text of their numbers, so commands print what the server wrote.
import { timeText } from '../engine/clock.ts';
import { type Credentials, operatorCredentials } from '../sdk/credentials.ts';
import { OutcomeUnknown, Rejection } from '../sdk/errors.ts';
import { parseAsText } from '../sdk/exact-json.ts';
import { operatorCalls } from '../sdk/generated/calls.ts';
import { Transport } from '../sdk/transport.ts';
import { CliError, type Inputs, type Values } from './command.ts';
import { readSandboxFile, type SandboxFile, sandboxFile } from './data-directory.ts';
import { isSystemError } from './expected-errors.ts';

/** The options of every command that calls a server. */
export const SERVER_ARGS = {
  url: {
    type: 'string',
    valueHint: 'URL',
    description: 'The server. Default: AGIO_HOST and AGIO_PORT, or the one in sandbox.json.',
  },
  data: {
    type: 'string',
    valueHint: 'DIR',
    description: 'A sandbox’s data directory, for its operator token (AGIO_DATA, or ./data).',
  },
  json: { type: 'boolean', description: 'Print the answer as JSON.' },
} as const satisfies Inputs;

export type ServerChoice = Partial<Values<typeof SERVER_ARGS>>;
export type OperatorCallName = keyof typeof operatorCalls;

const DEFAULT_URL = 'http://127.0.0.1:8080';
/** A snapshot of a large venue, or a year of interest, takes long. */
const TIMEOUT_MS = 600_000;

/** Every method throws CliError with what the server said, or why there was no answer. */
export class Server {
  readonly #transport: Transport;
  readonly #credentials: Credentials;

  /** Throws CliError without a usable URL or without a token. */
  constructor(choice: ServerChoice) {
    const { AGIO_DATA, AGIO_OPERATOR_TOKEN } = process.env;
    const data = choice.data ?? (AGIO_DATA || './data');
    const { noted, why } = notedIn(data);
    const url = choice.url ?? configuredUrl() ?? noted?.url ?? DEFAULT_URL;
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new CliError(`"${url}" is not a URL such as ${DEFAULT_URL}.`);
    }
    const token = AGIO_OPERATOR_TOKEN || noted?.operatorToken;
    if (token === undefined) {
      throw new CliError(
        'No operator token: set AGIO_OPERATOR_TOKEN, name a file that sets it (--env-file FILE), ' +
          `or name a sandbox’s directory with --data (${why}).`,
      );
    }
    this.#credentials = operatorCredentials(token);
    const limits = { attempts: 1, deadlineMs: TIMEOUT_MS, timeoutMs: TIMEOUT_MS } as const;
    this.#transport = new Transport({ url, ...limits });
  }

  /** Calls the operator API; `parts` fill in the path. */
  async call(
    name: OperatorCallName,
    fields: object = {},
    parts: Readonly<Record<string, string | number>> = {},
  ): Promise<Answer> {
    const spec = operatorCalls[name];
    const transport = this.#transport;
    try {
      return new Answer(
        await transport.call<string>(spec, this.#credentials, fields, {}, parts, 'text'),
      );
    } catch (error) {
      throw failureOf(error, transport.url);
    }
  }
}

/** The notes of a sandbox in its directory, or the reason why there are none. */
function notedIn(data: string): { readonly noted?: SandboxFile | undefined; readonly why: string } {
  try {
    return { noted: readSandboxFile(data), why: `there is no ${sandboxFile(data)}` };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { why: error.message };
  }
}

function configuredUrl(): string | undefined {
  const { AGIO_HOST, AGIO_PORT } = process.env;
  if (!(AGIO_HOST || AGIO_PORT)) return undefined;
  const host = AGIO_HOST || '127.0.0.1';
  // An address that stands for every interface is not an address to connect to.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const named = reachable.includes(':') ? `[${reachable}]` : reachable;
  return `http://${named}:${AGIO_PORT || '8080'}`;
}

/** A call that the server rejected. `text` is the server's message, or the same in other words. */
export class RejectedCall extends CliError {
  constructor(
    readonly rejection: Rejection,
    text: string,
  ) {
    super(`${text} (${rejection.code}, HTTP ${rejection.status})`);
  }
}

function failureOf(error: unknown, url: string): unknown {
  if (error instanceof Rejection) {
    return new RejectedCall(error, error.message);
  }
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return error;
  const { cause } = error;
  if (!('code' in cause)) return new CliError(error.message);
  const unclear = error instanceof OutcomeUnknown;
  return new CliError(
    `No answer from ${url} (${String(cause.code)}): start a server with "agio start", or name ` +
      `another with --url.${unclear ? ' The command may have been carried out.' : ''}`,
  );
}

/** A value of an answer; numbers are texts. */
export type Cell = string | boolean | null | readonly Cell[] | Row;
export interface Row {
  readonly [field: string]: Cell;
}

/** An answer of the server. */
export class Answer {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Throws CliError when it is not JSON: then another server answered. */
  get value(): Cell {
    try {
      return parseAsText(this.text) as Cell;
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

/** Fields of the operator API that have epoch milliseconds. */
const TIME_FIELD = /^time$|[a-z](At|Time)$/;

/** The value of a field as text for a terminal. */
export const fieldText = (name: string, cell: Cell | undefined): string =>
  TIME_FIELD.test(name) ? cellTimeText(cell) : cellText(cell);

export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '–';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (typeof cell === 'string') return cell;
  if (Array.isArray(cell)) return cell.map(cellText).join(',');
  const fields = Object.entries(cell).map(([name, value]) => `${name}=${cellText(value)}`);
  return fields.join(' ');
}

/** A time in an answer as a date. */
export const cellTimeText = (cell: Cell | undefined): string =>
  typeof cell === 'string' ? timeText(Number(cell)) : '–';
