// The memory of this process after garbage collection.
import { heapStats } from 'bun:jsc';

export interface Memory {
  /** Bytes of the whole process, by the operating system. */
  readonly resident: number;
  /** Bytes of live objects and typed arrays. */
  readonly live: number;
}

/** After full collections, with time for the allocator to give pages back. */
export async function settledMemory(): Promise<Memory> {
  for (let i = 0; i < 5; i++) {
    Bun.gc(true);
    await Bun.sleep(200);
  }
  // The heap's size has the memory of typed arrays in it.
  const { heapSize } = heapStats();
  return { resident: process.memoryUsage.rss(), live: heapSize };
}
