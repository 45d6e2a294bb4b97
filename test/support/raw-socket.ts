// A websocket frame by frame, for what a client library would not send: broken, giant and endless
// frames, and a peer that does not read. The handshake is real, everything after it is up to the
// test.
import { connect, type Socket } from 'node:net';
import { PATIENCE_MS } from './waiting.ts';

const HANDSHAKE = {
  Host: 'test',
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version': '13',
};

const MASK = [7, 11, 13, 17] as const;

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

export class RawSocket implements AsyncDisposable {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #closed = false;
  #wake: (() => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes as Buffer]);
      this.#wake?.();
    });
    socket.on('close', () => {
      this.#closed = true;
      this.#wake?.();
    });
    socket.on('error', () => {});
  }

  static async open(
    port: number,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawSocket> {
    const socket = connect({ port, host: '127.0.0.1' });
    const raw = new RawSocket(socket);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    const lines = Object.entries({ ...HANDSHAKE, ...headers }).map(
      ([name, of]) => `${name}: ${of}`,
    );
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const end = await raw.#until(() => {
      const at = raw.#received.indexOf('\r\n\r\n');
      return at < 0 ? undefined : at + 4;
    });
    const head = raw.#received.subarray(0, end).toString();
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(`the upgrade was rejected: ${head}`);
    raw.#received = raw.#received.subarray(end);
    return raw;
  }

  /** Bytes as they are. */
  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** A masked frame; the first byte is `opcode` with the bit of a last fragment. */
  frame(opcode: number, payload: Uint8Array, { last = true } = {}): void {
    const { length } = payload;
    const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
    const head = Buffer.from([(last ? 0x80 : 0) | opcode, ...size, ...MASK]);
    const masked = Buffer.from(payload.map((byte, i) => byte ^ MASK[i % 4]!));
    this.#socket.write(Buffer.concat([head, masked]));
  }

  say(message: object): void {
    this.frame(0x1, new TextEncoder().encode(JSON.stringify(message)));
  }

  /** Stops reading, so that the server's messages pile up. */
  pause(): void {
    this.#socket.pause();
  }
  resume(): void {
    this.#socket.resume();
  }

  /** The next text message. */
  async text(): Promise<string> {
    for (;;) {
      const { opcode, payload } = await this.#next();
      if (opcode === 0x1) return payload.toString();
      if (opcode === 0x8) throw new Error(`closed with ${payload.readUInt16BE(0)}`);
    }
  }

  /** The code that the server closes with; 0 where it only ends the connection. */
  async closeCode(): Promise<number> {
    for (;;) {
      const next = await this.#next().catch(() => null);
      if (next === null) return 0;
      if (next.opcode === 0x8) return next.payload.readUInt16BE(0);
    }
  }

  /** True if the server ends the connection, in whatever way. */
  async ended(): Promise<boolean> {
    for (;;) {
      const next = await this.#next().catch(() => null);
      if (next === null) return this.#closed;
      if (next.opcode === 0x8) return true;
    }
  }

  #next(): Promise<Frame> {
    return this.#until(() => {
      const bytes = this.#received;
      if (bytes.length < 2) return undefined;
      let length = bytes[1]! & 127;
      let at = 2;
      if (length === 126) {
        if (bytes.length < 4) return undefined;
        length = bytes.readUInt16BE(2);
        at = 4;
      } else if (length === 127) {
        if (bytes.length < 10) return undefined;
        length = Number(bytes.readBigUInt64BE(2));
        at = 10;
      }
      if (bytes.length < at + length) return undefined;
      this.#received = bytes.subarray(at + length);
      return { opcode: bytes[0]! & 15, payload: bytes.subarray(at, at + length) };
    });
  }

  /** Rejects when the connection ends, or nothing comes for long. */
  async #until<T>(found: () => T | undefined): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const value = found();
      if (value !== undefined) return value;
      const left = deadline - performance.now();
      if (this.#closed || left <= 0) throw new Error('the connection has ended, or is silent');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
  }
}
