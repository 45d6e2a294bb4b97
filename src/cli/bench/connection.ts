// One keep-alive connection of a load client: raw TCP with one request in flight. A fetch() for
// each request would cost the client more than the request costs the server.
import type { Socket } from 'bun';

/** The answer to the request in flight has come. */
export type AnswerListener = (connection: Connection, status: number, body: () => string) => void;

/** "HTTP/1.1 " is followed by the status. */
const STATUS_AT = 9;
const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

export class Connection {
  readonly index: number;
  readonly #listener: AnswerListener;
  readonly #onLost: (error: Error) => void;
  #socket: Socket<undefined> | null = null;
  /** Bytes that the socket has not yet accepted. */
  #unsent: Buffer | null = null;
  /** The beginning of an answer that came in pieces. */
  #partial: Buffer | null = null;

  private constructor(index: number, listener: AnswerListener, onLost: (error: Error) => void) {
    this.index = index;
    this.#listener = listener;
    this.#onLost = onLost;
  }

  static async open(
    index: number,
    port: number,
    listener: AnswerListener,
    onLost: (error: Error) => void,
  ): Promise<Connection> {
    const connection = new Connection(index, listener, onLost);
    connection.#socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (_socket, bytes) => connection.#receive(bytes),
        drain: () => connection.#sendRest(),
        close: () => onLost(new Error('the server has closed a connection')),
        error: (_socket, error) => onLost(error),
      },
    });
    connection.#socket.setNoDelay(true);
    return connection;
  }

  send(bytes: Buffer, from: number, to: number): void {
    const taken = this.#socket!.write(bytes, from, to - from);
    if (taken < to - from) this.#unsent = bytes.subarray(from + Math.max(0, taken), to);
  }

  close(): void {
    this.#socket?.end();
  }

  #sendRest(): void {
    const rest = this.#unsent;
    if (rest === null) return;
    this.#unsent = null;
    this.send(rest, 0, rest.length);
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#partial === null ? chunk : Buffer.concat([this.#partial, chunk]);
    const head = bytes.indexOf(HEAD_END);
    const length = head < 0 ? null : CONTENT_LENGTH.exec(bytes.toString('latin1', 0, head));
    if (head >= 0 && length === null) {
      this.#onLost(new Error('an answer has no Content-Length'));
      return;
    }
    const end = length === null ? Number.POSITIVE_INFINITY : head + 4 + Number(length[1]);
    if (bytes.length < end) {
      // The socket's buffer is used again for the next piece.
      this.#partial = Buffer.from(bytes);
      return;
    }
    this.#partial = null;
    const status = Number(bytes.toString('latin1', STATUS_AT, STATUS_AT + 3));
    this.#listener(this, status, () => bytes.toString('latin1', head + 4, end));
  }
}
