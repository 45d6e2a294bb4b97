// HTTP byte by byte, for what a client library would not send: broken request lines, contradicting
// headers, slow bodies, bytes moved over the borders of a signed request. One connection is used
// until the server closes it.
import { connect, type Socket } from 'node:net';
import { PATIENCE_MS } from './waiting.ts';

/** An answer as it came over the wire; status 0 when the connection was closed without one. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
  /** True if the server closed the connection with it. */
  readonly closed: boolean;
}

/**
 * The bytes of a request. Content-Length is that of the body unless `headers` say how long it is.
 */
export function rawRequest(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = '',
): Uint8Array {
  const lines = Object.entries({ Host: 'test', ...headers }).map(([name, of]) => `${name}: ${of}`);
  const bytes = Buffer.from(body);
  const sized = 'Content-Length' in headers || 'Transfer-Encoding' in headers;
  if (bytes.length > 0 && !sized) lines.push(`Content-Length: ${bytes.length}`);
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

export class RawConnection {
  readonly #port: number;
  #socket: Socket | null = null;
  #received = Buffer.alloc(0);
  #closed = false;
  #wake: (() => void) | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends the bytes and reads one answer. */
  async exchange(bytes: string | Uint8Array): Promise<RawAnswer> {
    await this.send(bytes);
    return this.read();
  }

  async send(bytes: string | Uint8Array): Promise<void> {
    if (this.#socket === null || this.#closed) await this.#open();
    await new Promise<void>((resolve) => {
      // A failed write shows when the answer is read.
      this.#socket!.write(bytes, () => resolve());
    });
  }

  /** The next answer, read by its Content-Length. */
  async read(): Promise<RawAnswer> {
    const answer = await this.readWithin(PATIENCE_MS);
    if (answer === null) throw new Error('the server did not answer');
    return answer;
  }

  /** The next answer, or null when none comes in this time. */
  async readWithin(milliseconds: number): Promise<RawAnswer | null> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const answer = this.#parse();
      if (answer !== null) return answer;
      const left = deadline - performance.now();
      if (left <= 0) return null;
      await this.#more(left);
    }
  }

  /** True if the server closes the connection. */
  async closed(): Promise<boolean> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!this.#closed && performance.now() < deadline) {
      await this.#more(deadline - performance.now());
    }
    return this.#closed;
  }

  /** Sends no more; resolves when the server has read all bytes and closed the connection. */
  async finish(): Promise<void> {
    this.#socket?.end();
    await this.closed();
  }

  close(): void {
    this.#socket?.destroy();
    this.#closed = true;
  }

  async #open(): Promise<void> {
    this.#received = Buffer.alloc(0);
    this.#closed = false;
    const socket = connect(this.#port, '127.0.0.1');
    this.#socket = socket;
    const end = () => {
      if (this.#socket !== socket) return;
      this.#closed = true;
      this.#wake?.();
    };
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake?.();
    });
    socket.on('close', end);
    socket.on('error', end);
    await new Promise<void>((resolve) => {
      socket.once('connect', () => resolve());
      socket.once('close', () => resolve());
    });
  }

  #more(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #parse(): RawAnswer | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return this.#closed ? { status: 0, head: '', body: '', closed: true } : null;
    const head = this.#received.toString('latin1', 0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    const bodyless = status === 204 || status < 200;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? (bodyless ? 0 : -1));
    const start = end + 4;
    // Without a length, the body goes on to the end of the connection.
    if (length < 0 && !this.#closed) return null;
    const stop = length < 0 ? this.#received.length : start + length;
    if (this.#received.length < stop)
      return this.#closed ? { status: 0, head, body: '', closed: true } : null;
    const body = this.#received.toString('utf8', start, stop);
    this.#received = this.#received.subarray(stop);
    return { status, head, body, closed: this.#closed };
  }
}
