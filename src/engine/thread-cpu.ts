// Processor time by thread. Each worker thread writes its own to a slot of shared memory; the main
// thread, which opens and closes the slots, adds them up for the metrics.

/** One float: seconds. A thread only ever stores whole values, so a reader needs no lock. */
export type CpuSlot = Float64Array<SharedArrayBuffer>;

const REPORT_MS = 250;

class ThreadCpu {
  readonly #slots = new Map<CpuSlot, string>();
  /** Seconds of the threads that have ended, by name. */
  readonly #ended = new Map<string, number>();
  #other = 0;

  /** The slot of a new thread, which several threads of the same name add up with. */
  open(thread: string): CpuSlot {
    const slot = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
    this.#slots.set(slot, thread);
    return slot;
  }

  /** The thread has ended; its time still counts. */
  close(slot: CpuSlot): void {
    const thread = this.#slots.get(slot);
    if (thread === undefined) return;
    this.#slots.delete(slot);
    this.#ended.set(thread, (this.#ended.get(thread) ?? 0) + slot[0]!);
  }

  /**
   * Seconds by thread since the process started. `other` is the rest of the process: writes to the
   * disk, compilation and garbage collection. Called in the main thread only.
   */
  seconds(): ReadonlyMap<string, number> {
    const seconds = new Map([['main', secondsOf(process.threadCpuUsage())], ...this.#ended]);
    for (const [slot, thread] of this.#slots) {
      seconds.set(thread, (seconds.get(thread) ?? 0) + slot[0]!);
    }
    const known = [...seconds.values()].reduce((sum, value) => sum + value, 0);
    // Threads report late, so the rest may shrink for a moment; a counter must not.
    this.#other = Math.max(this.#other, secondsOf(process.cpuUsage()) - known);
    return seconds.set('other', this.#other);
  }
}

/** The threads of this process. */
export const threadCpu = new ThreadCpu();

/** Writes the processor time of the calling thread to its slot from now on. */
export function reportCpu(slot: CpuSlot): void {
  const report = (): void => {
    slot[0] = secondsOf(process.threadCpuUsage());
  };
  report();
  setInterval(report, REPORT_MS).unref();
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;
