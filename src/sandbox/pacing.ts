// How the demo market behaves when things do not go its way: it waits longer and longer before it
// asks again, it says each kind of trouble once a minute at most, and every wait ends at once when
// it is stopped.
import type { Logger } from 'pino';
import type { Answer } from './signed-client.ts';

/** The first and the longest wait after trouble. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const LOG_EVERY_MS = 60_000;

/**
 * Resolves after `ms`, or as soon as `signal` aborts. Its timer does not keep the process alive.
 */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    signal.addEventListener('abort', end);
  });
}

/**
 * Whether a caller should hold back, from the answers that it got. Time is the process's steady
 * clock.
 */
export class Patience {
  #wait = 0;
  #until = 0;

  /** Nothing speaks against the next request. */
  get calm(): boolean {
    return performance.now() >= this.#until;
  }

  note(answer: Answer<unknown>): void {
    const now = performance.now();
    if (!isTrouble(answer)) {
      // Answers to requests that went out before the trouble say nothing about it.
      if (this.calm) this.#wait = 0;
      return;
    }
    if (this.calm) {
      this.#wait = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, this.#wait * 2));
    }
    const asked = answer.kind === 'busy' ? Math.min(answer.retryAfterMs, LONGEST_WAIT_MS) : 0;
    this.#until = Math.max(this.#until, now + Math.max(this.#wait, asked));
  }
}

/**
 * A key that is refused as such will be refused again; everything else that is refused concerns one
 * request.
 */
function isTrouble(answer: Answer<unknown>): answer is Exclude<Answer<never>, { kind: 'ok' }> {
  if (answer.kind === 'ok') return false;
  return answer.kind !== 'refused' || answer.status === 401 || answer.status === 403;
}

/** Warnings, of each kind one a minute at most; the next one says how many were left out. */
export class RareWarnings {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #kinds = new Map<string, { saidAt: number; leftOut: number }>();

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  warn(kind: string, text: string): void {
    const now = performance.now();
    const last = this.#kinds.get(kind);
    if (last !== undefined && now - last.saidAt < LOG_EVERY_MS) {
      last.leftOut++;
      return;
    }
    this.#kinds.set(kind, { saidAt: now, leftOut: 0 });
    this.#log.warn({ reason: text, leftOut: last?.leftOut ?? 0 }, `demo market: ${kind}`);
  }
}
