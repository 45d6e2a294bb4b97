// One websocket endpoint across as many connections as it takes. It logs in, subscribes and watches
// for silence; after a failure it connects again and resumes every channel. It ends when it is
// closed or rejected.
import { AgioError, type Rejection, reasonOf } from './errors.ts';
import { parseExact } from './exact-json.ts';
import { Code } from './generated/codes.ts';
import { Forbidden, Unauthorized } from './generated/rejections.ts';
import type { ChannelName, DataMessage, Heartbeat } from './generated/types.ts';
import type { OrderConnection, OrderEntry, OrderMessage } from './order-entry.ts';
import { rejectionBy } from './rejection-by-code.ts';
import { keyOf, type Line, type StreamSubscription } from './subscription.ts';

/** The part of WebSocket that is used; the global one and that of the package `ws` have it. */
export interface WebSocketLike {
  send(text: string): void;
  close(code?: number): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}

export type StreamState =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** The connection is lost; the next attempt is in `retryMs`. */
  | { readonly state: 'waiting'; readonly reason: string; readonly retryMs: number }
  | { readonly state: 'closed'; readonly reason: string };

export interface ConnectionOptions {
  /** Opens a websocket to the current node. */
  readonly connect: () => WebSocketLike;
  /** The node of the last `connect` failed; the next one may go to another. */
  readonly leave: () => void;
  /** Receives the position of every message of a channel. */
  readonly noteSeq: (seq: number) => void;
  /** The login message for each new connection; null if none is needed. */
  readonly login: (() => Promise<object>) | null;
  /**
   * For endpoints that log in by headers or a cookie: calls the server to learn if it still
   * accepts.
   */
  readonly probe: (() => Promise<unknown>) | null;
  /** The server rejected a timestamp, so the clock must be measured again. */
  readonly correctClock: (serverTime: number) => void;
  readonly onState: (state: StreamState) => void;
  /** After this silence the connection counts as dead, ms. */
  readonly silenceMs: number;
}

type AnySubscription = StreamSubscription<DataMessage>;

/** A message of the server about a request, or about itself. */
interface Control {
  readonly op: string;
  readonly id?: string;
  readonly code?: string;
  readonly userMsg?: string;
  readonly details?: Readonly<Record<string, string>>;
}

const BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;
/** A node follows the leader within some ms. */
const BEHIND_MS = 100;
/** Rejections of a login that a later connection may not meet. */
const PASSING: readonly number[] = [Code.rateLimited, Code.tooManyConnections, Code.signatureUsed];

export class StreamConnection implements Line, OrderConnection {
  readonly #options: ConnectionOptions;
  readonly #subscriptions = new Map<string, AnySubscription>();
  /**
   * By the id of the last request for each. A rejection may follow the acknowledgement, when the
   * history cannot be read.
   */
  readonly #requests = new Map<string, AnySubscription>();
  /** Orders that share the connection. */
  #orders: OrderEntry | null = null;
  #socket: WebSocketLike | null = null;
  #open = false;
  #closed = false;
  #lastId = 0;
  #failures = 0;
  #clockCorrected = false;
  #probing = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  /** Subscriptions to request again after a pause. */
  readonly #later = new Set<ReturnType<typeof setTimeout>>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** It was closed, or the server rejected it. */
  get closed(): boolean {
    return this.#closed;
  }

  has(subscription: Pick<AnySubscription, 'subject'>): boolean {
    return this.#subscriptions.has(keyOf(subscription.subject));
  }

  add(subscription: AnySubscription): void {
    this.#subscriptions.set(keyOf(subscription.subject), subscription);
    if (this.#open) this.#subscribe(subscription);
    else this.#connectOnce();
  }

  /** Sends orders too, until `detach`. */
  attach(orders: OrderEntry): void {
    this.#orders = orders;
    if (this.#open) orders.opened(this);
    else this.#connectOnce();
  }

  detach(): void {
    this.#orders = null;
    this.#closeUnused();
  }

  get #isUsed(): boolean {
    return this.#subscriptions.size > 0 || this.#orders !== null;
  }

  #connectOnce(): void {
    if (this.#socket === null && this.#retry === undefined) this.#connect();
  }

  #closeUnused(): void {
    if (this.#isUsed) return;
    this.#hangUp('');
    if (!this.#closed) this.#options.onState({ state: 'closed', reason: '' });
  }

  begin(subscription: AnySubscription): void {
    if (!this.#open) return;
    this.send({ op: 'unsubscribe', ...subscription.subject });
    this.#subscribe(subscription);
  }

  remove(subscription: AnySubscription): void {
    this.#subscriptions.delete(keyOf(subscription.subject));
    this.#forget(subscription);
    if (this.#open) this.send({ op: 'unsubscribe', ...subscription.subject });
    this.#closeUnused();
  }

  /** Ends every subscription and the connection. */
  close(reason: unknown = null): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const subscription of this.#subscriptions.values()) subscription.finish(reason);
    this.#subscriptions.clear();
    const orders = this.#orders;
    this.#orders = null;
    orders?.ended(reason ?? new AgioError('The streams of this client were closed.'));
    this.#hangUp('');
    this.#options.onState({ state: 'closed', reason: reason === null ? '' : reasonOf(reason) });
  }

  #connect(): void {
    this.#retry = undefined;
    this.#options.onState({ state: 'connecting' });
    let socket: WebSocketLike;
    try {
      socket = this.#options.connect();
    } catch (error) {
      this.close(error);
      return;
    }
    this.#socket = socket;
    const mine = (act: (event: never) => void) => (event: never) => {
      if (this.#socket === socket) act(event);
    };
    socket.onopen = mine(() => void this.#enter());
    socket.onmessage = mine(({ data }: { readonly data: unknown }) => this.#receive(String(data)));
    socket.onclose = mine(({ code, reason }: { readonly code: number; readonly reason: string }) =>
      this.#closedBy(`closed with ${code}${reason ? `: ${reason}` : ''}`),
    );
    // A close event follows.
    socket.onerror = () => {};
    this.#watch();
  }

  #closedBy(reason: string): void {
    const { probe } = this.#options;
    const wasRejected = !this.#open;
    this.#failed(reason);
    if (wasRejected && probe !== null && !this.#closed) void this.#checkAccess(probe);
  }

  /**
   * A websocket does not report why it was rejected, so a call finds out: an ended session must not
   * retry forever.
   */
  async #checkAccess(probe: () => Promise<unknown>): Promise<void> {
    if (this.#probing) return;
    this.#probing = true;
    try {
      await probe();
    } catch (error) {
      const isOut = error instanceof Unauthorized || error instanceof Forbidden;
      if (isOut && !this.#open) this.close(error);
    } finally {
      this.#probing = false;
    }
  }

  async #enter(): Promise<void> {
    const { login } = this.#options;
    if (login === null) {
      this.#enterChannels();
      return;
    }
    const socket = this.#socket;
    try {
      const message = await login();
      if (this.#socket === socket) this.send(message);
    } catch (error) {
      if (this.#socket === socket) this.#lost(reasonOf(error));
    }
  }

  #enterChannels(): void {
    this.#open = true;
    this.#options.onState({ state: 'live' });
    for (const subscription of this.#subscriptions.values()) this.#subscribe(subscription);
    this.#orders?.opened(this);
  }

  #subscribe(subscription: AnySubscription): void {
    const id = String(++this.#lastId);
    const { subject, resumeFrom, cancelOnDisconnect } = subscription;
    this.#forget(subscription);
    this.#requests.set(id, subscription);
    subscription.noteAsked();
    this.send({
      op: 'subscribe',
      ...subject,
      id,
      ...(resumeFrom === null ? {} : { resumeFrom }),
      ...(cancelOnDisconnect ? { cancelOnDisconnect } : {}),
    });
  }

  #forget(subscription: AnySubscription): void {
    for (const [id, asked] of this.#requests) if (asked === subscription) this.#requests.delete(id);
  }

  send(message: object): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #receive(text: string): void {
    this.#watch();
    let message: DataMessage | Heartbeat | Control;
    try {
      message = parseExact(text) as typeof message;
    } catch {
      this.#failed('a message that cannot be read');
      return;
    }
    if ('op' in message) {
      this.#control(message);
      return;
    }
    this.#failures = 0;
    this.#options.noteSeq(message.seq);
    if (message.channel === 'heartbeat') this.#compare(message);
    else this.#subscriptions.get(subjectOf(message))?.receive(message);
  }

  #compare({ channels, seq }: Heartbeat): void {
    for (const position of channels) {
      this.#subscriptions.get(subjectOf(position))?.compareWith(position.seq, seq);
    }
  }

  #control(message: Control): void {
    if (this.#orders?.receive(message as OrderMessage) === true) return;
    const asked = this.#requests.get(message.id ?? '');
    switch (message.op) {
      case 'loggedIn':
        this.#clockCorrected = false;
        // Clients that log in by headers receive it as well.
        if (!this.#open) this.#enterChannels();
        break;
      case 'subscribed':
        asked?.noteBegun();
        break;
      case 'error':
        this.#requests.delete(message.id ?? '');
        this.#rejected(rejectionOf(message), asked);
        break;
    }
  }

  #rejected(error: Rejection, asked: AnySubscription | undefined): void {
    if (asked !== undefined) {
      if (asked.ended) return;
      if (error.code === Code.resumeTooOld) {
        asked.forgetPlace();
        this.#subscribe(asked);
      } else if (error.code === Code.unavailable) {
        // The journal is busy; the next connection asks again.
        this.#failed(error.message);
      } else if (error.code === Code.rateLimited) {
        this.#subscribeLater(asked, error.retryAfterMs ?? 0);
      } else if (isBehind(error)) {
        this.#waitFor(asked, error);
      } else {
        this.#finish(asked, error);
      }
      return;
    }
    if (!this.#open) this.#loginRejected(error);
  }

  #waitFor(asked: AnySubscription, error: Rejection): void {
    const next = asked.noteBehind();
    if (next === 'again') this.#subscribeLater(asked, BEHIND_MS);
    else if (next === 'elsewhere') this.#failed(error.message);
    else this.#finish(asked, error);
  }

  #finish(asked: AnySubscription, error: Rejection): void {
    this.#subscriptions.delete(keyOf(asked.subject));
    asked.finish(error);
  }

  /** The server's budget for this client is used up, or the node has to catch up. */
  #subscribeLater(subscription: AnySubscription, ms: number): void {
    subscription.noteAsked();
    const timer = setTimeout(
      () => {
        this.#later.delete(timer);
        const isWanted = this.#open && this.has(subscription) && !subscription.ended;
        if (isWanted) this.#subscribe(subscription);
      },
      ms + BACKOFF_MS * Math.random(),
    );
    this.#later.add(timer);
  }

  #loginRejected(error: Rejection): void {
    const serverTime = Number(error.nearest);
    const wrongClock = error.code === Code.timestampOutside && serverTime > 0;
    if (wrongClock && !this.#clockCorrected) {
      this.#clockCorrected = true;
      this.#options.correctClock(serverTime);
      this.#lost(error.message);
    } else if (error.code === Code.unavailable) {
      this.#failed(error.message);
    } else if (PASSING.includes(error.code)) {
      this.#lost(error.message);
    } else {
      this.close(error);
    }
  }

  /** The connection is lost, and perhaps its node. */
  #failed(reason: string): void {
    this.#options.leave();
    this.#lost(reason);
  }

  /** The connection is no longer of use. */
  #lost(reason: string): void {
    this.#hangUp(reason);
    if (this.#closed || !this.#isUsed) return;
    const most = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** this.#failures++);
    const retryMs = Math.round(most / 2 + (Math.random() * most) / 2);
    this.#retry = setTimeout(() => this.#connect(), retryMs);
    this.#options.onState({ state: 'waiting', reason, retryMs });
  }

  #hangUp(reason: string): void {
    const socket = this.#socket;
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    for (const timer of this.#later) clearTimeout(timer);
    this.#later.clear();
    this.#retry = undefined;
    this.#socket = null;
    this.#open = false;
    this.#requests.clear();
    for (const subscription of this.#subscriptions.values()) subscription.noteAsked();
    socket?.close();
    this.#orders?.lost(reason);
  }

  /** A message arrived; the silence starts again. */
  #watch(): void {
    clearTimeout(this.#silence);
    const { silenceMs } = this.#options;
    const silent = () => this.#failed(`nothing heard for ${silenceMs} ms`);
    this.#silence = setTimeout(silent, silenceMs);
  }
}

/** The key of a subscription, as keyOf gives it. */
const subjectOf = (
  named: { readonly channel: ChannelName } & {
    readonly symbol?: string;
    readonly depth?: number;
    readonly interval?: string;
  },
): string => keyOf(named);

/** The node has not reached the position that another one had sent. */
const isBehind = ({ field, details }: Rejection): boolean =>
  field === 'resumeFrom' && details.rule === 'maximum';

const rejectionOf = ({ code, userMsg, details }: Control): Rejection =>
  rejectionBy({
    code: Number(code),
    status: 0,
    userMsg: userMsg ?? '',
    details: details ?? {},
    retryAfterMs: details?.retryAfterMs === undefined ? null : Number(details.retryAfterMs),
    requestId: null,
  });
