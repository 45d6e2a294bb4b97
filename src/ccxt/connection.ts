// The websockets: how they are opened, logged in to and subscribed, and how a message finds what waits for it. Digits are kept
// as in answers, and what has been missed over a disconnection of the orders channel is asked for.
import type { Dict, Exchange, Str } from 'ccxt';
import { UnsubscribeError } from 'ccxt';
import { AgioAccount } from './account.ts';

/** ccxt's client of one websocket, as far as it is used here. */
export interface Client {
  readonly url: string;
  readonly verbose: boolean;
  readonly futures: Dict;
  readonly subscriptions: Dict;
  /** What has ended it. */
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

/** What is subscribed to, and which promises its messages fulfil. */
export interface Subject {
  readonly path: string;
  /** channel, symbol and what else tells it from others. */
  readonly request: Dict;
  /** The name of the subscription, and of whatever waits for any of its messages. */
  readonly hash: string;
}

const AUTHENTICATED = 'authenticated';

export abstract class AgioConnection extends AgioAccount {
  protected streamUrl(path: string): string {
    return this.implodeHostname(this.urls.api.ws) + path;
  }

  /** Plain ws:// needs no agent unless there is a proxy; ccxt's own asks for one all the same. */
  override getHttpAgentIfNeeded() {
    return this.httpAgent;
  }

  /**
   * A message is parsed with its digits; anything that is heard shows that the connection lives. One that was closed while it
   * waited for its turn to connect does not connect any more: nobody would close it again.
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

  /** What there is of a connection. None is made here: ccxt spaces those that it sees being made by `watch` itself. */
  protected connected(url: string): Client | undefined {
    return this.clients?.[url] as unknown as Client | undefined;
  }

  /** The next message of a subscription, which is made where there is none on this connection, or one on other terms. */
  protected async listen(subject: Subject, params: Dict = {}, hash = subject.hash) {
    const { path, request } = subject;
    if (path !== PUBLIC) await this.logIn(path);
    const url = this.streamUrl(path);
    const terms = this.terms(subject);
    const subscriptions = this.connected(url)?.subscriptions ?? {};
    const standing: Dict | undefined = subscriptions[subject.hash];
    if (standing !== undefined && this.json(standing.terms) !== this.json(terms)) {
      delete subscriptions[subject.hash];
    }
    const message = {
      ...{ op: 'subscribe', id: subject.hash, ...request },
      ...{ ...this.resumption(subject), ...terms, ...params },
    };
    return this.watch(url, hash, message, subject.hash, { ...subject, terms });
  }

  /** What every subscription of it asks for besides, whoever of its listeners is the first to subscribe. */
  protected terms(_subject: Subject): Dict {
    return {};
  }

  /** What a subscription goes on from. */
  protected resumption(_subject: Subject): Dict {
    return {};
  }

  /** Ends a subscription; whatever waits for its messages gets an UnsubscribeError. */
  protected async leave({ path, request, hash }: Subject): Promise<boolean> {
    const url = this.streamUrl(path);
    const socket = this.connected(url);
    if (socket?.subscriptions[hash] === undefined) return false;
    const left = `unsubscribe:${hash}`;
    await this.watch(url, left, { op: 'unsubscribe', id: hash, ...request }, left);
    this.fail(socket, hash, new UnsubscribeError(`${this.id} ${hash} was unsubscribed`));
    delete socket.subscriptions[left];
    return true;
  }

  /** One login serves all channels of a connection. */
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
    else if (op === 'error') this.#refuse(client, message, id);
    else if (op === undefined) this.handleData(client, message);
  }

  /** A message of a channel. */
  protected abstract handleData(client: Client, message: Dict): void;

  #refuse(client: Client, message: Dict, id: string): void {
    let refusal: unknown;
    try {
      this.handleErrors(400, '', client.url, 'GET', {}, this.json(message), message);
    } catch (error) {
      refusal = error;
    }
    // Without an id nobody knows whose it was, so everybody hears of it.
    if (id === '') client.reject(refusal);
    this.refused(id, message);
    this.fail(client, id, refusal);
  }

  /** A subscription was refused. */
  protected refused(_hash: string, _message: Dict): void {}

  /** A subscription is over: whatever waits for its messages hears why, and the next call subscribes anew. */
  protected fail(client: Client, hash: string, error: unknown): void {
    delete client.subscriptions[hash];
    for (const waiting of Object.keys(client.futures)) {
      if (waiting === hash || waiting.startsWith(`${hash}:`)) client.reject(error, waiting);
    }
  }
}
