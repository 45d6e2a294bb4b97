// Orders over the websocket of the account's orders. A request is sent once: if the connection ends
// before its answer, the outcome is unknown, and the caller decides.
import type { SigningClock } from './clock.ts';
import {
  InvalidArgument,
  NotReached,
  OutcomeUnknown,
  type Rejection,
  type RejectionDetails,
} from './errors.ts';
import type {
  AmendedOrder,
  AmendOrderRequest,
  BatchAnswer,
  CanceledOrder,
  CancelOrderRequest,
  CreatedOco,
  CreatedOrder,
  CreateOcoRequest,
  CreateOrdersRequest,
  CreateOrderV2Request,
  MassCanceled,
  MassCancelRequest,
} from './generated/types.ts';
import { rejectionBy } from './rejection-by-code.ts';
import { sendable } from './request-text.ts';
import { isFailure, keyFor } from './write-outcome.ts';

/** The connection, as orders use it. */
export interface OrderConnection {
  send(message: object): void;
  /** Orders need it no more. */
  detach(): void;
}

/** An answer of the server. */
export interface OrderMessage {
  readonly op: string;
  readonly id?: string;
  readonly status?: number | string;
  readonly seq?: number | string;
  readonly replayed?: boolean;
  readonly retryAfterMs?: number | string;
  readonly data?: unknown;
  readonly error?: ErrorBody;
}

interface ErrorBody {
  readonly code: string;
  readonly userMsg: string;
  readonly details?: RejectionDetails;
}

/** The facts of an answer. */
export interface OrderAnswer {
  readonly status: number;
  /** The position of the journal that the answer shows. */
  readonly seq: number | null;
  /** The answer is that of an earlier request with the same idempotencyKey. */
  readonly replayed: boolean;
}

export interface OrderOptions {
  /** Like that of an HTTP call: the SDK makes a key unless given; null sends none. */
  readonly idempotencyKey?: string | null;
  /** How old the message may be when the server reads it, ms; 5,000 unless given. */
  readonly recvWindow?: number;
  /** Time limit, ms; 10,000 unless given. */
  readonly timeoutMs?: number;
  readonly onAnswer?: (answer: OrderAnswer) => void;
}

/** A request that has no answer yet. */
interface Pending {
  readonly op: string;
  readonly message: object;
  readonly answered: (answer: OrderMessage) => void;
  /** It was not sent. */
  readonly fail: (error: unknown) => void;
  /** It was sent, and nobody knows. */
  readonly lose: (cause: unknown) => void;
  readonly timer: ReturnType<typeof setTimeout>;
  sent: boolean;
}

const TIMEOUT_MS = 10_000;
const PREFIX = 'order-';

export class OrderEntry {
  readonly #clock: Pick<SigningClock, 'now'>;
  readonly #noteSeq: (seq: number) => void;
  readonly #pending = new Map<string, Pending>();
  #connection: OrderConnection | null = null;
  #open = false;
  #closed = false;
  #lastId = 0;

  constructor(clock: Pick<SigningClock, 'now'>, noteSeq: (seq: number) => void) {
    this.#clock = clock;
    this.#noteSeq = noteSeq;
  }

  /** It was closed, or the server rejected the login. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Like `createOrderV2`. Throws Rejection, NotReached and OutcomeUnknown; a request is never sent
   * twice.
   */
  place(request: CreateOrderV2Request, options?: OrderOptions): Promise<CreatedOrder> {
    return this.#ask('order.place', request, options);
  }

  /** See `amendOrder`. */
  amend(request: AmendOrderRequest, options?: OrderOptions): Promise<AmendedOrder> {
    return this.#ask('order.amend', request, options);
  }

  /** See `createOco`. */
  placeOco(request: CreateOcoRequest, options?: OrderOptions): Promise<CreatedOco> {
    return this.#ask('order.oco', request, options);
  }

  /** See `cancelOrder`. */
  cancel(request: CancelOrderRequest, options?: OrderOptions): Promise<CanceledOrder> {
    return this.#ask('order.cancel', request, options);
  }

  /** See `massCancel`. */
  cancelAll(request: MassCancelRequest = {}, options?: OrderOptions): Promise<MassCanceled> {
    return this.#ask('order.cancelAll', request, options);
  }

  /** See `createOrders`: a rejected entry has a code, and does not throw. */
  batch(request: CreateOrdersRequest, options?: OrderOptions): Promise<BatchAnswer> {
    return this.#ask('order.batch', request, options);
  }

  /** Ends it, and the connection if no subscription uses it. */
  close(): void {
    this.ended(new InvalidArgument('The order entry was closed.'));
  }

  async #ask<T>(op: string, request: object, options: OrderOptions = {}): Promise<T> {
    const key = keyFor(options.idempotencyKey);
    const fields = { ...(sendable(request, '') as object), ...keyField(key) };
    return new Promise<T>((resolve, reject) => {
      this.#send(op, fields, options, {
        answered: (answer) => {
          this.#note(answer, options);
          if (answer.error === undefined) {
            resolve(answer.data as T);
            return;
          }
          const rejection = rejectionOf(answer);
          reject(isFailure(rejection) ? new OutcomeUnknown(op, key, rejection) : rejection);
        },
        fail: reject,
        lose: (cause) => reject(new OutcomeUnknown(op, key, cause)),
      });
    });
  }

  #note(answer: OrderMessage, { onAnswer }: OrderOptions): void {
    const seq = answer.seq === undefined ? null : Number(answer.seq);
    if (seq !== null) this.#noteSeq(seq);
    const facts = { status: Number(answer.status), seq, replayed: answer.replayed === true };
    // An error in a callback does not change the outcome.
    if (onAnswer !== undefined) queueMicrotask(() => onAnswer(facts));
  }

  #send(
    op: string,
    fields: object,
    { recvWindow, timeoutMs = TIMEOUT_MS }: OrderOptions,
    ends: Pick<Pending, 'answered' | 'fail' | 'lose'>,
  ): void {
    if (this.#closed) {
      ends.fail(new InvalidArgument('The order entry is closed. Ask the client for another one.'));
      return;
    }
    const id = `${PREFIX}${++this.#lastId}`;
    const window = recvWindow === undefined ? {} : { recvWindow };
    const timer = setTimeout(
      () => this.#end(id, new Error(`no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const pending = { op, message: { op, id, ...window, ...fields }, ...ends, timer, sent: false };
    this.#pending.set(id, pending);
    if (this.#open) this.#write(pending);
  }

  #write(pending: Pending): void {
    pending.sent = true;
    this.#connection!.send({ ...pending.message, timestamp: this.#clock.now() });
  }

  #end(id: string, cause: unknown): void {
    const pending = this.#pending.get(id)!;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (pending.sent) pending.lose(cause);
    else pending.fail(new NotReached(pending.op, cause));
  }

  /** The connection is open and logged in. */
  opened(connection: OrderConnection): void {
    this.#connection = connection;
    this.#open = true;
    for (const pending of this.#pending.values()) this.#write(pending);
  }

  /** The connection is lost; what was not sent waits for the next one. */
  lost(reason: string): void {
    this.#open = false;
    for (const [id, { sent }] of this.#pending) if (sent) this.#end(id, new Error(reason));
  }

  /** There will be no other connection. */
  ended(reason: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const [id, pending] of this.#pending) {
      if (pending.sent) this.#end(id, reason);
      else {
        clearTimeout(pending.timer);
        pending.fail(reason);
      }
    }
    this.#pending.clear();
    this.#connection?.detach();
    this.#connection = null;
  }

  /** True if the message answers one of the requests, or one that is no longer waited for. */
  receive(message: OrderMessage): boolean {
    const { id } = message;
    if (id === undefined || !id.startsWith(PREFIX)) return false;
    const pending = this.#pending.get(id);
    if (pending !== undefined) {
      this.#pending.delete(id);
      clearTimeout(pending.timer);
      pending.answered(message);
    }
    return true;
  }
}

const keyField = (key: string | null) => (key === null ? {} : { idempotencyKey: key });

/** `op` is `error` where the server could not tell what the message was. */
function rejectionOf(answer: OrderMessage): Rejection {
  const body = answer.error ?? (answer as unknown as ErrorBody);
  return rejectionBy({
    code: Number(body.code),
    status: Number(answer.status ?? 0),
    userMsg: body.userMsg,
    details: Object.fromEntries(
      Object.entries(body.details ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    retryAfterMs: answer.retryAfterMs === undefined ? null : Number(answer.retryAfterMs),
    requestId: null,
  });
}
