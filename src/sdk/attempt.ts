// One request over HTTP and its outcome: an answer, a rejection, or nothing readable.
import type { Headers } from './credentials.ts';
import { AgioError, type Rejection, type RejectionDetails } from './errors.ts';
import { parseExact } from './exact-json.ts';
import { rejectionBy } from './rejection-by-code.ts';
import type { RequestText } from './request-text.ts';

export interface NetworkOptions {
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Time limit of one attempt, ms; 10,000 unless given. */
  readonly timeoutMs?: number;
  /** Receives every answer, for logs and measurements. */
  readonly onAnswer?: (answer: AnswerInfo) => void;
}

/** The facts of an answer's headers. */
export interface AnswerInfo {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The position of the journal that the answer shows. */
  readonly seq: number | null;
  readonly requestId: string | null;
  /** The answer is that of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** RateLimit and RateLimit-Policy of RFC 9331; null if no limit applied. */
  readonly rateLimit: string | null;
  /** From the request to the complete answer, ms. */
  readonly durationMs: number;
}

export type Attempt =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'rejected'; readonly error: Rejection }
  /** `sent` is false where no connection came about, so that the server cannot have read it. */
  | { readonly kind: 'lost'; readonly error: Error; readonly sent: boolean };

export interface Sending {
  /** The server; '' on a page of the server itself. */
  readonly url: string;
  readonly request: RequestText;
  readonly headers: Headers;
  readonly earn: boolean;
  readonly accept?: 'json' | 'text';
  readonly signal?: AbortSignal | undefined;
  readonly onAnswer?: ((answer: AnswerInfo) => void) | undefined;
  readonly timeLeftMs?: number;
}

const TIMEOUT_MS = 10_000;
const MAX_SHOWN = 200;
/** Nobody listens there, or the name has no address. Browsers do not tell; Node and Bun do. */
const UNSENT: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND'];

export class NetworkClient {
  readonly #options: NetworkOptions;
  #lastSeq = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  noteSeq(seq: number): void {
    if (seq > this.#lastSeq) this.#lastSeq = seq;
  }

  /** Never throws: a network fault is an outcome. */
  async send(sending: Sending): Promise<Attempt> {
    const { url, request, headers, signal, timeLeftMs = Number.POSITIVE_INFINITY } = sending;
    const { method, path, query, body } = request;
    const send = this.#options.fetch ?? globalThis.fetch;
    const timeout = Math.min(this.#options.timeoutMs ?? TIMEOUT_MS, timeLeftMs);
    const limit = AbortSignal.timeout(Math.ceil(timeout));
    const began = performance.now();
    try {
      const response = await send(url + path + (query === '' ? '' : `?${query}`), {
        method,
        headers,
        body,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        redirect: 'error',
      });
      const text = await response.text();
      this.#note(response, sending, performance.now() - began);
      return read(response, text, sending);
    } catch (error) {
      const lost = asError(error);
      return { kind: 'lost', error: lost, sent: !UNSENT.includes(codeOf(lost)) };
    }
  }

  #note({ headers, status }: Response, sending: Sending, durationMs: number): void {
    const shown = Number(headers.get('x-agio-seq') ?? Number.NaN);
    const seq = Number.isSafeInteger(shown) ? shown : null;
    if (seq !== null) this.noteSeq(seq);
    const callbacks = [this.#options.onAnswer, sending.onAnswer].filter(
      (each) => each !== undefined,
    );
    if (callbacks.length === 0) return;
    const { method, path } = sending.request;
    const info = {
      method,
      path,
      status,
      seq,
      requestId: headers.get('x-request-id'),
      replayed: headers.get('idempotency-replayed') === 'true',
      rateLimit: headers.get('ratelimit'),
      durationMs,
    };
    // An error in a callback does not change the outcome of the call.
    for (const onAnswer of callbacks) queueMicrotask(() => onAnswer(info));
  }
}

function read(response: Response, text: string, { earn, accept, request }: Sending): Attempt {
  if (response.ok && accept === 'text') return { kind: 'answered', value: text };
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return { kind: 'lost', error: unreadable(response, text, request), sent: true };
  }
  if (response.ok && !(earn && isLegacyError(value))) {
    return { kind: 'answered', value: earn ? (value as { data: unknown }).data : value };
  }
  const error = rejectionOf(response, value);
  if (error === null)
    return { kind: 'lost', error: unreadable(response, text, request), sent: true };
  return { kind: 'rejected', error };
}

/** Earn calls reject with status 200: each code except 0 is an error. */
const isLegacyError = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (value as { code?: unknown }).code !== '0';

interface ErrorBody {
  readonly code?: unknown;
  readonly errorCode?: unknown;
  readonly userMsg?: unknown;
  readonly msg?: unknown;
  readonly details?: RejectionDetails;
}

/** null for a body of another form: it is from a proxy between us and the server. */
function rejectionOf(response: Response, value: unknown): Rejection | null {
  if (typeof value !== 'object' || value === null) return null;
  const { code, errorCode, userMsg, msg, details = {} } = value as ErrorBody;
  const number = Number(errorCode ?? code);
  if (code === undefined || !Number.isSafeInteger(number)) return null;
  return rejectionBy({
    code: number,
    status: response.status,
    userMsg: String(userMsg ?? msg),
    details: texts(details),
    retryAfterMs: retryAfter(response),
    requestId: response.headers.get('x-request-id'),
  });
}

const texts = (details: RejectionDetails): RejectionDetails =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [name, String(value)]));

function retryAfter({ headers }: Response): number | null {
  const seconds = headers.get('retry-after');
  return seconds === null || !/^\d+$/.test(seconds) ? null : Number(seconds) * 1000;
}

const unreadable = ({ status }: Response, text: string, { method, path }: RequestText): AgioError =>
  new AgioError(
    `${method} ${path} had an answer with status ${status} that is not of this API: ` +
      JSON.stringify(text.slice(0, MAX_SHOWN)),
  );

/** Bun's error has the code, Node's has it in its cause. */
const codeOf = (error: Error & { readonly code?: unknown }): unknown =>
  error.code ?? (error.cause as { readonly code?: unknown } | undefined)?.code;

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
