// A websocket client for tests: it opens one of the three endpoints, logs in, keeps every message
// in order, and waits for the one that a test needs.
import { expect } from 'bun:test';
import { faultsOfMessage } from '../../src/contract/answer-faults.ts';
import { type Client, type Credentials, type Json, signedHeaders, type TestNode } from './node.ts';
import { PATIENCE_MS } from './waiting.ts';

export const PUBLIC = '/ws/v1/public';
export const OWN_ORDERS = '/ws/v1/private/orders';
export const OWN_ACCOUNT = '/ws/v1/private/account';

/** The headers of an upgrade request. */
export const UPGRADE = {
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
};

export interface CloseFrame {
  readonly code: number;
  readonly reason: string;
}

type Condition = Readonly<Record<string, unknown>> | ((message: Json) => boolean);

export class StreamClient implements AsyncDisposable {
  readonly #socket: WebSocket;
  /** Every message, as it came. */
  readonly texts: string[] = [];
  readonly messages: Json[] = [];
  /** Where a message differs from what the contract describes. */
  readonly #faults: string[] = [];
  /** Where the next `take` begins. */
  #from = 0;
  #wake: (() => void) | null = null;
  readonly closed: Promise<CloseFrame>;
  isClosed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      this.texts.push(String(data));
      this.messages.push(JSON.parse(String(data)) as Json);
      this.#faults.push(...faultsOfMessage(String(data)));
      this.#wake?.();
    };
    this.closed = new Promise((resolve) => {
      socket.onclose = ({ code, reason }) => {
        this.isClosed = true;
        this.#wake?.();
        resolve({ code, reason });
      };
    });
  }

  /** Rejects where the upgrade is rejected. */
  static async open(
    node: Pick<TestNode, 'url'>,
    path: string = PUBLIC,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<StreamClient> {
    const url = node.url.replace('http', 'ws') + path;
    const socket = new WebSocket(url, { headers } as unknown as string);
    const client = new StreamClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error(`${path} was rejected`));
    });
    return client;
  }

  /** Logs in with the three headers of the upgrade request. */
  static async login(
    node: Pick<TestNode, 'url'>,
    path: string,
    client: Client,
  ): Promise<StreamClient> {
    const stream = await StreamClient.open(node, path, client.headersOf(path));
    await stream.take({ op: 'loggedIn' });
    return stream;
  }

  say(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket.send(bytes);
  }

  /** The next message with these members, after the last one that was taken. */
  async take(condition: Condition): Promise<Json> {
    const fits = typeof condition === 'function' ? condition : hasMembers(condition);
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      if (this.#faults.length > 0) throw new Error(this.#faults.join('; '));
      for (; this.#from < this.messages.length; this.#from++) {
        const message = this.messages[this.#from]!;
        if (!fits(message)) continue;
        this.#from++;
        return message;
      }
      const left = deadline - performance.now();
      if (this.isClosed || left <= 0) {
        const last = this.texts.slice(-3).join('\n');
        const why = this.isClosed ? 'the connection was closed' : 'nothing came';
        throw new Error(`${why}, not ${JSON.stringify(condition)}; last:\n${last}`);
      }
      await this.#news(left);
    }
  }

  #news(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Sends a request and returns its answer, acknowledgement or error. */
  async ask(message: object): Promise<Json> {
    const id = `ask-${++asked}`;
    this.say({ ...message, id });
    return this.take({ id });
  }

  /** The answer to a message with orders that is sent now. */
  order(op: string, fields: object): Promise<Json> {
    return this.ask({ op, timestamp: Date.now(), ...fields });
  }

  /** Subscribes, which the server must accept; returns the snapshot. */
  async subscribe(message: { readonly channel: string; readonly [key: string]: unknown }) {
    const answer = await this.ask({ op: 'subscribe', ...message });
    expect<unknown>(answer).toMatchObject({ op: 'subscribed', channel: message.channel });
    return this.take({ channel: message.channel, type: 'snapshot' });
  }

  /** Resolves when everything that the server sent before has come. */
  async settle(): Promise<void> {
    await this.ask({ op: 'ping' });
  }

  /** All data messages of a channel so far. */
  of(channel: string): Json[] {
    return this.messages.filter(
      (message) => String(message.channel) === channel && message.type !== undefined,
    );
  }

  async close(): Promise<CloseFrame> {
    this.#socket.close();
    return this.closed;
  }

  /** Ends the connection without a close frame. */
  async cut(): Promise<void> {
    (this.#socket as unknown as { terminate(): void }).terminate();
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isClosed) await this.close();
  }
}

let asked = 0;

const hasMembers =
  (members: Readonly<Record<string, unknown>>) =>
  (message: Json): boolean =>
    Object.entries(members).every(([name, value]) => (message[name] as unknown) === value);

/** A login message with a good signature unless `over` says otherwise. */
export function loginMessage(
  credentials: Credentials,
  path: string,
  timestamp: number,
  over: object = {},
): object {
  const signed = signedHeaders(credentials, { method: 'GET', path, timestamp });
  const sign = signed['EXCHANGE-API-SIGN'];
  return { op: 'login', apiKey: credentials.apiKey, timestamp, sign, ...over };
}

/** The numbers of a chain: each message's prevSeq is the seq of the one before. */
export function expectChain(messages: readonly Json[]): void {
  for (let i = 1; i < messages.length; i++) {
    const { type, prevSeq, seq } = messages[i]!;
    if (String(type) === 'snapshot') continue;
    expect<unknown>(prevSeq).toBe(messages[i - 1]!.seq);
    expect(Number(seq)).toBeGreaterThanOrEqual(Number(prevSeq));
  }
}
