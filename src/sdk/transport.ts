// Carries a call to the server and back: attempts until there is an answer or the deadline has passed, each signed anew. The one
// rule of repetition: what may have been carried out is sent again only where a second time changes nothing.
import { type AnswerInfo, type Attempt, NetworkClient, type NetworkOptions } from './attempt.ts';
import { type CallSpec, calls, type Repeat } from './calls.ts';
import { SigningClock } from './clock.ts';
import { type Credentials, requireCredentials } from './credentials.ts';
import {
  type AgioError,
  Code,
  InvalidArgument,
  NotReached,
  OutcomeUnknown,
  type Refused,
} from './errors.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { type Fields, type PathParts, type RequestText, writeRequest } from './request-text.ts';
import { isDoneWithin, pause, startDeadline } from './waiting.ts';

export interface TransportOptions extends NetworkOptions {
  /** How long a call may take with all its attempts, ms; 30,000 unless given. */
  readonly deadlineMs?: number;
  /** Attempts of a call; 10 unless given, 1 for none but the first. */
  readonly attempts?: number;
  /** `server`, unless given: signatures follow the server's clock. `own`: this machine's is right. */
  readonly clock?: 'server' | 'own';
}

/** Of a single call. */
export interface CallOptions {
  /** Ends the call with its reason; a write that may have been carried out ends in OutcomeUnknown. */
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  /** The answer shows at least this position of the journal (`lastSeq` of a client); waits up to a second for it. */
  readonly minSeq?: number;
  /** Told of every answer to this call, before the call is over: its `seq`, its request id, … */
  readonly onAnswer?: (answer: AnswerInfo) => void;
}

export interface WriteOptions extends CallOptions {
  /**
   * Names this write: with the same key it is carried out once. Made by the SDK unless given; with null there is none, and a lost
   * answer is an OutcomeUnknown at once.
   */
  readonly idempotencyKey?: string | null;
}

const DEADLINE_MS = 30_000;
const ATTEMPTS = 10;
const BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;
/** Refusals by the edge of the server: they tell nothing of what an earlier attempt came to. */
const SAYS_NOTHING_OF_EARLIER = new Set([401, 403, 404, 405, 408, 413, 415, 429]);

interface State {
  readonly spec: CallSpec;
  readonly repeat: Repeat;
  readonly credentials: Credentials;
  readonly idempotencyKey: string | null;
  attempts: number;
  /** An attempt may have been carried out without our hearing of it. */
  unclear: boolean;
  corrected: boolean;
}

export class Transport {
  readonly clock = new SigningClock();
  readonly #options: TransportOptions;
  readonly #network: NetworkClient;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#network = new NetworkClient(options);
  }

  /** The highest position of the journal that an answer has shown; 0 before the first. */
  get lastSeq(): number {
    return this.#network.lastSeq;
  }
  get url(): string {
    return this.#network.url;
  }

  /** See NetworkClient. */
  requireOrigin(): string {
    return this.#network.requireOrigin();
  }

  /**
   * The answer to a call, whose form the caller vouches for. Throws Refused, NotReached, OutcomeUnknown, InvalidArgument; a
   * read that is aborted throws what its signal says.
   */
  async call<T>(
    spec: CallSpec,
    credentials: Credentials | null,
    fields: Fields = {},
    options: WriteOptions = {},
    parts: PathParts = {},
    accept: 'json' | 'text' = 'json',
  ): Promise<T> {
    this.requireOrigin();
    const request = writeRequest(spec, fields, parts);
    const state = this.#begin(spec, credentials, options);
    const deadline = startDeadline(options.deadlineMs ?? this.#options.deadlineMs ?? DEADLINE_MS);
    options.signal?.throwIfAborted();
    const inTime = await this.#isSignable(state, deadline.left(), options.signal);
    if (!inTime || deadline.left() === 0) throw new NotReached(nameOf(spec), NOT_SENT);
    for (;;) {
      state.attempts++;
      const attempt = await this.#network.send({
        request,
        headers: this.#headers(request, state, options),
        earn: spec.earn ?? false,
        accept,
        signal: options.signal,
        onAnswer: options.onAnswer,
        timeLeftMs: deadline.left(),
      });
      if (attempt.kind === 'answered') return attempt.value as T;
      const wait = this.#waitAfter(attempt, state);
      if (options.signal?.aborted) throw this.#aborted(state, options.signal);
      if (wait === null || wait >= deadline.left()) throw this.#end(attempt, state);
      await pause(wait, options.signal).catch(() => {
        throw this.#aborted(state, options.signal!);
      });
      if (deadline.left() === 0) throw this.#end(attempt, state);
    }
  }

  #begin(spec: CallSpec, credentials: Credentials | null, options: WriteOptions): State {
    const given = options.idempotencyKey ?? null;
    if (given !== null && !IDEMPOTENCY_KEY.test(given)) {
      const form = '1 to 128 printable ASCII characters without spaces';
      throw new InvalidArgument(`idempotencyKey: it must be ${form}.`);
    }
    const isKeyed = spec.repeat === 'keyed';
    const hasNone = isKeyed && options.idempotencyKey === null;
    return {
      spec,
      repeat: hasNone ? 'once' : spec.repeat,
      credentials: requireCredentials(spec.access, credentials),
      idempotencyKey: given ?? (isKeyed && !hasNone ? newIdempotencyKey() : null),
      attempts: 0,
      unclear: false,
      corrected: false,
    };
  }

  #headers(request: RequestText, state: State, { minSeq }: CallOptions): Record<string, string> {
    const { credentials, idempotencyKey } = state;
    return {
      ...credentials.headers(request, this.clock),
      ...(request.body === null ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(minSeq === undefined ? {} : { 'X-Agio-Min-Seq': String(minSeq) }),
    };
  }

  /**
   * Waits until a signature may be made; false where the time is over before. The measurement is that of all calls, so none ends
   * it: each leaves it when its own time is over, or throws its signal's reason, for it has sent nothing.
   */
  async #isSignable(
    { credentials }: State,
    timeLeftMs: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const follows = this.#options.clock === 'own' || this.clock.followed;
    if (!credentials.signs || (follows && this.clock.waitMs === 0)) return true;
    const ready = this.followServer().then(() => pause(this.clock.waitMs));
    const inTime = await isDoneWithin(ready, timeLeftMs, signal);
    signal?.throwIfAborted();
    return inTime;
  }

  /** Measures the server's clock, where that was not done and this machine's own is not to be used. Throws nothing. */
  async followServer(): Promise<void> {
    if (this.#options.clock === 'own') return;
    await this.clock.measure(async () => {
      const request = writeRequest(calls.time, {}, {});
      const asking = { request, headers: {}, earn: false };
      const attempt = await this.#network.send(asking);
      if (attempt.kind !== 'answered') throw attempt.error;
      return (attempt.value as { readonly serverTime: number }).serverTime;
    });
  }

  /** How long to wait before the next attempt, ms; null where there is none. Notes what the attempt means for a write. */
  #waitAfter(attempt: Exclude<Attempt, { kind: 'answered' }>, state: State): number | null {
    const { repeat } = state;
    const failed = attempt.kind === 'lost' || isFailure(attempt.error);
    if (failed && repeat !== 'read') state.unclear = true;
    if (state.attempts >= (this.#options.attempts ?? ATTEMPTS)) return null;
    if (attempt.kind === 'refused') {
      const { code, retryAfterMs } = attempt.error;
      if (code === Code.rateLimited || code === Code.unavailable) {
        return (retryAfterMs ?? 0) + jitter(BACKOFF_MS);
      }
      if (this.#correct(attempt.error, state)) return 0;
      if (!failed || repeat === 'read') return null;
    }
    if (repeat === 'once') return null;
    const most = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (state.attempts - 1));
    return most / 2 + jitter(most / 2);
  }

  /** Whether signing anew may help: the time was wrong, or the signature had been used (by a proxy that sent it twice). */
  #correct(error: Refused, state: State): boolean {
    if (!state.credentials.signs || state.corrected) return false;
    if (error.code !== Code.timestampOutside && error.code !== Code.signatureUsed) return false;
    if (error.code === Code.signatureUsed && state.repeat === 'once') return false;
    const serverTime = Number(error.nearest);
    if (error.code === Code.timestampOutside && serverTime > 0) this.clock.correct(serverTime);
    state.corrected = true;
    return true;
  }

  #end(attempt: Exclude<Attempt, { kind: 'answered' }>, state: State): AgioError {
    const { spec, repeat, idempotencyKey, unclear } = state;
    const what = nameOf(spec);
    const { error } = attempt;
    if (repeat === 'read') {
      return attempt.kind === 'lost' ? new NotReached(what, error) : attempt.error;
    }
    if (attempt.kind === 'lost' || isFailure(attempt.error)) {
      return new OutcomeUnknown(what, idempotencyKey, error);
    }
    const { status } = attempt.error;
    const silent = SAYS_NOTHING_OF_EARLIER.has(status) || status >= 500;
    return unclear && silent ? new OutcomeUnknown(what, idempotencyKey, error) : attempt.error;
  }

  #aborted({ spec, idempotencyKey, unclear }: State, { reason }: AbortSignal): unknown {
    if (!unclear) return reason;
    return new OutcomeUnknown(nameOf(spec), idempotencyKey, reason);
  }
}

const NOT_SENT = new Error('The time was over before it could be sent.');

const nameOf = ({ method, path }: CallSpec): string => `${method} ${path}`;

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Whether the server says itself that it does not know what came of a write. */
const isFailure = ({ code, status }: Refused): boolean =>
  code === Code.internal ||
  code === Code.transactionFailed ||
  (status >= 500 && code !== Code.unavailable);

const jitter = (most: number): number => Math.random() * most;
