// One call over HTTP. Numbers of an answer keep their text, so that no amount is ever a float: whoever wants a time or a
// count as a number says so where it is used.
import { NotReached, type RefusalDetails, Refused } from './refusal.ts';

/** A query's values; what is null or undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface CallOptions {
  readonly query?: Query;
  /** Decimals go as text. */
  readonly body?: object;
  /** Authorization of the operator console; customers have a cookie. */
  readonly bearer?: string;
  readonly signal?: AbortSignal | undefined;
  /** Makes a repeated write one write. */
  readonly idempotencyKey?: string;
}

/** An answer as it was sent, with every number as its text. */
export type Wire<T> = T extends number
  ? string
  : T extends readonly (infer E)[]
    ? readonly Wire<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Wire<T[K]> }
      : T;

/**
 * The answer of `method` on `path`, whose shape the caller vouches for. Throws Refused or NotReached; an aborted
 * call throws what fetch throws.
 */
export async function call<T>(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  options: CallOptions = {},
): Promise<T> {
  const response = await send(method, path, options);
  const text = await response.text();
  const answer = parse(text);
  if (answer === undefined) throw new NotReached();
  if (!response.ok || isLegacyError(answer)) throw refusedBy(response, answer);
  return answer as T;
}

/** The text of an answer that is no JSON, such as a statement in CSV. */
export async function callText(path: string, query: Query): Promise<string> {
  const response = await send('GET', path, { query });
  const text = await response.text();
  if (!response.ok) throw refusedBy(response, parse(text));
  return text;
}

/** The `data` of an answer in the earn area's envelope. */
export async function callEarn<T>(
  method: 'GET' | 'POST',
  path: string,
  options: CallOptions = {},
): Promise<T> {
  const { data } = await call<{ readonly data: T }>(method, `/earn-api/v1/user${path}`, options);
  return data;
}

async function send(
  method: string,
  path: string,
  { query = {}, body, bearer, signal, idempotencyKey }: CallOptions,
): Promise<Response> {
  const headers = new Headers();
  if (method !== 'GET') headers.set('Content-Type', 'application/json');
  if (bearer !== undefined) headers.set('Authorization', `Bearer ${bearer}`);
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  const url = path + queryText(query);
  try {
    return await fetch(url, {
      method,
      headers,
      signal: signal ?? null,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NotReached();
  }
}

function queryText(query: Query): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** JSON with numbers as their source text; undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text, keepNumbers as (this: unknown, key: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}

const keepNumbers = (
  _key: string,
  value: unknown,
  context: { readonly source: string },
): unknown => (typeof value === 'number' ? context.source : value);

interface ErrorBody {
  readonly code?: string;
  readonly msg?: string;
  readonly userMsg?: string;
  readonly errorCode?: string;
  readonly details?: RefusalDetails;
}

/** The earn area says no with status 200: by the spec, whatever has a code other than 0 is an error. */
function isLegacyError(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('code' in answer)) return false;
  return 'msg' in answer && answer.code !== '0';
}

function refusedBy(response: Response, answer: unknown): Refused | NotReached {
  const { code, errorCode, userMsg, msg, details } = (answer ?? {}) as ErrorBody;
  if (code === undefined) return new NotReached();
  const wait = response.headers.get('Retry-After');
  return new Refused(
    Number(errorCode ?? code),
    response.status,
    userMsg ?? msg ?? 'The exchange refused this without saying why.',
    details ?? {},
    wait === null ? null : Number(wait),
  );
}
