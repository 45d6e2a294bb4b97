// Carries a call to the server and back: attempts until an answer or the deadline, each with its
// own signature. A write that may have been carried out is sent again only if a second time changes
// nothing.
import { type AnswerInfo, type Attempt, NetworkClient, type NetworkOptions } from './attempt.ts';
import type { CallSpec, Repeat } from './call-spec.ts';
import { SigningClock } from './clock.ts';
import { type Credentials, requireCredentials } from './credentials.ts';
import { type AgioError, NotReached, OutcomeUnknown, type Refused } from './errors.ts';
import { calls } from './generated/calls.ts';
import { Code } from './generated/codes.ts';
import { type Fields, type PathParts, type RequestText, writeRequest } from './request-text.ts';
import { isDoneWithin, pause, startDeadline } from './waiting.ts';
import { isFailure, newIdempotencyKey, requireKey } from './write-outcome.ts';

export interface TransportOptions extends NetworkOptions {
  /** Time limit of a call with all its attempts, ms; 30,000 unless given. */
  readonly deadlineMs?: number;
  /** Maximum of attempts of a call; 10 unless given. */
  readonly attempts?: number;
  /** The clock of signatures: `server` unless given; `own` if this machine's clock is right. */
  readonly clock?: 'server' | 'own';
}

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call with its reason, or with OutcomeUnknown if a write may have been carried out. */
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  /**
   * The least journal position that the answer must show (`lastSeq` of a client); it waits up to 1
   * s.
   */
  readonly minSeq?: number;
  /** Receives every answer to this call before the call ends: its `seq`, its request id, … */
  readonly onAnswer?: (answer: AnswerInfo) => void;
}

export interface WriteOptions extends CallOptions {
  /**
   * Names this write: the server carries it out once per key. The SDK makes a key unless given.
   * Null sends none, and a lost answer is then an OutcomeUnknown without another attempt.
   */
  readonly idempotencyKey?: string | null;
}

const DEADLINE_MS = 30_000;
const ATTEMPTS = 10;
const BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 5_000;

interface State {
  readonly spec: CallSpec;
  readonly repeat: Repeat;
  readonly credentials: Credentials;
  readonly idempotencyKey: string | null;
  attempts: number;
  /** An attempt may have been carried out although its answer was lost. */
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

  /** The highest journal position of all answers; 0 before the first. */
  get lastSeq(): number {
    return this.#network.lastSeq;
  }
  /** Notes the position of an answer over a websocket. */
  noteSeq(seq: number): void {
    this.#network.noteSeq(seq);
  }
  get url(): string {
    return this.#network.url;
  }

  /** As NetworkClient.requireOrigin. */
  requireOrigin(): string {
    return this.#network.requireOrigin();
  }

  /**
   * The answer to a call; its form is not checked. Throws Refused, NotReached, OutcomeUnknown,
   * InvalidArgument; an aborted read throws its signal's reason.
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
    if (given !== null) requireKey(given);
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
   * Waits until the clock allows a signature; false if the time is over before. All calls share one
   * measurement, so a call that runs out of time or is aborted leaves it running.
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

  /** Measures the server's clock once, unless this machine's own is to be used. Never throws. */
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

  /**
   * Wait before the next attempt, ms; null for none. Notes whether a write may have been carried
   * out.
   */
  #waitAfter(attempt: Exclude<Attempt, { kind: 'answered' }>, state: State): number | null {
    const { repeat } = state;
    const failed = attempt.kind === 'lost' || isFailure(attempt.error);
    // A proxy sent the attempt twice; its first copy may have been carried out.
    const sentTwice = attempt.kind === 'refused' && attempt.error.code === Code.signatureUsed;
    if ((failed || sentTwice) && repeat !== 'read') state.unclear = true;
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

  /** Whether a new signature may help: the time was wrong, or the signature was already used. */
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
    const isOpen = unclear && !attempt.error.settlesEarlierAttempt;
    return isOpen ? new OutcomeUnknown(what, idempotencyKey, error) : attempt.error;
  }

  #aborted({ spec, idempotencyKey, unclear }: State, { reason }: AbortSignal): unknown {
    if (!unclear) return reason;
    return new OutcomeUnknown(nameOf(spec), idempotencyKey, reason);
  }
}

const NOT_SENT = new Error('The deadline passed before it could be sent.');

const nameOf = ({ method, path }: CallSpec): string => `${method} ${path}`;

const jitter = (most: number): number => Math.random() * most;
