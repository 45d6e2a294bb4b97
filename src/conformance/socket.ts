// The websocket of the checks: its messages one by one, each as it is described, and the login.
import type { AnswerValue } from '../contract/answer.ts';
import { faultsOfMessage } from '../contract/answer-faults.ts';
import type { DATA_MESSAGES } from '../contract/streams/answers.ts';
import { parseExact } from '../sdk/exact-json.ts';
import { expect, type Read, Skip } from './expect.ts';
import type { Kit } from './kit.ts';

export const ORDERS = '/ws/v1/private/orders';
const PATIENCE_MS = 5_000;

export type Message = Readonly<Record<string, unknown>>;
type Channel = keyof typeof DATA_MESSAGES;
export type DataMessage<C extends Channel> = Read<AnswerValue<(typeof DATA_MESSAGES)[C]>>;

/** A websocket whose messages a check reads one by one. */
export class Socket {
  readonly #socket: WebSocket;
  readonly #texts: string[] = [];
  #wake: (() => void) | null = null;
  #isClosed = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data: text }: MessageEvent) => {
      this.#texts.push(String(text));
      this.#wake?.();
    };
    socket.onclose = () => {
      this.#isClosed = true;
      this.#wake?.();
    };
  }

  static async open({ wire }: Kit, path: string): Promise<Socket> {
    const socket = new WebSocket(wire.url.replace(/^http/, 'ws') + path);
    const opened = new Socket(socket);
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new Skip(`a websocket cannot be opened at ${path}`));
      const timer = setTimeout(fail, PATIENCE_MS);
      socket.onopen = () => resolve(clearTimeout(timer));
      socket.onerror = fail;
    });
    return opened;
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  async logIn(kit: Kit, path: string): Promise<void> {
    this.send(loginMessage(kit, path));
    await this.reply('loggedIn');
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The next message with this `op`. */
  reply(op: string): Promise<Message> {
    return this.#next((message) => message.op === op, `a message with op ${op}`);
  }

  /** The next data message of a channel. */
  async data<C extends Channel>(channel: C, type: 'snapshot' | 'update'): Promise<DataMessage<C>> {
    const isNext = (message: Message) => message.channel === channel && message.type === type;
    return (await this.#next(isNext, `the ${type} of ${channel}`)) as DataMessage<C>;
  }

  /** The next message that fits; earlier ones are passed over, and each must be as described. */
  async #next(fits: (message: Message) => boolean, expected: string): Promise<Message> {
    const deadline = performance.now() + PATIENCE_MS;
    let last = 'no message';
    for (;;) {
      const text = this.#texts.shift();
      if (text !== undefined) {
        const [fault] = faultsOfMessage(text);
        expect(fault === undefined, 'every message as it is described', fault);
        const message = parseExact(text) as Message;
        if (fits(message)) return message;
        last = text;
        continue;
      }
      const left = deadline - performance.now();
      expect(left > 0 && !this.#isClosed, expected, last);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => resolve(clearTimeout(timer));
      });
    }
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

export const loginMessage = ({ wire }: Kit, path: string): object => {
  const timestamp = wire.timestamp();
  const sign = wire.sign(`${timestamp}GET${path}`);
  return { op: 'login', apiKey: wire.apiKey, timestamp: Number(timestamp), sign };
};
