// A channel on a stream of bytes. A frame is its length (u32, big-endian) and its content; a frame
// without content is a heartbeat. The channel bounds what waits in it, and notices a dead peer.
import { type Channel, type ChannelHandlers, MAX_FRAME_BYTES } from './transport.ts';

/** The stream under a channel, as a socket is one. */
export interface Wire {
  readonly peer: string;
  /** Takes what there is room for, and returns its length. */
  write(bytes: Uint8Array): number;
  /** Closes the stream after what it has taken. */
  end(): void;
}

/** A peer sends something in every interval. */
const HEARTBEAT_MS = 500;
/** Silent intervals after which a peer is dead. Counted, so that an own pause is not the peer's. */
const SILENT_INTERVALS = 4;
/** Two of the largest frames. */
const MAX_BUFFERED_BYTES = 2 * MAX_FRAME_BYTES;

const HEADER_BYTES = 4;
const BUFFER_BYTES = 1 << 16;
/** A larger buffer is freed once it is empty. */
const KEPT_BYTES = 1 << 22;
const HEARTBEAT = new Uint8Array(HEADER_BYTES);

export class FramedChannel implements Channel {
  readonly peer: string;
  readonly #wire: Wire;
  readonly #frames = new FrameReader();
  #closed: string | null = null;
  #handlers: ChannelHandlers | null = null;
  /** Frames that came while there were no handlers. */
  #early: Uint8Array[] = [];
  #earlyBytes = 0;
  /** Frames on their way out, from #start to #end. */
  #out = new Uint8Array(BUFFER_BYTES);
  #start = 0;
  #end = 0;
  /** The wire has no room until it drains. */
  #blocked = false;
  #flushing = false;
  #sentInInterval = false;
  #silentIntervals = 0;
  readonly #heartbeat: ReturnType<typeof setInterval>;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.peer = wire.peer;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  get closed(): string | null {
    return this.#closed;
  }

  get bufferedBytes(): number {
    return this.#end - this.#start;
  }

  attach(handlers: ChannelHandlers | null): void {
    this.#handlers = handlers;
    if (handlers === null) return;
    const { closed } = this;
    // A frame may be rejected, or change the receiver: the rest then waits for the next one.
    while (this.#early.length > 0 && this.#handlers === handlers) {
      const frame = this.#early.shift()!;
      this.#earlyBytes -= frame.length;
      this.#deliver(frame);
    }
    if (closed !== null && this.#handlers === handlers) this.#announceClose(handlers, closed);
  }

  send(frame: Uint8Array): void {
    if (this.#closed !== null) return;
    const { length } = frame;
    if (length === 0 || length > MAX_FRAME_BYTES) {
      throw new RangeError(`a frame of ${length} bytes`);
    }
    if (this.bufferedBytes + length > MAX_BUFFERED_BYTES && !this.#blocked) this.#flush();
    if (this.bufferedBytes + length > MAX_BUFFERED_BYTES) {
      this.close(`the peer left ${this.bufferedBytes} bytes unread`);
      return;
    }
    this.#reserve(HEADER_BYTES + length);
    new DataView(this.#out.buffer).setUint32(this.#end, length);
    this.#out.set(frame, this.#end + HEADER_BYTES);
    this.#end += HEADER_BYTES + length;
    // The frames of one turn leave in one write.
    if (this.#blocked || this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => this.#flush());
  }

  close(reason: string): void {
    if (this.#closed !== null) return;
    if (!this.#blocked) this.#flush();
    this.#shut(reason);
    this.#wire.end();
  }

  /** Bytes came from the wire. They are never overwritten. */
  received(bytes: Uint8Array): void {
    this.#silentIntervals = 0;
    let at = 0;
    while (at < bytes.length && this.#closed === null) {
      at = this.#frames.read(bytes, at);
      const { frame } = this.#frames;
      if (frame === null) {
        const { tooLong } = this.#frames;
        if (tooLong !== null) this.close(`the peer sent a frame of ${tooLong} bytes`);
        return;
      }
      if (frame.length > 0) this.#deliver(frame);
    }
  }

  /** The wire has room again. */
  drained(): void {
    if (!this.#blocked || this.#closed !== null) return;
    this.#flush();
    if (!this.#blocked) this.#handlers?.onDrain?.();
  }

  /** The wire is closed, and not by this side. */
  ended(reason: string): void {
    if (this.#closed === null) this.#shut(reason);
  }

  /** Closes it without a word to either side: the process that had it is gone. */
  abandon(): void {
    this.#handlers = null;
    if (this.#closed === null) this.#shut('abandoned');
  }

  #shut(reason: string): void {
    this.#closed = reason;
    clearInterval(this.#heartbeat);
    this.#out = HEARTBEAT;
    this.#start = this.#end = 0;
    if (this.#handlers !== null) this.#announceClose(this.#handlers, reason);
  }

  /** Later than the caller, which may be in the middle of something. */
  #announceClose(handlers: ChannelHandlers, reason: string): void {
    queueMicrotask(() => handlers.onClose(reason));
  }

  #deliver(frame: Uint8Array): void {
    if (this.#handlers === null) {
      this.#early.push(frame);
      this.#earlyBytes += frame.length;
      if (this.#earlyBytes > MAX_BUFFERED_BYTES) this.close('nobody receives the frames');
      return;
    }
    try {
      this.#handlers.onFrame(frame);
    } catch (error) {
      this.#early = [];
      this.close(`the peer sent a malformed frame: ${(error as Error).message}`);
    }
  }

  #reserve(extra: number): void {
    if (this.#end + extra <= this.#out.length) return;
    const waiting = this.#out.subarray(this.#start, this.#end);
    const needed = waiting.length + extra;
    const isHalfEmpty = needed <= this.#out.length / 2;
    const grown = Math.max(needed, Math.min(this.#out.length * 2, MAX_BUFFERED_BYTES));
    const room = isHalfEmpty ? this.#out : new Uint8Array(grown);
    room.set(waiting);
    this.#out = room;
    this.#start = 0;
    this.#end = waiting.length;
  }

  #flush(): void {
    this.#flushing = false;
    if (this.#closed !== null) return;
    this.#blocked = false;
    while (this.#start < this.#end) {
      const taken = this.#wire.write(this.#out.subarray(this.#start, this.#end));
      this.#sentInInterval = true;
      if (taken <= 0) {
        this.#blocked = true;
        return;
      }
      this.#start += taken;
    }
    this.#start = this.#end = 0;
    if (this.#out.length > KEPT_BYTES) this.#out = new Uint8Array(BUFFER_BYTES);
  }

  #beat(): void {
    if (++this.#silentIntervals > SILENT_INTERVALS) {
      this.close(`the peer was silent for ${(SILENT_INTERVALS * HEARTBEAT_MS) / 1000} s`);
      return;
    }
    if (!this.#sentInInterval && this.bufferedBytes === 0) {
      this.#reserve(HEADER_BYTES);
      this.#out.set(HEARTBEAT, this.#end);
      this.#end += HEADER_BYTES;
      this.#flush();
    }
    this.#sentInInterval = false;
  }
}

/** Finds the frames in a stream of bytes, one per call. */
class FrameReader {
  readonly #header = new Uint8Array(HEADER_BYTES);
  #headerBytes = 0;
  /** The frame whose end has not come, and how much of it has. */
  #open: Uint8Array | null = null;
  #openBytes = 0;
  /** The frame that the last call has completed. */
  frame: Uint8Array | null = null;
  /** The length of a frame that is longer than allowed. Nothing can be read after it. */
  tooLong: number | null = null;

  /** Reads on from `at`, and returns the place after what it has read. */
  read(bytes: Uint8Array, at: number): number {
    this.frame = null;
    let next = at;
    if (this.#open === null) {
      while (this.#headerBytes < HEADER_BYTES && next < bytes.length) {
        this.#header[this.#headerBytes++] = bytes[next++]!;
      }
      if (this.#headerBytes < HEADER_BYTES) return next;
      const length = new DataView(this.#header.buffer).getUint32(0);
      if (length > MAX_FRAME_BYTES) {
        this.tooLong = length;
        return bytes.length;
      }
      this.#headerBytes = 0;
      if (next + length <= bytes.length) {
        this.frame = bytes.subarray(next, next + length);
        return next + length;
      }
      this.#open = new Uint8Array(length);
      this.#openBytes = 0;
    }
    const part = bytes.subarray(next, next + this.#open.length - this.#openBytes);
    this.#open.set(part, this.#openBytes);
    this.#openBytes += part.length;
    if (this.#openBytes === this.#open.length) {
      this.frame = this.#open;
      this.#open = null;
    }
    return next + part.length;
  }
}
