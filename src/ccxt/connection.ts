// The websockets: opens them, logs in, subscribes, and resolves the promises that wait for a
// message. Digits are exact as in answers. After a disconnection the orders channel resumes where
// it was.
import type { Dict, Exchange, Str } from 'ccxt';
import { ArgumentsRequired, ExchangeNotAvailable, UnsubscribeError } from 'ccxt';
import { AgioAccount } from './account.ts';

/** The parts of ccxt's websocket client that are used here. */
export interface Client {
  readonly url: string;
  readonly verbose: boolean;
  readonly futures: Dict;
  readonly subscriptions: Dict;
  /** The error that ended it. */
  readonly error: unknown;
  lastPong: number;
  createConnection: () => void;
  onMessage: (event: { readonly data: unknown }) => void;
  onMessageCallback(client: Client, message: unknown): void;
  future(hash: string): Promise<unknown>;
  resolve(result: unknown, hash: string): unknown;
  reject(error: unknown, hash?: string): unknown;
  log(...words: unknown[]): void;
}

export const PUBLIC = '/ws/v1/public';
export const ORDERS = '/ws/v1/private/orders';
export const ACCOUNT = '/ws/v1/private/account';

/** A subscription and the promises that its messages resolve. */
export interface Subject {
  readonly path: string;
  /** Channel, symbol, and the other fields that identify the subscription. */
  readonly request: Dict;
  /** The name of the subscription, and of the promise for any of its messages. */
  readonly hash: string;
}

const AUTHENTICATED = 'authenticated';

export abstract class AgioConnection extends AgioAccount {
  /** By connection and subscription: the last data, until a call returns it. */
  readonly #unread = new WeakMap<Client, Map<string, unknown>>();

  /** The open connection stays on its host; a new one goes to the current host. */
  protected streamUrl(path: string): string {
    const { ws } = this.urls.api;
    const urls = this.allHosts().map((host) => this.urlOf(ws, host) + path);
    const open = urls.find((url) => this.connected(url) !== undefined);
    return open ?? this.implodeHostname(ws) + path;
  }

  override onError(client: Client, error: unknown): void {
    this.leaveHost(client.url);
    super.onError(client, error);
  }

  override onClose(client: Client, event: unknown): void {
    // An error was reported before, or `close()` was called.
    if (client.error === undefined) this.leaveHost(client.url);
    super.onClose(client, event);
  }

  /** Plain ws:// needs an agent only with a proxy; ccxt's own method always asks for one. */
  override getHttpAgentIfNeeded() {
    return this.httpAgent;
  }

  /**
   * Parses messages with exact digits; every message shows that the connection is alive. A client
   * that was closed while it waited to connect does not connect, because nothing would close it
   * again.
   */
  override client(url: Str): ReturnType<Exchange['client']> {
    const known = url !== undefined && this.clients?.[url] !== undefined;
    const socket = super.client(url);
    if (known) return socket;
    const client = socket as unknown as Client;
    const connect = client.createConnection.bind(client);
    client.createConnection = () => {
      if (client.error === undefined && this.clients[url!] === socket) connect();
    };
    client.onMessage = ({ data }) => {
      const message = this.parseJson(String(data));
      client.lastPong = this.milliseconds();
      if (client.verbose) client.log(new Date(), 'onMessage', message);
      try {
        client.onMessageCallback(client, message);
      } catch (error) {
        client.reject(error);
      }
    };
    return socket;
  }

  /**
   * The existing client, if any. It opens none: ccxt limits the rate of those that `watch` opens.
   */
  protected connected(url: string): Client | undefined {
    return this.clients?.[url] as unknown as Client | undefined;
  }

  /** The next message of a subscription; subscribes if there is none, or one with other terms. */
  protected async listen(subject: Subject, params: Dict = {}, hash = subject.hash) {
    if (subject.path !== PUBLIC) await this.logIn(subject.path);
    const data = await this.#subscribe(subject, params, hash);
    this.#unreadAt(subject.path).delete(hash);
    return data;
  }

  /** The next message of any of these public subscriptions, or one that no call has returned. */
  protected async listenToAny<T>(subjects: readonly Subject[], params: Dict = {}): Promise<T> {
    if (subjects.length === 0) throw new ArgumentsRequired(`${this.id} needs at least one symbol`);
    const { subscriptions = {} } = this.connected(this.streamUrl(PUBLIC)) ?? {};
    const missing = subjects.filter(({ hash }) => subscriptions[hash] === undefined);
    for (const subject of missing) this.#subscribe(subject, params, subject.hash);
    const hashes = subjects.map(({ hash }) => hash);
    const unread = this.#unreadAt(PUBLIC);
    const next = () => [...unread.keys()].find((hash) => hashes.includes(hash));
    const isLate = missing.length === 0 && next() !== undefined;
    const data: unknown = isLate
      ? undefined
      : await this.watchMultiple(this.streamUrl(PUBLIC), hashes);
    const hash = next();
    if (hash === undefined) return data as T;
    const first = unread.get(hash);
    unread.delete(hash);
    return first as T;
  }

  #subscribe(subject: Subject, params: Dict, hash: string) {
    const { path, request } = subject;
    const url = this.streamUrl(path);
    const terms = this.terms(subject);
    const subscriptions = this.connected(url)?.subscriptions ?? {};
    const standing: Dict | undefined = subscriptions[subject.hash];
    if (standing !== undefined && this.json(standing.terms) !== this.json(terms)) {
      delete subscriptions[subject.hash];
    }
    const message = {
      ...{ op: 'subscribe', id: subject.hash, ...request },
      ...{ ...this.resumption(subject), ...terms, ...this.withoutChoices(params) },
    };
    return this.watch(url, hash, message, subject.hash, { ...subject, terms });
  }

  #unreadAt(path: string): Map<string, unknown> {
    const client = this.connected(this.streamUrl(path));
    return client === undefined ? new Map() : this.#unreadOf(client);
  }

  #unreadOf(client: Client): Map<string, unknown> {
    const unread = this.#unread.get(client) ?? new Map<string, unknown>();
    this.#unread.set(client, unread);
    return unread;
  }

  /** Resolves the calls that wait for the data; without one, the next call gets it. */
  protected deliver(client: Client, data: unknown, hash: string): void {
    this.#unreadOf(client).set(hash, data);
    client.resolve(data, hash);
  }

  /** Further fields of every subscription to this channel. */
  protected terms(_subject: Subject): Dict {
    return {};
  }

  /** The position from which a subscription resumes. */
  protected resumption(_subject: Subject): Dict {
    return {};
  }

  /** Ends subscriptions; pending calls get an UnsubscribeError. False if there was none. */
  protected async leaveAll(subjects: readonly Subject[]): Promise<boolean> {
    const ended = await Promise.all(subjects.map((subject) => this.#leave(subject)));
    return ended.includes(true);
  }

  async #leave({ path, request, hash }: Subject): Promise<boolean> {
    const url = this.streamUrl(path);
    const socket = this.connected(url);
    if (socket?.subscriptions[hash] === undefined) return false;
    const left = `unsubscribe:${hash}`;
    await this.watch(url, left, { op: 'unsubscribe', id: hash, ...request }, left);
    this.fail(socket, hash, new UnsubscribeError(`${this.id} ${hash} was unsubscribed`));
    this.#unreadOf(socket).delete(hash);
    delete socket.subscriptions[left];
    return true;
  }

  /** Logs in once for all channels of a connection. */
  protected async logIn(path: string): Promise<void> {
    this.checkRequiredCredentials();
    const url = this.streamUrl(path);
    if (this.connected(url)?.subscriptions[AUTHENTICATED] === undefined) {
      const timestamp = String(this.nonce());
      const sign = this.signature(`${timestamp}GET${path}`);
      const message = { op: 'login', id: AUTHENTICATED, apiKey: this.apiKey, timestamp, sign };
      this.watch(url, AUTHENTICATED, message, AUTHENTICATED).catch(() => {});
    }
    await this.connected(url)?.future(AUTHENTICATED);
  }

  override handleMessage(client: Client, message: Dict): void {
    const op = this.safeString(message, 'op');
    const id = this.safeString(message, 'id', '')!;
    if (op === 'loggedIn') client.futures[AUTHENTICATED]?.resolve(true);
    else if (op === 'unsubscribed') client.resolve(true, `unsubscribe:${id}`);
    else if (op === 'error') this.#reject(client, message, id);
    else if (op === undefined) this.handleData(client, message);
  }

  /** A message of a channel. */
  protected abstract handleData(client: Client, message: Dict): void;

  #reject(client: Client, message: Dict, id: string): void {
    let rejection: unknown;
    try {
      this.#requireCaughtUp(message);
      this.handleErrors(400, '', client.url, 'GET', {}, this.json(message), message);
    } catch (error) {
      rejection = error;
    }
    // Without an id the error belongs to no subscription, so all get it.
    if (id === '') client.reject(rejection);
    this.rejected(id, message);
    this.fail(client, id, rejection);
  }

  /** The host has not reached the position that another one had sent: it does within some ms. */
  #requireCaughtUp({ details }: Dict): void {
    if (details?.field !== 'resumeFrom' || details.rule !== 'maximum') return;
    throw new ExchangeNotAvailable(`${this.id} the journal is at ${details.limit}; try again`);
  }

  /** A subscription was rejected. */
  protected rejected(_hash: string, _message: Dict): void {}

  /** Ends a subscription: pending calls get the error, and the next call subscribes again. */
  protected fail(client: Client, hash: string, error: unknown): void {
    delete client.subscriptions[hash];
    for (const waiting of Object.keys(client.futures)) {
      if (waiting === hash || waiting.startsWith(`${hash}:`)) client.reject(error, waiting);
    }
  }
}
