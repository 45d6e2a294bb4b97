// Changes the follower's thread of a server that has preloaded a module (BUN_OPTIONS). The thread
// is found by the name of its script, and runs the same module again.
import { isMainThread } from 'node:worker_threads';

declare const self: Worker;

const THREAD = 'follower-worker.ts';

/** Called by the module `url`; `patch` runs in the follower's thread, before its first message. */
export async function patchFollower(url: string, patch: () => Promise<void>): Promise<void> {
  if (isMainThread) {
    const Original = globalThis.Worker;
    globalThis.Worker = class extends Original {
      constructor(script: string | URL, options?: WorkerOptions) {
        super(String(script).endsWith(THREAD) ? url : script, options);
      }
    };
    return;
  }
  // The first messages come while the modules below are read.
  const early: MessageEvent[] = [];
  self.onmessage = (message: MessageEvent) => void early.push(message);
  await patch();
  await import('../../src/engine/follower-worker.ts');
  for (const message of early) self.onmessage?.(message);
}
