// Frames between two threads, both ways: a ring for each direction. A frame that finds it full
// waits at its writer, and a long one travels in parts. A reader that rests is woken by a message,
// which costs both threads more than a frame; while frames keep coming it is not needed.
import type { Ring } from './ring.ts';

export interface LinkEnds {
  readonly incoming: Ring;
  readonly outgoing: Ring;
  /** Wakes the other thread, which then calls `wake` of its link. */
  readonly wakeOther: () => void;
  readonly receive: (frame: Uint8Array) => void;
  /** `receive` threw. The link goes on with the next frame. */
  readonly onFault: (error: unknown) => void;
}

/** Bytes of frames that wait for the gateway threads, or for the main thread, to read them. */
export interface RingBytes {
  readonly gateway: number;
  readonly main: number;
}

/** In place of the kind of a frame: a part of a long one, and its last part. */
const PART = 255;
const LAST_PART = 254;
const PART_MARK = Buffer.of(PART);
const LAST_MARK = Buffer.of(LAST_PART);
/** Frames between two turns of the event loop. */
const FRAMES_A_TURN = 256;
/** Between two attempts on a full ring. */
const RETRY_MS = 1;

export class Link {
  readonly #ends: LinkEnds;
  /** Frames that wait for room in the ring, oldest first. */
  #backlog: Uint8Array[] = [];
  #backlogBytes = 0;
  #retry: ReturnType<typeof setTimeout> | null = null;
  /** The parts of a frame whose end has not come. */
  #parts: Uint8Array[] = [];
  #isReading = false;
  #isWaking = false;
  #closed = false;

  constructor(ends: LinkEnds) {
    this.#ends = ends;
  }

  /** Bytes that the other thread has not read. */
  get depth(): number {
    return this.#ends.outgoing.depth + this.#backlogBytes;
  }

  /** Bytes that this thread has not read. */
  get unread(): number {
    return this.#ends.incoming.depth;
  }

  /** Sends a copy of a frame, whose first byte is its kind, below 254. */
  send(frame: Uint8Array): void {
    if (this.#closed) return;
    const { maxFrame } = this.#ends.outgoing;
    if (frame.length <= maxFrame) {
      this.#write(frame);
      return;
    }
    const room = maxFrame - 1;
    for (let at = 0; at < frame.length; at += room) {
      const isLast = at + room >= frame.length;
      const part = frame.subarray(at, at + room);
      this.#write(Buffer.concat([isLast ? LAST_MARK : PART_MARK, part]));
    }
  }

  /** Wakes the other thread once for all frames of this turn, such as the answers to a batch. */
  #wakeOther(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    queueMicrotask(this.#wakeIfResting);
  }

  readonly #wakeIfResting = (): void => {
    this.#isWaking = false;
    if (this.#ends.outgoing.takeRest()) this.#ends.wakeOther();
  };

  #write(frame: Uint8Array): void {
    const { outgoing } = this.#ends;
    if (this.#backlog.length === 0 && outgoing.write(frame)) {
      this.#wakeOther();
      return;
    }
    this.#backlog.push(frame.slice());
    this.#backlogBytes += frame.length;
    this.#retry ??= setTimeout(() => this.#writeBacklog(), RETRY_MS);
  }

  #writeBacklog(): void {
    this.#retry = null;
    const { outgoing } = this.#ends;
    let written = 0;
    for (const frame of this.#backlog) {
      if (!outgoing.write(frame)) break;
      this.#backlogBytes -= frame.length;
      written++;
    }
    this.#backlog.splice(0, written);
    if (written > 0) this.#wakeOther();
    if (this.#backlog.length > 0) {
      this.#retry = setTimeout(() => this.#writeBacklog(), RETRY_MS);
    }
  }

  /** Reads what there is, then rests until it is woken again. Called once at first. */
  readonly wake = (): void => {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#read();
  };

  readonly #read = (): void => {
    const { incoming } = this.#ends;
    for (let frames = 0; frames < FRAMES_A_TURN && !this.#closed; frames++) {
      const frame = incoming.read();
      if (frame !== null) {
        this.#receive(frame);
      } else if (incoming.rest()) {
        this.#isReading = false;
        return;
      }
    }
    if (!this.#closed) setImmediate(this.#read);
  };

  #receive(frame: Uint8Array): void {
    let whole = frame;
    if (frame[0]! >= LAST_PART) {
      this.#parts.push(frame.subarray(1));
      if (frame[0] === PART) return;
      whole = Buffer.concat(this.#parts);
      this.#parts = [];
    }
    try {
      this.#ends.receive(whole);
    } catch (error) {
      this.#ends.onFault(error);
    }
  }

  /** Sends and reads nothing more. */
  close(): void {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#backlog = [];
    this.#backlogBytes = 0;
  }
}
