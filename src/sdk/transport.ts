// Carries a call to the server and back: attempts until an answer or the deadline, each with its
// own signature. A write that may have been carried out is sent again only if a second time changes
// nothing. With several URLs each attempt goes to the node that nodes.ts chooses.
import { type AnswerInfo, type Attempt, NetworkClient, type NetworkOptions } from './attempt.ts';
import type { CallSpec, Repeat } from './call-spec.ts';
import { SigningClock } from './clock.ts';
import { type Credentials, requireCredentials } from './credentials.ts';
import { type AgioError, NotReached, OutcomeUnknown, type Rejection } from './errors.ts';
import { calls } from './generated/calls.ts';
import { Code } from './generated/codes.ts';
import { Nodes, originOf, serverUrls } from './nodes.ts';
import { type Fields, type PathParts, type RequestText, writeRequest } from './request-text.ts';
import { isDoneWithin, pause, startDeadline } from './waiting.ts';
import { isFailure, newIdempotencyKey, requireKey } from './write-outcome.ts';

export interface TransportOptions extends NetworkOptions {
  /**
   * The server, such as `https://exchange.example.com`; '' on a page of the server itself. A list
   * has the nodes of one cluster: the client stays on one until that one fails.
   */
  readonly url: string | readonly string[];
  /** Time limit of a call with all its attempts, ms; 30,000 unless given. */
  readonly deadlineMs?: number;
  /** Maximum of attempts of a call; 10 for each URL unless given. */
  readonly attempts?: number;
  /**
   * Private reads wait for the position that this client has seen, which another node reaches some
   * ms later. True unless given with several URLs; for one URL with several nodes behind it.
   */
  readonly readYourWrites?: boolean;
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

type NoAnswer = Exclude<Attempt, { kind: 'answered' }>;

interface ServerTime {
  readonly serverTime: number;
}

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
  readonly #nodes: Nodes;
  readonly #network: NetworkClient;
  /** The highest position of all messages of private streams. */
  #streamSeq = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#nodes = new Nodes(serverUrls(options.url));
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
  /** Notes the position of a message, which no answer has had yet. */
  noteStreamSeq(seq: number): void {
    if (seq > this.#streamSeq) this.#streamSeq = seq;
  }
  /** The node that the next attempt goes to. */
  get url(): string {
    return this.#nodes.current;
  }

  /** The node failed: calls and streams go on with another one, if there is one. */
  leave(node: string, retryAfterMs = 0): void {
    this.#nodes.leave(node, retryAfterMs);
    if (this.url !== node) this.clock.measureAgain();
  }

  /**
   * The answer to a call; its form is not checked. Throws Rejection, NotReached, OutcomeUnknown,
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
    originOf(this.url);
    const request = writeRequest(spec, fields, parts);
    const state = this.#begin(spec, credentials, options);
    const deadline = startDeadline(options.deadlineMs ?? this.#options.deadlineMs ?? DEADLINE_MS);
    options.signal?.throwIfAborted();
    const inTime = await this.#isSignable(state, deadline.left(), options.signal);
    if (!inTime || deadline.left() === 0) throw new NotReached(nameOf(spec), NOT_SENT);
    for (;;) {
      state.attempts++;
      const { url } = this;
      const attempt = await this.#network.send({
        url,
        request,
        headers: this.#headers(request, state, options),
        earn: spec.earn ?? false,
        accept,
        signal: options.signal,
        onAnswer: options.onAnswer,
        timeLeftMs: deadline.left(),
      });
      if (attempt.kind === 'answered') return attempt.value as T;
      if (!options.signal?.aborted) this.#leaveAfter(attempt, url);
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

  #headers(request: RequestText, state: State, options: CallOptions): Record<string, string> {
    const { spec, repeat, credentials, idempotencyKey } = state;
    const isPrivateRead = repeat === 'read' && spec.access !== 'public';
    const minSeq = options.minSeq ?? (isPrivateRead ? this.#seenSeq : undefined);
    return {
      ...credentials.headers(request, this.clock),
      ...(request.body === null ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(minSeq === undefined ? {} : { 'X-Agio-Min-Seq': String(minSeq) }),
    };
  }

  /** The position that private reads must show; undefined if the same server answers all. */
  get #seenSeq(): number | undefined {
    const { readYourWrites = this.#nodes.all.length > 1 } = this.#options;
    const seen = Math.max(this.lastSeq, this.#streamSeq);
    return readYourWrites && seen > 0 ? seen : undefined;
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
      for (let left = this.#nodes.all.length; ; left--) {
        const { url } = this;
        const attempt = await this.#network.send({ url, request, headers: {}, earn: false });
        if (attempt.kind === 'answered') return (attempt.value as ServerTime).serverTime;
        if (left === 1) throw attempt.error;
        this.#nodes.leave(url);
      }
    });
  }

  /** Leaves a node that gave no answer, or that cannot serve now. */
  #leaveAfter(attempt: NoAnswer, url: string): void {
    if (attempt.kind === 'lost') this.leave(url);
    else if (attempt.error.code === Code.unavailable || isFailure(attempt.error)) {
      this.leave(url, attempt.error.retryAfterMs ?? 0);
    }
  }

  /**
   * Wait before the next attempt, ms; null for none. Notes whether a write may have been carried
   * out.
   */
  #waitAfter(attempt: NoAnswer, state: State): number | null {
    const { repeat } = state;
    const unsent = attempt.kind === 'lost' && !attempt.sent;
    const failed = attempt.kind === 'lost' || isFailure(attempt.error);
    // A proxy sent the attempt twice; its first copy may have been carried out.
    const sentTwice = attempt.kind === 'rejected' && attempt.error.code === Code.signatureUsed;
    if (((failed && !unsent) || sentTwice) && repeat !== 'read') state.unclear = true;
    const count = this.#nodes.all.length;
    if (state.attempts >= (this.#options.attempts ?? ATTEMPTS * count)) return null;
    if (attempt.kind === 'rejected') {
      const { code, retryAfterMs } = attempt.error;
      if (code === Code.rateLimited) return (retryAfterMs ?? 0) + jitter(BACKOFF_MS);
      if (code === Code.unavailable) return this.#nodes.waitMs + jitter(BACKOFF_MS);
      if (this.#correct(attempt.error, state)) return 0;
      // A read that fails on every node is a fault of the server, which a repeat does not change.
      if (!failed || (repeat === 'read' && state.attempts >= count)) return null;
    }
    if (repeat === 'once' && !unsent) return null;
    const round = Math.floor((state.attempts - 1) / count);
    const most = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** round);
    return most / 2 + jitter(most / 2);
  }

  /** True if a new signature may help: the time was wrong, or the signature was already used. */
  #correct(error: Rejection, state: State): boolean {
    if (!state.credentials.signs || state.corrected) return false;
    if (error.code !== Code.timestampOutside && error.code !== Code.signatureUsed) return false;
    if (error.code === Code.signatureUsed && state.repeat === 'once') return false;
    const serverTime = Number(error.nearest);
    if (error.code === Code.timestampOutside && serverTime > 0) this.clock.correct(serverTime);
    state.corrected = true;
    return true;
  }

  #end(attempt: NoAnswer, state: State): AgioError {
    const { spec, repeat, idempotencyKey, unclear } = state;
    const what = nameOf(spec);
    const { error } = attempt;
    if (repeat === 'read') {
      return attempt.kind === 'lost' ? new NotReached(what, error) : attempt.error;
    }
    if (attempt.kind === 'lost' && !unclear) return new NotReached(what, error);
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
