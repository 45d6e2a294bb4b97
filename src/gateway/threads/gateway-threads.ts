// The gateway threads of a node, from the main thread: it starts them and replaces one that ends or
// hangs. A thread that is gone costs its clients their connections; each command that it had passed
// on is carried out, as after a client that has gone.
import type { Publisher } from '../../streams/hub.ts';
import { Down, textFrame } from './frames.ts';
import type { RingBytes } from './link.ts';
import { ThreadHandle, type ThreadServices } from './thread-handle.ts';

export interface GatewayThreadsOptions extends ThreadServices {
  readonly count: number;
}

/** A thread whose event loop stands still for this long is replaced. */
const HANG_MS = 10_000;
const CHECK_MS = 1000;
/** A thread that leaves more frames unread is replaced. */
const MAX_DEPTH = 256 << 20;
/** Before a thread that has ended is started again. */
const RESTART_MS = 500;

interface Slot {
  readonly number: number;
  thread: ThreadHandle;
  cpuSeconds: number;
  /** When its processor time was last seen to grow, of performance.now(). */
  aliveAt: number;
}

export class GatewayThreads implements Publisher {
  readonly #options: GatewayThreadsOptions;
  readonly #slots: Slot[] = [];
  #host = '';
  #port = 0;
  #checks: ReturnType<typeof setInterval> | null = null;
  #closed = false;
  #started = 0;

  constructor(options: GatewayThreadsOptions) {
    this.#options = options;
  }

  /** Listens with all threads; returns the port. Rejects where the address is taken. */
  async listen(host: string, port: number): Promise<number> {
    this.#host = host;
    this.#port = port;
    for (let number = 1; number <= this.#options.count; number++) {
      const thread = this.#start(number);
      this.#slots.push({ number, thread, cpuSeconds: 0, aliveAt: performance.now() });
      try {
        // The first one chooses the port.
        this.#port = await thread.listening;
      } catch (error) {
        this.end();
        throw error;
      }
    }
    for (const slot of this.#slots) this.#watch(slot);
    this.#checks = setInterval(() => this.#check(), CHECK_MS);
    return this.#port;
  }

  #start(number: number): ThreadHandle {
    // A thread that is started again gives other ids than the one before.
    const idPrefix = `${Date.now().toString(36)}-${number}-${++this.#started}-`;
    return new ThreadHandle(this.#options, { host: this.#host, port: this.#port, idPrefix });
  }

  /** Replaces the thread of a slot when it ends. */
  #watch(slot: Slot): void {
    void slot.thread.ended.then(async (why) => {
      if (this.#closed) return;
      const { log } = this.#options.services;
      log.error({ thread: slot.number, why }, 'a gateway thread ended: its clients are cut off');
      slot.thread.end();
      await Bun.sleep(RESTART_MS);
      if (this.#closed) return;
      slot.thread = this.#start(slot.number);
      slot.aliveAt = performance.now();
      slot.thread.listening.catch((error: unknown) => {
        log.error({ thread: slot.number, err: error }, 'a gateway thread cannot listen');
        slot.thread.end();
      });
      this.#watch(slot);
    });
  }

  #check(): void {
    const now = performance.now();
    for (const slot of this.#slots) {
      const { thread } = slot;
      const { cpuSeconds } = thread;
      if (cpuSeconds !== slot.cpuSeconds) slot.aliveAt = now;
      slot.cpuSeconds = cpuSeconds;
      if (now - slot.aliveAt > HANG_MS || thread.depth > MAX_DEPTH) thread.end();
    }
  }

  publish(topic: string, text: string): void {
    const frame = textFrame(Down.publish, 0, topic, text);
    for (const { thread } of this.#slots) thread.send(frame);
  }

  get ringBytes(): RingBytes {
    const sum = (bytes: (thread: ThreadHandle) => number): number =>
      this.#slots.reduce((total, { thread }) => total + bytes(thread), 0);
    return { gateway: sum(({ depth }) => depth), main: sum(({ unread }) => unread) };
  }

  /** Stops listening; resolves when all requests are answered. */
  async stop(): Promise<void> {
    this.#closed = true;
    if (this.#checks !== null) clearInterval(this.#checks);
    await Promise.all(this.#slots.map(({ thread }) => thread.stop()));
  }

  /** Ends the threads with all connections. */
  end(): void {
    for (const { thread } of this.#slots) thread.end();
  }
}
