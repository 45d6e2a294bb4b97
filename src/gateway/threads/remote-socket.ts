// A websocket that a gateway thread has, as the streams of the main thread use it.
import { Close, type Connection, type Socket } from '../../streams/connection.ts';
import { MAX_BUFFERED_BYTES } from '../../streams/limits.ts';
import { beginFrame, plainFrame } from '../relay/frames.ts';
import { Down, textFrame } from './frames.ts';
import type { Link } from './link.ts';

export class RemoteSocket implements Socket {
  readonly data: Connection;
  readonly #link: Link;
  readonly #id: number;
  /** Characters sent from here, and those of them that the thread has given to the websocket. */
  #sent = 0;
  #taken = 0;
  /** Bytes that wait for the client in the thread. */
  #buffered = 0;

  constructor(data: Connection, link: Link, id: number) {
    this.data = data;
    this.#link = link;
    this.#id = id;
  }

  getBufferedAmount(): number {
    return this.#sent - this.#taken + this.#buffered;
  }

  /** Takes over the report of the thread. */
  measured(taken: number, buffered: number): void {
    this.#taken = taken;
    this.#buffered = buffered;
  }

  send(text: string): number {
    // The HTTP server would do the same.
    if (this.getBufferedAmount() > MAX_BUFFERED_BYTES) {
      this.terminate();
      return 0;
    }
    this.#sent += text.length;
    this.#link.send(textFrame(Down.send, this.#id, text));
    // As for a message that waits: the thread has not sent it yet.
    return -1;
  }

  ping(): number {
    this.#link.send(plainFrame(Down.ping, this.#id));
    return 0;
  }

  close(code: number = Close.goingAway, reason = ''): void {
    const frame = beginFrame(Down.close, this.#id);
    frame.integer(code);
    frame.text(reason);
    this.#link.send(frame.view());
  }

  terminate(): void {
    this.#link.send(plainFrame(Down.terminate, this.#id));
  }

  subscribe(topic: string): boolean {
    this.#link.send(textFrame(Down.join, this.#id, topic));
    return true;
  }

  unsubscribe(topic: string): boolean {
    this.#link.send(textFrame(Down.leave, this.#id, topic));
    return true;
  }
}
